package topology

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology/internal/changeid"
	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// AgentField is one field of an agent, as Diff, Apply, Merge, Adopt, Validate, the linter and the converters walk them.
type AgentField struct {
	Name string
	// At returns a pointer to the field: *string, *[]string, *bool, **float64, **int, **Tools or *Files.
	At func(a *Agent) any

	maxBytes int // of a text
	equal    func(a, b *Agent) bool
	get      func(a *Agent) json.RawMessage          // nil for the zero value
	set      func(a *Agent, v json.RawMessage) error // nil clears
}

// agentFields is the one list of an agent's fields, in the order of a diff. Its tests fail when a field of Agent is
// missing, and when a converter neither keeps a field nor names it as lost (gatewayconfig, teamfile).
var agentFields = []AgentField{
	field("name", func(a *Agent) *string { return &a.Name }, same),
	field("role", func(a *Agent) *string { return &a.Role }, same),
	field("model", func(a *Agent) *string { return &a.Model }, same),
	field("fallbacks", func(a *Agent) *[]string { return &a.Fallbacks }, slices.Equal),
	field("persona", func(a *Agent) *string { return &a.Persona }, same).atMost(MaxPersona),
	field("workspace", func(a *Agent) *string { return &a.Workspace }, same),
	field(FieldFiles, func(a *Agent) *Files { return &a.Files }, sameFiles),
	field("description", func(a *Agent) *string { return &a.Description }, same),
	field("tools", func(a *Agent) **Tools { return &a.Tools }, sameTools),
	field("temperature", func(a *Agent) **float64 { return &a.Temperature }, samePtr),
	field("maxTokens", func(a *Agent) **int { return &a.MaxTokens }, samePtr),
	field("url", func(a *Agent) *string { return &a.URL }, same),
	field("secretEnv", func(a *Agent) *string { return &a.SecretEnv }, same),
	field("fingerprint", func(a *Agent) *string { return &a.Fingerprint }, same),
	field("allowAny", func(a *Agent) *bool { return &a.AllowAny }, same),
}

func field[T any](name string, at func(*Agent) *T, equal func(a, b T) bool) AgentField {
	var zero T
	return AgentField{
		Name:     name,
		At:       func(a *Agent) any { return at(a) },
		maxBytes: MaxText,
		equal:    func(a, b *Agent) bool { return equal(*at(a), *at(b)) },
		get: func(a *Agent) json.RawMessage {
			if equal(*at(a), zero) {
				return nil
			}
			return rawjson.Of(*at(a))
		},
		set: func(a *Agent, v json.RawMessage) error {
			var x T
			if v != nil {
				if err := json.Unmarshal(v, &x); err != nil {
					return err
				}
			}
			*at(a) = x
			return nil
		},
	}
}

// atMost sets how many bytes a text can have.
func (f AgentField) atMost(bytes int) AgentField {
	f.maxBytes = bytes
	return f
}

// MaxBytes returns how many bytes the text of the field can have, or each of its texts.
func (f AgentField) MaxBytes() int { return f.maxBytes }

// Text returns the value of a field that is one text, and whether it is one.
func (f AgentField) Text(a *Agent) (string, bool) {
	s, ok := f.At(a).(*string)
	if !ok {
		return "", false
	}
	return *s, true
}

// IsSet reports whether the field has a value.
func (f AgentField) IsSet(a *Agent) bool { return !f.equal(a, &unset) }

var unset Agent

// Same reports whether both agents have the same value in the field.
func (f AgentField) Same(a, b *Agent) bool { return f.equal(a, b) }

// Fields returns an agent's fields in the order of a diff. The id, the connections and the extra keys aren't
// among them.
func Fields() []AgentField { return agentFields }

// FileFields returns an agent's fields in the order in which files have them: the description precedes the persona.
func FileFields() []AgentField { return fileFields }

var fileFields = func() []AgentField {
	at := func(name string) int {
		return slices.IndexFunc(agentFields, func(f AgentField) bool { return f.Name == name })
	}
	from, to := at("description"), at("persona")
	return slices.Insert(slices.Delete(slices.Clone(agentFields), from, from+1), to, agentFields[from])
}()

// FieldNamed finds a field by its JSON name.
func FieldNamed(name string) (AgentField, bool) {
	for i := range agentFields {
		if agentFields[i].Name == name {
			return agentFields[i], true
		}
	}
	return AgentField{}, false
}

// FieldNames returns the JSON names of an agent's fields, in the order of a diff. The id, the connections and the extra
// keys are not among them. Who converts an agent goes through these names, so that a new field is forgotten nowhere.
func FieldNames() []string {
	names := make([]string, len(agentFields))
	for i, f := range agentFields {
		names[i] = f.Name
	}
	return names
}

func sameFields(a, b *Agent) bool {
	for i := range agentFields {
		if !agentFields[i].equal(a, b) {
			return false
		}
	}
	return a.Extra.Equal(b.Extra)
}

// extraField is how a key of Extra is named as a field: "extra.sandbox".
const extraField = "extra."

func setField(a *Agent, name string, v json.RawMessage) error {
	if key, ok := strings.CutPrefix(name, extraField); ok {
		a.Extra = a.Extra.With(key, v)
		return nil
	}
	if file, ok := FileOf(name); ok {
		files, err := a.Files.with(file, v)
		if err == nil {
			a.Files = files
		}
		return err
	}
	if f, ok := FieldNamed(name); ok {
		return f.set(a, v)
	}
	return errcode.New(errcode.Validation, "an agent has no field %q", name)
}

// connKey tells the connections of one agent apart. N counts doubles, from 0.
type connKey struct {
	kind   Kind
	target AgentID
	n      int
}

func (k connKey) item() string {
	if k.n == 0 {
		return ""
	}
	return strconv.Itoa(k.n + 1)
}

func (k connKey) String() string {
	s := changeid.Escape(string(k.kind)) + ":" + changeid.Escape(string(k.target))
	if k.n > 0 {
		s += "#" + k.item()
	}
	return s
}

// connSet is the connections of one agent by key.
type connSet = ordered.Set[connKey, Connection]

func connSetOf(cs []Connection) connSet {
	seen := make(map[connKey]int, len(cs))
	return ordered.NewSet(cs, func(c *Connection) connKey {
		k := connKey{kind: c.Type, target: c.TargetID}
		n := seen[k]
		seen[k]++
		return connKey{c.Type, c.TargetID, n}
	})
}

// agentSet is the agents of a topology by id.
type agentSet = ordered.Set[AgentID, Agent]

func agentSetOf(t *Topology) agentSet { return ordered.NewSet(t.Agents, agentKey) }

func agentKey(a *Agent) AgentID { return a.ID }

func agentPlace(id AgentID, field string) string {
	return changeid.ID(string(SubjectAgent), string(id), field)
}

func connPlace(source AgentID, k connKey, field string) string {
	s := changeid.ID(string(SubjectConnection), string(source), "") + ":" + k.String()
	if field != "" {
		s += ":" + changeid.Escape(field)
	}
	return s
}
