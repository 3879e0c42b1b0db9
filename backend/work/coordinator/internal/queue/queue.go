// Package queue orders waiting tasks by priority, then by arrival (requirement CO-4). It has no lock; callers
// synchronize.
package queue

import (
	"cmp"
	"slices"
	"time"

	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
)

// Waiting is a task that waits for an agent. The task itself stays in the store.
type Waiting struct {
	ID task.ID
	Kind
	Priority int
	Due      time.Time // not before
	came     uint64    // arrival number
}

// Kind is everything that decides which agents can take a task. Tasks of one kind have the same candidates, so the
// first one represents all.
type Kind struct {
	Type   task.Type
	Agent  topology.AgentID // the required agent, or ""
	Giver  topology.AgentID // the agent that delegated it, or ""
	Review bool             // Agent is to review its result
	Attach bool             // Last already has the task
	Last   topology.AgentID // the agent of the last attempt
}

// entry is a waiting task in the queue. It is small, because there can be very many.
type entry struct {
	id       task.ID
	lane     *lane
	priority int
	came     uint64
	later    bool // not due yet
}

// lane contains the waiting tasks of one kind.
type lane struct {
	Kind
	ready []*entry // in order
	size  int      // including those that aren't due yet
}

// order compares by priority, then by arrival.
func order(a, b *entry) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.came, b.came))
}

// Queue contains the waiting tasks. The cost of finding the next one depends on the number of kinds, not on the
// number of tasks. Create it with New.
type Queue struct {
	byID  map[task.ID]*entry
	lanes map[Kind]*lane
	later []timed // earliest first
	came  uint64
}

// New returns an empty queue.
func New() *Queue {
	return &Queue{byID: map[task.ID]*entry{}, lanes: map[Kind]*lane{}}
}

// Add puts a task behind all others of its priority. A task that already waits keeps its place.
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

// Requeue returns a task taken with Take to its place.
func (q *Queue) Requeue(w Waiting) {
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

// PromoteDue makes the due tasks ready.
func (q *Queue) PromoteDue(now time.Time) {
	due := 0
	for due < len(q.later) && !q.later[due].due.After(now) {
		e := q.later[due].entry
		e.later = false
		e.insert()
		due++
	}
	q.later = slices.Delete(q.later, 0, due)
}

// Heads lists the first ready task of each kind, in order.
func (q *Queue) Heads() []*Waiting {
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

// Remove removes the task and returns its place, for Back. It returns false if the task doesn't wait.
func (q *Queue) Remove(id task.ID) (Waiting, bool) {
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

// Next returns the time until the earliest task is due, or false if no task waits for a time.
func (q *Queue) Next(now time.Time) (time.Duration, bool) {
	if len(q.later) == 0 {
		return 0, false
	}
	return max(q.later[0].due.Sub(now), 0), true
}

// Due returns when the task becomes ready, or zero if it is ready or doesn't wait.
func (q *Queue) Due(id task.ID) time.Time {
	if e := q.byID[id]; e != nil && e.later {
		return q.later[q.place(e)].due
	}
	return time.Time{}
}

// Matching lists the waiting tasks of the kinds that match, also those that aren't due yet.
func (q *Queue) Matching(match func(Kind) bool) []task.ID {
	var out []task.ID
	for _, l := range q.lanes {
		if !match(l.Kind) {
			continue
		}
		for _, e := range l.ready {
			out = append(out, e.id)
		}
		for _, t := range q.later {
			if t.lane == l {
				out = append(out, t.id)
			}
		}
	}
	return out
}

// Has reports whether the task waits.
func (q *Queue) Has(id task.ID) bool { return q.byID[id] != nil }

// Len returns the number of waiting tasks.
func (q *Queue) Len() int { return len(q.byID) }

// Ahead counts the tasks before this one whose kind competes with its kind.
func (q *Queue) Ahead(id task.ID, compete func(mine, other Kind) bool) int {
	e, n := q.byID[id], 0
	if e == nil {
		return 0
	}
	for _, l := range q.lanes {
		if l != e.lane && !compete(e.lane.Kind, l.Kind) {
			continue
		}
		at, _ := slices.BinarySearchFunc(l.ready, e, order)
		n += at
	}
	return n
}

// Asked maps each agent that tasks wait for to the first such task.
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

// timed is a task that isn't due yet.
type timed struct {
	*entry
	due time.Time // not before
}

// place returns the index in later of an entry that isn't due yet.
func (q *Queue) place(e *entry) int {
	return slices.IndexFunc(q.later, func(t timed) bool { return t.entry == e })
}
