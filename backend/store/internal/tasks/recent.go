package tasks

import (
	"context"
	"strings"

	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// statuses are all statuses. The index of the tasks that changed last begins with the status.
var statuses = []task.Status{task.Pending, task.InProgress, task.Completed, task.Failed, task.Canceled}

// Recent implements coordinator.Store. Each status is a stretch of the index, of which no
// more is read than the page holds.
func (s *Tasks) Recent(ctx context.Context, q coordinator.Recent) ([]task.Task, error) {
	var stretches []string
	var values []any
	for _, status := range statuses {
		where, with := stretch(q, status)
		if where == "" {
			continue
		}
		if q.Before.ID != "" {
			where += " AND (changed, id) < (?, ?)"
			with = append(with, moment(q.Before.At), string(q.Before.ID))
		}
		stretches = append(stretches, "SELECT * FROM (SELECT id, changed FROM tasks WHERE "+where+" ORDER BY changed DESC, id DESC LIMIT ?) AS stretch")
		values = append(append(values, with...), q.Limit)
	}
	if len(stretches) == 0 {
		return nil, nil
	}
	found := "SELECT id FROM (" + strings.Join(stretches, " UNION ALL ") + ") AS found ORDER BY changed DESC, id DESC LIMIT ?"
	return s.tasks(s.Read.WithContext(ctx).Raw("SELECT * FROM tasks WHERE id IN ("+found+") ORDER BY changed DESC, id DESC", append(values, q.Limit)...))
}

// CountRecent implements coordinator.Store.
func (s *Tasks) CountRecent(ctx context.Context, q coordinator.Recent) (n int, err error) {
	for _, status := range statuses {
		where, with := stretch(q, status)
		if where == "" {
			continue
		}
		some := 0
		if err := s.Read.WithContext(ctx).Raw("SELECT COUNT(*) FROM tasks WHERE "+where, with...).Scan(&some).Error; err != nil {
			return 0, s.Classify(err)
		}
		n += some
	}
	return n, nil
}

// stretch is the condition under which tasks with a status belong to the list; "" is never.
func stretch(q coordinator.Recent, is task.Status) (where string, with []any) {
	if q.Status != "" && q.Status != is || q.Only != nil && len(q.Only) == 0 {
		return "", nil
	}
	where, with = "status = ?", []any{string(is)}
	add := func(condition string, value any) {
		where += " AND " + condition
		with = append(with, value)
	}
	if !q.Since.IsZero() {
		add("changed > ?", moment(q.Since))
	}
	if q.Only != nil {
		add("id IN ?", texts(q.Only))
	}
	if len(q.But) > 0 {
		add("id NOT IN ?", texts(q.But))
	}
	if q.Session != "" {
		add("session_id = ?", sessionText(q.Session))
	}
	return where, with
}

func texts(ids []task.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}
