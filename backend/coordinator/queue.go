package coordinator

import (
	"cmp"
	"container/heap"
	"slices"
	"time"

	"agentflow/backend/task"
	"agentflow/backend/topology"
)

// waiting is a task that waits for an agent. The task itself stays in the store.
type waiting struct {
	id task.ID
	kind
	priority int
	due      time.Time // not before
	came     uint64    // in which order
}

// kind is all that decides who may and can take a task. What is of one kind is taken by the
// same agents, so that the first of it speaks for all.
type kind struct {
	typ    task.Type
	agent  topology.AgentID // who shall do it, or ""
	giver  topology.AgentID // the agent that gave it on, or ""
	review bool             // its result is to be looked at by agent
	attach bool             // last has it already
	last   topology.AgentID // who tried it last
}

// order is by priority, then as they came.
func order(a, b *waiting) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.came, b.came))
}

// queue holds what waits. However much of it there is, to find the next one costs as much as
// there are kinds of it. Make it with newQueue.
type queue struct {
	byID  map[task.ID]*waiting
	ready map[kind][]*waiting // each in order
	later later
	came  uint64
}

func newQueue() queue {
	return queue{byID: map[task.ID]*waiting{}, ready: map[kind][]*waiting{}}
}

// add puts a task behind all of the same priority. What waits already stays where it is.
func (q *queue) add(w waiting) {
	if q.byID[w.id] != nil {
		return
	}
	q.came++
	w.came = q.came
	q.byID[w.id] = &w
	if w.due.IsZero() {
		q.insert(&w)
	} else {
		heap.Push(&q.later, &w)
	}
}

// back puts a task that was taken back to its place.
func (q *queue) back(w waiting) {
	if q.byID[w.id] == nil {
		q.byID[w.id] = &w
		q.insert(&w)
	}
}

func (q *queue) insert(w *waiting) {
	list := q.ready[w.kind]
	at, _ := slices.BinarySearchFunc(list, w, order)
	q.ready[w.kind] = slices.Insert(list, at, w)
}

// wake makes ready what is due.
func (q *queue) wake(now time.Time) {
	for len(q.later) > 0 && !q.later[0].due.After(now) {
		w := heap.Pop(&q.later).(*waiting) //nolint:forcetypeassert // it holds nothing else
		w.due = time.Time{}
		q.insert(w)
	}
}

// first lists the first ready task of each kind, in order.
func (q *queue) first() []*waiting {
	out := make([]*waiting, 0, len(q.ready))
	for _, list := range q.ready {
		out = append(out, list[0])
	}
	slices.SortFunc(out, order)
	return out
}

// take removes the task and reports whether it was there.
func (q *queue) take(id task.ID) bool {
	w := q.byID[id]
	if w == nil {
		return false
	}
	delete(q.byID, id)
	if !w.due.IsZero() {
		heap.Remove(&q.later, slices.Index(q.later, w))
		return true
	}
	list := q.ready[w.kind]
	at, _ := slices.BinarySearchFunc(list, w, order)
	switch {
	case len(list) == 1:
		delete(q.ready, w.kind)
	case at == 0:
		list[0] = nil
		q.ready[w.kind] = list[1:]
	default:
		q.ready[w.kind] = slices.Delete(list, at, at+1)
	}
	return true
}

// next is how long until something is due, or false if nothing waits for a time.
func (q *queue) next(now time.Time) (time.Duration, bool) {
	if len(q.later) == 0 {
		return 0, false
	}
	return max(q.later[0].due.Sub(now), 0), true
}

func (q *queue) has(id task.ID) bool { return q.byID[id] != nil }

func (q *queue) len() int { return len(q.byID) }

// ahead counts what comes before the task.
func (q *queue) ahead(id task.ID) int {
	w, n := q.byID[id], 0
	if w == nil {
		return 0
	}
	for _, list := range q.ready {
		at, _ := slices.BinarySearchFunc(list, w, order)
		n += at
	}
	return n
}

// asked names, of the agents that tasks wait for, the first such task.
func (q *queue) asked() map[topology.AgentID]task.ID {
	firsts := map[topology.AgentID]*waiting{}
	note := func(w *waiting) {
		if f := firsts[w.agent]; w.agent != "" && (f == nil || order(w, f) < 0) {
			firsts[w.agent] = w
		}
	}
	for _, list := range q.ready {
		note(list[0])
	}
	for _, w := range q.later {
		note(w)
	}
	out := make(map[topology.AgentID]task.ID, len(firsts))
	for agent, w := range firsts {
		out[agent] = w.id
	}
	return out
}

// later is a heap of what is not due yet, the soonest first.
type later []*waiting

func (l later) Len() int           { return len(l) }
func (l later) Less(i, j int) bool { return l[i].due.Before(l[j].due) }
func (l later) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *later) Push(w any)        { *l = append(*l, w.(*waiting)) } //nolint:forcetypeassert // it holds nothing else
func (l *later) Pop() any {
	last := len(*l) - 1
	w := (*l)[last]
	(*l)[last] = nil
	*l = (*l)[:last]
	return w
}
