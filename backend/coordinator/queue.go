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

// entry is a waiting task as the queue keeps it: small, for there may be very many.
type entry struct {
	id       task.ID
	lane     *lane
	priority int
	came     uint64
	later    bool // it is not due yet
}

// lane is what waits of one kind.
type lane struct {
	kind
	ready []*entry // in order
	size  int      // with what is not due yet
}

// order is by priority, then as they came.
func order(a, b *entry) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.came, b.came))
}

// queue holds what waits. However much of it there is, to find the next one costs as much as
// there are kinds of it. Make it with newQueue.
type queue struct {
	byID  map[task.ID]*entry
	lanes map[kind]*lane
	later later
	came  uint64
}

func newQueue() queue {
	return queue{byID: map[task.ID]*entry{}, lanes: map[kind]*lane{}}
}

// add puts a task behind all of the same priority. What waits already stays where it is.
func (q *queue) add(w waiting) {
	if q.byID[w.id] != nil {
		return
	}
	q.came++
	w.came = q.came
	e := q.enter(w)
	if w.due.IsZero() {
		e.insert()
		return
	}
	e.later = true
	heap.Push(&q.later, timed{e, w.due})
}

// back puts a task that was taken back to its place.
func (q *queue) back(w waiting) {
	if q.byID[w.id] == nil {
		q.enter(w).insert()
	}
}

func (q *queue) enter(w waiting) *entry {
	l := q.lanes[w.kind]
	if l == nil {
		l = &lane{kind: w.kind}
		q.lanes[w.kind] = l
	}
	l.size++
	e := &entry{id: w.id, lane: l, priority: w.priority, came: w.came}
	q.byID[w.id] = e
	return e
}

func (e *entry) insert() {
	at, _ := slices.BinarySearchFunc(e.lane.ready, e, order)
	e.lane.ready = slices.Insert(e.lane.ready, at, e)
}

// wake makes ready what is due.
func (q *queue) wake(now time.Time) {
	for len(q.later) > 0 && !q.later[0].due.After(now) {
		e := heap.Pop(&q.later).(timed).entry //nolint:forcetypeassert // it holds nothing else
		e.later = false
		e.insert()
	}
}

// first lists the first ready task of each kind, in order.
func (q *queue) first() []*waiting {
	firsts := make([]*entry, 0, len(q.lanes))
	for _, l := range q.lanes {
		if len(l.ready) > 0 {
			firsts = append(firsts, l.ready[0])
		}
	}
	slices.SortFunc(firsts, order)
	out := make([]*waiting, len(firsts))
	for i, e := range firsts {
		out[i] = &waiting{id: e.id, kind: e.lane.kind, priority: e.priority, came: e.came}
	}
	return out
}

// take removes the task and reports whether it was there.
func (q *queue) take(id task.ID) bool {
	e := q.byID[id]
	if e == nil {
		return false
	}
	delete(q.byID, id)
	l := e.lane
	if l.size--; l.size == 0 {
		delete(q.lanes, l.kind)
	}
	if e.later {
		heap.Remove(&q.later, q.later.index(e))
		return true
	}
	if at, _ := slices.BinarySearchFunc(l.ready, e, order); at > 0 {
		l.ready = slices.Delete(l.ready, at, at+1)
	} else {
		l.ready[0] = nil
		l.ready = l.ready[1:]
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

// due is before when the task waits; zero if that is over, or the task not there.
func (q *queue) due(id task.ID) time.Time {
	if e := q.byID[id]; e != nil && e.later {
		return q.later[q.later.index(e)].due
	}
	return time.Time{}
}

func (q *queue) has(id task.ID) bool { return q.byID[id] != nil }

func (q *queue) len() int { return len(q.byID) }

// ahead counts what comes before the task.
func (q *queue) ahead(id task.ID) int {
	e, n := q.byID[id], 0
	if e == nil {
		return 0
	}
	for _, l := range q.lanes {
		at, _ := slices.BinarySearchFunc(l.ready, e, order)
		n += at
	}
	return n
}

// asked names, of the agents that tasks wait for, the first such task.
func (q *queue) asked() map[topology.AgentID]task.ID {
	firsts := map[topology.AgentID]*entry{}
	note := func(e *entry) {
		agent := e.lane.agent
		if f := firsts[agent]; agent != "" && (f == nil || order(e, f) < 0) {
			firsts[agent] = e
		}
	}
	for _, l := range q.lanes {
		if len(l.ready) > 0 {
			note(l.ready[0])
		}
	}
	for _, t := range q.later {
		note(t.entry)
	}
	out := make(map[topology.AgentID]task.ID, len(firsts))
	for agent, e := range firsts {
		out[agent] = e.id
	}
	return out
}

// later is a heap of what is not due yet, the soonest first.
type later []timed

type timed struct {
	*entry
	due time.Time // not before
}

func (l later) index(e *entry) int {
	return slices.IndexFunc(l, func(t timed) bool { return t.entry == e })
}

func (l later) Len() int           { return len(l) }
func (l later) Less(i, j int) bool { return l[i].due.Before(l[j].due) }
func (l later) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *later) Push(t any)        { *l = append(*l, t.(timed)) } //nolint:forcetypeassert // it holds nothing else
func (l *later) Pop() any {
	last := len(*l) - 1
	t := (*l)[last]
	(*l)[last] = timed{}
	*l = (*l)[:last]
	return t
}
