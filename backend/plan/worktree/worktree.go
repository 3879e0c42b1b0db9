// Package worktree gives each worker its own Git worktree and branch, and merges the work. The person's work tree is
// only changed by a fast-forward merge, which Git rejects if it would touch uncommitted changes: no force, no reset,
// no clean there.
package worktree

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
)

// Reasons of errors.
const (
	ReasonNoGit      = "no_git"           // the folder is in no git repository, or git is not installed
	ReasonNoCommit   = "no_commit"        // the repository has no commit yet
	ReasonDetached   = "detached"         // no branch is checked out, so there is nothing to merge into
	ReasonSubmodules = "submodules"       // the repository uses submodules
	ReasonLocked     = "locked"           // another Git command has locked the repository
	ReasonDirty      = "dirty"            // a merge would touch uncommitted changes
	ReasonConflict   = "conflict"         // the same lines were changed on both sides
	ReasonOngoing    = "in_progress"      // a merge or a rebase is in progress
	ReasonElsewhere  = "branch_elsewhere" // the task's branch is checked out in another worktree
	ReasonMany       = "too_many"         // too many changed files to list
)

const (
	patience = 2 * time.Minute // for one git command
	maxKept  = 512 << 10       // bytes of the head and tail of a Git command's output
	prefix   = "agentflow/"    // of branches
)

// Repo is a person's repository. It is safe for concurrent use.
type Repo struct {
	Dir    string // the top of the person's work tree
	Branch string // the checked-out branch
	Trees  string // folder of the worktrees, outside the repository
}

// lock locks the repository against other changes by this program, in this process or another.
func (r *Repo) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(r.Trees, 0o700); err != nil {
		return nil, errcode.Wrap(errcode.Unavailable, err, "the folder of the worktrees cannot be made: %s", r.Trees)
	}
	l := flock.New(filepath.Join(r.Trees, ".lock"))
	got, err := l.TryLockContext(ctx, 20*time.Millisecond)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil || !got:
		return nil, errcode.Wrap(errcode.Unavailable, err, "the worktrees in %s cannot be locked", r.Trees)
	}
	return func() { _ = l.Unlock() }, nil
}

// Open opens the repository that contains dir. If worktrees can't be used there, the error has details.reason.
func Open(ctx context.Context, dir, trees string) (*Repo, error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err,
			"%s isn't in a Git repository. Run git init there, and commit its files", dir).
			With(errcode.KeyReason, ReasonNoGit)
	}
	r := &Repo{Dir: top, Trees: trees}
	if _, err := git(ctx, top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return nil, errcode.New(errcode.Validation,
			"the repository %s has no commit yet: workers begin from the last commit, so commit something first", top).
			With(errcode.KeyReason, ReasonNoCommit)
	}
	if r.Branch, err = git(ctx, top, "symbolic-ref", "--short", "--quiet", "HEAD"); err != nil {
		return nil, errcode.New(errcode.Validation, "no branch is checked out in %s (detached HEAD), so there is nothing to merge the work into: run git switch with a branch", top).
			With(errcode.KeyReason, ReasonDetached)
	}
	if out, err := git(ctx, top, "ls-tree", "HEAD", "--", ".gitmodules"); err != nil || out != "" {
		return nil, errcode.New(errcode.Validation, "the repository %s uses submodules, which a worker's worktree would not hold: give the submodule itself as the task's repo", top).
			With(errcode.KeyReason, ReasonSubmodules)
	}
	return r, nil
}

// Look is Open for read access to earlier work: it accepts a detached HEAD and submodules.
func Look(ctx context.Context, dir, trees string) (*Repo, error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, errcode.Wrap(errcode.NotFound, err, "%s isn't in a Git repository", dir).
			With(errcode.KeyReason, ReasonNoGit)
	}
	branch, _ := git(ctx, top, "symbolic-ref", "--short", "--quiet", "HEAD") // empty if HEAD is detached
	return &Repo{Dir: top, Branch: branch, Trees: trees}, nil
}

// Uncommitted lists the person's uncommitted files, which workers don't see.
func (r *Repo) Uncommitted(ctx context.Context) ([]string, error) {
	out, err := git(ctx, r.Dir, "status", "--porcelain=v1", "--untracked-files=normal", "-z")
	if err != nil {
		return nil, err
	}
	var files []string
	renamed := false
	for entry := range strings.SplitSeq(out, "\x00") { // two letters, a blank and the name; after a rename the old name
		old := renamed
		renamed = !old && len(entry) > 3 && strings.ContainsAny(entry[:2], "RC")
		if !old && len(entry) > 3 && !strings.Contains(entry, ".agent-runner/") {
			files = append(files, entry[3:])
		}
	}
	return files, nil
}

// Tree is one worker's worktree.
type Tree struct {
	repo   *Repo
	Dir    string
	Branch string
	Base   string // its base commit
	// Left are the places of what was in the way when the worktree was created or found.
	Left []string

	own []string // environment variables that point Git to it
}

var plain = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// tree returns the worktree of a task, which may not exist yet.
func (r *Repo) tree(id string) *Tree {
	name := strings.Trim(plain.ReplaceAllString(id, "-"), "-.")
	return &Tree{repo: r, Dir: filepath.Join(r.Trees, name), Branch: prefix + name}
}

// Add creates the worktree of a task, or finds the existing one.
func (r *Repo) Add(ctx context.Context, id string) (*Tree, error) {
	unlock, err := r.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	t := r.tree(id)
	if name := filepath.Base(t.Dir); t.Branch == prefix || strings.Contains(name, "..") {
		return nil, errcode.New(errcode.Validation, "%q cannot be the name of a branch", id)
	}
	if t.own, err = t.registered(ctx); err != nil {
		return nil, err
	}
	if _, err := os.Stat(t.Dir); err == nil && t.own != nil {
		if t.Left, err = t.mend(); err != nil {
			return nil, err
		}
		return t, t.begun(ctx)
	}
	if to, err := t.leave(t.Dir, "worktree"); err != nil {
		return nil, err
	} else if to != "" {
		t.Left = []string{to}
	}
	if _, err := git(ctx, r.Dir, "worktree", "prune"); err != nil {
		return nil, err
	}
	args := []string{"worktree", "add", "--quiet", "-b", t.Branch, t.Dir, "HEAD"}
	if _, err := git(ctx, r.Dir, "rev-parse", "--verify", "--quiet", "refs/heads/"+t.Branch); err == nil {
		args = []string{"worktree", "add", "--quiet", t.Dir, t.Branch}
	}
	if _, err := git(ctx, r.Dir, args...); err != nil {
		return nil, t.elsewhere(ctx, err)
	}
	if t.own, err = t.registered(ctx); err != nil {
		return nil, err
	}
	return t, t.begun(ctx)
}

// elsewhere replaces the error of a worktree that can't be added because its branch is checked out in another one, for
// example that of the data folder from which the program's data was restored.
func (t *Tree) elsewhere(ctx context.Context, failed error) error {
	out, err := git(ctx, t.repo.Dir, "for-each-ref", "--format=%(worktreepath)", "refs/heads/"+t.Branch)
	if err != nil || out == "" {
		return failed
	}
	return errcode.New(errcode.Conflict, "the branch %s is checked out in %s, of another data folder of AgentFlow. "+
		"If no task runs there, remove it with git worktree remove %s, and run the task again", t.Branch, out, out).
		With(errcode.KeyReason, ReasonElsewhere).With("branch", t.Branch).With("folder", out)
}

func (t *Tree) begun(ctx context.Context) (err error) {
	from := "refs/heads/" + t.Branch
	if _, err := t.git(ctx, "rev-parse", "--verify", "--quiet", from); err != nil {
		from = "HEAD"
	}
	into := "refs/heads/" + t.repo.Branch
	if t.repo.Branch == "" {
		if into, err = git(ctx, t.repo.Dir, "rev-parse", "HEAD"); err != nil {
			return err
		}
	}
	t.Base, err = t.git(ctx, "merge-base", from, into)
	return err
}

// Changes lists the files changed by the work, committed or not, each with a letter: A added, M modified, D deleted.
func (t *Tree) Changes(ctx context.Context) ([]string, error) {
	if _, err := t.git(ctx, "add", "--all", "--intent-to-add"); err != nil {
		return nil, err
	}
	out, err := t.git(ctx, "diff", "--name-status", "--no-renames", "--ignore-submodules=dirty", "-z", t.Base)
	if err != nil || out == "" {
		return nil, err
	}
	var files []string
	letters := strings.Split(strings.TrimRight(out, "\x00"), "\x00") // a letter, a name, and so on
	for pair := range slices.Chunk(letters, 2) {
		files = append(files, strings.Join(pair, " "))
	}
	return files, nil
}

// Diff returns the changes of the work as text.
func (t *Tree) Diff(ctx context.Context) (string, error) {
	return t.git(ctx, "diff", "--ignore-submodules=dirty", t.Base)
}

// Into returns the branch that the work is merged into.
func (t *Tree) Into() string { return t.repo.Branch }

// Remove removes the worktree, and its branch if it is merged.
func (t *Tree) Remove(ctx context.Context) error {
	unlock, err := t.repo.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := git(ctx, t.repo.Dir, "worktree", "remove", "--force", t.Dir); err != nil {
		return err
	}
	_, _ = git(ctx, t.repo.Dir, "branch", "--quiet", "-d", t.Branch) // -d keeps an unmerged branch
	return nil
}

// git runs a Git command and returns its output without the last newline.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	return gitInto(ctx, &proc.HeadTailBuffer{Most: maxKept}, nil, dir, args...)
}

// gitInto is git with an output buffer and additional variables.
func gitInto(ctx context.Context, out *proc.HeadTailBuffer, more []string, dir string, args ...string) (string, error) {
	err := feed(ctx, out.Take, more, dir, args...)
	return strings.TrimRight(out.Text(), "\n"), err
}

// feed is git that passes on the output as it comes.
func feed(ctx context.Context, take func([]byte) error, more []string, dir string, args ...string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return errcode.New(errcode.NotFound, "there is no folder %s", dir)
	}
	res, err := proc.Run(
		ctx,
		proc.Command{
			Path:    "git",
			Args:    append([]string{"-c", "core.quotepath=false"}, args...),
			Dir:     dir,
			Env:     append(environment(), more...),
			Output:  take,
			Timeout: patience,
		},
	)
	switch said := strings.TrimSpace(res.Said); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return errcode.Wrap(errcode.Unavailable, err, "git cannot be run: %s", err.Error()).
			With(errcode.KeyReason, ReasonNoGit)
	case res.Code == 0:
		return nil
	case strings.Contains(said, ".lock': File exists"):
		return errcode.New(errcode.Conflict,
			"another git command holds the repository (%s). Wait for it, or remove the lock file if no git runs", said).
			With(errcode.KeyReason, ReasonLocked)
	default:
		said = strings.ReplaceAll(said, "\n", " ")
		command := subcommand(args)
		return errcode.New(errcode.Unavailable, "git %s failed: %s", command, said).
			With(errcode.KeyCause, "git_failed").With("command", command).With("said", said)
	}
}

// subcommand returns the name after Git's own options.
func subcommand(args []string) string {
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args[0]
}

// environment returns Git's environment: the person's own settings, no terminal prompts, no optional locks (a
// worker's own Git may be running), and a default identity for commits.
func environment() []string {
	out := []string{"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_EDITOR=true", "LC_ALL=C"}
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case strings.HasPrefix(name, "GIT_"), strings.HasPrefix(name, "LC_"), strings.HasPrefix(name, "AGENTFLOW_"):
		default:
			out = append(out, kv)
		}
	}
	return append(out, "GIT_AUTHOR_NAME=AgentFlow", "GIT_AUTHOR_EMAIL=agentflow@localhost",
		"GIT_COMMITTER_NAME=AgentFlow", "GIT_COMMITTER_EMAIL=agentflow@localhost")
}
