package worktree

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
)

// Merge merges the work into the person's branch. It creates the merge commit outside the work tree, so that a
// conflict changes nothing. If the work is already merged, it does nothing. Errors are CONFLICT with details.reason
// and, for conflicts, details.files.
func (t *Tree) Merge(ctx context.Context, message string) error {
	r := t.repo
	unlock, err := r.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	head, tree, err := t.joined(ctx)
	if err != nil || tree == "" {
		return err
	}
	commit, err := git(ctx, r.Dir, "-c", "commit.gpgSign=false", "commit-tree", tree, "-p", head, "-p", t.Branch, "-m",
		message)
	if err != nil {
		return err
	}
	if _, err := git(ctx, r.Dir, "merge", "--ff-only", "--quiet", commit); err != nil {
		if errcode.HasReason(err, ReasonLocked) {
			return t.kept(errcode.From(err))
		}
		return t.kept(
			errcode.Wrap(errcode.Conflict, err,
				"the merge would touch files in %s that are not committed; nothing was changed there. %s",
				r.Dir, errcode.From(err).Message).
				With(errcode.KeyReason, ReasonDirty),
		)
	}
	return nil
}

// Mergeable returns whether there is work to merge, or the error that Merge would return for it. It changes nothing,
// and doesn't see uncommitted files of the person that would be in the way.
func (t *Tree) Mergeable(ctx context.Context) (bool, error) {
	unlock, err := t.repo.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	_, tree, err := t.joined(ctx)
	return tree != "", err
}

// joined returns the last commit of the person's branch, and the Git tree of it with the work; "" if the work is
// already merged. The repository must be locked.
func (t *Tree) joined(ctx context.Context) (head, tree string, err error) {
	r := t.repo
	now, err := git(ctx, r.Dir, "symbolic-ref", "--short", "--quiet", "HEAD")
	if err != nil || now != r.Branch {
		return "", "", t.kept(
			errcode.New(errcode.Conflict,
				"the work began on the branch %s, which is not checked out any more", r.Branch).
				With(errcode.KeyReason, ReasonDetached),
		)
	}
	if _, err := git(ctx, r.Dir, "merge-base", "--is-ancestor", t.Branch, "HEAD"); err == nil {
		return "", "", nil
	}
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge", "rebase-apply"} {
		path, err := git(ctx, r.Dir, "rev-parse", "--git-path", name)
		if err != nil {
			return "", "", err
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.Dir, path)
		}
		if _, err := os.Stat(path); err == nil {
			return "", "", t.kept(
				errcode.New(errcode.Conflict, "a merge or rebase is going on in %s: finish it first", r.Dir).
					With(errcode.KeyReason, ReasonOngoing),
			)
		}
	}
	if head, err = git(ctx, r.Dir, "rev-parse", "HEAD"); err != nil {
		return "", "", err
	}
	tree, err = git(ctx, r.Dir, "merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", head, t.Branch)
	tree = strings.TrimRight(tree, "\x00")
	if err != nil {
		if files := strings.Split(tree, "\x00"); len(files) > 1 {
			return "", "", t.kept(
				errcode.New(errcode.Conflict,
					"the work and the branch %s change the same places of %s", r.Branch, strings.Join(files[1:], ", ")).
					With(errcode.KeyReason, ReasonConflict).
					With("files", files[1:]),
			)
		}
		return "", "", err
	}
	return head, tree, nil
}

// Join merges the person's branch into the worktree, where a worker resolves the conflicts. It returns the files that
// have conflict markers now, also those of a merge that is in progress there. Commit keeps the result as a merge
// commit; Discard ends it.
func (t *Tree) Join(ctx context.Context) (conflicts []string, err error) {
	unlock, err := t.repo.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	into, err := git(ctx, t.repo.Dir, "rev-parse", "refs/heads/"+t.repo.Branch)
	if err != nil {
		return nil, err
	}
	_, failed := t.git(ctx, "-c", "core.hooksPath=/dev/null", "-c", "merge.conflictStyle=merge", "merge", "--no-commit",
		"--no-ff", "--quiet", into)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	out, err := t.git(ctx, "diff", "--name-only", "--diff-filter=U", "-z")
	if err != nil {
		return nil, err
	}
	if out == "" {
		return nil, failed
	}
	t.Base = into
	return strings.Split(strings.TrimRight(out, "\x00"), "\x00"), nil
}

// Marked returns those of the files that have a line with a conflict marker of Git.
func (t *Tree) Marked(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(name string) bool {
		path := filepath.Join(t.Dir, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > markedMost {
			return true
		}
		data, err := os.ReadFile(path)
		return err != nil || !marker.Match(data)
	})
}

// markedMost is the size of the largest file in which markers are looked for.
const markedMost = 16 << 20

var marker = regexp.MustCompile(`(?m)^(<{7} |>{7} )`)

// kept adds to an error where the work is, and what to do.
func (t *Tree) kept(e *errcode.Error) *errcode.Error {
	e.Message += ". The work is kept on the branch " + t.Branch + ": run git merge " + t.Branch + " when you are ready"
	return e.With("branch", t.Branch)
}
