package worktree

import (
	"os"
	"path/filepath"
	"testing"

	"agentflow/backend/base/errcode"
)

// The commits of an attempt can come from a restored backup. What isn't the name of a commit never reaches git, where
// it could be an option that writes a file.
func TestTR1_ASpanTakesOnlyNamesOfCommits(t *testing.T) {
	dir := t.TempDir()
	if _, err := git(t.Context(), dir, "init", "--quiet"); err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "written")
	for _, s := range []Span{
		{Dir: dir, Base: "--output=" + mark, Commit: "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
		{Dir: dir, Base: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", Commit: "--output=" + mark},
		{Dir: dir, Base: "HEAD", Commit: "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
	} {
		if _, err := s.Files(t.Context()); !errcode.Is(err, errcode.NotFound) {
			t.Errorf("%+v: %v", s, err)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Fatal("git has written a file")
		}
	}
}
