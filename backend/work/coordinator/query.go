package coordinator

import (
	"context"
	"time"

	"agentflow/backend/work/coordinator/activity"
	"agentflow/backend/work/task"
)

// Query selects tasks of a list, newest first.
type Query struct {
	Status  task.Status // "" is all
	Agent   string      // the agent that runs, ran or is requested for the task; "" is all
	Session string      // "" is all
	Search  string      // words in the task's text or ID, in any order and case; "" is all
	Before  task.ID     // older than this one
	Limit   int         // 1 to 500; 0 is 50
}

// Recent selects tasks by status, most recently changed first.
type Recent struct {
	Status  task.Status // "" is all
	Session string      // "" is all
	Since   time.Time   // changed after this time; zero is no limit
	Only    []task.ID   // only these; nil is all
	But     []task.ID   // not these
	Before  Mark        // only what follows this mark in the list
	Limit   int
}

// Mark is a position in a list sorted by change: the ID and change time of a task.
type Mark struct {
	At time.Time
	ID task.ID
}

// Recent lists tasks, most recently changed first, and returns their number on all pages.
func (m *Machine) Recent(ctx context.Context, q Recent) (list []task.Task, all int, err error) {
	if list, err = m.o.Store.Recent(ctx, q); err == nil {
		all, err = m.o.Store.CountRecent(ctx, q)
	}
	return list, all, err
}

// Tasks lists tasks, newest first. It filters by agent and words in Go, page by page, because databases don't fold case
// alike in every script.
func (m *Machine) Tasks(ctx context.Context, q Query) ([]task.Task, error) {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	q.Limit = min(q.Limit, page)
	if q.Agent == "" && q.Search == "" {
		return m.o.Store.Tasks(ctx, q)
	}
	wanted, limit := task.Matching(q.Agent, q.Search), q.Limit
	q.Limit = page
	out := make([]task.Task, 0, limit)
	for {
		list, err := m.o.Store.Tasks(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range list {
			q.Before = list[i].ID
			if wanted(&list[i]) {
				if out = append(out, list[i]); len(out) == limit {
					return out, nil
				}
			}
		}
		if len(list) < page {
			return out, nil
		}
	}
}

// Summaries lists summaries of tasks, newest first.
func (m *Machine) Summaries(ctx context.Context, q Query) ([]task.Summary, error) {
	list, err := m.Tasks(ctx, q)
	if err != nil {
		return nil, err
	}
	out := make([]task.Summary, len(list))
	for i := range list {
		out[i] = list[i].Summary()
	}
	return out, nil
}

// Counts are the numbers of tasks.
type Counts struct {
	ByStatus map[task.Status]int // without Held
	Held     int                 // unfinished tasks of a restored backup, which wait for a person
	Queued   int                 // tasks in progress without a running attempt
}

// Count counts the tasks, once Run has read the unfinished ones. If ctx ends before, it returns the cause.
func (m *Machine) Count(ctx context.Context) (Counts, error) {
	if err := m.untilResumed(ctx); err != nil {
		return Counts{}, err
	}
	out := Counts{ByStatus: map[task.Status]int{}}
	for _, status := range []task.Status{task.Pending, task.InProgress, task.Completed, task.Failed, task.Canceled} {
		n, err := m.o.Store.CountTasks(ctx, status)
		if err != nil {
			return Counts{}, err
		}
		out.ByStatus[status] = int(n)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, status := range m.restored {
		out.ByStatus[status]--
	}
	running := 0
	for _, a := range m.running {
		if a.number.Load() > 0 { // the attempt is saved, so the task is in progress
			running++
		}
	}
	out.Held, out.Queued = len(m.restored), max(0, out.ByStatus[task.InProgress]-running)
	return out, nil
}

// Watch sends the task's events after seq to send, in order and without gaps, first the stored ones. It blocks and
// returns nil after the last event, which is of type end. If ctx ends, it returns the cause; if send fails, that
// error; for an unknown task, NOT_FOUND.
func (m *Machine) Watch(ctx context.Context, id task.ID, after int64, send func([]task.Event) error) error {
	return m.streams.Watch(ctx, id, after, send)
}

// View starts collecting which tasks change. The caller closes it.
func (m *Machine) View() *activity.View { return m.board.View() }

// Work returns the current work of the agents.
func (m *Machine) Work() activity.Work {
	m.mu.Lock()
	w := activity.Work{Running: len(m.running), Waiting: m.queue.Len()}
	waits := m.queue.Asked()
	m.mu.Unlock()
	w.Agents = m.board.Agents(waits)
	return w
}

// AgentBySecret returns the remote agent with this secret.
func (m *Machine) AgentBySecret(secret string) (string, bool) { return m.eligibility.BySecret(secret) }

// Busy returns the tasks that agents are running.
func (m *Machine) Busy() []task.ID {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := make([]task.ID, 0, len(m.running))
	for id := range m.running {
		ids = append(ids, id)
	}
	return ids
}
