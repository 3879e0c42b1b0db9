package coordinator

import (
	"context"
	"time"

	"agentflow/backend/coordinator/board"
	"agentflow/backend/task"
)

// Query chooses tasks of a list, newest first.
type Query struct {
	Status  task.Status // "" is all
	Agent   string      // who does, did or is asked to do it; "" is all
	Session string      // that it belongs to; "" is all
	Search  string      // words that its text or id holds, in any order and case; "" is all
	Before  task.ID     // older than this one
	Limit   int         // 1 to 500; 0 is 50
}

// Recent chooses tasks by where they stand, those that changed last first.
type Recent struct {
	Status    task.Status // "" is all
	Cancelled bool        // of those that failed: those that were cancelled, or else the others
	Session   string      // that they belong to; "" is all
	Since     time.Time   // they changed after it; zero is whenever
	Only      []task.ID   // no others; nil is all
	But       []task.ID   // not these
	Before    Mark        // what comes after it in the list
	Limit     int
}

// Mark is a place in a list of those that changed last: that of a task as it stood then.
type Mark struct {
	At time.Time
	ID task.ID
}

// Recent lists tasks, those that changed last first, and says how many there are on all pages. A
// session is looked for in the tasks themselves, and all of it is read.
func (m *Machine) Recent(ctx context.Context, q Recent) (list []task.Task, all int, err error) {
	if q.Session == "" {
		if list, err = m.o.Store.Recent(ctx, q); err == nil {
			all, err = m.o.Store.CountRecent(ctx, q)
		}
		return list, all, err
	}
	behind := func(t *task.Task) bool {
		order := t.UpdatedAt.Compare(q.Before.At)
		return q.Before.ID == "" || order < 0 || order == 0 && t.ID < q.Before.ID
	}
	some := q
	some.Before, some.Limit = Mark{}, page
	for {
		found, err := m.o.Store.Recent(ctx, some)
		if err != nil {
			return nil, 0, err
		}
		for i := range found {
			t := &found[i]
			some.Before = Mark{t.UpdatedAt, t.ID}
			if t.SessionID != q.Session {
				continue
			}
			if all++; len(list) < q.Limit && behind(t) {
				list = append(list, *t)
			}
		}
		if len(found) < page {
			return list, all, nil
		}
	}
}

// Tasks lists tasks, newest first. Agent, session and words are looked for in the tasks
// themselves, a page at a time: no database folds the case of every script alike.
func (m *Machine) Tasks(ctx context.Context, q Query) ([]task.Task, error) {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	q.Limit = min(q.Limit, page)
	if q.Agent == "" && q.Session == "" && q.Search == "" {
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
			if (q.Session == "" || list[i].SessionID == q.Session) && wanted(&list[i]) {
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

// Summaries lists tasks in short, newest first.
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

// Count counts the tasks by where they stand, and how many of those that failed were canceled.
func (m *Machine) Count(ctx context.Context) (map[task.Status]int, int, error) {
	out := map[task.Status]int{}
	for _, status := range []task.Status{task.Pending, task.InProgress, task.Completed, task.Failed} {
		n, err := m.o.Store.CountTasks(ctx, status)
		if err != nil {
			return nil, 0, err
		}
		out[status] = int(n)
	}
	canceled, err := m.o.Store.CountRecent(ctx, Recent{Status: task.Failed, Cancelled: true})
	return out, canceled, err
}

// Watch hands over the task's events after seq, in order and without a gap, those of the
// past first, and returns nil after the last one, which is of type end. It blocks; when ctx
// ends it returns the cause, and an error of send as it is. A task that is not there:
// NOT_FOUND.
func (m *Machine) Watch(ctx context.Context, id task.ID, after int64, send func([]task.Event) error) error {
	return m.streams.Watch(ctx, id, after, send)
}

// View starts collecting which tasks change. Close it.
func (m *Machine) View() *board.View { return m.board.View() }

// Work returns what the agents are at.
func (m *Machine) Work() board.Work {
	m.mu.Lock()
	w := board.Work{Running: len(m.running), Waiting: m.queue.Len()}
	waits := m.queue.Asked()
	m.mu.Unlock()
	w.Agents = m.board.Agents(waits)
	return w
}

// AgentBySecret returns the agent elsewhere whose secret it is.
func (m *Machine) AgentBySecret(secret string) (string, bool) { return m.crew.BySecret(secret) }
