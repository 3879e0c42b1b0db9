package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentflow/backend/store"
	"agentflow/backend/talk/room"
	"agentflow/backend/team/library"
	"agentflow/backend/work/task"
)

// The environment of a process that brings a database up to date and is killed after a statement.
const (
	migrateIn    = "AGENTFLOW_TEST_MIGRATE_IN"
	killAfter    = "AGENTFLOW_TEST_KILL_AFTER"
	migrationRan = "statements "
)

// migrateAndDie opens the database in a folder, and is killed once so many statements ran.
func migrateAndDie(dir, after string) {
	most, err := strconv.Atoi(after)
	if err != nil {
		panic(err)
	}
	ran := 0
	store.EachStatement(func() {
		if ran++; ran == most {
			if me, err := os.FindProcess(os.Getpid()); err == nil {
				_ = me.Kill()
			}
			select {}
		}
	})
	s, err := store.Open(context.Background(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		panic(err)
	}
	if err := s.Close(); err != nil {
		panic(err)
	}
	_, _ = fmt.Println(migrationRan + strconv.Itoa(ran)) //nolint:forbidigo // to the test that started this
}

// migrate runs migrateAndDie in a process of its own, and returns how many statements ran if
// it came to its end.
func migrate(t *testing.T, dir string, after int) (ran int, whole bool) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), migrateIn+"="+dir, killAfter+"="+strconv.Itoa(after))
	out, err := child.CombinedOutput()
	if err != nil && strings.Contains(err.Error(), "killed") {
		return 0, false
	}
	_, text, found := strings.Cut(string(out), migrationRan)
	if ran, bad := strconv.Atoi(strings.TrimSpace(text)); err == nil && found && bad == nil {
		return ran, true
	}
	t.Fatalf("killed after %d: %v %s", after, err, out)
	return 0, false
}

// older makes a database as it was before there were rooms, attempts' causes and templates, with a
// team and a task in it.
func older(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	t.Run("make", func(t *testing.T) {
		s := open(t, dir)
		if err := s.PutTeam(t.Context(), library.Team{ID: "d", Name: "kept"}, nil); err != nil {
			t.Fatal(err)
		}
		one := pending("t")
		if _, _, err := store.Tasks(s).AddTask(t.Context(), one, "key"); err != nil {
			t.Fatal(err)
		}
	})
	path := filepath.Join(dir, "agentflow.db")
	execute(t, path, "DROP TABLE messages", "DROP TABLE messages_search", "DROP TABLE agents_state", "DROP TABLE rooms", "DROP TABLE room_marks",
		"DROP TABLE templates", "DROP INDEX tasks_recent", "ALTER TABLE tasks DROP COLUMN cancelled", "ALTER TABLE tasks DROP COLUMN changed", "PRAGMA user_version = 1", "PRAGMA wal_checkpoint(TRUNCATE)")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A hub that is killed after any statement with which it brings a database up to date leaves it
// as it was; the next start brings it up to date, and all is there (fault 20).
func TestAPP5_Fault20_KilledWithinAMigration(t *testing.T) {
	for name, before := range map[string][]byte{"older": older(t), "none": nil} {
		t.Run(name, func(t *testing.T) {
			fill := func() string {
				dir := t.TempDir()
				if before != nil {
					write(t, filepath.Join(dir, "agentflow.db"), before)
				}
				return dir
			}
			done := fill()
			all, whole := migrate(t, done, 1<<30)
			if !whole || all < 50 || !migrated(t, filepath.Join(done, "agentflow.db")) {
				t.Fatalf("a migration runs %d statements, and is whole: %v", all, whole)
			}
			step := max(1, all/6)
			if os.Getenv(fullFaults) != "" {
				step = 1
			}
			kills := 0
			for after := 1; after <= all; after += step {
				dir := fill()
				if _, whole := migrate(t, dir, after); whole {
					t.Fatalf("it was not killed after %d of %d statements", after, all)
				}
				if migrated(t, filepath.Join(dir, "agentflow.db")) {
					t.Errorf("it was brought up to date before its statement %d of %d was committed", after, all)
				}
				kills++
				t.Run(strconv.Itoa(after), func(t *testing.T) { holdsAll(t, dir, before != nil) })
			}
			t.Logf("killed after %d of %d statements", kills, all)
		})
	}
}

// migrated reports whether the database was brought up to date; half of it is an error.
func migrated(t *testing.T, path string) bool {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return false
	}
	copied := filepath.Join(t.TempDir(), "copy.db") // looking must not mend it
	for _, end := range []string{"", "-wal"} {
		if data, err := os.ReadFile(path + end); err == nil {
			write(t, copied+end, data)
		}
	}
	db := look(t, copied)
	var version, tables int
	if err := db.Raw("PRAGMA user_version").Scan(&version).Error; err != nil {
		t.Fatal(err)
	}
	if err := db.Raw("SELECT count(*) FROM sqlite_master WHERE name IN ('messages', 'agents_state', 'rooms', 'room_marks', 'templates', 'messages_search')").Scan(&tables).Error; err != nil {
		t.Fatal(err)
	}
	if done := version == 2; done != (tables == 6) || !done && tables != 0 {
		t.Errorf("half a migration: version %d with %d of 6 new tables", version, tables)
	}
	return version == 2
}

// holdsAll opens the database as a hub does and uses what is old and what is new.
func holdsAll(t *testing.T, dir string, old bool) {
	s := open(t, dir)
	if old {
		if d, err := s.Team(t.Context(), "d"); err != nil || d.Name != "kept" {
			t.Errorf("the team: %+v, %v", d, err)
		}
		one, err := store.Tasks(s).Task(t.Context(), "t")
		if err != nil || one.Prompt != "prompt of t" || one.Status != task.Pending {
			t.Errorf("the task: %+v, %v", one, err)
		}
		if events, err := store.Tasks(s).TaskEvents(t.Context(), "t", 0, 10); err != nil || len(events) != 1 {
			t.Errorf("its events: %+v, %v", events, err)
		}
	}
	batch := []room.Append{
		{
			Message: room.Message{
				Room:      "r",
				Sender:    "s",
				Text:      "first",
				Timestamp: "2026-11-21T09:00:00Z",
				Type:      room.Chat,
			},
			At: time.Now(),
		},
	}
	if err := s.Rooms().AppendMessages(t.Context(), batch); err != nil || batch[0].ID != 1 {
		t.Errorf("the first message: %+v, %v", batch, err)
	}
}
