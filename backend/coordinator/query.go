package coordinator

import (
	"context"

	"agentflow/backend/task"
)

// Query chooses tasks of a list, newest first.
type Query struct {
	Status task.Status // "" is all
	Agent  string      // who does, did or is asked to do it; "" is all
	Search string      // words that its text or id holds, in any order and case; "" is all
	Before task.ID     // older than this one
	Limit  int         // 1 to 500; 0 is 50
}

// Tasks lists tasks, newest first. Agent and words are looked for in the tasks themselves, a
// page at a time: no database folds the case of every script alike.
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
			if q.Before = list[i].ID; wanted(&list[i]) {
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

// Count counts the tasks by where they stand.
func (m *Machine) Count(ctx context.Context) (map[task.Status]int, error) {
	out := map[task.Status]int{}
	for _, status := range []task.Status{task.Pending, task.InProgress, task.Completed, task.Failed} {
		n, err := m.o.Store.CountTasks(ctx, status)
		if err != nil {
			return nil, err
		}
		out[status] = int(n)
	}
	return out, nil
}
