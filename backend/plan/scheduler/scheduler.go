// Package scheduler runs a plan. A task starts when all its dependencies are complete, up to a number in parallel,
// and never two that may change the same files. A failed task blocks its dependents, with a reason. The scheduler
// doesn't know how a task is run.
package scheduler

import (
	"context"
	"errors"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/plan"
)

// MaxParallel limits the number of parallel tasks.
const MaxParallel = 32

// Result is a status of a task, and why it has it. A task ends as Complete or Failed.
type Result struct {
	Status plan.Status
	Reason string
	Cause  *errcode.Cause // the reason in a word, for a page in any language; nil: unknown
}

// Causes of a blocked task.
const (
	causeFailedBefore  = "waits_for_failed"
	causeBlockedBefore = "waits_for_blocked"
)

// Options configure Run.
type Options struct {
	Plan *plan.Plan
	// Latest returns the plan as it is now, or nil if it hasn't changed since the last call. A task starts as the latest
	// plan has it. A running task doesn't change, but is canceled if it was removed. nil: nobody edits the plan.
	Latest    func(ctx context.Context) (*plan.Plan, error)
	Edited    <-chan struct{}          // receives after edits, so that new tasks needn't wait for others to end
	Conflicts []plan.PotentialConflict // files that several tasks may change
	Parallel  int                      // 1 to MaxParallel
	// Work runs one task to its end. Its error ends the plan: the other tasks are canceled with it as the cause, and
	// resume when the plan is run again.
	Work func(ctx context.Context, t plan.Task) (Result, error)
	// Changed is called for each change of a status, one at a time, before it has any effect. Its error ends the
	// plan, like one of Work.
	Changed func(id plan.ID, to Result) error
	// Phase is called before the first task of a phase starts; a rejected phase isn't started. nil approves all.
	Phase func(ctx context.Context, phase string) (bool, error)
}

// Summary is the state of the plan.
type Summary struct {
	Complete int       `json:"complete"`
	Failed   []plan.ID `json:"failed"`
	Blocked  []plan.ID `json:"blocked"` // because of failed tasks
	Open     int       `json:"open"`    // all others: not approved, or not started
}

// Run runs the plan until nothing more can start, and returns once all running tasks have ended. Tasks are the leaves
// of the tree; a parent is complete when its children are. A COMPLETE or FAILED task stays so; a task that was
// running resumes.
func Run(ctx context.Context, o Options) (Summary, error) {
	if o.Parallel < 1 || o.Parallel > MaxParallel {
		return Summary{}, errcode.New(errcode.Validation,
			"the number of tasks at once must be 1 to %d, not %d", MaxParallel, o.Parallel).
			With(errcode.KeyField, "parallel")
	}
	b := newBoard(o)
	if err := b.settle(); err != nil {
		return Summary{}, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var failure error
	fail := func(err error) {
		if err != nil && failure == nil {
			failure = err
			stop(err)
		}
	}
	for {
		for failure == nil && ctx.Err() == nil {
			started, err := b.startNext(ctx)
			fail(err)
			if !started {
				break
			}
		}
		if len(b.running) == 0 {
			break
		}
		select {
		case <-o.Edited:
		case e := <-b.ended:
			fail(b.take(e))
		}
	}
	if failure == nil && ctx.Err() != nil {
		failure = context.Cause(ctx)
	}
	return b.summary(), failure
}

// errRemoved cancels a task that an edit removed.
var errRemoved = errors.New("scheduler: the task was removed from the plan")

type end struct {
	id     plan.ID
	result Result
	err    error
}

// startNext starts a task that can start now, if there is one.
func (b *board) startNext(ctx context.Context) (bool, error) {
	if err := b.refresh(ctx); err != nil {
		return false, err
	}
	t, err := b.next(ctx)
	if err != nil || t == nil {
		return false, err
	}
	id := t.ID
	if err := b.set(id, Result{Status: plan.Running}); err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r := &running{t, cancel, false}
	b.running[id] = r
	if err := b.refresh(ctx); err != nil || r.removed { // what was edited before the task was seen to run
		cancel(nil)
		delete(b.running, id)
		return err == nil, err
	}
	t = b.tasks[id]
	r.task = t
	go func(t plan.Task) {
		r, err := safego.Value(ctx, nil, "a task of a plan", func() (Result, error) { return b.o.Work(ctx, t) })
		b.ended <- end{t.ID, r, err}
	}(*t)
	return true, nil
}

// refresh continues with the latest plan.
func (b *board) refresh(ctx context.Context) error {
	if b.o.Latest == nil {
		return nil
	}
	p, err := b.o.Latest(ctx)
	if err != nil || p == nil {
		return err
	}
	b.load(p)
	for id, r := range b.running {
		if b.tasks[id] == nil {
			r.removed = true
			r.cancel(errRemoved)
		} else {
			b.status[id] = plan.Running
		}
	}
	return b.settle()
}

// take handles the end of a task.
func (b *board) take(e end) error {
	r := b.running[e.id]
	r.cancel(nil)
	delete(b.running, e.id)
	if r.removed {
		if b.tasks[e.id] == nil {
			return nil
		}
		return b.set(e.id, Result{Status: plan.Pending}) // the person has taken the removal back
	}
	if safego.Is(e.err) { // a panic fails only this task
		e.result, e.err = Result{plan.Failed, errcode.From(e.err).Message, errcode.CauseOf(e.err)}, nil
	}
	if e.err != nil {
		return e.err
	}
	return b.finish(e.id, e.result)
}
