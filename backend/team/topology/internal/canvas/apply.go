package canvas

import (
	"slices"

	"agentflow/backend/team/topology/internal/change"
	"agentflow/backend/team/topology/internal/ordered"
)

// Apply makes the changes to s, in place; those about other subjects are not its own.
// The set may be a chosen part of a Diff. A change that cannot be made is refused by
// its ID, for example a member of a group that was not chosen.
func Apply(s *Sheet, cs change.Set) error {
	if err := applyLayout(s, cs); err != nil {
		return err
	}
	var err error
	if s.Groups, err = applyItems(&groups, cs, s.Groups); err != nil {
		return err
	}
	if err = applyMembers(s.Groups, cs); err != nil {
		return err
	}
	s.Notes, err = applyItems(&notes, cs, s.Notes)
	return err
}

func applyLayout(s *Sheet, cs change.Set) error {
	for _, c := range cs {
		if c.Subject != change.Layout {
			continue
		}
		p, there := s.Layout[c.Agent]
		switch {
		case c.Field == FieldLocked:
			if !there {
				return c.Refuse("the agent has no place; choose its place too")
			}
			if err := decodeFlag(c, &p.Locked); err != nil {
				return err
			}
		case c.Op == change.Removed:
			delete(s.Layout, c.Agent)
			continue
		default:
			to := Point{}
			if err := c.Decode(&to); err != nil {
				return err
			}
			p.X, p.Y = to.X, to.Y
		}
		if s.Layout == nil {
			s.Layout = map[AgentID]Point{}
		}
		s.Layout[c.Agent] = p
	}
	return nil
}

func applyItems[T any](k *kind[T], cs change.Set, items []T) ([]T, error) {
	set, gone := k.set(items), map[string]bool{}
	var added []T
	for _, c := range cs {
		if c.Subject != k.subject || c.Field == FieldOrder || c.Field == FieldGroup {
			continue
		}
		old := set.Get(c.Item)
		switch {
		case c.Op == change.Removed:
			gone[c.Item] = true
		case c.Field != "":
			if old == nil {
				return nil, c.Refuse("there is no %s %q", k.subject, c.Item)
			}
			if err := k.edit(old, c); err != nil {
				return nil, err
			}
		default:
			var x T
			if err := c.Decode(&x); err != nil {
				return nil, err
			}
			if k.id(&x) != c.Item {
				return nil, c.Refuse("its value has the id %q", k.id(&x))
			}
			if x = k.bare(x); old != nil {
				return nil, c.Refuse("there is a %s %q already", k.subject, c.Item)
			}
			added = append(added, x)
		}
	}
	items = slices.DeleteFunc(append(items, added...), func(x T) bool { return gone[k.id(&x)] })
	for _, c := range cs {
		if c.Subject == change.Team && c.Field == k.orderField {
			return items, sortAs(c, items, k.set(items).Keys)
		}
	}
	return items, nil
}

func (k *kind[T]) edit(x *T, c change.Change) error {
	for i := range k.parts {
		if p := &k.parts[i]; p.name == c.Field {
			if err := p.set(x, c.After); err != nil {
				return c.Refuse("its value cannot be read: %s", err.Error())
			}
			return nil
		}
	}
	return c.Refuse("a %s has no field %q", k.subject, c.Field)
}

func applyMembers(list []Group, cs change.Set) error {
	set, leaves := groups.set(list), map[AgentID]bool{}
	for _, c := range cs {
		if c.Subject == change.Group && c.Field == FieldGroup {
			leaves[c.Agent] = true
		}
	}
	if len(leaves) > 0 {
		for i := range list {
			list[i].Members = slices.DeleteFunc(list[i].Members, func(id AgentID) bool { return leaves[id] })
		}
	}
	for _, c := range cs {
		if c.Subject != change.Group || c.Field != FieldGroup || c.After == nil {
			continue
		}
		var to string
		if err := c.Decode(&to); err != nil {
			return err
		}
		g := set.Get(to)
		if g == nil {
			return c.Refuse("there is no group %q; choose its addition too", to)
		}
		g.Members = append(g.Members, c.Agent)
	}
	for _, c := range cs {
		if g := set.Get(c.Item); c.Subject == change.Group && c.Field == FieldOrder && g != nil {
			if err := sortAs(c, g.Members, g.Members); err != nil {
				return err
			}
		}
	}
	return nil
}

func sortAs[T any, K comparable](c change.Change, items []T, keys []K) error {
	var order []K
	if err := c.Decode(&order); err != nil {
		return err
	}
	ordered.Sort(items, keys, order)
	return nil
}

// decodeFlag reads what may be absent, which is false.
func decodeFlag(c change.Change, on *bool) error {
	if *on = false; c.After == nil {
		return nil
	}
	return c.Decode(on)
}
