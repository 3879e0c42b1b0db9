package migrations

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentflow/backend/store/internal/placeholder"
)

// atOnce is how many rows are read at a time.
const atOnce = 500

// tx is the transaction of a step.
type tx struct {
	*sql.Tx
	kind Kind
}

// exec runs a statement whose values are marked by question marks.
func (t tx) exec(ctx context.Context, query string, values ...any) error {
	_, err := t.ExecContext(ctx, t.bound(query), values...)
	return err
}

// bound returns the query with placeholders of the database.
func (t tx) bound(query string) string {
	if t.kind != Postgres {
		return query
	}
	return placeholder.Numbered(query)
}

// columns lists the columns of a table; none if there is no such table.
func (t tx) columns(ctx context.Context, table string) ([]string, error) {
	query := "SELECT name FROM pragma_table_info(?)"
	if t.kind == Postgres {
		query = "SELECT column_name FROM information_schema.columns " +
			"WHERE table_schema = current_schema() AND table_name = ?"
	}
	rows, err := t.QueryContext(ctx, t.bound(query), table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		out = append(out, name)
	}
	return out, rows.Err()
}

// taskText is a task as its row's text has it.
type taskText struct{ id, body string }

// eachTask calls do for the tasks that satisfy a condition, in the order of their IDs.
func (t tx) eachTask(ctx context.Context, where string, do func(taskText) error) error {
	for last := ""; ; {
		page, err := t.tasks(ctx, where, last)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, one := range page {
			if err := do(one); err != nil {
				return err
			}
		}
		last = page[len(page)-1].id
	}
}

func (t tx) tasks(ctx context.Context, where, after string) (page []taskText, err error) {
	rows, err := t.QueryContext(ctx,
		t.bound("SELECT id, body FROM tasks WHERE id > ? AND "+where+" ORDER BY id LIMIT "+strconv.Itoa(atOnce)), after)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one taskText
		if err := rows.Scan(&one.id, &one.body); err != nil {
			return nil, err
		}
		page = append(page, one)
	}
	return page, rows.Err()
}

var number = map[Kind]string{SQLite: "integer NOT NULL DEFAULT 0", Postgres: "bigint NOT NULL DEFAULT 0"}

// laterColumns came into tables that were there before, while no step had a number.
var laterColumns = []struct {
	table, name string
	types       map[Kind]string
}{
	{"messages", "cause", map[Kind]string{SQLite: "text", Postgres: "text"}},
	{"room_agents", "unpriced", number},
	{"tasks", "cancelled", map[Kind]string{
		SQLite: "numeric NOT NULL DEFAULT false", Postgres: "boolean NOT NULL DEFAULT false",
	}},
	{"tasks", "changed", number},
}

// addLaterColumns is step 1. It gives a database of an early program the columns that step 2 relies on, which only
// creates tables and indexes. Most databases lack none of them.
func addLaterColumns(ctx context.Context, t tx) error {
	for _, c := range laterColumns {
		there, err := t.columns(ctx, c.table)
		if err != nil {
			return err
		}
		if len(there) == 0 || slices.Contains(there, c.name) {
			continue
		}
		if err := t.exec(ctx, "ALTER TABLE "+c.table+" ADD COLUMN "+c.name+" "+c.types[t.kind]); err != nil {
			return err
		}
	}
	if there, err := t.columns(ctx, "tasks"); err != nil || len(there) == 0 {
		return err
	}
	return t.eachTask(ctx, "changed = 0", func(row taskText) error {
		var of struct {
			Status    string
			UpdatedAt time.Time
			Cause     struct{ Code string }
		}
		// A task that can't be read is reported when it's asked for.
		_ = json.Unmarshal([]byte(row.body), &of)
		changed := int64(1)
		if !of.UpdatedAt.IsZero() {
			changed = max(1, of.UpdatedAt.UnixNano())
		}
		return t.exec(ctx, "UPDATE tasks SET cancelled = ?, changed = ? WHERE id = ?",
			of.Status == "failed" && of.Cause.Code == "cancelled", changed, row.id)
	})
}

// addSessions is step 4. It gives tasks their session as a column, which was searched in the text before, and the
// index that lists the tasks of a session as they changed.
func addSessions(ctx context.Context, t tx) error {
	nothing := map[Kind]string{SQLite: `""`, Postgres: "''"}[t.kind] // as gorm writes it
	if err := t.exec(ctx, "ALTER TABLE tasks ADD COLUMN session_id text NOT NULL DEFAULT "+nothing); err != nil {
		return err
	}
	err := t.eachTask(ctx, "session_id = ''", func(row taskText) error {
		var of struct {
			SessionID string `json:"sessionId"`
		}
		_ = json.Unmarshal([]byte(row.body), &of)
		// PostgreSQL stores no NUL in a text.
		session := strings.ReplaceAll(of.SessionID, "\x00", "\uFFFD")
		return t.exec(ctx, "UPDATE tasks SET session_id = ? WHERE id = ?", session, row.id)
	})
	if err != nil {
		return err
	}
	return t.exec(ctx, "CREATE INDEX tasks_by_session ON tasks (session_id, status, cancelled, changed, id)")
}

// cancelTasks is step 5. It gives the tasks that a person canceled a status, and the event of their end as well.
// Before, they had failed with a cause, which the column cancelled repeated. The column goes.
func cancelTasks(ctx context.Context, t tx) error {
	err := t.eachTask(ctx, "cancelled = true", func(row taskText) error {
		if err := t.exec(ctx, "UPDATE tasks SET status = 'canceled', body = ? WHERE id = ?",
			asCanceled(row.body), row.id); err != nil {
			return err
		}
		var seq int64
		var event string
		err := t.QueryRowContext(ctx, t.bound("SELECT seq, body FROM task_events WHERE task_id = ? "+
			"ORDER BY seq DESC LIMIT 1"), row.id).Scan(&seq, &event)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return t.exec(ctx, "UPDATE task_events SET body = ? WHERE task_id = ? AND seq = ?",
			asCanceled(event), row.id, seq)
	})
	for _, statement := range []string{
		"DROP INDEX tasks_recent",
		"DROP INDEX tasks_by_session",
		"ALTER TABLE tasks DROP COLUMN cancelled",
		"CREATE INDEX tasks_recent ON tasks (status, changed, id)",
		"CREATE INDEX tasks_by_session ON tasks (session_id, status, changed, id)",
	} {
		if err == nil {
			err = t.exec(ctx, statement)
		}
	}
	return err
}

// asCanceled returns a task or an event that has failed as a canceled one. It leaves any other text as it is.
func asCanceled(body string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &fields) != nil || string(fields["status"]) != `"failed"` {
		return body
	}
	fields["status"] = json.RawMessage(`"canceled"`)
	out, err := json.Marshal(fields)
	if err != nil {
		return body
	}
	return string(out)
}
