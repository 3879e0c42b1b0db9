//go:build unix

package store_test

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
)

// readOnlyDir tells the child process of TestFaultReadOnlyDatabase its folder.
const readOnlyDir = "AGENTFLOW_TEST_READ_ONLY_DIR"

// nobody is a user who owns nothing. The owner of a computer may write any file, so the
// test goes on as somebody else where it runs as that one.
const nobody = 65534

func TestFaultReadOnlyDatabase(t *testing.T) {
	if dir := os.Getenv(readOnlyDir); dir != "" {
		refusesReadOnly(t, dir)
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "agentflow.db")
	t.Run("make", func(t *testing.T) { open(t, dir) })
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		asNobody(t, dir)
	} else {
		refusesReadOnly(t, dir)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file was changed (%v)", err)
	}
}

func refusesReadOnly(t *testing.T, dir string) {
	t.Helper()
	s, err := store.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err == nil {
		_ = s.Close()
	}
	path := filepath.Join(dir, "agentflow.db")
	if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "read-only") || !strings.Contains(err.Error(), path) {
		t.Fatalf("got %v", err)
	}
}

// asNobody runs this test once more, as a user who may write the folder and not the file.
func asNobody(t *testing.T, dir string) {
	t.Helper()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "store.test")
	if err := os.WriteFile(program, self, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{dir, filepath.Join(dir, "agentflow.lock")} {
		if err := os.Chown(file, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, "-test.run=^TestFaultReadOnlyDatabase$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), readOnlyDir+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestFaultReadOnlyDatabase") {
		t.Fatalf("as another user: %v\n%s", err, out)
	}
}
