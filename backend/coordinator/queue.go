package coordinator

import (
	"slices"
	"time"

	"agentflow/backend/task"
	"agentflow/backend/topology"
)

// waiting is a task that waits for an agent. The task itself stays in the store.
type waiting struct {
	id       task.ID
	typ      task.Type
	agent    topology.AgentID // who shall do it, or ""
	giver    topology.AgentID // the agent that gave it on, or ""
	review   bool             // its result is to be looked at by agent
	priority int
	due      time.Time        // not before
	attach   bool             // last has it already
	last     topology.AgentID // who tried it last
}

// queue holds what waits, by priority and then in the order in which it came.
type queue struct {
	items []waiting
}

func (q *queue) add(w waiting) {
	at, _ := slices.BinarySearchFunc(q.items, w, func(a, b waiting) int {
		if a.priority != b.priority {
			return b.priority - a.priority
		}
		return -1 // behind all of the same priority
	})
	q.items = slices.Insert(q.items, at, w)
}

// take removes the task and reports whether it was there.
func (q *queue) take(id task.ID) bool {
	at := slices.IndexFunc(q.items, func(w waiting) bool { return w.id == id })
	if at < 0 {
		return false
	}
	q.items = slices.Delete(q.items, at, at+1)
	return true
}

// next is how long until something is due, or false if nothing waits for a time.
func (q *queue) next(now time.Time) (time.Duration, bool) {
	var soonest time.Duration
	found := false
	for i := range q.items {
		if wait := q.items[i].due.Sub(now); wait > 0 && (!found || wait < soonest) {
			soonest, found = wait, true
		}
	}
	return soonest, found
}

func (q *queue) has(id task.ID) bool {
	return slices.ContainsFunc(q.items, func(w waiting) bool { return w.id == id })
}
