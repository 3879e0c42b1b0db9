package topology

import (
	"slices"

	"agentflow/backend/team/topology/internal/ordered"
)

// Held says what the source of an import can hold. All else is the team's own.
type Held struct {
	Fields []string // JSON names of an agent's fields, and FieldOrder if it keeps the order of agents
	Kinds  []Kind   // of connections

	Bindings  bool // it has rules for the messages of channels
	Broadcast bool // it has groups of agents that answer a conversation together
	Defaults  bool // it has settings that every agent inherits
	Messages  bool // it has settings for messages between agents
}

// Adopt returns the team after an import over it: the agents that the source has.
// What the source can hold comes from there; for agents that were drawn
// before, everything else stays: places, groups, notes, the other fields, the other
// kinds of connections, and the labels of all. New agents get places beside what is
// there.
//
// Base is what was last read from the source, or nil. It tells what was removed
// there from what is only drawn: an unknown key, and a held connection beside
// AllowAny, stay if base lacks them. Drawn and imported may be nil as well.
func Adopt(drawn, imported, base *Topology, held Held) *Topology {
	drawn, imported = orEmpty(drawn), orEmpty(imported).Clone()
	old, last := agentSetOf(drawn), agentSetOf(orEmpty(base))
	out := drawn.Clone()
	out.Agents = imported.Agents
	if out.Name == "" {
		out.Name = imported.Name
	}
	if held.Bindings {
		out.Bindings = imported.Bindings
	}
	if held.Broadcast {
		out.Broadcast = imported.Broadcast
	}
	if held.Defaults {
		out.Defaults = adoptExtra(imported.Defaults, out.Defaults, orEmpty(base).Defaults)
	}
	if held.Messages {
		out.Messages = adoptExtra(imported.Messages, out.Messages, orEmpty(base).Messages)
	}
	out.Extra = adoptExtra(imported.Extra, out.Extra, orEmpty(base).Extra)
	if !slices.Contains(held.Fields, FieldOrder) {
		ordered.Sort(out.Agents, agentSetOf(out).Keys, old.Keys)
	}
	now := agentSetOf(out)
	gone := func(id AgentID) bool { return !now.Has(id) && old.Has(id) }
	var fresh []AgentID
	for i := range out.Agents {
		a := &out.Agents[i]
		if d := old.Get(a.ID); d != nil {
			adoptAgent(a, d, last.Get(a.ID), held, gone)
		}
		if _, placed := out.Layout[a.ID]; !placed {
			fresh = append(fresh, a.ID)
		}
	}
	for id := range out.Layout {
		if gone(id) {
			delete(out.Layout, id)
		}
	}
	for i := range out.Groups {
		out.Groups[i].Members = slices.DeleteFunc(out.Groups[i].Members, gone)
	}
	if len(fresh) == 0 {
		return out
	}
	return out.Arrange(LayoutOptions{Only: fresh})
}

// adoptAgent gives the imported agent a what only the drawn one d has.
func adoptAgent(a, d, base *Agent, held Held, gone func(AgentID) bool) {
	for _, f := range agentFields {
		if !slices.Contains(held.Fields, f.Name) {
			_ = f.set(a, f.get(d)) // the value came from the same field
		}
	}
	if base == nil {
		base = &Agent{}
	}
	a.Extra = adoptExtra(a.Extra, d.Extra, base.Extra)
	was, drawn, came := connSetOf(base.Connections), connSetOf(d.Connections), connSetOf(a.Connections)
	for i, k := range came.Keys {
		if c := drawn.Get(k); c != nil {
			a.Connections[i] = *c
		}
	}
	for i, k := range drawn.Keys {
		own := !slices.Contains(held.Kinds, k.kind)
		beside := a.AllowAny && k.kind == Command && !was.Has(k)
		if (own || beside) && !came.Has(k) && !gone(k.target) {
			a.Connections = append(a.Connections, d.Connections[i])
		}
	}
	ordered.Sort(a.Connections, connSetOf(a.Connections).Keys, drawn.Keys)
	*a = a.Clone() // so that it shares nothing with d
}

// adoptExtra returns what was imported, with the keys that are only drawn.
func adoptExtra(imported, drawn, base Extra) Extra {
	for _, f := range drawn {
		if _, came := imported.Get(f.Key); came {
			continue
		}
		if _, was := base.Get(f.Key); !was {
			imported = imported.With(f.Key, ordered.OrNull(f.Value))
		}
	}
	return imported
}
