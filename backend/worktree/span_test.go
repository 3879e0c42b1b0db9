//go:build linux

package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ME-8: the files that work has changed, committed or not, each before and after; what leads
// out of the work tree is not read.
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
			t.Error("what has not changed is shown")
		}
	}
	look()
	if out, err := span.Sides(t.Context(), "out"); err == nil {
		t.Errorf("what leads out is read: %+v", out)
	}
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "second")
	span.Commit = run(t, dir, "rev-parse", "HEAD")
	look()
	if out, err := span.Sides(t.Context(), "out"); err != nil || out.After != "/etc/passwd" {
		t.Errorf("a link in a commit is the place that it names: %+v, %v", out, err)
	}
}
