package keep

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/openclaw"
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

func TestWriteFileKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := WriteFile(path, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, []byte("two"), 0o644); err != nil {
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

func TestWriteFileFailsWhole(t *testing.T) {
	dir := t.TempDir()
	err := WriteFile(filepath.Join(dir, "missing", "a"), []byte("x"), 0o644)
	if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "folder does not exist") {
		t.Fatalf("got %v", err)
	}
	err = WriteFile(dir, []byte("x"), 0o644)
	if err == nil {
		t.Fatal("a folder was written")
	}
	if runtime.GOOS == "linux" {
		if err := WriteFile("/dev/full", []byte("x"), 0o644); err == nil || !strings.Contains(err.Error(), "the disk is full") {
			t.Fatalf("a full disk gave %v", err)
		}
	}
	only(t, dir)
}

// A rename does not ask whether the file may be written.
func TestWriteFileHonoursWriteProtection(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("the superuser may write everything; the other half of the rule is tested by writable's error")
		if err := writable(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("old"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, []byte("new"), 0o644); !errors.Is(err, fs.ErrPermission) || read1(t, path) != "old" {
		t.Fatalf("got %v, the file holds %q", err, read1(t, path))
	}
}

func snap(hash string) openclaw.Snapshot {
	return openclaw.Snapshot{Hash: hash, Config: []byte(`{"agents":{}}`)}
}

// GW-3, APP-3: a base is found by the gateway's address and its hash, both.
func TestAPP3_BasesByAddressAndHash(t *testing.T) {
	dir := t.TempDir()
	s := NewStore(dir)
	if err := s.PutBase("ws://a/", snap("h1")); err != nil {
		t.Fatal(err)
	}
	got, ok, err := s.Base("ws://a/", "h1")
	if err != nil || !ok || got.Hash != "h1" || string(got.Config) != `{"agents":{}}` {
		t.Fatalf("%+v %v %v", got, ok, err)
	}
	for _, other := range [][2]string{{"ws://b/", "h1"}, {"ws://a/", "h2"}} {
		if _, ok, err := s.Base(other[0], other[1]); ok || err != nil {
			t.Fatalf("%v: %v %v", other, ok, err)
		}
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(s.basePath("ws://a/", "h1"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("mode %v, %v", info.Mode(), err)
		}
	}
	if err := os.WriteFile(s.basePath("ws://a/", "h1"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Base("ws://a/", "h1"); !errcode.Is(err, errcode.Validation) {
		t.Fatalf("a damaged file gave %v", err)
	}
}

func TestVersionsAreNewestFirstAndBounded(t *testing.T) {
	s := NewStore(t.TempDir())
	at := time.Date(2026, 8, 24, 10, 0, 0, 0, time.UTC)
	s.now = func() time.Time { at = at.Add(time.Second); return at }
	for i := range maxVersions + 5 {
		if _, err := s.PutVersion("ws://a/", snap(strings.Repeat("x", i+1)), "note"); err != nil {
			t.Fatal(err)
		}
	}
	last, err := s.PutVersion("ws://a/", snap("last"), "the last")
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Versions("ws://a/")
	if err != nil || len(list) != maxVersions || list[0] != last || list[0].Note != "the last" {
		t.Fatalf("%d versions, first %+v, want %+v, %v", len(list), list[0], last, err)
	}
	got, err := s.Version("ws://a/", last.ID)
	if err != nil || got.Hash != "last" {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := s.Version("ws://a/", "../../secrets"); !errcode.Is(err, errcode.NotFound) {
		t.Fatalf("got %v", err)
	}
	if other, err := s.Versions("ws://b/"); err != nil || len(other) != 0 {
		t.Fatalf("another gateway has %v, %v", other, err)
	}
}

func TestBasesAreBounded(t *testing.T) {
	s := NewStore(t.TempDir())
	for i := range maxBases + 3 {
		if err := s.PutBase("ws://a/", snap(strings.Repeat("x", i+1))); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, "bases"))
	if err != nil || len(entries) != maxBases {
		t.Fatalf("%d bases, %v", len(entries), err)
	}
}
