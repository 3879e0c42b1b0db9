package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

func read1(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func only(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Fatalf("the folder holds %q, want %q", got, want)
	}
}

func TestWriteKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := Write(path, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("two"), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 || read1(t, path) != "two" {
		t.Fatalf("the link is %v, the file %q, %v", info.Mode(), read1(t, path), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	only(t, dir, "a", "b")
}

func TestFaultWriteFailsWhole(t *testing.T) {
	dir := t.TempDir()
	err := Write(filepath.Join(dir, "missing", "a"), []byte("x"), 0o644)
	if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "folder doesn't exist") {
		t.Fatalf("got %v", err)
	}
	err = Write(dir, []byte("x"), 0o644)
	if err == nil {
		t.Fatal("a folder was written")
	}
	if runtime.GOOS == "linux" {
		if err := Write("/dev/full", []byte("x"), 0o644); err == nil || !strings.Contains(err.Error(), "the disk is full") {
			t.Fatalf("a full disk gave %v", err)
		}
	}
	only(t, dir)
}

// A rename does not ask whether the file may be written.
func TestFaultWriteHonoursWriteProtection(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	err := asOwnerOnly(t, dir, func() error { return Write(path, []byte("new"), 0o644) })
	if !errors.Is(err, fs.ErrPermission) || read1(t, path) != "old" {
		t.Fatalf("got %v, the file holds %q", err, read1(t, path))
	}
	only(t, dir, "a")
}
