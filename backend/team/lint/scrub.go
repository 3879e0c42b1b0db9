package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"agentflow/backend/team/topology"
)

// Removed stands in a text where a secret in clear stood.
const Removed = "[removed]"

// Secret names the place of a secret that was taken out. It never holds the secret.
type Secret struct {
	Agent topology.AgentID // "" for one of the team's own keys, a group or a note
	Item  string           // id of the group or note
	Field string           // as a Problem names it: "persona", "extra.env.API_KEY"
}

// WithoutSecrets returns the team less every secret in clear that Check would report,
// and where they stood. In a text only the words that hold one are replaced; keys of
// the product's own that hold one go. Without any, it returns t itself.
func WithoutSecrets(t *topology.Topology) (*topology.Topology, []Secret) {
	c := t.Clone()
	s := &scrubber{}
	for i := range c.Agents {
		s.at = Secret{Agent: c.Agents[i].ID}
		s.agent(&c.Agents[i])
	}
	s.at = Secret{}
	c.Extra = s.extra("extra", c.Extra)
	c.Bindings = s.bindings(c.Bindings)
	c.Broadcast = s.extra("broadcast", c.Broadcast)
	c.Defaults = s.extra("defaults", c.Defaults)
	c.Messages = s.extra("messages", c.Messages)
	for i := range c.Notes {
		n := &c.Notes[i]
		s.at = Secret{Item: n.ID}
		n.Text = s.text("text", n.Text)
		n.Extra = s.extra("extra", n.Extra)
	}
	for i := range c.Groups {
		s.at = Secret{Item: c.Groups[i].ID}
		c.Groups[i].Extra = s.extra("extra", c.Groups[i].Extra)
	}
	if len(s.found) == 0 {
		return t, nil
	}
	return c, s.found
}

type scrubber struct {
	at    Secret
	found []Secret
}

func (s *scrubber) report(field string) {
	at := s.at
	at.Field = field
	s.found = append(s.found, at)
}

func (s *scrubber) agent(a *topology.Agent) {
	for _, f := range topology.Fields() {
		if text, ok := f.At(a).(*string); ok && f.Name != secretEnv {
			*text = s.text(f.Name, *text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Files)) {
		file := a.Files[name]
		file.Content = s.text(topology.FileField(name), file.Content)
		a.Files[name] = file
	}
	if a.SecretEnv != "" && !variable.MatchString(a.SecretEnv) {
		a.SecretEnv = ""
		s.report(secretEnv)
	}
	a.Extra = s.extra("extra", a.Extra)
	for i := range a.Connections {
		conn := &a.Connections[i]
		at := fmt.Sprintf("connections.%s.%s.", conn.Type, conn.TargetID)
		conn.Label = s.text(at+"label", conn.Label)
		conn.Extra = s.extra(at+"extra", conn.Extra)
	}
}

var (
	keyBlock = regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY.*?(-----END [A-Z ]*PRIVATE KEY-----|$)`)
	word     = regexp.MustCompile(`\S+`)
)

func (s *scrubber) text(field, text string) string {
	if !holdsSecret(text) {
		return text
	}
	s.report(field)
	return redact(text)
}

func redact(text string) string {
	out := keyBlock.ReplaceAllString(text, Removed)
	out = word.ReplaceAllStringFunc(out, func(w string) string {
		if holdsSecret(w) {
			return Removed
		}
		return w
	})
	if holdsSecret(out) {
		return Removed
	}
	return out
}

func (s *scrubber) extra(at string, e topology.Extra) topology.Extra {
	out := slices.Clone(e)[:0]
	for _, f := range e {
		dec := json.NewDecoder(bytes.NewReader(f.Value))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) != nil {
			out = append(out, f)
			continue
		}
		before := len(s.found)
		clean, keep := s.value(at+"."+f.Key, f.Key, v)
		if !keep {
			continue
		}
		if len(s.found) > before {
			raw, err := json.Marshal(clean)
			if err != nil {
				continue // a value that was JSON stays JSON
			}
			f.Value = raw
		}
		out = append(out, f)
	}
	return out
}

// bindings takes secrets out of the rules for messages: AgentFlow doesn't understand all of them.
func (s *scrubber) bindings(list topology.Bindings) topology.Bindings {
	for i, raw := range list {
		if kept := s.extra("bindings", topology.Extra{{Key: fmt.Sprint(i), Value: raw}}); len(kept) == 1 {
			list[i] = kept[0].Value
		}
	}
	return list
}

// value returns v without its secrets; keep is false where nothing is left of it.
func (s *scrubber) value(at, key string, v any) (clean any, keep bool) {
	switch v := v.(type) {
	case string:
		if secretKey(key) && !refersTo(v) {
			s.report(at)
			return nil, false
		}
		return s.text(at, v), true
	case []any:
		out := make([]any, 0, len(v))
		for i, x := range v {
			if clean, keep := s.value(fmt.Sprintf("%s[%d]", at, i), key, x); keep {
				out = append(out, clean)
			}
		}
		return out, true
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if clean, keep := s.value(at+"."+k, k, v[k]); keep {
				v[k] = clean
			} else {
				delete(v, k)
			}
		}
		return v, true
	}
	return v, true
}
