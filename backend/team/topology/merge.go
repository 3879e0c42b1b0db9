package topology

import (
	"cmp"
	"encoding/json"
	"slices"

	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// Reasons of a Conflict.
const (
	ReasonBothChanged  = "both_changed"
	ReasonBothAdded    = "both_added"
	ReasonRemovedThere = "removed_there" // theirs removed what mine changed
	ReasonRemovedHere  = "removed_here"  // mine removed what theirs changed
)

// reasonOf returns the reason of a conflict about an entry that each side has as a whole, or not at all.
func reasonOf(c Conflict) string {
	switch {
	case c.Base == nil:
		return ReasonBothAdded
	case c.Mine == nil:
		return ReasonRemovedHere
	case c.Theirs == nil:
		return ReasonRemovedThere
	}
	return ReasonBothChanged
}

// Merge brings mine and theirs together, both of which come from base. Agents and
// team are compared field by field, connections as elements of a set; of layout,
// groups and notes mine stands, part by part, unless only theirs changed. Choices answer conflicts
// by their ID; what is undecided stands as mine. Every conflict is listed, with the
// choice that was made.
//
// An agent that one side removed and the other left alone goes, and so do new
// connections to it, which Dropped names. If one side removed it and the other
// changed it, the whole agent is one conflict; where it is kept, so are the
// connections to it.
//
// If both added an agent of the same id and the same name, it is taken for the same
// agent: what only one side filled in is taken, the rest are conflicts by field. If
// the names differ, they are two agents: one conflict that offers KeepBoth, which
// keeps theirs under the id, because its gateway knows it by that, and mine under a new
// one; the connections, layout, groups and bindings of mine follow to the new id.
func Merge(base, mine, theirs *Topology, choices map[string]Choice) Merged {
	m := merger{base: orEmpty(base), mine: orEmpty(mine), theirs: orEmpty(theirs), choices: choices}
	m.keepBoth()
	m.base = withBasis(m.base, m.mine, m.theirs)
	m.b, m.m, m.t = agentSetOf(m.base), agentSetOf(m.mine), agentSetOf(m.theirs)
	m.agents()
	m.canvas()
	m.team()
	m.bindings()
	m.broadcast()
	m.defaults()
	m.messages()
	return m.result()
}

type merger struct {
	base, mine, theirs *Topology
	b, m, t            agentSet
	choices            map[string]Choice
	out                Topology
	now                agentSet // of out
	conflicts          []Conflict
	dropped            ChangeSet
	kept               map[AgentID]bool // one side removed it, and a conflict keeps it
	moved              map[AgentID]AgentID
}

// ask lists a conflict and returns the side that wins.
func (m *merger) ask(c Conflict) Choice {
	switch choice := m.choices[c.ID]; choice {
	case ChooseBase, ChooseMine, ChooseTheirs:
		c.Choice = choice
	case ChooseBoth:
		if c.KeepBoth {
			c.Choice = choice
		}
	}
	m.conflicts = append(m.conflicts, c)
	if c.Choice == "" {
		return ChooseMine
	}
	return c.Choice
}

// keepBoth looks for different agents under one id, and gives mine a new id where
// that was chosen.
func (m *merger) keepBoth() {
	base, mine := agentSetOf(m.base), agentSetOf(m.mine)
	taken := ordered.Index(slices.Concat(base.Keys, mine.Keys, agentSetOf(m.theirs).Keys))
	m.moved = map[AgentID]AgentID{}
	for i := range m.theirs.Agents {
		theirs := &m.theirs.Agents[i]
		x := mine.Get(theirs.ID)
		if x == nil || base.Has(x.ID) || !twoAgents(x, theirs) || m.choices[agentPlace(x.ID, "")] != ChooseBoth {
			continue
		}
		m.ask(twoAgentsConflict(x, theirs))
		m.moved[x.ID] = uniqueID(taken, string(x.ID))
		taken[m.moved[x.ID]] = i
	}
	m.mine = m.mine.Moved(m.moved, m.base)
	for from, to := range m.moved {
		if p, drawn := m.mine.Layout[to]; drawn && p == m.theirs.Layout[from] {
			p.X, p.Y = p.X+32, p.Y+32
			m.mine.Layout[to] = p
		}
	}
}

func twoAgents(mine, theirs *Agent) bool { return mine.Name != theirs.Name }

func twoAgentsConflict(mine, theirs *Agent) Conflict {
	return Conflict{ID: agentPlace(mine.ID, ""), Reason: ReasonBothAdded, Subject: SubjectAgent, Agent: mine.ID,
		Mine: agentJSON(mine), Theirs: agentJSON(theirs), KeepBoth: true}
}

// Moved returns t with other ids for some agents. Connections, bindings and broadcast groups that stand in base as
// well keep theirs: they meant somebody else.
func (t *Topology) Moved(ids map[AgentID]AgentID, base *Topology) *Topology {
	if len(ids) == 0 {
		return t
	}
	t, base = t.Clone(), orEmpty(base)
	agents := agentSetOf(base)
	for i := range t.Agents {
		a := &t.Agents[i]
		var was connSet
		if b := agents.Get(a.ID); b != nil {
			was = connSetOf(b.Connections)
		}
		for j, k := range connSetOf(a.Connections).Keys {
			if to, ok := ids[k.target]; ok && !was.Has(k) {
				a.Connections[j].TargetID = to
			}
		}
		a.ID = cmp.Or(ids[a.ID], a.ID)
	}
	for from, to := range ids {
		if p, ok := t.Layout[from]; ok {
			t.Layout[to] = p
			delete(t.Layout, from)
		}
	}
	for _, g := range t.Groups {
		for j, id := range g.Members {
			g.Members[j] = cmp.Or(ids[id], id)
		}
	}
	t.Messages = renameAllowed(t.Messages, ids)
	t.Broadcast = renameBroadcast(t.Broadcast, base.Broadcast, ids)
	t.Bindings = renameBound(t.Bindings, base.Bindings, ids)
	return t
}

func (m *merger) agents() {
	m.kept = map[AgentID]bool{}
	var from []*Agent // for each merged agent the one whose connections are taken as they are, or nil
	for _, id := range ordered.Merge(m.b.Keys, m.m.Keys, m.t.Keys) {
		if a, whole := m.agent(id); a != nil {
			m.out.Agents = append(m.out.Agents, *a)
			from = append(from, whole)
		}
	}
	m.now = agentSetOf(&m.out)
	for i := range m.out.Agents {
		m.connections(&m.out.Agents[i], from[i])
	}
}

// agent merges all but the connections. It returns nil where the agent goes. Where
// whole is set, the agent was not merged but taken from there.
func (m *merger) agent(id AgentID) (merged, whole *Agent) {
	b, mine, theirs := m.b.Get(id), m.m.Get(id), m.t.Get(id)
	switch {
	case mine != nil && theirs != nil:
		return m.both(b, mine, theirs)
	case b == nil && mine != nil:
		return taken(mine)
	case b == nil:
		return taken(theirs)
	case mine != nil:
		return m.removed(b, mine, ReasonRemovedThere)
	case theirs != nil:
		return m.removed(b, theirs, ReasonRemovedHere)
	}
	return nil, nil
}

func taken(a *Agent) (merged, whole *Agent) {
	if a == nil {
		return nil, nil
	}
	c := a.Clone()
	return &c, a
}

func (m *merger) both(b, mine, theirs *Agent) (merged, whole *Agent) {
	reason := ReasonBothChanged
	if b == nil {
		if twoAgents(mine, theirs) {
			switch m.ask(twoAgentsConflict(mine, theirs)) {
			case ChooseTheirs:
				return taken(theirs)
			case ChooseBase:
				return nil, nil
			}
			return taken(mine)
		}
		b, reason = &Agent{ID: mine.ID}, ReasonBothAdded
	}
	out := mine.Clone()
	c := Conflict{Reason: reason, Subject: SubjectAgent, Agent: mine.ID}
	id := func(field string) string { return agentPlace(mine.ID, field) }
	for i := range agentFields {
		f := &agentFields[i]
		if f.Name == FieldFiles {
			out.Files = m.files(c, id, b.Files, mine.Files, theirs.Files)
			continue
		}
		if f.equal(mine, theirs) || f.equal(b, theirs) {
			continue
		}
		c.ID, c.Field, c.Base, c.Mine, c.Theirs = id(f.Name), f.Name, f.get(b), f.get(mine), f.get(theirs)
		_ = f.set(&out, m.field(c)) // the value came from the same field
	}
	out.Extra = m.extra(c, id, b.Extra, mine.Extra, theirs.Extra)
	return &out, nil
}

func extraKeys(base, mine, theirs Extra) []string {
	if len(base) == 0 && len(mine) == 0 && len(theirs) == 0 {
		return nil
	}
	return ordered.Merge(base.Keys(), mine.Keys(), theirs.Keys())
}

// extra merges unknown keys; c says what they belong to.
func (m *merger) extra(c Conflict, id func(field string) string, base, mine, theirs Extra) Extra {
	out := slices.Clone(mine)
	for _, key := range extraKeys(base, mine, theirs) {
		c.Field = extraField + key
		c.ID, c.Base, c.Mine, c.Theirs = id(c.Field), base.Value(key), mine.Value(key), theirs.Value(key)
		out = out.With(key, m.field(c))
	}
	return out
}

// text merges one string; c says what it belongs to.
func (m *merger) text(c Conflict, id func(field string) string, field, base, mine, theirs string) (out string) {
	c.ID, c.Field, c.Base, c.Mine, c.Theirs = id(field), field, rawjson.Of(base), rawjson.Of(mine), rawjson.Of(theirs)
	_ = json.Unmarshal(m.field(c), &out) // the value is one of the three
	return out
}

// field merges one value; c holds the three.
func (m *merger) field(c Conflict) json.RawMessage {
	switch {
	case ordered.SameValue(c.Mine, c.Theirs), ordered.SameValue(c.Base, c.Theirs):
		return c.Mine
	case ordered.SameValue(c.Base, c.Mine):
		return c.Theirs
	}
	c.Both = joined(c)
	c.KeepBoth = c.Both != nil
	switch m.ask(c) {
	case ChooseBase:
		return c.Base
	case ChooseTheirs:
		return c.Theirs
	case ChooseBoth:
		return c.Both
	}
	return c.Mine
}

// removed merges an agent that one side removed; left is what the other side has.
func (m *merger) removed(b, left *Agent, reason string) (merged, whole *Agent) {
	holder := m.m
	if reason == ReasonRemovedHere {
		holder = m.t
	}
	if sameFields(left, b) && m.sameConnections(left, b, holder) {
		return nil, nil
	}
	c := Conflict{ID: agentPlace(b.ID, ""), Subject: SubjectAgent, Agent: b.ID}
	kept := askRemoved(m, c, reason, b, left)
	if kept == nil {
		return nil, nil
	}
	m.kept[b.ID] = true
	return taken(kept)
}

// askRemoved asks about something that one side removed and the other changed. It
// returns what stays, or nil.
func askRemoved[T any](m *merger, c Conflict, reason string, b, left *T) *T {
	c.Reason, c.Base = reason, rawjson.Of(b)
	keep := ChooseMine
	if reason == ReasonRemovedThere {
		c.Mine = rawjson.Of(left)
	} else {
		c.Theirs, keep = rawjson.Of(left), ChooseTheirs
	}
	switch m.ask(c) {
	case keep:
		return left
	case ChooseBase:
		return b
	}
	return nil
}
