package canvas

import (
	"slices"

	"agentflow/backend/team/topology/internal/ordered"
)

// Merge brings mine and theirs together, both of which come from base: of each place,
// lock, membership and part of a group or note, mine stands unless only theirs changed.
// What one side removed is gone unless the other changed it. Gone reports whether
// what points to an agent goes with it, by who of the two holds it.
func Merge(base, mine, theirs Sheet, gone func(id AgentID, inMine, inTheirs bool) bool) Sheet {
	return Sheet{
		Layout: mergeLayout(base.Layout, mine.Layout, theirs.Layout, gone),
		Groups: mergeGroups(base.Groups, mine.Groups, theirs.Groups, gone),
		Notes:  mergeItems(&notes, base.Notes, mine.Notes, theirs.Notes, Note.Equal),
	}
}

func mergeLayout(
	base, mine, theirs map[AgentID]Point,
	gone func(id AgentID, inMine, inTheirs bool) bool,
) map[AgentID]Point {
	out := map[AgentID]Point{}
	take := func(id AgentID) {
		b, inBase := base[id]
		m, inMine := mine[id]
		t, inTheirs := theirs[id]
		p, ok := m, inMine
		if inMine == inBase && m.X == b.X && m.Y == b.Y {
			p, ok = t, inTheirs
		}
		if p.Locked = m.Locked; m.Locked == b.Locked {
			p.Locked = t.Locked
		}
		if ok && !gone(id, inMine, inTheirs) {
			out[id] = p
		}
	}
	for id := range mine {
		take(id)
	}
	for id := range theirs {
		take(id)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// mergeItems merges what both have part by part. What one side removed stays only if
// mine changed it.
func mergeItems[T any](k *kind[T], base, mine, theirs []T, equal func(a, b T) bool) (out []T) {
	b, m, t := k.set(base), k.set(mine), k.set(theirs)
	for _, id := range ordered.Merge(b.Keys, m.Keys, t.Keys) {
		was, ours, other := b.Get(id), m.Get(id), t.Get(id)
		switch {
		case ours != nil && other != nil:
			x := *ours
			for i := range k.parts {
				if p := &k.parts[i]; was != nil && p.equal(was, ours) && !p.equal(was, other) {
					_ = p.set(&x, p.get(other)) // the value came from the same part
				}
			}
			out = append(out, x)
		case ours != nil && (was == nil || !equal(*was, *ours)):
			out = append(out, *ours)
		case other != nil && was == nil:
			out = append(out, *other)
		}
	}
	return out
}

func mergeGroups(base, mine, theirs []Group, gone func(id AgentID, inMine, inTheirs bool) bool) []Group {
	out := mergeItems(&groups, base, mine, theirs, Group.Equal)
	there := groups.set(out)
	was, ours, other := Membership(base), Membership(mine), Membership(theirs)
	b, m, t := groups.set(base), groups.set(mine), groups.set(theirs)
	home := func(id AgentID) string {
		in := was[id]
		switch {
		case ours[id] != in && there.Has(ours[id]), ours[id] != in && ours[id] == "":
			return ours[id]
		case other[id] == "" && there.Has(in) && !t.Has(in):
			return in // theirs removed the whole group, and it stays for what mine changed
		}
		return other[id]
	}
	parents := map[string]string{}
	for _, g := range out {
		parents[g.ID] = g.Parent
	}
	for i := range out {
		g := &out[i]
		keys := ordered.Merge(members(b, g.ID), members(m, g.ID), members(t, g.ID))
		g.Members = slices.DeleteFunc(keys, func(id AgentID) bool {
			return home(id) != g.ID || gone(id, ours[id] == g.ID, other[id] == g.ID)
		})
		if up, ok := parents[g.Parent]; !ok || up != "" {
			g.Parent = "" // the other side removed the outer group, or put it into another one
		}
		g.Extra = slices.Clone(g.Extra)
	}
	return out
}

func members(s ordered.Set[string, Group], id string) []AgentID {
	if g := s.Get(id); g != nil {
		return g.Members
	}
	return nil
}
