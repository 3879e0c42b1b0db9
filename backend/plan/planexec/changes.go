package planexec

import (
	"context"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runner"
	"agentflow/backend/plan/worktree"
)

// TaskChanges are the changes of one attempt of a task.
type TaskChanges struct {
	Attempt int                    `json:"attempt" doc:"Number of the attempt, from 1."`
	Live    bool                   `json:"live,omitempty" doc:"The task is running. These are the files in its worktree now."`
	Files   []worktree.TouchedFile `json:"files"`
}

// Changes lists the changes of an attempt of a task; attempts count from 1, 0 is the last.
func (m *Machine) Changes(ctx context.Context, id planner.ID, task plan.ID, attempt int) (TaskChanges, error) {
	span, out, err := m.span(ctx, id, task, attempt)
	if err != nil {
		return TaskChanges{}, err
	}
	out.Files, err = span.Files(ctx)
	return out, err
}

// File returns one of those files before and after.
func (m *Machine) File(
	ctx context.Context,
	id planner.ID,
	task plan.ID,
	attempt int,
	path string,
) (worktree.Sides, error) {
	span, _, err := m.span(ctx, id, task, attempt)
	if err != nil {
		return worktree.Sides{}, err
	}
	return span.Sides(ctx, path)
}

func (m *Machine) span(
	ctx context.Context,
	id planner.ID,
	task plan.ID,
	attempt int,
) (worktree.Span, TaskChanges, error) {
	p, err := m.o.Planner.Get(ctx, id)
	if err != nil {
		return worktree.Span{}, TaskChanges{}, err
	}
	tries := p.Progress[task].Attempts
	if p.Work != nil && p.Work.Held { // git would run in a folder that no person has seen
		return worktree.Span{}, TaskChanges{}, errHeld()
	}
	if attempt == 0 {
		attempt = len(tries)
	}
	t, there := p.Plan.Task(task)
	if !there || p.Work == nil || attempt < 1 || attempt > len(tries) {
		return worktree.Span{}, TaskChanges{}, errcode.New(errcode.NotFound, "the task %s has no such try", task)
	}
	try := tries[attempt-1]
	out := TaskChanges{Attempt: attempt, Live: try.EndedAt.IsZero()}
	if out.Live {
		try.Commit = ""
	} else if try.Commit == "" {
		return worktree.Span{}, TaskChanges{}, errcode.New(errcode.NotFound,
			"this try has changed nothing that was kept")
	}
	r := run{id: id, order: p.Work.Order}
	span, err := runner.SpanOf(ctx, m.o.Dir, r.as(*t), try.Base, try.Commit)
	return span, out, err
}
