package store_test

import (
	"context"
	_ "embed"
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
	"agentflow/backend/store/internal/dbfile"
	"agentflow/backend/talk/room"
	"agentflow/backend/team/library"
	"agentflow/backend/work/coordinator"
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
	err = store.EachStatement(func() {
		if ran++; ran == most {
			if me, err := os.FindProcess(os.Getpid()); err == nil {
				_ = me.Kill()
			}
			select {}
		}
	})
	if err != nil {
		panic(err)
	}
	s, err := store.Open(context.Background(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		panic(err)
	}
	if err := s.Close(); err != nil {
		panic(err)
	}
	_, _ = fmt.Println(migrationRan + strconv.Itoa(ran)) //nolint:forbidigo // to the test that started this
}

// migrate runs migrateAndDie in a separate process, and returns how many statements ran if
// it came to its end.
func migrate(t *testing.T, dir string, after int) (ran int, whole bool) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), migrateIn+"="+dir, killAfter+"="+strconv.Itoa(after))
	out, err := child.CombinedOutput()
	if err != nil && strings.Contains(err.Error(), "killed") {
		return 0, false
	}
	text, only := strings.CutPrefix(string(out), migrationRan) // a migration prints nothing
	if ran, bad := strconv.Atoi(strings.TrimSpace(text)); err == nil && only && bad == nil {
		return ran, true
	}
	t.Fatalf("killed after %d: %v %s", after, err, out)
	return 0, false
}

// schema2 is a database of the program before there were migrations, which its code filled and sqlite3 dumped.
//
//go:embed testdata/schema2.sql
var schema2 string

// callsOff cancels a task, a run of a plan and a proposal of schema 2 as the program of that time did.
const callsOff = `UPDATE task_events SET body = '{"taskId":"called-off","seq":2,"type":"end","status":"failed",` +
	`"cause":{"code":"cancelled"}}' WHERE task_id = 'called-off' AND seq = 2;` +
	`UPDATE plans SET body = REPLACE(body, ',"createdAt":', ',"work":{"state":"cancelled"},"createdAt":');` +
	`INSERT INTO plan_proposals VALUES('p', 'r', '{"id":"r","state":"cancelled","wish":"\"state\":\"cancelled\"",` +
	`"at":"2026-11-21T09:00:00Z"}');`

// makeSchema2 puts a database of schema 2 into a folder, with a change to it, and returns its path.
func makeSchema2(t *testing.T, dir string, changes ...string) string {
	t.Helper()
	path := filepath.Join(dir, "agentflow.db")
	execute(t, path, append([]string{"BEGIN;" + schema2 + "COMMIT", callsOff}, changes...)...)
	return path
}

// beforeRooms makes a database of schema 2 one from before there were rooms, attempts' causes and templates.
var beforeRooms = []string{
	"DROP TABLE messages", "DROP TABLE messages_search", "DROP TABLE agents_state", "DROP TABLE rooms",
	"DROP TABLE room_marks", "DROP TABLE templates", "DROP INDEX tasks_recent",
	"ALTER TABLE tasks DROP COLUMN cancelled",
	"ALTER TABLE tasks DROP COLUMN changed", "PRAGMA user_version = 1",
}

// A hub that is killed after any statement with which it brings a database up to date leaves it between two steps, each
// of which is whole. The next start takes the other steps, and all is there (fault 20).
func TestAPP5_Fault20_KilledWithinAMigration(t *testing.T) {
	read := func(changes ...string) []byte {
		data, err := os.ReadFile(makeSchema2(t, t.TempDir(), changes...))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for name, before := range map[string][]byte{"schema 2": read(), "before rooms": read(beforeRooms...), "none": nil} {
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
			if !whole || all < 50 || schemaOf(t, done) != dbfile.SchemaVersion {
				t.Fatalf("a migration runs %d statements, and is whole: %v", all, whole)
			}
			step := max(1, all/6)
			if os.Getenv(fullFaults) != "" {
				step = 1
			}
			kills, at := 0, map[int]int{}
			for after := 1; after <= all; after += step {
				dir := fill()
				if _, whole := migrate(t, dir, after); whole {
					t.Fatalf("it was not killed after %d of %d statements", after, all)
				}
				at[schemaOf(t, dir)]++
				kills++
				t.Run(strconv.Itoa(after), func(t *testing.T) { holdsAll(t, dir, before != nil) })
			}
			t.Logf("killed after %d of %d statements, at the schemas %v", kills, all, at)
		})
	}
}

// schemaOf returns the schema of the database in a folder. Half a step is an error.
func schemaOf(t *testing.T, dir string) (version int) {
	t.Helper()
	path := filepath.Join(dir, "agentflow.db")
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	copied := filepath.Join(t.TempDir(), "copy.db") // looking must not mend it
	for _, end := range []string{"", "-wal"} {
		if data, err := os.ReadFile(path + end); err == nil {
			write(t, copied+end, data)
		}
	}
	db := look(t, copied)
	if err := db.Raw("PRAGMA user_version").Scan(&version).Error; err != nil {
		t.Fatal(err)
	}
	count := func(query string) (n int) {
		if err := db.Raw("SELECT count(*) FROM " + query).Scan(&n).Error; err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, of := range []struct {
		step, all int
		query     string
	}{
		{2, 6, "sqlite_master WHERE name IN " +
			"('messages', 'agents_state', 'rooms', 'room_marks', 'templates', 'messages_search')"},
		{3, 2, "sqlite_master WHERE name IN ('teams', 'versions_by_team')"},
		{3, 2, "pragma_table_info('versions') v JOIN pragma_table_info('snapshots') s ON s.name = v.name " +
			"WHERE v.name IN ('team', 'gateway')"},
		{4, 1, "pragma_table_info('tasks') WHERE name = 'session_id'"},
		{4, 1, "sqlite_master WHERE name = 'tasks_by_session'"},
	} {
		if n := count(of.query); (n == of.all) != (version >= of.step) {
			t.Errorf("half a step: schema %d, of step %d there are %d of %d: %s",
				version, of.step, n, of.all, of.query)
		}
	}
	if old := count("sqlite_master WHERE name IN ('drawings', 'by_drawing')"); version >= 3 && old > 0 {
		t.Errorf("half a step: schema %d has %d of what step 3 renames", version, old)
	}
	for query, of := range map[string]bool{
		"tasks WHERE status = 'canceled'":                                        version == 4,
		"tasks WHERE status = 'failed' AND body LIKE '%\"code\":\"cancelled\"%'": version >= 5,
		"pragma_table_info('tasks') WHERE name = 'cancelled'":                    version >= 5,
		`plans WHERE body LIKE '%,"goal":%'`:                                     version == 5,
		`plans WHERE body LIKE '%,"wish":%'`:                                     version >= 6,
		`plan_proposals WHERE body LIKE '%,"wish":%'`:                            version >= 6,
		`plans WHERE body LIKE '%"state":"canceled"%'`:                           version == 6,
		`plans WHERE body LIKE '%"state":"cancelled"%'`:                          version >= 7,
		`plan_proposals WHERE body LIKE '%"state":"cancelled"%'`:                 version >= 7,
	} {
		if of && count(query) > 0 {
			t.Errorf("half a step: schema %d has %s", version, query)
		}
	}
	return version
}

// holdsAll opens the database as a hub does and uses what is old and what is new.
func holdsAll(t *testing.T, dir string, old bool) {
	s := open(t, dir)
	if old {
		holdsTeamAndTask(t, s)
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
	if err := s.Rooms().AppendMessages(t.Context(), batch); err != nil || batch[0].ID == 0 {
		t.Errorf("a message: %+v, %v", batch, err)
	}
}

// holdsTeamAndTask looks for the team and a task of schema 2.
func holdsTeamAndTask(t *testing.T, s *store.Store) {
	t.Helper()
	if d, err := s.Team(t.Context(), "d"); err != nil || d.Name != "kept" {
		t.Errorf("the team: %+v, %v", d, err)
	}
	if list, err := s.Versions(t.Context(), "d", library.Query{Limit: 5}); err != nil || len(list) != 2 {
		t.Errorf("its versions: %+v, %v", list, err)
	}
	one, err := store.Tasks(s).Task(t.Context(), "t")
	if err != nil || one.Prompt != "prompt of t" || one.Status != task.Pending {
		t.Errorf("the task: %+v, %v", one, err)
	}
	if events, err := store.Tasks(s).TaskEvents(t.Context(), "t", 0, 10); err != nil || len(events) != 1 {
		t.Errorf("its events: %+v, %v", events, err)
	}
	endedAs(t, store.Tasks(s), "called-off", task.Canceled)
	list, err := store.Tasks(s).Recent(t.Context(), coordinator.Recent{Session: "of t", Limit: 5})
	if err != nil || len(list) != 1 || list[0].ID != "t" {
		t.Errorf("the tasks of its session: %+v, %v", list, err)
	}
}
