package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/worktree"
)

// merged is the result of the merge.
type merged struct {
	Done    bool     `json:"done"`
	Problem *Problem `json:"problem,omitempty"`
	Of      string   `json:"of,omitempty"` // the task's work order
}

// askMerge asks whether the work may be merged, and shows what it changes.
func (w *work) askMerge(ctx context.Context) (ok bool, reply string, err error) {
	tree := w.place.tree
	files, err := tree.Changes(ctx)
	if err != nil {
		return false, "", err
	}
	diff, err := tree.Diff(ctx)
	if err != nil {
		return false, "", err
	}
	return w.o.Merge(ctx, Merging{
		Branch: tree.Branch, Into: tree.Into(), Files: files, Diff: diff, Test: w.Test, Tested: w.record.Test,
	})
}

// merge merges the work into the person's branch, or returns why it can't.
func (w *work) merge(ctx context.Context) (*Problem, error) {
	if w.place.tree == nil {
		return nil, nil
	}
	m, err := step(w.journal, stepMerge, func(bool) (merged, error) {
		problem, err := w.tryMerge(ctx)
		return merged{Done: err == nil && problem == nil, Problem: problem, Of: w.workOrder()}, err
	})
	if err != nil {
		return nil, err
	}
	if m.Problem != nil {
		tree := w.place.tree
		w.tell(Event{
			Type: EventMerge, Text: m.Problem.Message, Branch: tree.Branch, Cause: unmerged(m.Problem, tree),
		})
		return m.Problem, nil
	}
	w.tell(Event{Type: EventMerge, Branch: w.place.repo.Branch, Merged: true})
	if err := w.place.tree.Remove(ctx); err != nil && ctx.Err() == nil {
		dir := w.place.tree.Dir
		w.warn("the worktree "+dir+" is left: "+errcode.From(err).Message, "worktree_left", "folder", dir)
	}
	return nil, nil
}

// tryMerge merges the work, if that is approved. Nobody is asked about work that can't be merged, or is already.
func (w *work) tryMerge(ctx context.Context) (*Problem, error) {
	tree := w.place.tree
	left, err := tree.Mergeable(ctx)
	if err == nil && left && w.o.Merge != nil {
		yes, reply, err := w.askMerge(ctx)
		if err != nil || !yes {
			why := "the merge was not approved; the work is on the branch " + tree.Branch
			if reply != "" {
				why += ". The reply was: " + reply
			}
			return &Problem{Code: errcode.Forbidden, Message: why, Reply: reply}, err
		}
	}
	if err == nil && left {
		err = tree.Merge(ctx, w.Title)
	}
	if errcode.Is(err, errcode.Conflict) {
		e := errcode.From(err)
		files, _ := e.Details["files"].([]string)
		return &Problem{Code: e.Code, Reason: e.Reason(), Message: e.Message, Files: files}, nil
	}
	return nil, err
}

// resumed is how a task goes on whose work was complete, but couldn't be merged.
type resumed struct {
	Reason    string   `json:"reason,omitempty"`    // why the work was complete, if only its merge is left
	Conflicts []string `json:"conflicts,omitempty"` // files in which conflicts have to be resolved
	Base      string   `json:"base,omitempty"`      // the commit with which they conflict
}

// resume decides how a task goes on whose last run ended with work that couldn't be merged, or with conflicts that
// weren't resolved: by the merge alone, or, where both sides changed the same lines, by a worker that resolves the
// conflicts in its worktree. For all other tasks, the result is empty.
func (w *work) resume(ctx context.Context) (resumed, error) {
	tree := w.place.tree
	if tree == nil || (w.unmerged == "" && len(w.conflicts) == 0 && !w.journal.startsWith(stepResume)) {
		return resumed{}, nil
	}
	r, err := step(w.journal, stepResume, func(interrupted bool) (r resumed, err error) {
		if interrupted {
			if err := tree.Discard(ctx); err != nil {
				return r, err
			}
		}
		_, err = tree.Mergeable(ctx)
		switch {
		case errcode.HasReason(err, worktree.ReasonConflict):
			r.Conflicts, err = tree.Join(ctx)
		case err != nil && !errcode.Is(err, errcode.Conflict): // the merge meets a conflict again, and reports it
			return r, err
		case len(tree.Marked(w.conflicts)) > 0: // the last worker committed them
			r.Conflicts, err = w.conflicts, nil
		default:
			r.Reason, err = w.unmerged, nil
		}
		r.Base = tree.Base
		return r, err
	})
	if err != nil || len(r.Conflicts) == 0 {
		w.conflicts = nil
		return r, err
	}
	tree.Base, w.conflicts = r.Base, r.Conflicts
	files := list(r.Conflicts)
	w.warn("the branch "+tree.Into()+" was merged into the worktree, where the worker resolves the conflicts in "+files,
		"conflicts_given", "files", files)
	return r, nil
}

// lastResult tells the planner about the conflicts, as if a worker had left them.
func (r resumed) lastResult(into string) meta.WorkerResult {
	return meta.WorkerResult{Exists: true, ExitCode: 1, Evidence: "The work was complete, but meanwhile the branch " +
		into + " got other changes at the same places. That branch was merged into the worktree. These files have " +
		"conflict markers (<<<<<<<, =======, >>>>>>>): " + list(r.Conflicts) + ". The worker has to resolve every " +
		"conflict so that both changes are kept where possible, remove all markers, and check the result."}
}

// unresolved returns what is missing while files have conflict markers.
func (w *work) unresolved() (*unmet, error) {
	if len(w.conflicts) == 0 {
		return nil, nil
	}
	files, err := step(w.journal, stepMarked, func(bool) ([]string, error) {
		return w.place.tree.Marked(w.conflicts), nil
	})
	if err != nil || len(files) == 0 {
		return nil, err
	}
	return &unmet{text: "there are conflict markers in " + list(files), marked: files}, nil
}

// workOrder identifies what the worker was asked to do, so that a changed task isn't taken for one that only waits for
// its merge.
func (w *work) workOrder() string {
	data, err := json.Marshal([]any{w.PRD, w.Criteria})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// recall reads from the steps of a run that has ended what it left: work that couldn't be merged, or conflicts.
func (w *work) recall(ended []entry) {
	var out Outcome
	var m merged
	var r resumed
	n := len(ended)
	if ended[0].Step == stepResume && json.Unmarshal(ended[0].Value, &r) == nil {
		w.conflicts = r.Conflicts
	}
	if n < 2 || ended[n-2].Step != stepMerge ||
		json.Unmarshal(ended[n-1].Value, &out) != nil || json.Unmarshal(ended[n-2].Value, &m) != nil {
		return
	}
	if m.Problem != nil && m.Problem.Code == errcode.Conflict && m.Of == w.workOrder() {
		w.unmerged = cmp.Or(out.Reason, "the work was complete already")
	}
}
