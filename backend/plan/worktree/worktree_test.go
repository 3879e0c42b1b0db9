//go:build linux

package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/plan/codeclitest"
)

// TestMain is the shim of a Git command if a test started it as one.
func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	goleak.VerifyTestMain(codeclitest.Watched{M: m})
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(
		"git",
		append(
			[]string{
				"-c",
				"user.name=P",
				"-c",
				"user.email=p@localhost",
				"-c",
				"init.defaultBranch=main",
				"-c",
				"protocol.file.allow=always",
			},
			args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// repository returns a person's repository with one commit.
func repository(t *testing.T) *Repo {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, "a.txt", "one\ntwo\nthree\n")
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-qm", "first")
	r, err := Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func add(t *testing.T, r *Repo, id string) *Tree {
	t.Helper()
	tree, err := r.Add(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func commit(t *testing.T, tree *Tree) {
	t.Helper()
	if got, err := tree.Commit(t.Context(), "work"); err != nil || !got.Changed {
		t.Fatalf("commit: %+v, %v", got, err)
	}
}

// Two workers in parallel: both are merged, and the person's uncommitted changes stay.
func TestME11_EachWorkerHasItsWorktree(t *testing.T) {
	r := repository(t)
	write(t, r.Dir, "mine.txt", "not committed")
	one, two := add(t, r, "T-1"), add(t, r, "作業/../T 2")
	if one.Dir == two.Dir || two.Branch != "agentflow/-..-T-2" && !strings.HasPrefix(two.Branch, prefix) {
		t.Fatalf("%+v %+v", one, two)
	}
	write(t, one.Dir, "a.txt", "ONE\ntwo\nthree\n")
	write(t, two.Dir, "b.txt", "new")
	if changes, err := one.Changes(t.Context()); err != nil || strings.Join(changes, ",") != "M a.txt" {
		t.Errorf("%v, %v", changes, err)
	}
	commit(t, one)
	commit(t, two)
	if again := add(t, r, "T-1"); again.Dir != one.Dir || again.Base != one.Base {
		t.Errorf("found again: %+v, not %+v", again, one)
	}
	for _, tree := range []*Tree{one, two, one} {
		if err := tree.Merge(t.Context(), "merge"); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, r.Dir, "a.txt") != "ONE\ntwo\nthree\n" || read(t, r.Dir, "b.txt") != "new" || read(t, r.Dir, "mine.txt") != "not committed" {
		t.Error("the work tree lacks the work of both, or the person's changes")
	}
	for _, tree := range []*Tree{one, two} {
		if err := tree.Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if left := run(t, r.Dir, "branch", "--list", "agentflow/*"); left != "" {
		t.Errorf("left: %s", left)
	}
	if files, err := r.Uncommitted(t.Context()); err != nil || strings.Join(files, ",") != "mine.txt" {
		t.Errorf("%v, %v", files, err)
	}
}

// A conflict, an uncommitted file, a lock or a merge in progress: the person's work tree doesn't change, and the work
// stays on its branch.
func TestME11_FaultMergesThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		reason string
		spoil  func(r *Repo)
	}{
		"conflict": {ReasonConflict, func(r *Repo) {
			write(t, r.Dir, "a.txt", "uno\ntwo\nthree\n")
			run(t, r.Dir, "commit", "-qam", "mine")
		}},
		"dirty":     {ReasonDirty, func(r *Repo) { write(t, r.Dir, "a.txt", "one\ntwo\nmine\n") }},
		"untracked": {ReasonDirty, func(r *Repo) { write(t, r.Dir, "new.txt", "mine") }},
		"locked":    {ReasonLocked, func(r *Repo) { write(t, r.Dir, ".git/index.lock", "") }},
		"detached":  {ReasonDetached, func(r *Repo) { run(t, r.Dir, "checkout", "-q", "--detach") }},
		"merging":   {ReasonOngoing, func(r *Repo) { write(t, r.Dir, ".git/MERGE_HEAD", run(t, r.Dir, "rev-parse", "HEAD")) }},
	} {
		r := repository(t)
		tree := add(t, r, "T")
		write(t, tree.Dir, "a.txt", "ONE\ntwo\nthree\n")
		write(t, tree.Dir, "new.txt", "new")
		commit(t, tree)
		c.spoil(r)
		before := picture(t, r.Dir)
		err := tree.Merge(t.Context(), "merge")
		if !errcode.HasReason(err, c.reason) || !strings.Contains(err.Error(), "kept on the branch agentflow/T") {
			t.Errorf("%s: %v", name, err)
		}
		if picture(t, r.Dir) != before {
			t.Errorf("%s: the work tree has changed", name)
		}
		if run(t, r.Dir, "show", "agentflow/T:new.txt") != "new" {
			t.Errorf("%s: the work is lost", name)
		}
	}
}

// picture returns all files of a work tree and the commit of its branch.
func picture(t *testing.T, dir string) string {
	all := read(t, dir, ".git/HEAD") + run(t, dir, "rev-parse", "HEAD")
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() {
			all += "\n" + e.Name() + "=" + read(t, dir, e.Name())
		}
	}
	return all
}

func TestME11_FaultRepositoriesThatCannotBe(t *testing.T) {
	empty := t.TempDir()
	run(t, empty, "init", "-q")
	detached := repository(t).Dir
	run(t, detached, "checkout", "-q", "--detach")
	withSub := repository(t).Dir
	run(t, withSub, "submodule", "add", "-q", repository(t).Dir, "sub")
	run(t, withSub, "commit", "-qm", "sub")
	for reason, dir := range map[string]string{ReasonNoGit: t.TempDir(), ReasonNoCommit: empty, ReasonDetached: detached, ReasonSubmodules: withSub} {
		if _, err := Open(t.Context(), dir, t.TempDir()); !errcode.HasReason(err, reason) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// Half-done work of a killed worker is discarded; its commits stay.
func TestME11_HalfDoneWorkIsDiscarded(t *testing.T) {
	r := repository(t)
	write(t, r.Dir, "mine.txt", "mine")
	tree := add(t, r, "T")
	write(t, tree.Dir, "done.txt", "done")
	commit(t, tree)
	write(t, tree.Dir, "done.txt", "half")
	write(t, tree.Dir, "half.txt", "half")
	if err := tree.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tree.Dir, "half.txt")); err == nil || read(t, tree.Dir, "done.txt") != "done" || read(t, r.Dir, "mine.txt") != "mine" {
		t.Error("discarded the wrong things")
	}
	stranger := &Tree{repo: r, Dir: r.Dir, Branch: "main"}
	if err := stranger.Discard(t.Context()); err == nil {
		t.Error("the person's own work tree was reset")
	}
}

// After a restore into another data folder, the branch belongs to the worktree of the first one.
func TestME11_ABranchThatIsCheckedOutElsewhere(t *testing.T) {
	first := repository(t)
	was, err := first.Add(t.Context(), "T-1")
	if err != nil {
		t.Fatal(err)
	}
	second, err := Open(t.Context(), first.Dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, err = second.Add(t.Context(), "T-1")
	if e := errcode.From(err); !errcode.HasReason(err, ReasonElsewhere) || e.Details["folder"] != was.Dir {
		t.Fatalf("%v", err)
	}
	run(t, first.Dir, "worktree", "remove", was.Dir)
	if _, err := second.Add(t.Context(), "T-1"); err != nil {
		t.Errorf("after the remedy: %v", err)
	}
}
