// Package tasks is the coordinator's tasks and their events as rows of the database.
package tasks

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/internal/placeholder"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// taskRow has columns for what lists ask for besides the task: Changed is the time of its last change.
type taskRow struct {
	ID             string `gorm:"primaryKey;index:tasks_recent,priority:3;index:tasks_by_session,priority:4"`
	IdempotencyKey string `gorm:"index:task_once,unique,where:idempotency_key <> ''"`
	Status         string `gorm:"index:tasks_recent,priority:1;index:tasks_by_session,priority:2"`
	Order          int64  `gorm:"column:ord;uniqueIndex"` // in which it came
	Body           string // the task as JSON
	Seq            int64
	Changed        int64  `gorm:"not null;default:0;index:tasks_recent,priority:2;index:tasks_by_session,priority:3"`
	SessionID      string `gorm:"not null;default:'';index:tasks_by_session,priority:1"`
}

func (taskRow) TableName() string { return "tasks" }

type taskEventRow struct {
	TaskID string `gorm:"primaryKey"`
	Seq    int64  `gorm:"primaryKey;autoIncrement:false"`
	Body   string
}

func (taskEventRow) TableName() string { return "task_events" }

// Tables are those of the tasks.
func Tables() []any { return []any{&taskRow{}, &taskEventRow{}} }

// insertRows are added by one statement, with insertedColumns each.
const (
	insertRows      = 32
	insertedColumns = 8
)

// Tasks is the Store of the coordinator, over what the database lends it.
type Tasks struct {
	Read     *gorm.DB
	Write    func(ctx context.Context, change func(tx *gorm.DB) error) error
	Found    func(err error, what string, id any) error // words an error of a read for one row
	Classify func(error) error                          // and of any other
	Last     *Last

	adds batcher[*addition]
}

var _ coordinator.Store = (*Tasks)(nil)

// addition is a task that is to be added, and what came of it.
type addition struct {
	row    taskRow
	before *taskRow // the same task, if it was there
}

// AddTask implements coordinator.Store.
func (s *Tasks) AddTask(ctx context.Context, t task.Task, idempotencyKey string) (task.Task, bool, error) {
	row, err := newTaskRow(t)
	if err != nil {
		return t, false, err
	}
	row.IdempotencyKey = idempotencyKey
	a := &addition{row: row}
	if err := s.adds.write(ctx, s.Write, a, s.Last.addTasks); err != nil {
		return t, false, err
	}
	if a.before == nil {
		return t, true, nil
	}
	stored, err := a.before.task()
	return stored, false, err
}

// Last is the number of the newest task of a database: whatever adds tasks to that shares it. Only
// the database's one writer uses it. The zero value is ready.
type Last struct {
	order int64 // 0 until the database was looked at
}

// next returns the numbers of n tasks, the first of them. Where their transaction comes to nothing,
// nobody has them.
func (l *Last) next(tx *gorm.DB, n int) (int64, error) {
	if l.order == 0 {
		if err := tx.Raw("SELECT COALESCE(MAX(ord), 0) FROM tasks").Row().Scan(&l.order); err != nil {
			return 0, err
		}
	}
	first := l.order + 1
	l.order += int64(n)
	return first, nil
}

// addTasks adds those that are not there yet, in the order in which they came. That all are
// new is the rule, which takes one statement.
func (l *Last) addTasks(tx *gorm.DB, list []*addition) error {
	for chunk := range slices.Chunk(list, insertRows) {
		first, err := l.next(tx, len(chunk))
		if err != nil {
			return err
		}
		fresh, err := insertTasks(tx, chunk, first)
		if err != nil {
			return err
		}
		if fresh < len(chunk) {
			if err := findBefore(tx, chunk); err != nil {
				l.order = 0 // whatever is wrong, the next call reads it again
				return err
			}
		}
	}
	return nil
}

// insertTasks inserts the rows, numbered from first, but for those whose id or key is there, and
// returns how many it inserted.
func insertTasks(tx *gorm.DB, list []*addition, first int64) (int, error) {
	values := make([]any, 0, insertedColumns*len(list))
	for i, a := range list {
		a.row.Order = first + int64(i)
		values = append(values, a.row.ID, a.row.IdempotencyKey, a.row.Status, a.row.Order, a.row.Body, a.row.Seq,
			a.row.Changed, a.row.SessionID)
	}
	query := "INSERT INTO tasks (id, idempotency_key, status, ord, body, seq, changed, session_id) VALUES " +
		places(insertedColumns, len(list)) + " ON CONFLICT DO NOTHING"
	// gorm would take each place and value in hand once more.
	done, err := tx.Statement.ConnPool.ExecContext(tx.Statement.Context, bound(tx, query), values...)
	if err != nil {
		return 0, err
	}
	n, err := done.RowsAffected()
	return int(n), err
}

// findBefore finds for each that was not inserted the task that was there before it.
func findBefore(tx *gorm.DB, list []*addition) error {
	there, err := sameTasks(tx, list)
	if err != nil {
		return err
	}
	for _, a := range list {
		same := there.find(&a.row)
		switch {
		case same == nil:
			return errcode.New(errcode.Internal, "the task %s was neither stored nor there", a.row.ID)
		case same.ID != a.row.ID || same.Order != a.row.Order: // else it is the one that was just inserted
			a.before = same
		}
	}
	return nil
}

// places are the placeholders of so many rows.
func places(columns, rows int) string {
	row := ",(" + strings.Repeat("?,", columns-1) + "?)"
	return strings.Repeat(row, rows)[1:]
}

// bound returns the query with placeholders of the database.
func bound(tx *gorm.DB, query string) string {
	if tx.Name() != "postgres" {
		return query
	}
	return placeholder.Numbered(query)
}

// insertInto inserts rows of so many columns each by one statement.
func insertInto(tx *gorm.DB, table string, columns int, values []any) error {
	if len(values) == 0 {
		return nil
	}
	return tx.Exec("INSERT INTO "+table+" VALUES "+places(columns, len(values)/columns), values...).Error
}

// taskRows are rows in which a task is looked for that may be there already.
type taskRows []*taskRow

func (rows taskRows) find(row *taskRow) *taskRow {
	for _, r := range rows {
		if r.ID == row.ID || row.IdempotencyKey != "" && r.IdempotencyKey == row.IdempotencyKey {
			return r
		}
	}
	return nil
}

// sameTasks returns the rows of the same ids or keys.
func sameTasks(tx *gorm.DB, list []*addition) (taskRows, error) {
	ids, keys := make([]string, len(list)), []string{}
	for i, a := range list {
		if ids[i] = a.row.ID; a.row.IdempotencyKey != "" {
			keys = append(keys, a.row.IdempotencyKey)
		}
	}
	var rows taskRows
	if err := tx.Raw("SELECT * FROM tasks WHERE id IN ?", ids).Scan(&rows).Error; err != nil || len(keys) == 0 {
		return rows, err
	}
	var more taskRows
	err := tx.Raw("SELECT * FROM tasks WHERE idempotency_key <> '' AND idempotency_key IN ?", keys).Scan(&more).Error
	return append(rows, more...), err
}

// SaveTask implements coordinator.Store.
func (s *Tasks) SaveTask(ctx context.Context, t task.Task, events []task.Event) error {
	row, err := newTaskRow(t)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx *gorm.DB) error {
		before := row.Seq - int64(len(events))
		change := tx.Model(&taskRow{}).Where("id = ? AND seq = ?", row.ID, before).Updates(map[string]any{
			"status": row.Status, "body": row.Body, "seq": row.Seq, "changed": row.Changed,
		})
		if change.Error != nil {
			return change.Error
		}
		if change.RowsAffected == 0 {
			return s.unsaved(tx, row.ID)
		}
		return addTaskEvents(tx, events)
	})
}

// unsaved says why no row of the task could be written.
func (s *Tasks) unsaved(tx *gorm.DB, id string) error {
	if err := tx.Where("id = ?", id).First(&taskRow{}).Error; err != nil {
		return s.Found(err, "task", id)
	}
	return errcode.New(errcode.Conflict, "the task %s was changed meanwhile. Read it again", id).
		With(errcode.KeyReason, coordinator.ReasonChanged)
}

func addTaskEvents(tx *gorm.DB, events []task.Event) error {
	rows, err := taskEventRows(events)
	if err != nil || len(rows) == 0 {
		return err
	}
	values := make([]any, 0, 3*len(rows))
	for _, r := range rows {
		values = append(values, r.TaskID, r.Seq, r.Body)
	}
	return insertInto(tx, "task_events (task_id, seq, body)", 3, values)
}

func taskEventRows(events []task.Event) ([]taskEventRow, error) {
	rows := make([]taskEventRow, 0, len(events))
	for _, e := range events {
		body, err := json.Marshal(e)
		if err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "an event cannot be written")
		}
		rows = append(rows, taskEventRow{TaskID: string(e.TaskID), Seq: e.Seq, Body: string(body)})
	}
	return rows, nil
}

// Task implements coordinator.Store.
func (s *Tasks) Task(ctx context.Context, id task.ID) (task.Task, error) {
	var row taskRow
	if err := s.Read.WithContext(ctx).Where("id = ?", string(id)).First(&row).Error; err != nil {
		return task.Task{}, s.Found(err, "task", id)
	}
	return row.task()
}

// Tasks implements coordinator.Store.
func (s *Tasks) Tasks(ctx context.Context, q coordinator.Query) ([]task.Task, error) {
	tx := s.Read.WithContext(ctx).
		Order(clause.OrderByColumn{Column: clause.Column{Name: "ord"}, Desc: true}).
		Limit(q.Limit)
	if q.Status != "" {
		tx = tx.Where("status = ?", string(q.Status))
	}
	if q.Before != "" {
		tx = tx.Where("ord < (SELECT ord FROM tasks WHERE id = ?)", string(q.Before))
	}
	if q.Session != "" {
		tx = tx.Where("session_id = ?", sessionText(q.Session))
	}
	return s.tasks(tx)
}

// sessionText is a session's name as its column has it: PostgreSQL stores no NUL in a text.
func sessionText(name string) string { return strings.ReplaceAll(name, "\x00", "\uFFFD") }

// CountTasks implements coordinator.Store.
func (s *Tasks) CountTasks(ctx context.Context, status task.Status) (n int64, err error) {
	err = s.Read.WithContext(ctx).Model(&taskRow{}).Where("status = ?", string(status)).Count(&n).Error
	return n, s.Classify(err)
}

// Unfinished implements coordinator.Store.
func (s *Tasks) Unfinished(ctx context.Context, after task.ID, limit int) ([]task.Task, error) {
	tx := s.Read.WithContext(ctx).Where("status IN ?", []string{string(task.Pending), string(task.InProgress)}).
		Where("ord > COALESCE((SELECT ord FROM tasks WHERE id = ?), 0)", string(after)).Order("ord").Limit(limit)
	return s.tasks(tx)
}

func (s *Tasks) tasks(tx *gorm.DB) ([]task.Task, error) {
	var rows []taskRow
	if err := tx.Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	out := make([]task.Task, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = r.task(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// TaskEvents implements coordinator.Store.
func (s *Tasks) TaskEvents(ctx context.Context, id task.ID, after int64, limit int) ([]task.Event, error) {
	var rows []taskEventRow
	if err := s.Read.WithContext(ctx).Where("task_id = ? AND seq > ?", string(id), after).Order("seq").Limit(limit).Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	out := make([]task.Event, 0, len(rows)+1)
	if after < 1 && (len(rows) == 0 || rows[0].Seq > 1) {
		first, err := s.first(ctx, id)
		if err != nil {
			return nil, err
		}
		out = append(out, first...)
	}
	for _, r := range rows {
		var e task.Event
		if err := json.Unmarshal([]byte(r.Body), &e); err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "an event of the task %s cannot be read", id)
		}
		out = append(out, e)
	}
	return out[:min(len(out), limit)], nil
}

// first is the first event of a task, which only the tasks of earlier programs have among their
// rows; none of a task that is not there.
func (s *Tasks) first(ctx context.Context, id task.ID) ([]task.Event, error) {
	t, err := s.Task(ctx, id)
	if errcode.Is(err, errcode.NotFound) {
		return nil, nil
	}
	return []task.Event{t.First()}, err
}

func newTaskRow(t task.Task) (taskRow, error) {
	var body strings.Builder
	if err := json.NewEncoder(&body).Encode(t); err != nil {
		return taskRow{}, errcode.Wrap(errcode.Internal, err, "the task cannot be written")
	}
	return taskRow{
		ID: string(t.ID), Status: string(t.Status), Body: strings.TrimSuffix(body.String(), "\n"), Seq: t.Seq,
		Changed: moment(t.UpdatedAt), SessionID: sessionText(t.SessionID),
	}, nil
}

// moment is a time as a row has it. 0 is that of a row of which nothing is known.
func moment(at time.Time) int64 {
	if at.IsZero() {
		return 1
	}
	return max(1, at.UnixNano())
}

func (r taskRow) task() (task.Task, error) {
	t := task.Task{Seq: r.Seq}
	if err := json.Unmarshal([]byte(r.Body), &t); err != nil {
		return t, errcode.Wrap(errcode.Internal, err, "the task %s cannot be read", r.ID)
	}
	return t, nil
}
