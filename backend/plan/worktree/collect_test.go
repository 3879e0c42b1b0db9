//go:build linux

package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// does runs a worker's script in its worktree.
func does(t *testing.T, tree *Tree, script string) {
	t.Helper()
	cmd := exec.Command(
		"sh",
		"-ec",
		"export GIT_CONFIG_COUNT=3 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=W GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1=w@localhost GIT_CONFIG_KEY_2=protocol.file.allow GIT_CONFIG_VALUE_2=always\n"+script,
	)
	cmd.Dir = tree.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// played is what a worker does with Git, and the expected result.
type played struct {
	script string
	left   int    // repositories that it created
	aside  bool   // it left its branch, and the work is on another one
	want   string // the files on main in the end
}

// ME-11: whatever a worker does with Git in its worktree, its files are merged, or are where the result says. The
// person's branches, and a repository around the worktrees, don't change.
func TestME11_FaultAWorkerThatPlaysWithGit(t *testing.T) {
	for name, c := range map[string]played{
		"init":                     {"git init -q; echo w > new.txt", 0, false, "a.txt=two new.txt=w"},
		"takes .git away":          {"rm .git; echo w > new.txt", 0, false, "a.txt=two new.txt=w"},
		"prunes":                   {"echo w > new.txt; git worktree prune; rm .git; git --git-dir=\"$REPO/.git\" worktree prune --expire=1.day.ago", 0, false, "a.txt=two new.txt=w"},
		"its own repository":       {"rm .git; git init -q; echo w > new.txt; git add .; git commit -qm mine", 1, false, "a.txt=two new.txt=w"},
		"another's .git":           {"echo 'gitdir: /nowhere' > .git; echo w > new.txt", 1, false, "a.txt=two new.txt=w"},
		"a lock that is left":      {"echo w > new.txt; touch \"$(git rev-parse --git-dir)/index.lock\"", 0, false, "a.txt=two new.txt=w"},
		"a repository within":      {"mkdir app; cd app; git init -q; echo w > ../new.txt; echo in > in.txt; git add .; git commit -qm scaffold", 1, false, "a.txt=two app/in.txt=in new.txt=w"},
		"two, one in the other":    {"git init -q app; git init -q app/lib; echo in > app/in.txt; echo w > new.txt; echo l > app/lib/l.txt", 2, false, "a.txt=two app/in.txt=in app/lib/l.txt=l new.txt=w"},
		"one that it committed":    {"git init -q app; echo in > app/in.txt; git -C app add .; git -C app commit -qm inner; echo w > new.txt; git add .; git commit -qm outer", 1, false, "a.txt=two app/in.txt=in new.txt=w"},
		"a worktree within":        {"git worktree add -q -b its app; echo in > app/in.txt; echo w > new.txt", 1, false, "a.txt=two app/a.txt=two app/in.txt=in new.txt=w"},
		"its own branch":           {"git checkout -q -b feature; echo w > new.txt; git add .; git commit -qm feature", 0, false, "a.txt=two new.txt=w"},
		"no branch":                {"git checkout -q --detach; echo w > new.txt; git add .; git commit -qm loose; git branch -qD agentflow/T", 0, false, "a.txt=two new.txt=w"},
		"no history":               {"git checkout -q --orphan fresh; echo w > new.txt", 0, false, "a.txt=two new.txt=w"},
		"a stash that it forgets":  {"echo w > new.txt; git add .; git commit -qm w; echo s > stashed.txt; git stash -qu", 0, false, "a.txt=two new.txt=w"},
		"an older commit":          {"git checkout -q --detach HEAD~1; echo w > new.txt", 0, true, "a.txt=two"},
		"the person's branch":      {"git checkout -q --ignore-other-worktrees develop; echo w > new.txt", 0, false, "a.txt=three new.txt=w"},
		"in the midst of a rebase": {"echo w > new.txt; echo mine > a.txt; git add .; git commit -qm w; git rebase develop || true", 0, true, "a.txt=mine new.txt=w"},
	} {
		t.Run(name, func(t *testing.T) { collected(t, c) })
	}
}

// surrounded is a person's repository with the branches main and develop, and a second one, with uncommitted changes,
// around the folder of the worktrees.
func surrounded(t *testing.T) (around, dir string) {
	t.Helper()
	around = t.TempDir()
	run(t, around, "init", "-q")
	write(t, around, "mine.txt", "was\n")
	run(t, around, "add", ".")
	run(t, around, "commit", "-qm", "around")
	write(t, around, "mine.txt", "not committed\n")
	dir = t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, "a.txt", "one\n")
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-qm", "first")
	write(t, dir, "a.txt", "two\n")
	run(t, dir, "commit", "-qam", "second")
	run(t, dir, "checkout", "-q", "-b", "develop")
	write(t, dir, "a.txt", "three\n")
	run(t, dir, "commit", "-qam", "on develop")
	run(t, dir, "checkout", "-q", "main")
	return around, dir
}

func collected(t *testing.T, c played) {
	around, dir := surrounded(t)
	r, err := Open(t.Context(), dir, filepath.Join(around, "trees"))
	if err != nil {
		t.Fatal(err)
	}
	tree := add(t, r, "T")
	develop, outside := run(t, dir, "rev-parse", "develop"), run(t, around, "rev-parse", "HEAD")
	does(t, tree, "REPO="+dir+"\n"+c.script)

	got, err := tree.Commit(t.Context(), "work")
	if err != nil || len(got.Left) != c.left || (got.Aside != "") != c.aside || got.Submodules {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, at := range got.Left {
		if _, err := os.Lstat(at); err != nil {
			t.Errorf("%s doesn't exist", at)
		}
	}
	if files, err := tree.Span().Files(t.Context()); err != nil || slices.ContainsFunc(files, func(f TouchedFile) bool { return f.Path == "new.txt" }) != strings.Contains(c.want, "new.txt") {
		t.Errorf("shown: %v, %v", files, err)
	}
	again, err := tree.Commit(t.Context(), "nothing more")
	if err != nil || again.Changed || again.Aside != "" || len(again.Left) != 0 {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	if err := tree.Merge(t.Context(), "merge"); err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, file := range strings.Fields(run(t, dir, "ls-tree", "-r", "--name-only", "main")) {
		kept = append(kept, file+"="+strings.TrimSpace(read(t, dir, file)))
	}
	if got := strings.Join(kept, " "); got != c.want {
		t.Errorf("on main are %s, want %s", got, c.want)
	}
	if c.aside && run(t, dir, "show", got.Aside+":new.txt") != "w" {
		t.Error("its other branch is lost")
	}
	if run(t, dir, "rev-parse", "develop") != develop {
		t.Error("a branch of the person was moved")
	}
	if err := tree.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if read(t, around, "mine.txt") != "not committed\n" || run(t, around, "rev-parse", "HEAD") != outside || run(t, around, "status", "--porcelain", "mine.txt") != "M mine.txt" {
		t.Error("the repository around the worktrees was changed")
	}
}

// ME-11: this program, which isn't sandboxed, never runs what a worker writes into its own .git, neither during the
// work nor afterwards.
func TestME11_FaultAWorkersGitSettingsAreNotFollowed(t *testing.T) {
	r := repository(t)
	tree := add(t, r, "T")
	mark := filepath.Join(t.TempDir(), "ran")
	evil := "git config core.fsmonitor 'touch " + mark + "; true'; git config core.hooksPath " + t.TempDir() + "; echo 'new.txt filter=evil' > .gitattributes; git config filter.evil.clean 'touch " + mark + "; cat'\n"
	does(
		t,
		tree,
		"git init -q app\ncd app\n"+evil+"echo in > in.txt; GIT_CONFIG_COUNT=0 git -c core.fsmonitor= -c user.name=W -c user.email=w@localhost commit -q --allow-empty -m inner\ncd ..; rm .git; git init -q\n"+evil+"echo w > new.txt",
	)
	_ = os.Remove(mark)
	look, err := Look(t.Context(), r.Dir, r.Trees)
	if err != nil {
		t.Fatal(err)
	}
	found, err := look.Find(t.Context(), "T")
	if err != nil || found == nil {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := found.Span().Files(t.Context()); err != nil {
		t.Error(err)
	}
	if got, err := tree.Commit(t.Context(), "work"); err != nil || len(got.Left) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := tree.Changes(t.Context()); err != nil {
		t.Error(err)
	}
	if err := tree.Merge(t.Context(), "merge"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err == nil || read(t, r.Dir, "new.txt") != "w\n" {
		t.Error("a program of the worker's settings was run")
	}
}

// ME-11: a dismantled worktree is found again with all its files. If that isn't possible, its files are saved, and
// the result says where.
func TestME11_FaultAWorktreeThatWasTakenApart(t *testing.T) {
	r := repository(t)
	tree := add(t, r, "T")
	does(t, tree, "echo w > new.txt; rm .git")
	again := add(t, r, "T")
	if got, err := again.Commit(t.Context(), "work"); err != nil || !got.Changed || again.Base != tree.Base {
		t.Fatalf("%+v, %v", got, err)
	}

	does(
		t,
		tree,
		"git checkout -q --detach HEAD~1; echo loose > loose.txt; git add .; git commit -qm loose; echo half > half.txt; git init -q in; touch in/half",
	)
	if err := tree.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all := run(t, tree.Dir, "ls-files", "--others", "--cached"); all != "a.txt\nnew.txt" || run(t, tree.Dir, "symbolic-ref", "--short", "HEAD") != tree.Branch {
		t.Errorf("after what was half done is discarded: %s", all)
	}
	if run(t, r.Dir, "show", "agentflow/T-aside-1:loose.txt") != "loose" {
		t.Error("its commits elsewhere are lost")
	}

	does(t, tree, "echo more > more.txt; rm -r \"$(git rev-parse --git-dir)\"")
	if _, err := tree.Commit(t.Context(), "work"); err == nil || !strings.Contains(err.Error(), "lies in "+tree.Dir) {
		t.Errorf("taken out of its repository: %v", err)
	}
	anew := add(t, r, "T")
	if len(anew.Left) != 1 || read(t, anew.Left[0], "more.txt") != "more\n" || read(t, anew.Dir, "new.txt") != "w\n" {
		t.Errorf("created again: %+v", anew)
	}
	if err := os.RemoveAll(anew.Dir); err != nil {
		t.Fatal(err)
	}
	if last := add(t, r, "T"); len(last.Left) != 0 || read(t, last.Dir, "new.txt") != "w\n" {
		t.Errorf("removed: %+v", last)
	}
}

// ME-11: submodules that a worker adds are reported, because other worktrees wouldn't contain them.
func TestME11_FaultAWorkerThatAddsASubmodule(t *testing.T) {
	r := repository(t)
	tree := add(t, r, "T")
	does(t, tree, "git submodule --quiet add '"+repository(t).Dir+"' sub")
	got, err := tree.Commit(t.Context(), "work")
	if err != nil || !got.Submodules {
		t.Errorf("%+v, %v", got, err)
	}
	if all := run(t, r.Dir, "ls-tree", "-r", "--name-only", tree.Branch); all != ".gitmodules\na.txt\nsub/a.txt" {
		t.Errorf("saved: %q", all)
	}
}
