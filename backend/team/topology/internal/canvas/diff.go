package canvas

import (
	"encoding/json"
	"slices"

	"agentflow/backend/team/topology/internal/change"
	"agentflow/backend/team/topology/internal/changeid"
	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// Diff finds what differs, draft from base. Ids of groups and notes must be unique,
// and an agent in one group at most. Apply makes it again, exactly.
func Diff(base, draft Sheet, add func(change.Change)) {
	diffLayout(base.Layout, draft.Layout, add)
	diffItems(&groups, base.Groups, draft.Groups, add)
	diffMembers(base.Groups, draft.Groups, add)
	diffItems(&notes, base.Notes, draft.Notes, add)
}

func diffLayout(base, draft map[AgentID]Point, add func(change.Change)) {
	for _, id := range ordered.Differing(base, draft) {
		b, was := base[id]
		p, is := draft[id]
		c := change.Change{
			ID:      changeid.ID(string(change.Layout), string(id), ""),
			Op:      change.Moved,
			Subject: change.Layout,
			Agent:   id,
		}
		if was {
			c.Before = point(b.X, b.Y)
		} else {
			c.Op = change.Added
		}
		if is {
			c.After = point(p.X, p.Y)
		} else {
			c.Op = change.Removed
		}
		if was != is || b.X != p.X || b.Y != p.Y {
			add(c)
		}
		if is && b.Locked != p.Locked {
			add(change.Change{ID: changeid.ID(string(change.Layout), string(id), FieldLocked), Op: change.Moved, Subject: change.Layout,
				Agent: id, Field: FieldLocked, Before: flag(b.Locked), After: flag(p.Locked)})
		}
	}
}

// point is a place as JSON, without what else a Point says.
func point(x, y float64) json.RawMessage {
	return rawjson.Of(struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
	}{x, y})
}

func flag(on bool) json.RawMessage {
	if on {
		return json.RawMessage("true")
	}
	return nil
}

func diffItems[T any](k *kind[T], base, draft []T, add func(change.Change)) {
	was, now := k.set(base), k.set(draft)
	natural := ordered.Compare(was, now, func(id string, b, a *T) {
		whole := change.Change{
			ID:      changeid.ID(string(k.subject), id, ""),
			Op:      change.Added,
			Subject: k.subject,
			Item:    id,
		}
		switch {
		case b == nil:
			whole.After = rawjson.Of(k.bare(*a))
			add(whole)
		case a == nil:
			whole.Op, whole.Before = change.Removed, rawjson.Of(k.bare(*b))
			add(whole)
		default:
			for i := range k.parts {
				if p := &k.parts[i]; !p.equal(b, a) {
					add(change.Change{
						ID:      changeid.ID(string(k.subject), id, p.name),
						Op:      p.op,
						Subject: k.subject,
						Item:    id,
						Field:   p.name,
						Before:  p.get(b),
						After:   p.get(a),
					})
				}
			}
		}
	})
	if !natural {
		add(change.Change{ID: changeid.ID(string(change.Team), k.orderField, ""), Op: change.Moved, Subject: change.Team, Field: k.orderField,
			Before: rawjson.Of(was.Keys), After: rawjson.Of(now.Keys)})
	}
}

// diffMembers reports who moved between groups, and groups whose members are not in
// the order that these moves produce: those who stay, then those who come.
func diffMembers(base, draft []Group, add func(change.Change)) {
	was, now := Membership(base), Membership(draft)
	member := func(id AgentID) {
		c := change.Change{
			ID:      changeid.ID("member", string(id), ""),
			Op:      change.Moved,
			Subject: change.Group,
			Agent:   id,
			Field:   FieldGroup,
		}
		if g, in := was[id]; in {
			c.Before = rawjson.Of(g)
		}
		if g, in := now[id]; in {
			c.After = rawjson.Of(g)
		}
		add(c)
	}
	in := func(of map[AgentID]string, id AgentID, group string) bool { g, ok := of[id]; return ok && g == group }
	old := groups.set(base)
	for _, g := range draft {
		var stays, comes []AgentID
		var before []AgentID
		if b := old.Get(g.ID); b != nil {
			before = b.Members
		}
		for _, id := range before {
			if in(now, id, g.ID) {
				stays = append(stays, id)
			}
		}
		for _, id := range g.Members {
			if !in(was, id, g.ID) {
				comes = append(comes, id)
				member(id)
			}
		}
		if !slices.Equal(append(stays, comes...), g.Members) {
			add(change.Change{ID: changeid.ID(string(change.Group), g.ID, FieldOrder), Op: change.Moved, Subject: change.Group, Item: g.ID, Field: FieldOrder,
				Before: rawjson.Of(before), After: rawjson.Of(g.Members)})
		}
	}
	for _, g := range base {
		for _, id := range g.Members {
			if _, stays := now[id]; !stays {
				member(id)
			}
		}
	}
}
