package tasks

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// stands are all ways in which a task can stand, as the index of those that changed last has them.
var stands = []struct {
	status    task.Status
	cancelled bool
}{{task.Pending, false}, {task.InProgress, false}, {task.Completed, false}, {task.Failed, false}, {task.Failed, true}}

// Recent implements coordinator.Store. Each way to stand is a stretch of the index, of which no
// more is read than the page holds.
func (s *Tasks) Recent(ctx context.Context, q coordinator.Recent) ([]task.Task, error) {
	var stretches []string
	var values []any
	for i := range stands {
		where, with := s.stretch(q, i)
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
	for i := range stands {
		where, with := s.stretch(q, i)
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

// stretch is the condition under which tasks that stand in one way belong to the list; "" is never.
func (s *Tasks) stretch(q coordinator.Recent, stand int) (where string, with []any) {
	is := stands[stand]
	if q.Status != "" && (q.Status != is.status || q.Cancelled != is.cancelled) || q.Only != nil && len(q.Only) == 0 {
		return "", nil
	}
	where, with = "status = ? AND cancelled = ?", []any{string(is.status), is.cancelled}
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
		add(s.holds(), sessionOf(q.Session))
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

// upgradeRows is how many tasks of an older database are read at a time.
const upgradeRows = 500

// Upgrade writes into the rows of an older database when their tasks changed last, and takes away
// the index that the one of those that changed last does the work of.
func Upgrade(tx *gorm.DB) error {
	if err := tx.Exec("DROP INDEX IF EXISTS idx_tasks_status").Error; err != nil {
		return err
	}
	for {
		var rows []taskRow
		if err := tx.Raw("SELECT * FROM tasks WHERE status IN ? AND cancelled IN ? AND changed = 0 LIMIT ?",
			[]string{string(task.Pending), string(task.InProgress), string(task.Completed), string(task.Failed)}, []bool{false, true}, upgradeRows).Scan(&rows).Error; err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			t, _ := r.task() // one that cannot be read is found out where it is asked for
			if err := tx.Exec("UPDATE tasks SET cancelled = ?, changed = ? WHERE id = ?", t.Cancelled(), moment(t.UpdatedAt), r.ID).Error; err != nil {
				return err
			}
		}
	}
}
