//go:build unix

package store_test

import (
	"bytes"
	"database/sql"
	_ "embed"
	"fmt"
	"hash/fnv"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/builtintest"
	"agentflow/backend/store"
	"agentflow/backend/store/internal/migrations"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/roomtest"
)

// server is a PostgreSQL server of the test's own.
type server struct{ socket string }

// startPostgres runs a real server, reached by a socket in a separate folder.
func startPostgres(t *testing.T) server {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		t.Skip("NOT RUN: PostgreSQL is not on this machine: apt-get install postgresql")
	}
	bin := filepath.Dir(found[len(found)-1])
	dir, err := os.MkdirTemp("/tmp", "agentflow-pg-") //nolint:usetesting // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	attr := notRoot(t, dir)
	data := filepath.Join(dir, "data")
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.SysProcAttr, cmd.Dir = attr, dir
		return cmd
	}
	if out, err := run("initdb", "-D", data, "-U", "agentflow", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	var said bytes.Buffer
	cmd := run("postgres", "-D", data, "-k", dir, "-h", "", "-c", "fsync=off")
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT) // ends it fast, and all its processes
		_ = cmd.Wait()
	})
	s := server{dir}
	deadline := time.Now().Add(time.Minute)
	for s.exec("SELECT 1") != nil {
		if time.Now().After(deadline) {
			t.Fatalf("PostgreSQL does not start:\n%s", said.String())
		}
		timer := time.NewTimer(50 * time.Millisecond)
		<-timer.C
	}
	return s
}

// notRoot makes the server run as somebody else, since it refuses to be root.
func notRoot(t *testing.T, dir string) *syscall.SysProcAttr {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	other, err := user.Lookup("postgres")
	if err != nil {
		t.Skipf("NOT RUN: PostgreSQL needs its user: %v", err)
	}
	uid, _ := strconv.Atoi(other.Uid)
	gid, _ := strconv.Atoi(other.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

func (s server) dsn(name string) string {
	return "postgres:///" + name + "?host=" + s.socket + "&user=agentflow"
}

func (s server) exec(statement string) error {
	db, err := gorm.Open(postgres.Open(s.dsn("postgres")), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return err
	}
	pool, err := db.DB()
	if err != nil {
		return err
	}
	defer func(pool *sql.DB) { _ = pool.Close() }(pool)
	return db.Exec(statement).Error
}

// open opens the database of a place, which is made if there is none.
func (s server) open(t *testing.T, place string) *store.Store {
	t.Helper()
	name := s.name(place)
	if err := s.exec("CREATE DATABASE " + name); err != nil && !strings.Contains(err.Error(), "already exists") {
		t.Fatal(err)
	}
	db, err := store.Database(t.Context(), place, s.dsn(name), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	runStore(t, db)
	return db
}

// name is that of a place's database.
func (s server) name(place string) string {
	sum := fnv.New64()
	_, _ = sum.Write([]byte(place))
	return fmt.Sprintf("t%x", sum.Sum64())
}

// readsAPage asks the server how it finds a page of canceled tasks among ten thousand: by the
// index alone, and no more rows of it than the page has.
func (s server) readsAPage(t *testing.T, place string) {
	t.Helper()
	db, err := gorm.Open(postgres.Open(s.dsn(s.name(place))), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	for _, statement := range []string{
		"INSERT INTO tasks (id, idempotency_key, status, ord, body, seq, changed) SELECT 'n-' || n, '', " +
			"CASE WHEN n % 2 = 0 THEN 'canceled' ELSE 'failed' END, 100 + n, '{}', 1, n * 1000 " +
			"FROM generate_series(1, 10000) AS n",
		"ANALYZE tasks",
	} {
		if err := db.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	var steps []string
	const page = "SELECT id FROM tasks WHERE status = 'canceled' AND changed > 5 AND (changed, id) < (5000000, 'x') " +
		"ORDER BY changed DESC, id DESC LIMIT 101"
	if err := db.Raw("EXPLAIN (ANALYZE, TIMING OFF) " + page).Scan(&steps).Error; err != nil {
		t.Fatal(err)
	}
	plan := strings.Join(steps, "\n")
	if !strings.Contains(plan, "using tasks_recent on tasks") || !strings.Contains(plan, "rows=101 loops=1") || strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Sort") || strings.Contains(plan, "Removed by Filter") {
		t.Errorf("a page is found so:\n%s", plan)
	}
}

// connect opens a database beside the hub.
func (s server) connect(t *testing.T, name string) *gorm.DB {
	t.Helper()
	db, err := gorm.Open(postgres.Open(s.dsn(name)), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return db
}

// create creates a database and returns its name.
func (s server) create(t *testing.T) string {
	t.Helper()
	name := s.name(t.TempDir())
	if err := s.exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	return name
}

// schema2Postgres is like schema2, dumped by pg_dump.
//
//go:embed testdata/schema2.postgres.sql
var schema2Postgres string

// steps lists the migrations that a database has had, in their order.
func steps(t *testing.T, db *gorm.DB) (out []int64) {
	t.Helper()
	if err := db.Raw("SELECT version_id FROM goose_db_version ORDER BY id").Scan(&out).Error; err != nil {
		t.Fatal(err)
	}
	return out
}

// A database of schema 2 goes on working in PostgreSQL, too, and the models agree with the migrations there.
func TestAPP5_PostgresIsBroughtUpToDate(t *testing.T) {
	s := startPostgres(t)
	for name, fill := range map[string]func(db *gorm.DB) error{
		"none":     func(*gorm.DB) error { return nil },
		"schema 2": func(db *gorm.DB) error { return db.Exec(schema2Postgres + callsOff).Error },
		"older": func(db *gorm.DB) error {
			return db.Exec(schema2Postgres + callsOff +
				"ALTER TABLE messages DROP cause; ALTER TABLE tasks DROP changed;" +
				"ALTER TABLE tasks DROP cancelled; ALTER TABLE room_agents DROP unpriced; DROP TABLE templates;" +
				"DROP TABLE plan_calls; CREATE TABLE tool_rules (agent text)").Error
		},
	} {
		t.Run(name, func(t *testing.T) {
			place := s.create(t)
			db := s.connect(t, place)
			if err := fill(db); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				t.Run("open", func(t *testing.T) {
					hub, err := store.Database(t.Context(), t.TempDir(), s.dsn(place), slog.New(slog.DiscardHandler))
					if err != nil {
						t.Fatal(err)
					}
					runStore(t, hub)
					if name == "schema 2" {
						holdsSchema2(t, hub)
					} else if name != "none" {
						holdsTeamAndTask(t, hub)
					}
				})
			}
			if got := steps(t, db); !slices.Equal(got, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
				t.Errorf("the steps taken are %v", got)
			}
			agrees(t, db, s.connect(t, s.create(t)), shapeOfPostgres)
		})
	}
}

// A database that a newer program has changed is left as it is.
func TestFaultNewerPostgres(t *testing.T) {
	s := startPostgres(t)
	place := s.create(t)
	db := s.connect(t, place)
	const newer = "CREATE TABLE room_marks (name text PRIMARY KEY, value bigint NOT NULL);" +
		"INSERT INTO room_marks VALUES ('schema', 99)"
	if err := db.Exec(newer).Error; err != nil {
		t.Fatal(err)
	}
	_, err := store.Database(t.Context(), t.TempDir(), s.dsn(place), slog.New(slog.DiscardHandler))
	if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "newer AgentFlow (schema 99, this") {
		t.Errorf("got %v", err)
	}
	var tables []string
	err = db.Raw("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").Scan(&tables).Error
	if err != nil || !slices.Equal(tables, []string{"room_marks"}) {
		t.Errorf("the tables are %v, %v", tables, err)
	}
}

// Of two hubs that start at once on one database, each migration is run by one, even where the hubs' own lock is lost.
func TestAPP5_TwoAtOnceMigrateOnce(t *testing.T) {
	s := startPostgres(t)
	for name, up := range map[string]func(place string, pool *sql.DB) error{
		"hubs": func(place string, _ *sql.DB) error {
			hub, err := store.Database(t.Context(), t.TempDir(), s.dsn(place), slog.New(slog.DiscardHandler))
			if err == nil {
				return hub.Close()
			}
			if strings.Contains(err.Error(), "in use by another AgentFlow") {
				return nil
			}
			return err
		},
		"migrations": func(_ string, pool *sql.DB) error {
			return migrations.Up(t.Context(), pool, migrations.Postgres, slog.New(slog.DiscardHandler))
		},
	} {
		t.Run(name, func(t *testing.T) {
			place := s.create(t)
			db := s.connect(t, place)
			pool, err := db.DB()
			if err != nil {
				t.Fatal(err)
			}
			var both errgroup.Group
			for range 2 {
				both.Go(func() error { return up(place, pool) })
			}
			if err := both.Wait(); err != nil {
				t.Error(err)
			}
			if got := steps(t, db); !slices.Equal(got, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
				t.Errorf("the steps taken are %v", got)
			}
		})
	}
}

// PostgreSQL passes the suites that SQLite passes.
func TestCH11_PostgreSQL(t *testing.T) {
	s := startPostgres(t)
	t.Run("rooms", func(t *testing.T) {
		roomtest.RunStoreSuite(t, func(t *testing.T, place string) room.Store { return s.open(t, place).Rooms() })
	})
	t.Run("local gateway", func(t *testing.T) {
		builtintest.RunStoreSuite(t, func(t *testing.T) builtin.Store { return s.open(t, t.TempDir()) })
	})
	t.Run("turns", func(t *testing.T) { keepsTurns(t, s.open(t, t.TempDir())) })
	t.Run("inbox", func(t *testing.T) { keepsQuestions(t, s.open(t, t.TempDir())) })
	t.Run("tasks", func(t *testing.T) { keepsTasks(t, store.Tasks(s.open(t, t.TempDir()))) })
	t.Run("tasks as they changed", func(t *testing.T) {
		place := t.TempDir()
		listsRecent(t, store.Tasks(s.open(t, place)))
		s.readsAPage(t, place)
	})
	t.Run("many tasks at once", func(t *testing.T) { manySubmit(t, store.Tasks(s.open(t, t.TempDir()))) })
	t.Run("plans", func(t *testing.T) { keepsPlans(t, store.Plans(s.open(t, t.TempDir()))) })
	t.Run("files", func(t *testing.T) { keepsFiles(t, s.open(t, t.TempDir())) })
	t.Run("one hub a database", func(t *testing.T) {
		place := t.TempDir()
		s.open(t, place)
		_, err := store.Database(t.Context(), t.TempDir(), s.dsn(s.name(place)), slog.New(slog.DiscardHandler))
		if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "in use by another AgentFlow") {
			t.Errorf("a second hub: %v", err)
		}
	})
	t.Run("data", func(t *testing.T) { sweepsElsewhere(t, s.open(t, t.TempDir())) })
	t.Run("no such database", func(t *testing.T) {
		_, err := store.Database(t.Context(), t.TempDir(), s.dsn("none"), slog.New(slog.DiscardHandler))
		if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "check user, password and name") {
			t.Errorf("got %v", err)
		}
	})
}

// The lock of a PostgreSQL database is taken again after its connection broke, so that no second
// hub starts beside this one. While another has it, nothing is written.
func TestTR5_TheLockOfPostgresIsWatched(t *testing.T) {
	s := startPostgres(t)
	store.WatchLockEvery(t, 50*time.Millisecond)
	place := t.TempDir()
	db := s.open(t, place)
	const mine = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
	if err := s.exec(mine); err != nil {
		t.Fatal(err)
	}
	other := func() error {
		second, err := store.Database(t.Context(), place, s.dsn(s.name(place)), slog.New(slog.DiscardHandler))
		if err == nil {
			_ = second.Close()
		}
		return err
	}
	deadline := time.Now().Add(time.Minute)
	for locked := false; !locked; {
		if time.Now().After(deadline) {
			t.Fatal("the lock is not taken again")
		}
		locked = s.exec(
			"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory') THEN RAISE EXCEPTION 'free'; END IF; END $$",
		) == nil
	}
	if err := other(); err == nil {
		t.Error("a second hub opened the database")
	}
	if _, _, err := db.AppendMessage(t.Context(), builtin.Message{ID: "m", SessionKey: "agent:a:main", At: time.Now()}); err != nil {
		t.Error(err)
	}
}
