package runner

import (
	"context"
	"path/filepath"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/worktree"
)

// SpanOf returns the changes of a task's work, up to a commit or, if commit is empty, up to now. dir is Options.Dir.
// Without a worktree or Git it returns NOT_FOUND.
func SpanOf(ctx context.Context, dir string, t Task, base, commit string) (worktree.Span, error) {
	r, err := worktree.Look(ctx, t.Repo, filepath.Join(dir, treesDir, folder(t.Repo)))
	if errcode.HasReason(err, worktree.ReasonNoGit) {
		return worktree.Span{}, errcode.New(errcode.NotFound,
			"couldn't tell what the work changed, because %s isn't in a Git repository", t.Repo).
			With(errcode.KeyReason, worktree.ReasonNoGit)
	}
	if err != nil {
		return worktree.Span{}, err
	}
	if commit != "" {
		return worktree.Span{Dir: r.Dir, Base: base, Commit: commit}, nil
	}
	tree, err := r.Find(ctx, t.ID)
	if err != nil {
		return worktree.Span{}, err
	}
	if tree == nil {
		return worktree.Span{}, errcode.New(errcode.NotFound,
			"there is no worktree of the task: nothing of it was worked, or it was worked before changes were kept")
	}
	return tree.Span(), nil
}
