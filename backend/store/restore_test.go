package store_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
	"agentflow/backend/store/database"
	"agentflow/backend/store/internal/dbfile"
	"agentflow/backend/team/library"
)

// The environment of a process that restores a backup and is killed at a step.
const (
	restoreIn = "AGENTFLOW_TEST_RESTORE_IN"
	killAt    = "AGENTFLOW_TEST_KILL_AT"
)

func restoreAndDie(dir, at string) {
	dbfile.Step = func(step string) {
		if step == at {
			if me, err := os.FindProcess(os.Getpid()); err == nil {
				_ = me.Kill()
			}
			select {}
		}
	}
	fail := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	ctx, log := context.Background(), slog.New(slog.DiscardHandler)
	s, err := store.Open(ctx, dir, log)
	fail(err)
	go func() { _ = s.Run(ctx) }()
	fail(s.PutSnapshot(ctx, library.Snapshot{ID: "written last", Config: []byte("{}")}))
	f, err := os.Open(filepath.Join(dir, "saved"))
	fail(err)
	up := store.Maintenance{Store: s}
	_, err = up.Stage(ctx, f)
	fail(err)
	_, err = up.Restore(time.Now())
	fail(err)
	// Not closed, so that the write-ahead log of the present database is still needed.
	fail(os.Remove(filepath.Join(dir, "agentflow.lock")))
	_, err = store.Open(ctx, dir, log)
	fail(err)
	panic("it was not killed")
}

// saved returns the bytes of a backup in which there is the snapshot named.
func saved(t *testing.T, name string) []byte {
	t.Helper()
	dir := t.TempDir()
	var out []byte
	t.Run("save", func(t *testing.T) {
		s := open(t, dir)
		if err := s.PutSnapshot(t.Context(), library.Snapshot{ID: library.SnapshotID(name), Config: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
		path, err := store.Maintenance{Store: s}.Backup(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if out, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	})
	return out
}

func holds(t *testing.T, s *store.Store, name string) bool {
	t.Helper()
	_, err := s.Snapshot(t.Context(), library.SnapshotID(name))
	if err != nil && !errcode.Is(err, errcode.NotFound) {
		t.Fatal(err)
	}
	return err == nil
}

// APP-5: a hub that is killed at any step of a restore has the one database or the
// other afterwards, whole, and loses neither.
func TestAPP5_FaultARestoreSurvivesKill9AtEveryStep(t *testing.T) {
	backup := saved(t, "in the backup")
	for _, c := range []struct {
		step  string
		taken bool
	}{{"staged", false}, {"decided", true}, {"aside-wal", true}, {"aside", true}, {"taken", true}} {
		t.Run(c.step, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "saved"), backup)
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), restoreIn+"="+dir, killAt+"="+c.step)
			if out, err := child.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
				t.Fatalf("the child: %v %s", err, out)
			}
			t.Run("open", func(t *testing.T) {
				s := open(t, dir)
				if holds(t, s, "in the backup") != c.taken || holds(t, s, "written last") == c.taken {
					t.Errorf("restored %v, the old one %v", holds(t, s, "in the backup"), holds(t, s, "written last"))
				}
			})
			kept, _ := filepath.Glob(filepath.Join(dir, "agentflow-before-restore-*.db"))
			if len(kept) == 1 != c.taken {
				t.Fatalf("kept aside: %v", kept)
			}
			for _, name := range []string{"restore.db", "restore-checked.db"} {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					t.Errorf("%s is left over", name)
				}
			}
			if !c.taken {
				return
			}
			again := t.TempDir()
			for _, end := range []string{"", "-wal"} {
				if data, err := os.ReadFile(kept[0] + end); err == nil {
					write(t, filepath.Join(again, "agentflow.db"+end), data)
				}
			}
			if s := open(t, again); !holds(t, s, "written last") {
				t.Error("what was written last is not in the database that was kept aside")
			}
		})
	}
}

func TestAPP5_OnlyAWholeBackupOfAgentFlowIsTaken(t *testing.T) {
	backup := saved(t, "x")
	broken := bytes.Clone(backup)
	for i := 8192; i < len(broken); i++ {
		broken[i] ^= 0x5a
	}
	made := func(statements ...string) []byte {
		path := filepath.Join(t.TempDir(), "other.db")
		execute(t, path, statements...)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	with := func(statement string) []byte {
		path := filepath.Join(t.TempDir(), "changed.db")
		write(t, path, backup)
		execute(t, path, statement)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	dir := t.TempDir()
	s := open(t, dir)
	up := store.Maintenance{Store: s}
	for _, statement := range []string{
		"CREATE TRIGGER theirs AFTER INSERT ON teams BEGIN DELETE FROM teams; END",
		"CREATE TRIGGER theirs AFTER UPDATE ON tasks BEGIN UPDATE tasks SET id = id; END",
		"CREATE VIEW theirs AS SELECT * FROM teams",
	} {
		_, err := up.Stage(t.Context(), bytes.NewReader(with(statement)))
		if !errcode.HasReason(err, database.ReasonProgram) || !strings.Contains(err.Error(), "theirs") {
			t.Errorf("%s: %v", statement, err)
		}
		if _, err := up.Restore(time.Now()); !errcode.HasReason(err, "nothing_staged") {
			t.Errorf("%s: it could be restored: %v", statement, err)
		}
	}
	for reason, data := range map[string][]byte{
		database.ReasonNoDatabase: []byte("hello, this is no database at all"),
		database.ReasonForeign:    made("CREATE TABLE diary (day TEXT)"),
		database.ReasonNewer:      made("CREATE TABLE x (y)", "PRAGMA application_id = 1095126103", "PRAGMA user_version = 99"),
		database.ReasonDamaged:    broken,
	} {
		if _, err := up.Stage(t.Context(), bytes.NewReader(data)); !errcode.HasReason(err, reason) {
			t.Errorf("%s: %v", reason, err)
		}
		if _, err := up.Restore(time.Now()); !errcode.HasReason(err, "nothing_staged") {
			t.Errorf("%s: it could be restored: %v", reason, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "restore*")); len(left) > 0 {
			t.Errorf("%s: %v are left over", reason, left)
		}
	}
	cut := filepath.Join(t.TempDir(), "cut")
	write(t, cut, backup[:len(backup)/2])
	f, err := os.Open(cut)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := up.Stage(t.Context(), f); !errcode.HasReason(err, database.ReasonDamaged) {
		t.Errorf("half a backup: %v", err)
	}
}

// TestAPP5_ABackupIsOneMomentWhileOthersWrite: what was acknowledged before is in it.
func TestAPP5_ABackupIsOneMomentWhileOthersWrite(t *testing.T) {
	s := open(t, t.TempDir())
	up := store.Maintenance{Store: s}
	put := func(i int) error {
		return s.PutSnapshot(t.Context(),
			library.Snapshot{ID: library.SnapshotID(fmt.Sprintf("%04d", i)), Gateway: "g", Config: []byte("{}")})
	}
	for i := range 50 {
		if err := put(i); err != nil {
			t.Fatal(err)
		}
	}
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for i := 50; ; i++ {
			select {
			case <-stop:
				ended <- nil
				return
			default:
			}
			if err := put(i); err != nil {
				ended <- err
				return
			}
		}
	}()
	path, err := up.Backup(t.Context())
	close(stop)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = f.Close(), os.Remove(path) }()
	staged, err := up.Stage(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	size, err := up.Size(t.Context())
	if err != nil || size.Bytes == 0 {
		t.Fatal(size, err)
	}
	count := func(parts []database.Holding) int64 {
		for _, p := range parts {
			if p.Kind == "snapshots" {
				return p.Count
			}
		}
		return -1
	}
	if n := count(staged.Parts); n < 50 || n > count(size.Parts) {
		t.Errorf("%d in the backup, %d now", n, count(size.Parts))
	}
}
