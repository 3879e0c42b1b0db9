package topology

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// Clone returns a copy that shares nothing that may be changed with t; the raw
// values inside Extra are shared, because nobody changes them in place.
func (t *Topology) Clone() *Topology {
	if t == nil {
		return nil
	}
	c := *t
	c.Agents = slices.Clone(t.Agents)
	for i := range c.Agents {
		c.Agents[i] = c.Agents[i].Clone()
	}
	c.Layout = maps.Clone(t.Layout)
	c.Groups = slices.Clone(t.Groups)
	for i := range c.Groups {
		c.Groups[i].Members = slices.Clone(c.Groups[i].Members)
		c.Groups[i].Extra = slices.Clone(c.Groups[i].Extra)
	}
	c.Notes = slices.Clone(t.Notes)
	for i := range c.Notes {
		c.Notes[i].Extra = slices.Clone(c.Notes[i].Extra)
	}
	c.Extra = slices.Clone(t.Extra)
	return &c
}

// Clone returns a copy of the agent, see Topology.Clone.
func (a Agent) Clone() Agent {
	a.Fallbacks = slices.Clone(a.Fallbacks)
	a.Tools = cloneTools(a.Tools)
	a.Temperature = clonePtr(a.Temperature)
	a.MaxTokens = clonePtr(a.MaxTokens)
	a.Connections = slices.Clone(a.Connections)
	for i := range a.Connections {
		a.Connections[i].Extra = slices.Clone(a.Connections[i].Extra)
	}
	a.Extra = slices.Clone(a.Extra)
	return a
}

func cloneTools(t *Tools) *Tools {
	if t == nil {
		return nil
	}
	return &Tools{Profile: t.Profile, Allow: slices.Clone(t.Allow), Deny: slices.Clone(t.Deny)}
}

func clonePtr[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// Equal reports whether both say the same: nil and empty lists are alike, and so are
// objects whose keys stand in another order. The order of agents, connections,
// groups and notes counts.
func (t *Topology) Equal(o *Topology) bool {
	t, o = orEmpty(t), orEmpty(o)
	return t.Name == o.Name && slices.EqualFunc(t.Agents, o.Agents, Agent.Equal) &&
		maps.Equal(t.Layout, o.Layout) && slices.EqualFunc(t.Groups, o.Groups, Group.Equal) &&
		slices.EqualFunc(t.Notes, o.Notes, Note.Equal) && t.Extra.Equal(o.Extra)
}

// Equal reports whether both agents say the same, see Topology.Equal.
func (a Agent) Equal(o Agent) bool {
	return a.ID == o.ID && sameFields(&a, &o) && slices.EqualFunc(a.Connections, o.Connections, Connection.Equal)
}

// Equal reports whether both connections say the same.
func (c Connection) Equal(o Connection) bool {
	return c.TargetID == o.TargetID && c.Type == o.Type && c.Label == o.Label && c.Extra.Equal(o.Extra)
}

// Equal reports whether both groups say the same.
func (g Group) Equal(o Group) bool {
	return g.ID == o.ID && g.Name == o.Name && g.Color == o.Color && g.Parent == o.Parent &&
		g.Collapsed == o.Collapsed && slices.Equal(g.Members, o.Members) && g.Extra.Equal(o.Extra)
}

// Equal reports whether both notes say the same.
func (n Note) Equal(o Note) bool {
	return n.ID == o.ID && n.Text == o.Text && n.samePlace(o) && n.Extra.Equal(o.Extra)
}

func (n Note) samePlace(o Note) bool {
	return n.X == o.X && n.Y == o.Y && n.Width == o.Width && n.Height == o.Height
}

// Equal reports whether both hold the same keys with the same values, in any order.
func (e Extra) Equal(o Extra) bool {
	if len(e) != len(o) {
		return false
	}
	for i, f := range e {
		v, ok := o[i].Value, o[i].Key == f.Key // the same order is the common case
		if !ok {
			v, ok = o.Get(f.Key)
		}
		if !ok || !sameJSON(f.Value, v) {
			return false
		}
	}
	return true
}

func (e Extra) with(key string, value json.RawMessage) Extra {
	i := slices.IndexFunc(e, func(f Field) bool { return f.Key == key })
	switch {
	case i >= 0 && value == nil:
		return slices.Delete(e, i, i+1)
	case i >= 0:
		e[i].Value = value
		return e
	case value == nil:
		return e
	}
	return append(e, Field{Key: key, Value: value})
}

func sameTools(a, b *Tools) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Profile == b.Profile && slices.Equal(a.Allow, b.Allow) && slices.Equal(a.Deny, b.Deny)
}

func samePtr[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func same[T comparable](a, b T) bool { return a == b }

// sameJSON compares values, not spellings: white space, escapes and the order of
// keys do not count. Numbers are compared as they are written.
func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	va, errA := decodeJSON(a)
	vb, errB := decodeJSON(b)
	return errA == nil && errB == nil && reflect.DeepEqual(va, vb)
}

func decodeJSON(raw json.RawMessage) (v any, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func toJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil { // only for what Validate refuses, such as a coordinate that is not a number
		return nil
	}
	return raw
}

func orEmpty(t *Topology) *Topology {
	if t == nil {
		return &Topology{}
	}
	return t
}
