// Package selection chooses part of a change set so that it can be made without the rest.
package selection

import (
	"encoding/json"
	"slices"

	"agentflow/backend/team/topology"
)

// Part is a change set split in two. Chosen applies to base alone; Left applies to
// the result.
type Part struct {
	Chosen, Left topology.ChangeSet
}

// Of parts cs: the changes with the given ids are left out, and with them all that
// cannot be made without them, see Needs. Ids that cs does not have are ignored.
func Of(cs topology.ChangeSet, leaveOut []string) Part {
	left := make(map[string]bool, len(leaveOut))
	for _, id := range leaveOut {
		left[id] = true
	}
	neededBy := map[string][]string{}
	for id, needs := range Needs(cs) {
		for _, n := range needs {
			neededBy[n] = append(neededBy[n], id)
		}
	}
	for todo := slices.Clone(leaveOut); len(todo) > 0; todo = todo[1:] {
		for _, id := range neededBy[todo[0]] {
			if !left[id] {
				left[id] = true
				todo = append(todo, id)
			}
		}
	}
	p := Part{Chosen: topology.ChangeSet{}, Left: topology.ChangeSet{}}
	for _, c := range cs {
		if left[c.ID] {
			p.Left = append(p.Left, c)
		} else {
			p.Chosen = append(p.Chosen, c)
		}
	}
	return p
}

// Needs says which changes each change cannot be made without; those that need none are
// not in it. What belongs together needs each other: an agent and its place.
//
//   - Changes that concern a new agent (connections from and to it, workspace files, bindings, broadcast groups,
//     place, membership) need its addition.
//   - A removed agent takes along the connections from and to it, its bindings, its place
//     and its memberships, also those in broadcast groups.
//   - Repeated connections differ only in their number, so they change
//     together.
//   - Who or what is put into a new group needs that; a group goes only after those in
//     it have left.
//   - The lock of somebody who had no place needs it.
func Needs(cs topology.ChangeSet) map[string][]string {
	n := newNeeds(cs)
	for _, c := range cs {
		n.change(c)
	}
	return n.of
}

// newNeeds remembers the changes that others may need.
func newNeeds(cs topology.ChangeSet) *needs {
	n := &needs{
		of:      map[string][]string{},
		came:    map[topology.AgentID]string{},
		went:    map[topology.AgentID]string{},
		placed:  map[topology.AgentID]string{},
		groups:  map[string]string{},
		doubles: map[link]string{},
	}
	for _, c := range cs {
		whole := c.Subject == topology.SubjectAgent && c.Field == ""
		switch {
		case whole && c.Op == topology.Added:
			n.came[c.Agent] = c.ID
		case whole && c.Op == topology.Removed:
			n.went[c.Agent] = c.ID
		case c.Subject == topology.SubjectGroup && c.Field == "":
			n.groups[c.Item] = c.ID
		case c.Subject == topology.SubjectLayout && c.Op == topology.Added:
			n.placed[c.Agent] = c.ID
		case c.Subject == topology.SubjectConnection && c.Item != "":
			n.doubles[link{c.Agent, c.Target, c.Kind}] = ""
		}
	}
	return n
}

type needs struct {
	of     map[string][]string
	came   map[topology.AgentID]string // the change that adds it
	went   map[topology.AgentID]string // the change that removes it
	placed map[topology.AgentID]string // the change that gives it its first place
	groups map[string]string           // the change that adds or removes it

	doubles map[link]string // the last change seen of connections that stand more than once
}

// change adds what a change needs.
func (n *needs) change(c topology.Change) {
	switch c.Subject {
	case topology.SubjectAgent:
		if _, isFile := topology.FileOf(c.Field); isFile {
			n.add(c.ID, n.came[c.Agent])
		}
	case topology.SubjectConnection:
		n.connection(c)
	case topology.SubjectBinding:
		n.add(c.ID, n.came[topology.BoundTo(c.After)])
		if c.Op == topology.Removed {
			n.add(n.went[topology.BoundTo(c.Before)], c.ID)
		}
	case topology.SubjectBroadcast:
		n.broadcast(c)
	case topology.SubjectLayout:
		n.both(n.came[c.Agent], c.ID)
		n.both(n.went[c.Agent], c.ID)
		if c.Field != "" {
			n.add(c.ID, n.placed[c.Agent])
		}
	case topology.SubjectGroup:
		n.group(c)
	}
}

// broadcast needs the agents that come into a group; those that leave it need it.
func (n *needs) broadcast(c topology.Change) {
	was, now := topology.BroadcastTo(c.Field, c.Before), topology.BroadcastTo(c.Field, c.After)
	for _, id := range now {
		n.add(c.ID, n.came[id])
	}
	for _, id := range was {
		if !slices.Contains(now, id) {
			n.add(n.went[id], c.ID)
		}
	}
}

func (n *needs) add(id, needed string) {
	if id != "" && needed != "" && id != needed && !slices.Contains(n.of[id], needed) {
		n.of[id] = append(n.of[id], needed)
	}
}

func (n *needs) both(a, b string) {
	n.add(a, b)
	n.add(b, a)
}

func (n *needs) connection(c topology.Change) {
	n.add(c.ID, n.came[c.Agent])
	n.add(c.ID, n.came[c.Target])
	n.add(n.went[c.Agent], c.ID)
	n.add(n.went[c.Target], c.ID)
	if c.Dangling { // its target is missing only because it is removed
		n.add(c.ID, n.went[c.Target])
	}
	k := link{c.Agent, c.Target, c.Kind}
	if last, ok := n.doubles[k]; ok {
		n.both(last, c.ID)
		n.doubles[k] = c.ID
	}
}

// link is a connection without its number.
type link struct {
	from, to topology.AgentID
	kind     topology.Kind
}

func (n *needs) group(c topology.Change) {
	var was, now string // the group that something was in, and is in
	switch c.Field {
	case "":
		was, now = parent(c.Before), parent(c.After)
	case topology.FieldGroup, "parent":
		was, now = text(c.Before), text(c.After)
	}
	n.add(c.ID, n.groups[now])
	n.add(n.groups[was], c.ID)
	if c.Agent != "" {
		n.add(c.ID, n.came[c.Agent])
		n.add(n.went[c.Agent], c.ID)
	}
}

// parent and text read what a change set itself holds.
func parent(raw json.RawMessage) string {
	var g topology.Group
	_ = json.Unmarshal(raw, &g)
	return g.Parent
}

func text(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s)
	return s
}
