package topology

import (
	"encoding/json"
	"slices"
)

// canvas merges layout, groups and notes: mine, unless only theirs changed. Places
// and memberships of agents that the merge removed go with them.
func (m *merger) canvas() {
	idx := index(agentKeys(m.out.Agents))
	m.out.Layout = m.layout(idx)
	m.out.Groups = mergeItems(m.base.Groups, m.mine.Groups, m.theirs.Groups)
	mine, theirs := memberships(m.mine.Groups), memberships(m.theirs.Groups)
	parents := map[string]string{}
	for _, g := range m.out.Groups {
		parents[g.ID] = g.Parent
	}
	for i := range m.out.Groups {
		g := &m.out.Groups[i]
		g.Members = slices.DeleteFunc(slices.Clone(g.Members), func(id AgentID) bool {
			_, ok := idx[id]
			k := membership{g.ID, id}
			return !ok && m.lostTarget(id, mine[k], theirs[k])
		})
		if up, ok := parents[g.Parent]; !ok || up != "" {
			g.Parent = "" // the other side removed the outer group, or put it into another one
		}
	}
	m.out.Notes = mergeItems(m.base.Notes, m.mine.Notes, m.theirs.Notes)
}

type membership struct {
	group string
	agent AgentID
}

func memberships(gs []Group) map[membership]bool {
	all := map[membership]bool{}
	for _, g := range gs {
		for _, id := range g.Members {
			all[membership{g.ID, id}] = true
		}
	}
	return all
}

func (m *merger) layout(idx map[AgentID]int) map[AgentID]Point {
	out := map[AgentID]Point{}
	take := func(id AgentID) {
		b, inBase := m.base.Layout[id]
		mine, inMine := m.mine.Layout[id]
		theirs, inTheirs := m.theirs.Layout[id]
		p, ok := mine, inMine
		if inMine == inBase && mine == b {
			p, ok = theirs, inTheirs
		}
		if _, stays := idx[id]; ok && (stays || !m.lostTarget(id, inMine, inTheirs)) {
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

func mergeItems[T item[T]](base, mine, theirs []T) (out []T) {
	bk, mk, tk := itemKeys(base), itemKeys(mine), itemKeys(theirs)
	bi, mi, ti := index(bk), index(mk), index(tk)
	for _, k := range mergeOrder(bk, mk, tk) {
		b, inBase := bi[k]
		i, inMine := mi[k]
		from, stays := mine, inMine
		if inBase == inMine && (!inBase || mine[i].Equal(base[b])) {
			from = theirs
			i, stays = ti[k]
		}
		if stays {
			out = append(out, from[i])
		}
	}
	return out
}

func (m *merger) team() {
	field := func(name string, b, mine, theirs json.RawMessage) json.RawMessage {
		return m.field(Conflict{ID: placeID(SubjectTeam, escapeID(name)), Reason: ReasonBothChanged, Subject: SubjectTeam,
			Field: name, Base: b, Mine: mine, Theirs: theirs})
	}
	_ = json.Unmarshal(field("name", toJSON(m.base.Name), toJSON(m.mine.Name), toJSON(m.theirs.Name)), &m.out.Name)
	for _, key := range extraKeys(m.base.Extra, m.mine.Extra, m.theirs.Extra) {
		v := field(extraField+key, m.base.Extra.value(key), m.mine.Extra.value(key), m.theirs.Extra.value(key))
		m.out.Extra = m.out.Extra.with(key, v)
	}
}

// result adds what came from where: the changes of each side that stand in the
// result and that no conflict was about.
func (m *merger) result() Merged {
	r := Merged{Topology: *m.out.Clone(), FromMine: ChangeSet{}, FromTheirs: ChangeSet{}, Dropped: m.dropped, Conflicts: m.conflicts}
	if r.Dropped == nil {
		r.Dropped = ChangeSet{}
	}
	if r.Conflicts == nil {
		r.Conflicts = []Conflict{}
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
			if !ok || s.Op != c.Op || !sameValue(s.After, c.After) || asked[c.ID] ||
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

// mergeOrder returns all keys of mine and theirs: in mine's order with what only
// theirs has behind its neighbour there, or the other way round if only theirs put
// into another order what base had. Keys that one side removed are among them.
func mergeOrder[K comparable](base, mine, theirs []K) []K {
	bi := index(base)
	main, other := mine, theirs
	if reordered(bi, theirs) && !reordered(bi, mine) {
		main, other = theirs, mine
	}
	inMain := index(main)
	var first []K
	behind := map[K][]K{}
	var anchor *K
	seen := map[K]bool{}
	for i, k := range other {
		if _, ok := inMain[k]; ok {
			anchor = &other[i]
		} else if seen[k] {
			continue
		} else if anchor == nil {
			first = append(first, k)
		} else {
			behind[*anchor] = append(behind[*anchor], k)
		}
		seen[k] = true
	}
	out := slices.Clone(first)
	for i, k := range main {
		if inMain[k] == i {
			out = append(append(out, k), behind[k]...)
		}
	}
	return out
}

func reordered[K comparable](base map[K]int, side []K) bool {
	last := -1
	for _, k := range side {
		if i, ok := base[k]; ok {
			if i < last {
				return true
			}
			last = i
		}
	}
	return false
}
