package store

import (
	"context"
	"encoding/json"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/coordinator"
	"agentflow/backend/errcode"
	"agentflow/backend/task"
)

type taskRow struct {
	ID             string `gorm:"primaryKey"`
	IdempotencyKey string `gorm:"index:task_once,unique,where:idempotency_key <> ''"`
	Status         string `gorm:"index"`
	Order          int64  `gorm:"column:ord;uniqueIndex"` // in which it came
	Body           string // the task as JSON
	Seq            int64
}

func (taskRow) TableName() string { return "tasks" }

type taskEventRow struct {
	TaskID string `gorm:"primaryKey"`
	Seq    int64  `gorm:"primaryKey;autoIncrement:false"`
	Body   string
}

func (taskEventRow) TableName() string { return "task_events" }

// Tasks is the Store of the coordinator.
type Tasks struct{ Store *Store }

// AddTask implements coordinator.Store.
func (s Tasks) AddTask(ctx context.Context, t task.Task, events []task.Event, idempotencyKey string) (task.Task, bool, error) {
	row, err := newTaskRow(t)
	if err != nil {
		return t, false, err
	}
	row.IdempotencyKey = idempotencyKey
	stored, fresh := t, true
	err = s.Store.write(ctx, func(tx *gorm.DB) error {
		var there []taskRow
		q := tx.Where("id = ?", row.ID)
		if idempotencyKey != "" {
			q = tx.Where("id = ? OR idempotency_key = ?", row.ID, idempotencyKey)
		}
		if err := q.Limit(1).Find(&there).Error; err != nil {
			return err
		}
		if len(there) > 0 {
			fresh = false
			stored, err = there[0].task()
			return err
		}
		if err := tx.Raw("SELECT COALESCE(MAX(ord), 0) + 1 FROM tasks").Scan(&row.Order).Error; err != nil {
			return err
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return addTaskEvents(tx, events)
	})
	return stored, fresh, err
}

// SaveTask implements coordinator.Store.
func (s Tasks) SaveTask(ctx context.Context, t task.Task, events []task.Event) error {
	row, err := newTaskRow(t)
	if err != nil {
		return err
	}
	return s.Store.write(ctx, func(tx *gorm.DB) error {
		change := tx.Model(&taskRow{}).Where("id = ?", row.ID).Updates(map[string]any{"status": row.Status, "body": row.Body, "seq": row.Seq})
		if change.Error != nil {
			return change.Error
		}
		if change.RowsAffected == 0 {
			return notFound(gorm.ErrRecordNotFound, "task", row.ID)
		}
		return addTaskEvents(tx, events)
	})
}

func addTaskEvents(tx *gorm.DB, events []task.Event) error {
	rows := make([]taskEventRow, 0, len(events))
	for _, e := range events {
		body, err := json.Marshal(e)
		if err != nil {
			return errcode.Wrap(errcode.Internal, err, "an event cannot be written")
		}
		rows = append(rows, taskEventRow{TaskID: string(e.TaskID), Seq: e.Seq, Body: string(body)})
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.Create(&rows).Error
}

// Task implements coordinator.Store.
func (s Tasks) Task(ctx context.Context, id task.ID) (task.Task, error) {
	var row taskRow
	if err := s.Store.read.WithContext(ctx).Where("id = ?", string(id)).First(&row).Error; err != nil {
		if missing := notFound(err, "task", id); errcode.Is(missing, errcode.NotFound) {
			return task.Task{}, missing
		}
		return task.Task{}, s.Store.classify(err)
	}
	return row.task()
}

// Tasks implements coordinator.Store.
func (s Tasks) Tasks(ctx context.Context, q coordinator.Query) ([]task.Task, error) {
	tx := s.Store.read.WithContext(ctx).Order(clause.OrderByColumn{Column: clause.Column{Name: "ord"}, Desc: true}).Limit(q.Limit)
	if q.Status != "" {
		tx = tx.Where("status = ?", string(q.Status))
	}
	if q.Before != "" {
		tx = tx.Where("ord < (SELECT ord FROM tasks WHERE id = ?)", string(q.Before))
	}
	return s.tasks(tx)
}

// CountTasks implements coordinator.Store.
func (s Tasks) CountTasks(ctx context.Context, status task.Status) (n int64, err error) {
	err = s.Store.read.WithContext(ctx).Model(&taskRow{}).Where("status = ?", string(status)).Count(&n).Error
	return n, s.Store.classify(err)
}

// Unfinished implements coordinator.Store.
func (s Tasks) Unfinished(ctx context.Context, after task.ID, limit int) ([]task.Task, error) {
	tx := s.Store.read.WithContext(ctx).Where("status IN ?", []string{string(task.Pending), string(task.InProgress)}).
		Where("ord > COALESCE((SELECT ord FROM tasks WHERE id = ?), 0)", string(after)).Order("ord").Limit(limit)
	return s.tasks(tx)
}

func (s Tasks) tasks(tx *gorm.DB) ([]task.Task, error) {
	var rows []taskRow
	if err := tx.Find(&rows).Error; err != nil {
		return nil, s.Store.classify(err)
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
func (s Tasks) TaskEvents(ctx context.Context, id task.ID, after int64, limit int) ([]task.Event, error) {
	var rows []taskEventRow
	if err := s.Store.read.WithContext(ctx).Where("task_id = ? AND seq > ?", string(id), after).Order("seq").Limit(limit).Find(&rows).Error; err != nil {
		return nil, s.Store.classify(err)
	}
	out := make([]task.Event, len(rows))
	for i, r := range rows {
		if err := json.Unmarshal([]byte(r.Body), &out[i]); err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "an event of the task %s cannot be read", id)
		}
	}
	return out, nil
}

func newTaskRow(t task.Task) (taskRow, error) {
	body, err := json.Marshal(t)
	if err != nil {
		return taskRow{}, errcode.Wrap(errcode.Internal, err, "the task cannot be written")
	}
	return taskRow{ID: string(t.ID), Status: string(t.Status), Body: string(body), Seq: t.Seq}, nil
}

func (r taskRow) task() (task.Task, error) {
	t := task.Task{Seq: r.Seq}
	if err := json.Unmarshal([]byte(r.Body), &t); err != nil {
		return t, errcode.Wrap(errcode.Internal, err, "the task %s cannot be read", r.ID)
	}
	return t, nil
}
