// Package queue keeps what waits for an agent in the order in which it is to be done: by priority,
// then as it came (requirement CO-4). It has no lock of its own.
package queue

import (
	"cmp"
	"slices"
	"time"

	"agentflow/backend/task"
	"agentflow/backend/topology"
)

// Waiting is a task that waits for an agent. The task itself stays in the store.
type Waiting struct {
	ID task.ID
	Kind
	Priority int
	Due      time.Time // not before
	came     uint64    // in which order
}

// Kind is all that decides who may and can take a task. What is of one kind is taken by the
// same agents, so that the first of it speaks for all.
type Kind struct {
	Type   task.Type
	Agent  topology.AgentID // who shall do it, or ""
	Giver  topology.AgentID // the agent that gave it on, or ""
	Review bool             // its result is to be looked at by Agent
	Attach bool             // Last has it already
	Last   topology.AgentID // who tried it last
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
	Kind
	ready []*entry // in order
	size  int      // with what is not due yet
}

// order is by priority, then as they came.
func order(a, b *entry) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.came, b.came))
}

// Queue holds what waits. However much of it there is, to find the next one costs as much as
// there are kinds of it. Make it with New.
type Queue struct {
	byID  map[task.ID]*entry
	lanes map[Kind]*lane
	later []timed // the soonest first
	came  uint64
}

// New returns a queue in which nothing waits.
func New() *Queue {
	return &Queue{byID: map[task.ID]*entry{}, lanes: map[Kind]*lane{}}
}

// Add puts a task behind all of the same priority. What waits already stays where it is.
func (q *Queue) Add(w Waiting) {
	if q.byID[w.ID] != nil {
		return
	}
	q.came++
	w.came = q.came
	q.insert(w)
}

func (q *Queue) insert(w Waiting) {
	e := q.enter(w)
	if w.Due.IsZero() {
		e.insert()
		return
	}
	e.later = true
	at, _ := slices.BinarySearchFunc(q.later, w.Due, func(t timed, due time.Time) int { return t.due.Compare(due) })
	q.later = slices.Insert(q.later, at, timed{e, w.Due})
}

// Back puts a task that was taken back to its place.
func (q *Queue) Back(w Waiting) {
	if q.byID[w.ID] == nil {
		q.insert(w)
	}
}

func (q *Queue) enter(w Waiting) *entry {
	l := q.lanes[w.Kind]
	if l == nil {
		l = &lane{Kind: w.Kind}
		q.lanes[w.Kind] = l
	}
	l.size++
	e := &entry{id: w.ID, lane: l, priority: w.Priority, came: w.came}
	q.byID[w.ID] = e
	return e
}

func (e *entry) insert() {
	at, _ := slices.BinarySearchFunc(e.lane.ready, e, order)
	e.lane.ready = slices.Insert(e.lane.ready, at, e)
}

// Wake makes ready what is due.
func (q *Queue) Wake(now time.Time) {
	due := 0
	for due < len(q.later) && !q.later[due].due.After(now) {
		e := q.later[due].entry
		e.later = false
		e.insert()
		due++
	}
	q.later = slices.Delete(q.later, 0, due)
}

// First lists the first ready task of each kind, in order.
func (q *Queue) First() []*Waiting {
	firsts := make([]*entry, 0, len(q.lanes))
	for _, l := range q.lanes {
		if len(l.ready) > 0 {
			firsts = append(firsts, l.ready[0])
		}
	}
	slices.SortFunc(firsts, order)
	out := make([]*Waiting, len(firsts))
	for i, e := range firsts {
		out[i] = &Waiting{ID: e.id, Kind: e.lane.Kind, Priority: e.priority, came: e.came}
	}
	return out
}

// Take removes the task and returns its place, for Back. false: it was not there.
func (q *Queue) Take(id task.ID) (Waiting, bool) {
	e := q.byID[id]
	if e == nil {
		return Waiting{}, false
	}
	w := Waiting{ID: e.id, Kind: e.lane.Kind, Priority: e.priority, came: e.came}
	delete(q.byID, id)
	l := e.lane
	if l.size--; l.size == 0 {
		delete(q.lanes, l.Kind)
	}
	if e.later {
		at := q.place(e)
		w.Due = q.later[at].due
		q.later = slices.Delete(q.later, at, at+1)
		return w, true
	}
	if at, _ := slices.BinarySearchFunc(l.ready, e, order); at > 0 {
		l.ready = slices.Delete(l.ready, at, at+1)
	} else {
		l.ready[0] = nil
		l.ready = l.ready[1:]
	}
	return w, true
}

// Next is how long until something is due, or false if nothing waits for a time.
func (q *Queue) Next(now time.Time) (time.Duration, bool) {
	if len(q.later) == 0 {
		return 0, false
	}
	return max(q.later[0].due.Sub(now), 0), true
}

// Due is before when the task waits; zero if that is over, or the task not there.
func (q *Queue) Due(id task.ID) time.Time {
	if e := q.byID[id]; e != nil && e.later {
		return q.later[q.place(e)].due
	}
	return time.Time{}
}

// Has reports whether the task waits.
func (q *Queue) Has(id task.ID) bool { return q.byID[id] != nil }

// Len is how many tasks wait.
func (q *Queue) Len() int { return len(q.byID) }

// Ahead counts what comes before the task.
func (q *Queue) Ahead(id task.ID) int {
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

// Asked names, of the agents that tasks wait for, the first such task.
func (q *Queue) Asked() map[topology.AgentID]task.ID {
	firsts := map[topology.AgentID]*entry{}
	note := func(e *entry) {
		agent := e.lane.Agent
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

// timed is what is not due yet.
type timed struct {
	*entry
	due time.Time // not before
}

// place is where an entry that is not due yet stands in later.
func (q *Queue) place(e *entry) int {
	return slices.IndexFunc(q.later, func(t timed) bool { return t.entry == e })
}
