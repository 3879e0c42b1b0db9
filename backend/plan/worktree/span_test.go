//go:build linux

package worktree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

// ME-8: the changed files, committed or not, each before and after; paths out of the work tree aren't read.
func TestME8_FilesBeforeAndAfter(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	for name, text := range map[string]string{"kept": "k", "changed": "was\n", "gone": "g", "日本 語": "a"} {
		write(t, dir, name, text)
	}
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "first")
	base := run(t, dir, "rev-parse", "HEAD")
	write(t, dir, "changed", "is\n")
	write(t, dir, "日本 語", "b")
	write(t, dir, "new", "\x00")
	write(t, dir, "large", strings.Repeat("x", maxShown+1))
	if err := os.Remove(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	span := Span{Dir: dir, Base: base}
	look := func() {
		t.Helper()
		files, err := span.Files(t.Context())
		var all []string
		for _, f := range files {
			all = append(all, f.Kind[:1]+" "+f.Path)
		}
		if got := strings.Join(all, ", "); err != nil || got != "m changed, d gone, a large, a new, a out, m 日本 語" {
			t.Fatalf("%s, %v", got, err)
		}
		for path, want := range map[string]Sides{"changed": {Before: "was", After: "is"}, "gone": {Before: "g"}, "日本 語": {Before: "a", After: "b"}, "new": {Binary: true}, "large": {Large: true}} {
			got, err := span.Sides(t.Context(), path)
			got.TouchedFile = TouchedFile{}
			if err != nil || got != want {
				t.Errorf("%s: %+v, %v", path, got, err)
			}
		}
		if _, err := span.Sides(t.Context(), "kept"); err == nil {
			t.Error("an unchanged file is shown")
		}
	}
	link := func() {
		t.Helper()
		if out, err := span.Sides(t.Context(), "out"); err != nil || out.After != "/etc/passwd" || out.Binary {
			t.Errorf("a link isn't its target: %+v, %v", out, err)
		}
	}
	look()
	link()
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "second")
	span.Commit = run(t, dir, "rev-parse", "HEAD")
	look()
	link()
}

// ME-8: a repository inside the work is shown as its commit. Reading takes no lock, so that the worker's own Git
// isn't disturbed.
func TestME8_FaultARepositoryWithinAndNoLock(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, "file", "was\n")
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "first")
	span := Span{Dir: dir, Base: run(t, dir, "rev-parse", "HEAD")}
	within := filepath.Join(dir, "within")
	run(t, dir, "init", "-q", "within")
	run(t, within, "commit", "-q", "--allow-empty", "-m", "inner")
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "second")
	span.Commit = run(t, dir, "rev-parse", "HEAD")
	if got, err := span.Sides(t.Context(), "within"); err != nil || got.After != "Subproject commit "+run(t, within, "rev-parse", "HEAD") || got.Before != "" {
		t.Errorf("%+v, %v", got, err)
	}
	span.Commit = ""
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "file"), later, later); err != nil { // Git would note that it is unchanged
		t.Fatal(err)
	}
	write(t, dir, "file", "now\n") // same size, and within the timestamp of the index
	index, err := os.Stat(filepath.Join(dir, ".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "file"), index.ModTime(), index.ModTime()); err != nil {
		t.Fatal(err)
	}
	copied, drop, err := span.index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at, err := os.Stat(copied)
	if drop(); err != nil || !at.ModTime().Equal(index.ModTime()) {
		t.Errorf("the copy of the index is of %v, %v", at, err)
	}
	before := read(t, dir, ".git/index")
	if files, err := span.Files(t.Context()); err != nil || len(files) != 2 || files[0].Path != "file" {
		t.Fatalf("%v, %v", files, err)
	}
	r := &Repo{Dir: dir}
	if _, err := r.Uncommitted(t.Context()); err != nil {
		t.Fatal(err)
	}
	if read(t, dir, ".git/index") != before {
		t.Error("the index was written")
	}
}

// ME-8: earlier work is also shown while the person has no branch checked out.
func TestME8_FaultALookWhileNoBranchIsCheckedOut(t *testing.T) {
	r := repository(t)
	tree := add(t, r, "T")
	write(t, tree.Dir, "new", "n")
	run(t, r.Dir, "checkout", "-q", "--detach")
	look, err := Look(t.Context(), r.Dir, r.Trees)
	if err != nil {
		t.Fatal(err)
	}
	found, err := look.Find(t.Context(), "T")
	if err != nil || found == nil || found.Base != tree.Base {
		t.Fatalf("%+v, %v", found, err)
	}
	if files, err := found.Span().Files(t.Context()); err != nil || len(files) != 1 || files[0].Path != "new" {
		t.Errorf("%v, %v", files, err)
	}
	if _, err := Look(t.Context(), t.TempDir(), r.Trees); !errcode.HasReason(err, ReasonNoGit) {
		t.Errorf("a folder without git: %v", err)
	}
}

// ME-8: special files of a worker are neither followed nor waited for, and a list that is too long is rejected,
// because a part of it would be misleading.
func TestME8_FaultWhatLiesInAWorktreeIsNoFile(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, "file", "was\n")
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "first")
	span := Span{Dir: dir, Base: run(t, dir, "rev-parse", "HEAD")}
	if err := os.Remove(filepath.Join(dir, "file")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "pipe"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"to a folder": ".git", "to a pipe": "pipe"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, "init", "-q", "within")
	write(t, filepath.Join(dir, "within"), "a", "a")
	for path, want := range map[string]Sides{"file": {Binary: true}, "to a folder": {After: ".git"}, "to a pipe": {After: "pipe"}, "within/": {Binary: true}} {
		got, err := span.Sides(t.Context(), path)
		got.TouchedFile = TouchedFile{}
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
	deep := strings.Repeat("d", 200) + "/" + strings.Repeat("e", 200) + "/" + strings.Repeat("f", 200)
	if err := os.MkdirAll(filepath.Join(dir, deep), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 2*maxKept/len(deep) + 1 {
		write(t, dir, fmt.Sprintf("%s/%d", deep, i), "")
	}
	if files, err := span.Files(t.Context()); !errcode.HasReason(err, ReasonMany) {
		t.Errorf("%d files, %v", len(files), err)
	}
}
