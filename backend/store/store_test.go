package store_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/glebarez/sqlite"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/builtintest"
	"agentflow/backend/store"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/roomtest"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(restoreIn); dir != "" {
		restoreAndDie(dir, os.Getenv(killAt))
	}
	if dir := os.Getenv(migrateIn); dir != "" {
		migrateAndDie(dir, os.Getenv(killAfter))
		return
	}
	if dir := os.Getenv(writeInto); dir != "" {
		writeForEver(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

// open returns a running store over a real file.
func open(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	runStore(t, s)
	return s
}

// runStore runs a store until the test ends.
func runStore(t *testing.T, s *store.Store) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestLocalStore(t *testing.T) {
	builtintest.RunStoreSuite(t, func(t *testing.T) builtin.Store { return open(t, t.TempDir()) })
}

func TestCH3_RoomStore(t *testing.T) {
	roomtest.RunStoreSuite(t, func(t *testing.T, place string) room.Store { return open(t, place).Rooms() })
}

func TestAPP5_TeamsSurviveAReopen(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 11, 21, 9, 0, 0, 123456789, time.UTC)
	v := library.Version{ID: "v1", Team: "d1", At: at, StartedAt: at, Cause: library.Edited, Label: "edit.add|レビュアー", Topology: &topology.Topology{
		Name: "チーム", Agents: []topology.Agent{{ID: "a", Name: "エー", Extra: topology.Extra{{Key: "z", Value: []byte(`1`)}, {Key: "a", Value: []byte(`{"x":"😀"}`)}}}},
	}}
	d := library.Team{ID: "d1", Name: "チーム", Head: "v1", Redo: []library.VersionID{"v2"}, Bases: map[string]library.Base{"local": {Version: "v1", Hash: "h"}}, CreatedAt: at, UpdatedAt: at}
	t.Run("write", func(t *testing.T) {
		if err := open(t, dir).PutTeam(t.Context(), d, &v); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("read", func(t *testing.T) {
		s := open(t, dir)
		got, err := s.Team(t.Context(), "d1")
		if err != nil {
			t.Fatal(err)
		}
		if got.Name != d.Name || got.Head != "v1" || len(got.Redo) != 1 || got.Bases["local"].Hash != "h" || !got.UpdatedAt.Equal(at) {
			t.Errorf("the team came back as %+v", got)
		}
		back, err := s.Version(t.Context(), "d1", "v1")
		if err != nil {
			t.Fatal(err)
		}
		if !back.Topology.Equal(v.Topology) || back.Label != v.Label || !back.At.Equal(at) {
			t.Errorf("version came back as %+v", back)
		}
	})
}

func TestConcurrentWritesAreAllDurable(t *testing.T) {
	s := open(t, t.TempDir())
	const writers = 64
	var wg sync.WaitGroup
	errs := make(chan error, writers)
	for i := range writers {
		wg.Go(func() {
			id := library.SnapshotID(strings.Repeat("x", i+1))
			errs <- s.PutSnapshot(context.Background(), library.Snapshot{ID: id, Gateway: "g", Config: []byte(`{}`)})
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	got, err := s.Snapshots(t.Context(), "g", 1000)
	if err != nil || len(got) != writers {
		t.Errorf("%d of %d rows, %v", len(got), writers, err)
	}
}

func TestFaultAFailedWriteDoesNotTakeOthersWithIt(t *testing.T) {
	s := open(t, t.TempDir())
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if err := s.NameVersion(context.Background(), "none", "none", "x"); !errcode.Is(err, errcode.NotFound) {
				t.Errorf("got %v, want NOT_FOUND", err)
			}
		})
		wg.Go(func() {
			if err := s.PutTeam(context.Background(), library.Team{ID: "d", Name: "n"}, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := gorm.Open(sqlite.Open(path), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if err := db.Exec(s).Error; err != nil {
			t.Fatal(err)
		}
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
}
