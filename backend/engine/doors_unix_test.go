//go:build unix

package engine_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// The usual umask and a folder that a service manager created leave nothing open to other users,
// and what an earlier version left open is closed.
func TestTR4_F8_NobodyElseReadsTheDatabase(t *testing.T) {
	t.Parallel()
	before := syscall.Umask(0o022)
	defer syscall.Umask(before)
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	database := []string{"agentflow.db", "agentflow.db-wal", "agentflow.db-shm"}
	closed := func(when string, names ...string) {
		t.Helper()
		for _, name := range append(names, ".") {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %s has mode %o", when, name, info.Mode().Perm())
			}
		}
	}
	hub := enginetest.Start(t, engine.Options{DataDir: dir})
	closed("a new hub", database...)
	hub.Stop()
	old := "agentflow-before-restore-20260101-000000.db"
	if err := os.WriteFile(filepath.Join(dir, old), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"agentflow.db", "."} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	enginetest.Start(t, engine.Options{DataDir: dir})
	closed("a hub on an open folder", append(database, old)...)
}
