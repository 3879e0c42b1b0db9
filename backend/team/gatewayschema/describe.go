package gatewayschema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"agentflow/backend/team/gatewayconfig"
)

// Bounds of a description. What exceeds them stays editable as JSON.
const (
	MaxSource   = 24 << 20 // bytes of a schema
	maxSettings = 4000
	maxNesting  = 12
	maxChoices  = 200
	maxKey      = 200  // bytes
	maxLabel    = 200  // characters
	maxHelp     = 2000 // characters
	maxDefault  = 2000 // bytes
)

// Kind says what can be the value of a setting.
type Kind string

// The kinds. A setting with several takes any of them.
const (
	KindText    Kind = "text"
	KindNumber  Kind = "number"
	KindInteger Kind = "integer"
	KindBoolean Kind = "boolean"
	KindChoice  Kind = "choice" // one of the texts in Choices
	KindList    Kind = "list"
	KindMap     Kind = "map"   // keys that the person names; the setting "*" says what each holds
	KindGroup   Kind = "group" // an object with the known keys in Settings
	KindAny     Kind = "any"   // any JSON
)

// Any is the key of the setting that stands for each entry of a map.
const Any = "*"

// Setting is one place in the configuration of an agent.
type Setting struct {
	Key         string          `json:"key" doc:"Key of the setting. * stands for each key of a map."`
	Label       string          `json:"label,omitempty" doc:"Name of the setting, in the gateway's words."`
	Help        string          `json:"help,omitempty" doc:"What the setting does, in the gateway's words."`
	Placeholder string          `json:"placeholder,omitempty" doc:"Example of a value."`
	Kinds       []Kind          `json:"kinds" doc:"What the value can be. Several: any of them."`
	Choices     []string        `json:"choices,omitempty" doc:"Texts that the setting accepts."`
	Items       *Items          `json:"items,omitempty" doc:"What each item of a list can be."`
	Settings    []Setting       `json:"settings,omitempty" doc:"Settings below this one."`
	Bounds      *Bounds         `json:"bounds,omitempty" doc:"Bounds of a number. Absent: none, or unknown."`
	Default     json.RawMessage `json:"default,omitempty" doc:"Value that the gateway uses if nothing is set."`
	Advanced    bool            `json:"advanced,omitempty" doc:"The gateway calls the setting advanced."`
	Sensitive   bool            `json:"sensitive,omitempty" doc:"The value is a secret. Only references to secrets can be written."`
	Reload      string          `json:"reload,omitempty" enum:",hot,restart,none" doc:"What a change does: hot is applied at once, restart restarts the gateway, none needs neither. Absent: unknown."`
}

// Bounds are the bounds of a number, as JSON Schema names them.
type Bounds struct {
	Minimum          *float64 `json:"minimum,omitempty" doc:"Smallest value."`
	ExclusiveMinimum *float64 `json:"exclusiveMinimum,omitempty" doc:"The value must be greater."`
	Maximum          *float64 `json:"maximum,omitempty" doc:"Largest value."`
	ExclusiveMaximum *float64 `json:"exclusiveMaximum,omitempty" doc:"The value must be smaller."`
}

// Items says what each item of a list can be.
type Items struct {
	Kinds   []Kind   `json:"kinds" doc:"What each item can be."`
	Choices []string `json:"choices,omitempty" doc:"Texts that an item accepts."`
}

// Hint is what a gateway says of one setting beside its schema.
type Hint struct {
	Label       string   `json:"label,omitempty"`
	Help        string   `json:"help,omitempty"`
	Placeholder string   `json:"placeholder,omitempty"`
	Advanced    bool     `json:"advanced,omitempty"`
	Sensitive   bool     `json:"sensitive,omitempty"`
	Tags        []string `json:"tags,omitempty"` // of older gateways, which say "advanced" there
}

// Or returns the hint with another one's label, help and placeholder where it has none. A setting is advanced
// by its own hint alone.
func (h Hint) Or(o Hint) Hint {
	h.Label, h.Help = cmp.Or(h.Label, o.Label), cmp.Or(h.Help, o.Help)
	h.Placeholder = cmp.Or(h.Placeholder, o.Placeholder)
	h.Sensitive = h.Sensitive || o.Sensitive
	return h
}

// Source is what a gateway says about the settings of one agent.
type Source struct {
	Schema json.RawMessage   `json:"schema"`
	Hints  map[string]Hint   `json:"hints,omitempty"`  // by the path within an agent: "sandbox.docker.env"
	Reload map[string]string `json:"reload,omitempty"` // by the first key of the path; "" for all others

	Everyone *Source `json:"everyone,omitempty"` // the same of what every agent inherits; nil: it isn't known
}

// Description is the settings of one agent in the order of the schema.
type Description struct {
	Settings  []Setting
	Truncated bool // the schema has more settings than are described
}

// Describe returns the settings that a gateway offers for one agent. It returns none for what isn't the schema of an
// object with known keys.
func Describe(src Source) Description {
	if len(src.Schema) > MaxSource || Read(src.Schema) == nil {
		return Description{}
	}
	d := describer{src: src, left: maxSettings}
	root := d.setting(nil, src.Schema)
	return Description{Settings: root.Settings, Truncated: d.truncated}
}

type describer struct {
	src       Source
	left      int
	truncated bool
}

// form is the part of a schema that a description reads.
type form struct {
	node
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Properties  json.RawMessage `json:"properties"` // its order counts
}

func (d *describer) setting(path []string, raw json.RawMessage) Setting {
	var s Setting
	if len(path) > 0 {
		s.Key = path[len(path)-1]
	}
	d.shape(&s, path, raw, 0)
	if len(s.Kinds) == 0 {
		s.Kinds = []Kind{KindAny}
	}
	d.hint(&s, path)
	return s
}

// shape adds what one schema, or one of its alternatives, permits.
func (d *describer) shape(s *Setting, path []string, raw json.RawMessage, alternatives int) {
	var f form
	if json.Unmarshal(raw, &f) != nil || f.Ref != "" || len(f.AllOf) > 0 ||
		len(path) > maxNesting || alternatives > maxNesting {
		s.may(KindAny)
		return
	}
	s.Label, s.Help = cmp.Or(s.Label, f.Title), cmp.Or(s.Help, f.Description)
	if s.Default == nil && len(f.Default) <= maxDefault {
		s.Default = f.Default
	}
	if choices := slices.Concat(f.AnyOf, f.OneOf); len(choices) > 0 {
		for _, c := range choices[:min(len(choices), maxChoices)] {
			d.shape(s, path, c, alternatives+1)
		}
		return
	}
	var b Bounds
	if json.Unmarshal(raw, &b) != nil {
		b = Bounds{} // the bounds of an older JSON Schema, or none
	}
	d.values(s, path, &f, b)
}

func (d *describer) values(s *Setting, path []string, f *form, b Bounds) {
	types := typesOf(f.Type)
	listed := len(f.Enum) > 0 || f.Const != nil
	switch {
	case listed && !slices.Contains(types, "boolean"):
		s.listed(f)
		return
	case len(types) == 0 && (len(f.Properties) > 0 || isSchema(f.Additional)):
		types = []string{"object"}
	case len(types) == 0:
		s.may(KindAny)
	}
	for _, t := range types {
		switch t {
		case "string":
			s.may(KindText)
		case "number":
			s.number(KindNumber, b)
		case "integer":
			s.number(KindInteger, b)
		case "boolean":
			s.may(KindBoolean)
		case "array":
			s.may(KindList)
			s.items(d.item(f.Items))
		case "object":
			d.object(s, path, f)
		case "null":
		default:
			s.may(KindAny)
		}
	}
}

// number adds a number with its bounds. Where several numbers are permitted, no bounds are known.
func (s *Setting) number(k Kind, b Bounds) {
	first := !slices.Contains(s.Kinds, KindNumber) && !slices.Contains(s.Kinds, KindInteger)
	s.may(k)
	s.Bounds = nil
	if first && b != (Bounds{}) {
		s.Bounds = &b
	}
}

func (s *Setting) may(k Kind) {
	if !slices.Contains(s.Kinds, k) {
		s.Kinds = append(s.Kinds, k)
	}
}

// listed adds the values that enum or const name.
func (s *Setting) listed(f *form) {
	values := f.Enum
	if f.Const != nil {
		values = []any{f.Const}
	}
	for _, v := range values {
		switch v := v.(type) {
		case string:
			if len(s.Choices) >= maxChoices || len(v) > maxHelp {
				s.may(KindText)
				continue
			}
			s.may(KindChoice)
			if !slices.Contains(s.Choices, v) {
				s.Choices = append(s.Choices, v)
			}
		case bool:
			s.may(KindBoolean)
		case float64:
			s.may(KindNumber)
		case nil:
		default:
			s.may(KindAny)
		}
	}
}

// item says what the items of a list can be. Objects and lists in a list are JSON.
func (d *describer) item(raw json.RawMessage) *Items {
	var s Setting
	sub := describer{src: Source{}, left: 1}
	sub.shape(&s, []string{Any}, raw, 0)
	if len(s.Kinds) == 0 || slices.ContainsFunc(s.Kinds, func(k Kind) bool {
		return k == KindGroup || k == KindMap || k == KindList || k == KindAny || k == KindBoolean
	}) {
		return &Items{Kinds: []Kind{KindAny}}
	}
	return &Items{Kinds: s.Kinds, Choices: s.Choices}
}

func (s *Setting) items(i *Items) {
	if s.Items != nil && !slices.Equal(s.Items.Kinds, i.Kinds) {
		i = &Items{Kinds: []Kind{KindAny}}
	}
	s.Items = i
}

func (d *describer) object(s *Setting, path []string, f *form) {
	keys, known := inOrder(f.Properties)
	for _, k := range keys {
		if len(k.key) > maxKey || d.left <= 0 {
			d.truncated = true
			continue
		}
		d.add(s, path, k.key, k.schema)
	}
	if known && len(keys) > 0 {
		s.may(KindGroup)
	}
	switch {
	case isSchema(f.Additional):
		s.may(KindMap)
		if d.left > 0 {
			d.add(s, path, Any, f.Additional)
		}
	case len(keys) == 0:
		s.may(KindMap)
	}
}

// add describes one key of an object. A key of several alternatives takes what any of them does.
func (d *describer) add(s *Setting, path []string, key string, raw json.RawMessage) {
	below := append(slices.Clone(path), key)
	if i := slices.IndexFunc(s.Settings, func(x Setting) bool { return x.Key == key }); i >= 0 {
		d.shape(&s.Settings[i], below, raw, 1)
		return
	}
	d.left--
	s.Settings = append(s.Settings, d.setting(below, raw))
}

// isSchema reports whether the additional keys of an object are described: false and true aren't.
func isSchema(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 2 && raw[0] == '{'
}

type property struct {
	key    string
	schema json.RawMessage
}

// inOrder returns the keys of an object in its order, a double once.
func inOrder(raw json.RawMessage) (out []property, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		key, isText := t.(string)
		var v json.RawMessage
		if err != nil || !isText || dec.Decode(&v) != nil {
			return out, false
		}
		if !seen[key] {
			seen[key] = true
			out = append(out, property{key, v})
		}
	}
	return out, true
}

func (d *describer) hint(s *Setting, path []string) {
	h := d.src.Hints[strings.Join(path, ".")]
	s.Label, s.Help = cut(cmp.Or(h.Label, s.Label), maxLabel), cut(cmp.Or(h.Help, s.Help), maxHelp)
	s.Placeholder = cut(h.Placeholder, maxLabel)
	s.Advanced = h.Advanced || slices.Contains(h.Tags, "advanced")
	s.Sensitive = h.Sensitive || slices.Contains(s.Kinds, KindText) && gatewayconfig.LooksSecret(s.Key, "x")
	if s.Sensitive {
		s.Default = nil
	}
	if len(path) > 0 {
		if r, ok := d.src.Reload[path[0]]; ok {
			s.Reload = r
		} else {
			s.Reload = d.src.Reload[""]
		}
	}
	if !slices.Contains([]string{"", "hot", "restart", "none"}, s.Reload) {
		s.Reload = ""
	}
}

// cut returns at most so many characters of a text.
func cut(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// Walk visits every setting of a description with its path.
func Walk(settings []Setting, visit func(path []string, s *Setting)) { walk(settings, nil, visit) }

func walk(settings []Setting, path []string, visit func([]string, *Setting)) {
	for i := range settings {
		below := append(slices.Clone(path), settings[i].Key)
		visit(below, &settings[i])
		walk(settings[i].Settings, below, visit)
	}
}
