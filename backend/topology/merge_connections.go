package topology

import (
	"encoding/json"
	"slices"
)

// sameConnections reports whether left leads where b led, but for agents that the
// same side removed.
func (m *merger) sameConnections(left, b *Agent, holder side) bool {
	var want []Connection
	for _, c := range b.Connections {
		if m.b.agent(c.TargetID) == nil || holder.agent(c.TargetID) != nil {
			want = append(want, c)
		}
	}
	return slices.EqualFunc(left.Connections, want, Connection.Equal) || left.Equal(*b)
}

// connSet is the connections of one agent by key.
type connSet struct {
	list []Connection
	keys []connKey
	idx  map[connKey]int
}

func connSetOf(a *Agent) connSet {
	if a == nil {
		return connSet{}
	}
	keys := connKeys(a.Connections)
	return connSet{a.Connections, keys, index(keys)}
}

func (s connSet) get(k connKey) *Connection {
	if i, ok := s.idx[k]; ok {
		return &s.list[i]
	}
	return nil
}

// connections merges the connections of out. idx holds the agents of the result.
func (m *merger) connections(out, whole *Agent, idx map[AgentID]int) {
	mine, theirs := connSetOf(m.m.agent(out.ID)), connSetOf(m.t.agent(out.ID))
	all := connSetOf(whole)
	merge := all.get
	keys := all.keys
	if whole == nil {
		base := connSetOf(m.b.agent(out.ID))
		keys = mergeOrder(base.keys, mine.keys, theirs.keys)
		merge = func(k connKey) *Connection {
			return m.connection(out.ID, k, base.get(k), mine.get(k), theirs.get(k))
		}
	}
	out.Connections = nil
	for _, k := range keys {
		c := merge(k)
		if c == nil {
			continue
		}
		if _, ok := idx[k.target]; !ok && m.lostTarget(k.target, mine.get(k) != nil, theirs.get(k) != nil) {
			change := connChange(out.ID, k, Removed, "")
			change.Before = toJSON(c)
			m.dropped = append(m.dropped, change)
			continue
		}
		out.Connections = append(out.Connections, *c)
	}
}

// lostTarget reports whether an agent that is not in the result went by the hand of a
// side that does not itself hold what points to it: a connection, a place, a membership.
func (m *merger) lostTarget(target AgentID, inMine, inTheirs bool) bool {
	goneHere, goneThere := m.m.agent(target) == nil, m.t.agent(target) == nil
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
		if m.m.agent(k.target) == nil {
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
		return m.removedConnection(source, k, b, mine, ReasonRemovedThere)
	case theirs != nil && !theirs.Equal(*b):
		return m.removedConnection(source, k, b, theirs, ReasonRemovedHere)
	}
	return nil
}

func (m *merger) bothConnections(source AgentID, k connKey, b, mine, theirs *Connection) *Connection {
	if mine.Equal(*theirs) {
		return mine
	}
	reason := ReasonBothChanged
	if b == nil {
		b, reason = &Connection{}, ReasonBothAdded
	}
	out := *mine
	out.Extra = slices.Clone(mine.Extra)
	conflict := func(field string, vb, vm, vt json.RawMessage) json.RawMessage {
		return m.field(Conflict{ID: connPlace(source, k, field), Reason: reason, Subject: SubjectConnection,
			Agent: source, Target: k.target, Kind: k.kind, Field: field, Base: vb, Mine: vm, Theirs: vt})
	}
	_ = json.Unmarshal(conflict("label", toJSON(b.Label), toJSON(mine.Label), toJSON(theirs.Label)), &out.Label)
	for _, key := range extraKeys(b.Extra, mine.Extra, theirs.Extra) {
		out.Extra = out.Extra.with(key, conflict(extraField+key, b.Extra.value(key), mine.Extra.value(key), theirs.Extra.value(key)))
	}
	return &out
}

// value returns the value of the key, null where it has none, nil where there is no such key.
func (e Extra) value(key string) json.RawMessage {
	if v, ok := e.Get(key); ok {
		return orNull(v)
	}
	return nil
}

func (m *merger) removedConnection(source AgentID, k connKey, b, left *Connection, reason string) *Connection {
	c := Conflict{ID: connPlace(source, k, ""), Reason: reason, Subject: SubjectConnection,
		Agent: source, Target: k.target, Kind: k.kind, Base: toJSON(b)}
	keep := ChooseMine
	if reason == ReasonRemovedThere {
		c.Mine = toJSON(left)
	} else {
		c.Theirs, keep = toJSON(left), ChooseTheirs
	}
	switch m.ask(c) {
	case keep:
		return left
	case ChooseBase:
		return b
	}
	return nil
}
