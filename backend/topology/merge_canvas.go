package topology

import (
	"slices"

	"agentflow/backend/topology/ordered"
)

// canvas merges layout, groups and notes: mine, unless only theirs changed. Places
// and memberships of agents that the merge removed go with them.
func (m *merger) canvas() {
	m.out.Layout = m.layout()
	mine, theirs := groupSet(m.mine.Groups), groupSet(m.theirs.Groups)
	m.out.Groups = ordered.MergeItems(groupSet(m.base.Groups), mine, theirs, Group.Equal)
	holds := func(gs ordered.Set[string, Group], group string, id AgentID) bool {
		g := gs.Get(group)
		return g != nil && slices.Contains(g.Members, id)
	}
	parents := map[string]string{}
	for _, g := range m.out.Groups {
		parents[g.ID] = g.Parent
	}
	for i := range m.out.Groups {
		g := &m.out.Groups[i]
		g.Members = slices.DeleteFunc(slices.Clone(g.Members), func(id AgentID) bool {
			return !m.now.Has(id) && m.lostTarget(id, holds(mine, g.ID, id), holds(theirs, g.ID, id))
		})
		if up, ok := parents[g.Parent]; !ok || up != "" {
			g.Parent = "" // the other side removed the outer group, or put it into another one
		}
	}
	m.out.Notes = ordered.MergeItems(noteSet(m.base.Notes), noteSet(m.mine.Notes), noteSet(m.theirs.Notes), Note.Equal)
}

func (m *merger) layout() map[AgentID]Point {
	out := map[AgentID]Point{}
	take := func(id AgentID) {
		b, inBase := m.base.Layout[id]
		mine, inMine := m.mine.Layout[id]
		theirs, inTheirs := m.theirs.Layout[id]
		p, ok := mine, inMine
		if inMine == inBase && mine == b {
			p, ok = theirs, inTheirs
		}
		if ok && (m.now.Has(id) || !m.lostTarget(id, inMine, inTheirs)) {
			out[id] = p
		}
	}
	for id := range m.mine.Layout {
		take(id)
	}
	for id := range m.theirs.Layout {
		take(id)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (m *merger) team() {
	c := Conflict{Reason: ReasonBothChanged, Subject: SubjectTeam}
	id := func(field string) string { return placeID(SubjectTeam, field, "") }
	m.out.Name = m.text(c, id, "name", m.base.Name, m.mine.Name, m.theirs.Name)
	m.out.Extra = m.extra(c, id, m.base.Extra, m.mine.Extra, m.theirs.Extra)
}

// result adds what came from where: the changes of each side that stand in the
// result and that no conflict was about.
func (m *merger) result() Merged {
	r := Merged{Topology: *m.out.Clone(), FromMine: ChangeSet{}, FromTheirs: ChangeSet{}, Dropped: append(ChangeSet{}, m.dropped...), Conflicts: append([]Conflict{}, m.conflicts...)}
	asked, askedWhole := map[string]bool{}, map[AgentID]bool{}
	for _, c := range r.Conflicts {
		asked[c.ID] = true
		if c.Subject == SubjectAgent && c.Field == "" {
			askedWhole[c.Agent] = true
		}
	}
	stands := map[string]Change{}
	for _, c := range Diff(m.base, &r.Topology) {
		stands[c.ID] = c
	}
	pick := func(cs ChangeSet) (taken ChangeSet) {
		taken = ChangeSet{}
		for _, c := range cs {
			s, ok := stands[c.ID]
			if !ok || s.Op != c.Op || !ordered.SameValue(s.After, c.After) || asked[c.ID] ||
				askedWhole[c.Agent] && (c.Subject == SubjectAgent || c.Subject == SubjectConnection) {
				continue
			}
			delete(stands, c.ID)
			taken = append(taken, c)
		}
		return taken
	}
	r.FromTheirs = pick(Diff(m.base, m.theirs))
	r.FromMine = pick(Diff(m.base, m.mine))
	return r
}
