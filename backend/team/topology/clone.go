package topology

import (
	"maps"
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
		c.Groups[i] = c.Groups[i].Clone()
	}
	c.Notes = slices.Clone(t.Notes)
	for i := range c.Notes {
		c.Notes[i] = c.Notes[i].Clone()
	}
	c.Bindings = slices.Clone(t.Bindings)
	c.Broadcast = slices.Clone(t.Broadcast)
	c.Defaults = slices.Clone(t.Defaults)
	c.Messages = slices.Clone(t.Messages)
	c.Extra = slices.Clone(t.Extra)
	return &c
}

// Clone returns a copy of the agent, see Topology.Clone.
func (a Agent) Clone() Agent {
	a.Fallbacks = slices.Clone(a.Fallbacks)
	a.Files = maps.Clone(a.Files)
	if a.Tools = clonePtr(a.Tools); a.Tools != nil {
		a.Tools.Allow, a.Tools.Deny = slices.Clone(a.Tools.Allow), slices.Clone(a.Tools.Deny)
	}
	a.Temperature = clonePtr(a.Temperature)
	a.MaxTokens = clonePtr(a.MaxTokens)
	a.Connections = slices.Clone(a.Connections)
	for i := range a.Connections {
		a.Connections[i].Extra = slices.Clone(a.Connections[i].Extra)
	}
	a.Extra = slices.Clone(a.Extra)
	return a
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
		slices.EqualFunc(t.Notes, o.Notes, Note.Equal) && t.Bindings.Equal(o.Bindings) &&
		t.Broadcast.Equal(o.Broadcast) && t.Defaults.Equal(o.Defaults) && t.Messages.Equal(o.Messages) &&
		t.Extra.Equal(o.Extra)
}

// Equal reports whether both agents say the same, see Topology.Equal.
func (a Agent) Equal(o Agent) bool {
	return a.ID == o.ID && sameFields(&a, &o) && slices.EqualFunc(a.Connections, o.Connections, Connection.Equal)
}

// Equal reports whether both connections say the same.
func (c Connection) Equal(o Connection) bool { return c.same(&o) }

func (c *Connection) same(o *Connection) bool {
	return c.TargetID == o.TargetID && c.Type == o.Type && c.Label == o.Label && c.Extra.Equal(o.Extra)
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

func orEmpty(t *Topology) *Topology {
	if t == nil {
		return &Topology{}
	}
	return t
}
