package runner

import (
	"context"
	"fmt"
	"strings"
	"time"

	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/worktree"
)

// Attempt is one run of a worker.
type Attempt struct {
	Prompt  string          `json:"prompt"`
	Verdict codecli.Verdict `json:"verdict"`
	Changes []string        `json:"changes"`        // since the start of the task
	Base    string          `json:"base,omitempty"` // together with Commit, the range of its commits
	Commit  string          `json:"commit,omitempty"`
	Done    bool            `json:"done"`
	Refused bool            `json:"refused,omitempty"` // the call was rejected: no worker ran
	Took    time.Duration   `json:"took"`
	// What isn't on the task's branch: another branch that the worker switched to, and folders with the history of
	// repositories that it created in the worktree.
	Aside string   `json:"aside,omitempty"`
	Left  []string `json:"left,omitempty"`
}

// collect commits a worker's changes to the task's branch.
func (w *work) collect(ctx context.Context, a *Attempt) error {
	tree := w.place.tree
	got, err := tree.Commit(ctx, w.commitTitle())
	if err != nil {
		return err
	}
	if a.Changes, err = tree.Changes(ctx); err != nil {
		return err
	}
	if a.Commit, err = tree.Head(ctx); err != nil {
		return err
	}
	a.Base = tree.Base
	a.judge(got)
	return nil
}

// commitTitle names an attempt as the plan counts it, with the number of its run of the worker if it has several.
// Without a plan, each run of the worker is an attempt, as in the note.
func (w *work) commitTitle() string {
	n := len(w.record.Attempts) + 1
	switch {
	case w.Attempt == 0:
		return fmt.Sprintf("%s (attempt %d)", w.Title, n)
	case n == 1:
		return fmt.Sprintf("%s (attempt %d)", w.Title, w.Attempt)
	}
	return fmt.Sprintf("%s (attempt %d, run %d)", w.Title, w.Attempt, n)
}

// judge decides whether the work is done, from the worker's report and the actual changes.
func (a *Attempt) judge(got worktree.Collected) {
	a.Aside, a.Left = got.Aside, got.Left
	var why []string
	if v := a.Verdict; v.Finished && v.Failed > 0 && v.Failed >= v.Commands && len(a.Changes) == 0 && a.Base != "" {
		why = append(why, fmt.Sprintf("all of its %d commands failed, and no file has changed", v.Commands))
	}
	if got.Aside != "" {
		why = append(why, "it left the branch of its task for another line of work. Nothing of that is taken; it is kept on the branch "+got.Aside)
	}
	if got.Submodules {
		why = append(why, "it has added submodules, which other worktrees would not hold: the files themselves have to be there, and .gitmodules gone")
	}
	a.Done = a.Verdict.Finished && len(why) == 0
	if len(why) > 0 {
		if a.Verdict.Reason != "" {
			why = append([]string{a.Verdict.Reason}, why...)
		}
		a.Verdict.Reason = strings.Join(why, "; ")
	}
}

// evidence describes an attempt for the planner, besides the worker's own words.
func (a *Attempt) evidence() string {
	text := "files changed: " + list(a.Changes)
	if len(a.Left) > 0 {
		text += "\n" + ownRepositories(a.Left)
	}
	if a.Verdict.Reason != "" {
		text = "the worker did not finish: " + a.Verdict.Reason + "\n" + text
	}
	return text
}

func ownRepositories(left []string) string {
	return "the worker made repositories of its own in the worktree: their files are taken, their history is kept in " + list(left)
}
