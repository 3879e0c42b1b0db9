package topology

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"agentflow/backend/team/topology/internal/changeid"
	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// Bindings are the rules by which a gateway gives the messages of its channels to agents, in the order of the config.
// Each stays the JSON that it was read as, whether AgentFlow understands it or not; package routes understands them.
type Bindings []json.RawMessage

// Bound is the part of a binding that says what it is about.
type Bound struct {
	Type    string          `json:"type,omitempty"`
	AgentID AgentID         `json:"agentId"`
	Match   json.RawMessage `json:"match"`
}

// BoundTo returns the agent that a binding names, or "".
func BoundTo(binding json.RawMessage) AgentID {
	var b struct {
		AgentID AgentID `json:"agentId"`
	}
	if json.Unmarshal(binding, &b) != nil {
		return ""
	}
	return b.AgentID
}

// Keys names each binding by the messages that it is about, so that two sides of a merge find the same one again.
// Of those about the same messages, the second is "…#2", and so on.
func (b Bindings) Keys() []string {
	keys, seen := make([]string, len(b)), map[string]int{}
	for i, raw := range b {
		key := bindingKey(raw)
		if seen[key]++; seen[key] > 1 {
			key += "#" + strconv.Itoa(seen[key])
		}
		keys[i] = key
	}
	return keys
}

// bindingKey is the match of a binding, and its type unless that is the usual one; of what has no match, the whole.
func bindingKey(raw json.RawMessage) string {
	var b Bound
	if json.Unmarshal(raw, &b) != nil || len(b.Match) == 0 {
		return canonical(raw)
	}
	if b.Type == "" || b.Type == "route" {
		return canonical(b.Match)
	}
	return b.Type + " " + canonical(b.Match)
}

// canonical returns JSON with its keys sorted and its numbers as they are written.
func canonical(raw json.RawMessage) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(raw)
	}
	return string(rawjson.Of(v))
}

// Equal reports whether both have the same bindings in the same order.
func (b Bindings) Equal(o Bindings) bool {
	return slices.EqualFunc(b, o, ordered.SameJSON)
}

// Among returns the bindings that o has as well, whatever agent they name there.
func (b Bindings) Among(o Bindings) Bindings {
	there := bindingSetOf(o)
	var out Bindings
	for i, key := range b.Keys() {
		if there.Has(key) {
			out = append(out, b[i])
		}
	}
	return out
}

// renameBound returns the bindings with the new IDs of agents. A binding that is in base as well stays as it is: it
// means other agents.
func renameBound(b, base Bindings, to map[AgentID]AgentID) Bindings {
	out, was := slices.Clone(b), bindingSetOf(base)
	for i, key := range b.Keys() {
		now := to[BoundTo(b[i])]
		if now == "" {
			continue
		}
		if there := was.Get(key); there != nil && ordered.SameJSON(*there, b[i]) {
			continue
		}
		var fields Extra
		if json.Unmarshal(b[i], &fields) == nil {
			out[i] = rawjson.Of(fields.With("agentId", rawjson.Of(now)))
		}
	}
	return out
}

func bindingSetOf(b Bindings) ordered.Set[string, json.RawMessage] { return ordered.SetOf(b, b.Keys()) }

func bindingPlace(key, field string) string { return changeid.ID(string(SubjectBinding), key, field) }

func bindingChange(op Op, key string, before, after json.RawMessage) Change {
	return Change{ID: bindingPlace(key, ""), Op: op, Subject: SubjectBinding, Item: key, Before: before, After: after}
}

func (d *differ) bindings(base, draft Bindings) {
	if base.Equal(draft) {
		return
	}
	was, now := bindingSetOf(base), bindingSetOf(draft)
	natural := ordered.Compare(was, now, func(key string, b, a *json.RawMessage) {
		switch {
		case b == nil:
			d.add(bindingChange(Added, key, nil, ordered.OrNull(*a)))
		case a == nil:
			d.add(bindingChange(Removed, key, ordered.OrNull(*b), nil))
		case !ordered.SameJSON(*b, *a):
			d.add(bindingChange(Changed, key, ordered.OrNull(*b), ordered.OrNull(*a)))
		}
	})
	if !natural {
		d.add(Change{ID: bindingPlace("", FieldOrder), Op: Changed, Subject: SubjectBinding, Field: FieldOrder,
			Before: rawjson.Of(was.Keys), After: rawjson.Of(now.Keys)})
	}
}

func (a *applier) bindings(cs ChangeSet) error {
	var edits []Change
	for _, c := range cs {
		if c.Subject == SubjectBinding {
			edits = append(edits, c)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	out, keys := slices.Clone(a.t.Bindings), a.t.Bindings.Keys()
	for _, c := range edits {
		at := slices.Index(keys, c.Item)
		switch {
		case c.Field == FieldOrder:
		case c.Field != "":
			return c.Refuse("a binding has no field %q", c.Field)
		case c.Op == Removed && at >= 0:
			out, keys = slices.Delete(out, at, at+1), slices.Delete(keys, at, at+1)
		case c.Op == Removed:
		case !json.Valid(c.After):
			return c.Refuse("its value cannot be read")
		case at >= 0:
			out[at] = c.After
		default:
			out, keys = append(out, c.After), append(keys, c.Item)
		}
	}
	for _, c := range edits {
		if c.Field != FieldOrder {
			continue
		}
		if err := sortAs(c, out, keys); err != nil {
			return err
		}
	}
	if len(out) == 0 {
		out = nil
	}
	a.t.Bindings = out
	return nil
}

// bindings merges the bindings one by one, each by the messages that it is about.
func (m *merger) bindings() {
	base, mine, theirs := bindingSetOf(m.base.Bindings), bindingSetOf(m.mine.Bindings), bindingSetOf(m.theirs.Bindings)
	value := func(raw *json.RawMessage) json.RawMessage {
		if raw == nil {
			return nil
		}
		return ordered.OrNull(*raw)
	}
	for _, key := range ordered.Merge(base.Keys, mine.Keys, theirs.Keys) {
		c := Conflict{ID: bindingPlace(key, ""), Subject: SubjectBinding, Item: key,
			Base: value(base.Get(key)), Mine: value(mine.Get(key)), Theirs: value(theirs.Get(key))}
		c.Reason = reasonOf(c)
		if v := m.field(c); v != nil {
			m.out.Bindings = append(m.out.Bindings, v)
		}
	}
}

func (v *validator) bindings(list Bindings) {
	v.list = ""
	v.atMost("bindings", len(list), MaxListed)
	for i, raw := range list {
		field := fmt.Sprintf("bindings[%d]", i)
		v.text(field, string(raw), MaxPersona)
		if !json.Valid(ordered.OrNull(raw)) {
			v.refuse(field, "is not valid JSON")
		}
	}
}
