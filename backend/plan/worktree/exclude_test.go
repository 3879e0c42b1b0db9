//go:build linux

package worktree

import (
	"os"
	"path/filepath"
	"testing"
)

// A pattern is added once, after a last line without an end, and never through a link out of the repository's folder.
func TestExclude_AddsThePatternOnce(t *testing.T) {
	r := repository(t)
	exclude := filepath.Join(r.Dir, ".git", "info", "exclude")
	if err := os.WriteFile(exclude, []byte("*.log"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := r.Exclude(t.Context(), ".agent-runner/"); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(exclude); err != nil || string(data) != "*.log\n.agent-runner/\n" {
		t.Errorf("%q, %v", data, err)
	}
	outside := filepath.Join(t.TempDir(), "profile")
	if err := os.Remove(exclude); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, exclude); err != nil {
		t.Fatal(err)
	}
	if err := r.Exclude(t.Context(), ".agent-runner/"); err == nil {
		t.Error("a link was followed")
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("something was written outside")
	}
}
