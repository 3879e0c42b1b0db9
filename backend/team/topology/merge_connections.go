package topology

import (
	"slices"

	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// sameConnections reports whether left leads where b led, but for agents that the
// same side removed.
func (m *merger) sameConnections(left, b *Agent, holder agentSet) bool {
	var want []Connection
	for _, c := range b.Connections {
		if !m.b.Has(c.TargetID) || holder.Has(c.TargetID) {
			want = append(want, c)
		}
	}
	return slices.EqualFunc(left.Connections, want, Connection.Equal) || left.Equal(*b)
}

// connections merges the connections of out, or takes those of whole.
func (m *merger) connections(out, whole *Agent) {
	of := func(side agentSet) connSet {
		if a := side.Get(out.ID); a != nil {
			return connSetOf(a.Connections)
		}
		return connSet{}
	}
	base, mine, theirs := of(m.b), of(m.m), of(m.t)
	keys := ordered.Merge(base.Keys, mine.Keys, theirs.Keys)
	get := func(k connKey) *Connection { return m.connection(out.ID, k, base.Get(k), mine.Get(k), theirs.Get(k)) }
	if whole != nil {
		all := connSetOf(whole.Connections)
		keys, get = all.Keys, all.Get
	}
	out.Connections = nil
	for _, k := range keys {
		c := get(k)
		switch {
		case c == nil:
		case !m.now.Has(k.target) && m.lostTarget(k.target, mine.Has(k), theirs.Has(k)):
			change := connChange(out.ID, k, Removed, "")
			change.Before = rawjson.Of(c)
			m.dropped = append(m.dropped, change)
		default:
			out.Connections = append(out.Connections, *c)
		}
	}
}

// lostTarget reports whether an agent that is not in the result went by the hand of a
// side that does not itself hold what points to it: a connection, a place, a membership.
func (m *merger) lostTarget(target AgentID, inMine, inTheirs bool) bool {
	goneHere, goneThere := !m.m.Has(target), !m.t.Has(target)
	switch {
	case goneHere && goneThere: // drawn to nobody, or of base
		return !inMine && !inTheirs
	case goneHere:
		return !inMine
	case goneThere:
		return !inTheirs
	}
	return true
}

func (m *merger) connection(source AgentID, k connKey, b, mine, theirs *Connection) *Connection {
	if m.kept[k.target] { // the side that removed the target has no say in the connections to it
		if !m.m.Has(k.target) {
			mine = b
		} else {
			theirs = b
		}
	}
	switch {
	case mine != nil && theirs != nil:
		return m.bothConnections(source, k, b, mine, theirs)
	case b == nil && mine != nil:
		return mine
	case b == nil:
		return theirs
	case mine != nil && !mine.Equal(*b):
		return askRemoved(m, m.about(source, k), ReasonRemovedThere, b, mine)
	case theirs != nil && !theirs.Equal(*b):
		return askRemoved(m, m.about(source, k), ReasonRemovedHere, b, theirs)
	}
	return nil
}

func (m *merger) bothConnections(source AgentID, k connKey, b, mine, theirs *Connection) *Connection {
	if mine.Equal(*theirs) {
		return mine
	}
	c := m.about(source, k)
	if c.Reason = ReasonBothChanged; b == nil {
		b, c.Reason = &Connection{}, ReasonBothAdded
	}
	out := *mine
	id := func(field string) string { return connPlace(source, k, field) }
	out.Label = m.text(c, id, "label", b.Label, mine.Label, theirs.Label)
	out.Extra = m.extra(c, id, b.Extra, mine.Extra, theirs.Extra)
	return &out
}

// about is a conflict about a connection.
func (m *merger) about(source AgentID, k connKey) Conflict {
	return Conflict{
		ID:      connPlace(source, k, ""),
		Subject: SubjectConnection,
		Agent:   source,
		Target:  k.target,
		Kind:    k.kind,
	}
}
