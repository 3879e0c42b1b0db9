package store_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/store"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// stood is a task as it stands since a second of 1970.
func stood(id string, status task.Status, second int64) task.Task {
	t := task.Task{
		ID:        task.ID(id),
		SessionID: "s",
		Type:      task.Chat,
		Prompt:    "p",
		Status:    status,
		UpdatedAt: time.Unix(second, 0).UTC(),
	}
	if status == task.Failed {
		t.ErrorMessage = "no"
	}
	return t
}

// listsRecent keeps tasks that change in another order than they came, and lists them.
func listsRecent(t *testing.T, s coordinator.Store) {
	t.Helper()
	add := func(one task.Task) {
		t.Helper()
		if _, _, err := s.AddTask(t.Context(), one, ""); err != nil {
			t.Fatal(err)
		}
	}
	add(stood("a", task.Pending, 10))
	add(stood("b", task.Pending, 20))
	add(stood("c", task.InProgress, 30))
	add(stood("d", task.Completed, 40))
	add(stood("e", task.Failed, 50))
	add(stood("f", task.Canceled, 60))
	add(stood("g", task.Pending, 20)) // at the same moment as b
	if err := s.SaveTask(t.Context(), stood("a", task.Canceled, 70), nil); err != nil {
		t.Fatal(err)
	}
	read := func(q coordinator.Recent) string {
		t.Helper()
		ids := ""
		for q.Limit = 2; ; { // every list goes over pages
			page, err := s.Recent(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range page {
				ids += string(one.ID)
				q.Before = coordinator.Mark{At: one.UpdatedAt, ID: one.ID}
			}
			if len(page) < q.Limit {
				break
			}
		}
		if n, err := s.CountRecent(t.Context(), q); err != nil || n != len(ids) {
			t.Errorf("%+v: %d are counted, listed %s: %v", q, n, ids, err)
		}
		return ids
	}
	for _, c := range []struct {
		q    coordinator.Recent
		want string
	}{
		{coordinator.Recent{}, "afedcgb"},
		{coordinator.Recent{Status: task.Pending}, "gb"},
		{coordinator.Recent{Status: task.InProgress}, "c"},
		{coordinator.Recent{Status: task.Completed}, "d"},
		{coordinator.Recent{Status: task.Failed}, "e"},
		{coordinator.Recent{Status: task.Canceled}, "af"},
		{coordinator.Recent{Since: time.Unix(30, 0)}, "afed"},
		{coordinator.Recent{Since: time.Unix(60, 0), Status: task.Canceled}, "a"},
		{coordinator.Recent{But: []task.ID{"g", "d", "x"}}, "afecb"},
		{coordinator.Recent{Only: []task.ID{"g", "d", "x"}}, "dg"},
		{coordinator.Recent{Only: []task.ID{}}, ""},
		{coordinator.Recent{Session: "s"}, "afedcgb"},
		{coordinator.Recent{Session: "other"}, ""},
		{coordinator.Recent{Session: "s", Status: task.Failed}, "e"},
	} {
		if got := read(c.q); got != c.want {
			t.Errorf("%+v: %s, want %s", c.q, got, c.want)
		}
	}
}

func TestAG1_TasksAreListedAsTheyChanged(t *testing.T) {
	dir := t.TempDir()
	t.Run("list", func(t *testing.T) { listsRecent(t, store.Tasks(open(t, dir))) })
	db := look(t, filepath.Join(dir, "agentflow.db"))
	var plan []struct{ Detail string }
	const page = "SELECT id FROM tasks WHERE status = 'canceled' AND changed > 5 " +
		"AND (changed, id) < (9, 'x') ORDER BY changed DESC, id DESC LIMIT 2"
	if err := db.Raw("EXPLAIN QUERY PLAN " + page).Scan(&plan).Error; err != nil || len(plan) != 1 || !strings.Contains(plan[0].Detail, "COVERING INDEX tasks_recent (status=? AND changed>?") {
		t.Errorf("%+v, %v", plan, err)
	}
	const session = "SELECT id FROM tasks WHERE status = 'canceled' AND session_id = 's' " +
		"AND changed > 5 ORDER BY changed DESC, id DESC LIMIT 2"
	const index = "COVERING INDEX tasks_by_session (session_id=? AND status=? AND changed>?"
	plan = nil
	err := db.Raw("EXPLAIN QUERY PLAN " + session).Scan(&plan).Error
	if err != nil || len(plan) != 1 || !strings.Contains(plan[0].Detail, index) {
		t.Errorf("%+v, %v", plan, err)
	}
}

// A database of before its tasks were listed as they changed is brought up to date, once.
func TestAPP5_TasksOfAnOlderDatabaseAreListedAsTheyChanged(t *testing.T) {
	dir := t.TempDir()
	// More than are brought up to date at a time.
	path := makeSchema2(t, dir, "DELETE FROM tasks", `
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1099)
INSERT INTO tasks (id, idempotency_key, status, ord, seq, body)
SELECT printf('t-%04d', i), '', 'failed', 100 + i, 1, json_object('taskId', printf('t-%04d', i), 'sessionId', 's',
	'taskType', 'chat', 'userPrompt', 'p', 'status', 'failed',
	'updatedAt', strftime('%Y-%m-%dT%H:%M:%SZ', 5000 - i, 'unixepoch'),
	'cause', json_object('code', iif(i % 100, 'internal', 'cancelled'))) FROM n`,
		`INSERT INTO task_events (task_id, seq, body) VALUES
	('t-0100', 2, '{"taskId":"t-0100","seq":2,"type":"status","status":"failed"}'),
	('t-0100', 3, '{"taskId":"t-0100","seq":3,"type":"end","status":"failed","cause":{"code":"cancelled"}}'),
	('t-0101', 2, '{"taskId":"t-0101","seq":2,"type":"end","status":"failed","cause":{"code":"internal"}}')`,
		"DROP INDEX tasks_recent", "ALTER TABLE tasks DROP COLUMN cancelled", "ALTER TABLE tasks DROP COLUMN changed",
		"CREATE INDEX idx_tasks_status ON tasks(status)")
	for range 2 {
		t.Run("open", func(t *testing.T) {
			s := store.Tasks(open(t, dir))
			var ids []string
			list, err := s.Recent(t.Context(), coordinator.Recent{Status: task.Canceled, Limit: 3})
			for _, one := range list {
				ids = append(ids, string(one.ID))
			}
			n, failed := s.CountRecent(t.Context(), coordinator.Recent{Status: task.Canceled})
			if err != nil || failed != nil || n != 11 || !slices.Equal(ids, []string{"t-0000", "t-0100", "t-0200"}) {
				t.Errorf("%d, %v: %v %v", n, ids, err, failed)
			}
			if n, err := s.CountTasks(t.Context(), task.Canceled); err != nil || n != 11 {
				t.Errorf("%d tasks are canceled, %v", n, err)
			}
			endedAs(t, s, "t-0100", task.Failed, task.Canceled)
			endedAs(t, s, "t-0101", task.Failed)
		})
	}
	var left int
	if err := look(t, path).Raw("SELECT count(*) FROM sqlite_master WHERE name = 'idx_tasks_status'").Scan(&left).Error; err != nil || left != 0 {
		t.Errorf("the index that is not needed any more: %d, %v", left, err)
	}
}

// endedAs checks a task's status, and those of its stored events, of which the last is its own.
func endedAs(t *testing.T, s coordinator.Store, id task.ID, want ...task.Status) {
	t.Helper()
	one, err := s.Task(t.Context(), id)
	if last := want[len(want)-1]; err != nil || one.Status != last || one.Cause == nil {
		t.Errorf("%s is %s (%+v), want %s: %v", id, one.Status, one.Cause, last, err)
	}
	var got []task.Status
	events, err := s.TaskEvents(t.Context(), id, 1, 10)
	for _, e := range events {
		got = append(got, e.Status)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the events of %s have %v, want %v: %v", id, got, want, err)
	}
}
