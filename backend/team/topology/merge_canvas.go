package topology

import (
	"slices"

	"agentflow/backend/team/topology/internal/canvas"
	"agentflow/backend/team/topology/internal/changeid"
	"agentflow/backend/team/topology/internal/ordered"
)

// canvas merges layout, groups and notes. Places and memberships of agents that the
// merge removed go with them.
func (m *merger) canvas() {
	mine, theirs := m.withKept(m.mine), m.withKept(m.theirs)
	s := canvas.Merge(m.base.sheet(), mine, theirs, func(id AgentID, inMine, inTheirs bool) bool {
		return !m.now.Has(id) && m.lostTarget(id, inMine, inTheirs)
	})
	m.out.Layout, m.out.Groups, m.out.Notes = s.Layout, s.Groups, s.Notes
}

// withKept returns the canvas of a side, as if it had not removed the agents that conflicts keep:
// their places and memberships stay as in base.
func (m *merger) withKept(side *Topology) canvas.Sheet {
	s, has := side.Clone().sheet(), agentSetOf(side)
	in := canvas.Membership(m.base.Groups)
	for _, a := range m.out.Agents {
		if !m.kept[a.ID] || has.Has(a.ID) {
			continue
		}
		if p, placed := m.base.Layout[a.ID]; placed {
			if s.Layout == nil {
				s.Layout = map[AgentID]Point{}
			}
			s.Layout[a.ID] = p
		}
		for i := range s.Groups {
			if g := &s.Groups[i]; g.ID == in[a.ID] && !slices.Contains(g.Members, a.ID) {
				g.Members = append(g.Members, a.ID)
			}
		}
	}
	return s
}

func (m *merger) team() {
	c := Conflict{Reason: ReasonBothChanged, Subject: SubjectTeam}
	id := func(field string) string { return changeid.ID(string(SubjectTeam), field, "") }
	m.out.Name = m.text(c, id, "name", m.base.Name, m.mine.Name, m.theirs.Name)
	m.out.Extra = m.extra(c, id, m.base.Extra, m.mine.Extra, m.theirs.Extra)
}

// result adds what came from where: the changes of each side that stand in the
// result and that no conflict was about.
func (m *merger) result() Merged {
	r := Merged{
		Topology:   *m.out.Clone(),
		FromMine:   ChangeSet{},
		FromTheirs: ChangeSet{},
		Dropped:    append(ChangeSet{}, m.dropped...),
		Conflicts:  append([]Conflict{}, m.conflicts...),
		Moved:      m.moved,
	}
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
