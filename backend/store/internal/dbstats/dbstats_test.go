package dbstats

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentflow/backend/store/internal/dbtest"
)

// Each kind counts the rows of its first table, and the bytes of all of them.
func TestParts_CountsRowsAndBytes(t *testing.T) {
	db := dbtest.Open(t)
	dbtest.Exec(t, db, "INSERT INTO tasks (id, idempotency_key, ord) VALUES ('t', '', 1), ('u', '', 2)",
		"INSERT INTO task_events (task_id, seq) VALUES ('t', 1), ('t', 2), ('t', 3)")
	parts, err := Parts(db, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) != len(kinds) {
		t.Errorf("%d kinds, want %d", len(parts), len(kinds))
	}
	for _, p := range parts {
		want := int64(0)
		if p.Kind == "tasks" {
			want = 2
		}
		if p.Count != want || p.Bytes == 0 {
			t.Errorf("%s: %d rows in %d bytes, want %d rows", p.Kind, p.Count, p.Bytes, want)
		}
	}
}

// Every table that is counted is a table of the schema: a renamed one would count as empty.
func TestKinds_NameTablesOfTheSchema(t *testing.T) {
	db := dbtest.Open(t)
	for _, k := range kinds {
		for _, table := range k.tables {
			if !db.Migrator().HasTable(table) {
				t.Errorf("%s: there is no table %s", k.name, table)
			}
		}
	}
}

// The size on disk has the log that is not joined into the database yet. There may be none.
func TestSize_CountsTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.db")
	for _, c := range []struct {
		end   string
		bytes int
		want  int64
	}{{"", 100, 100}, {"-wal", 30, 130}, {"-shm", 7, 130}} {
		if err := os.WriteFile(path+c.end, make([]byte, c.bytes), 0o600); err != nil {
			t.Fatal(err)
		}
		size, err := Size(dbtest.Open(t), path, false)
		if err != nil || size.Bytes != c.want || size.Elsewhere || len(size.Parts) == 0 {
			t.Errorf("with %q: %+v, %v, want %d bytes", c.end, size, err, c.want)
		}
	}
}

func TestLastChange_IsThatOfTheTeamChangedLast(t *testing.T) {
	db := dbtest.Open(t)
	if at, err := LastChange(db); err != nil || !at.IsZero() {
		t.Errorf("of no team: %v, %v", at, err)
	}
	last := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for id, at := range map[string]time.Time{"a": last.Add(-time.Hour), "b": last, "c": last.Add(-time.Minute)} {
		if err := db.Exec("INSERT INTO teams (id, updated_at) VALUES (?, ?)", id, at).Error; err != nil {
			t.Fatal(err)
		}
	}
	if at, err := LastChange(db); err != nil || !at.Equal(last) {
		t.Errorf("got %v, %v, want %v", at, err, last)
	}
}
