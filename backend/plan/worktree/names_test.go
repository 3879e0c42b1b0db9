//go:build linux

package worktree

import (
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// Names are reported unchanged: with non-English letters, blanks and quotes, and after a rename.
func TestNames_AreToldAsTheyAre(t *testing.T) {
	r := repository(t)
	const japanese, odd = "要件 定義.md", `a "quoted" -> name.txt`
	write(t, r.Dir, japanese, "one\n")
	write(t, r.Dir, odd, "x\n")
	run(t, r.Dir, "add", "-A")
	run(t, r.Dir, "commit", "-qm", "second")
	tree := add(t, r, "T-1")
	write(t, tree.Dir, japanese, "theirs\n")
	write(t, tree.Dir, odd, "theirs\n")
	if got, err := tree.Changes(t.Context()); err != nil || !slices.Contains(got, "M "+japanese) || !slices.Contains(got, "M "+odd) || len(got) != 2 {
		t.Errorf("changes %q, %v", got, err)
	}
	if got, err := tree.Diff(t.Context()); err != nil || !strings.Contains(got, "b/"+japanese) {
		t.Errorf("the diff does not name %s, %v:\n%s", japanese, err, got)
	}
	commit(t, tree)
	write(t, r.Dir, japanese, "mine\n")
	run(t, r.Dir, "commit", "-qam", "mine")
	err := tree.Merge(t.Context(), "merge")
	if files, _ := errcode.From(err).Details["files"].([]string); !errcode.HasReason(err, ReasonConflict) || !slices.Equal(files, []string{japanese}) {
		t.Errorf("conflicts in %q: %v", files, err)
	}
	run(t, r.Dir, "mv", odd, "新しい.txt")
	write(t, r.Dir, japanese, "not committed\n")
	write(t, r.Dir, "未追跡.txt", "new")
	got, err := r.Uncommitted(t.Context())
	if want := []string{japanese, "新しい.txt", "未追跡.txt"}; err != nil || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("uncommitted %q, %v", got, err)
	}
}
