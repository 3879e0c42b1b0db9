package planexec

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runner"
	"agentflow/backend/plan/scheduler"
)

// tellEvery is the interval for output and for a look at edits; statuses are reported at once.
const tellEvery = 500 * time.Millisecond

// report is the state of a task.
type report struct {
	planner.Progress
	dirty bool // changed since the last report
}

func (r *run) of(id plan.ID) *report {
	at := r.tasks[id]
	if at == nil {
		at = &report{}
		r.tasks[id] = at
	}
	return at
}

// put reports a task to the planner. A task that was removed from the plan is canceled without reports.
func (r *run) put(ctx context.Context, id plan.ID, at *report) error {
	at.dirty = false
	p := at.Progress
	p.Attempts, p.Passed, p.Own = slices.Clone(p.Attempts), slices.Clone(p.Passed), slices.Clone(p.Own)
	err := r.m.o.Planner.Report(context.WithoutCancel(ctx), r.id, id, p)
	if errcode.Is(err, errcode.NotFound) {
		_, err = r.m.o.Planner.Plan(r.id)
	}
	return err
}

// changed handles a status change from the scheduler.
func (r *run) changed(id plan.ID, to scheduler.Result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.of(id)
	now := time.Now().UTC()
	last := len(at.Attempts) - 1
	at.Status, at.Error, at.Cause = to.Status, to.Reason, to.Cause
	switch to.Status {
	case plan.Running:
		if last < 0 || !at.Attempts[last].EndedAt.IsZero() { // otherwise the attempt resumes
			at.Attempts = append(at.Attempts, planner.Attempt{StartedAt: now})
			at.Output, at.Own, at.Passed = "", nil, nil
		}
	case plan.Complete, plan.Failed:
		if to.Status == plan.Complete {
			at.Error, at.Cause = "", nil
		}
		if last >= 0 {
			at.Attempts[last].EndedAt, at.Attempts[last].Error = now, at.Error
		}
	}
	return r.put(r.ctx, id, at)
}

// ran notes that the worker of a task has started.
func (r *run) ran(id plan.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.of(id)
	if last := len(at.Attempts) - 1; last >= 0 && at.Attempts[last].Worker == "" {
		at.Attempts[last].Worker, at.dirty = r.order.Worker, true
	}
}

// tell handles an event from the runner.
func (r *run) tell(id plan.ID, e runner.Event) {
	if e.Type == runner.EventWorker || e.Type == runner.EventSpent {
		r.ran(id)
	}
	if e.Type == runner.EventSpent {
		if err := r.worked(e); err != nil {
			r.stop(err)
		}
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.of(id)
	switch e.Type {
	case runner.EventState:
		if e.State != plan.Planning && e.State != plan.Running && e.State != plan.Validating {
			return // the scheduler reports the other states
		}
		at.Status = e.State
		if err := r.put(r.ctx, id, at); err != nil {
			r.stop(err)
		}
		return
	case runner.EventVerdict:
		if last := len(at.Attempts) - 1; last >= 0 && e.Commit != "" {
			at.Attempts[last].Base, at.Attempts[last].Commit = e.Base, e.Commit
		}
	case runner.EventAssessment:
		at.Passed = nil
		for _, c := range e.Passed {
			if n, err := strconv.Atoi(strings.TrimPrefix(c, "AC-")); err == nil && n > 0 {
				at.Passed = append(at.Passed, n-1)
			}
		}
	}
	at.say(e)
	at.dirty = true
}

// tellOn reports the workers' output, and tells the scheduler about edits, until ctx ends.
func (r *run) tellOn(ctx context.Context) {
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := r.flush(ctx); err != nil {
				r.stop(err)
			}
			if now, err := r.m.o.Planner.Plan(r.id); err == nil && r.differs(now.Head) {
				r.wake()
			}
		case <-ctx.Done():
			return
		}
	}
}

func (r *run) differs(head int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return head != r.head
}

// flush reports pending output and the cost so far.
func (r *run) flush(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, at := range r.tasks {
		if !at.dirty {
			continue
		}
		if err := r.put(ctx, id, at); err != nil {
			return err
		}
	}
	if r.used.Tokens == r.counted {
		return nil
	}
	r.counted = r.used.Tokens
	return r.m.o.Planner.SetWork(ctx, r.id, r.used)
}

// retry resets a failed task, unless the run is closing.
func (r *run) retry(ctx context.Context, id plan.ID) (taken bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false, nil
	}
	if err := r.reopen(ctx, id); err != nil {
		return true, err
	}
	r.reset = true
	r.wake()
	return true, nil
}

func (r *run) reopen(ctx context.Context, id plan.ID) error {
	at := r.tasks[id]
	if at == nil || at.Status != plan.Failed {
		return errcode.New(errcode.Conflict, "the task %s has not failed", id).With(errcode.KeyReason, ReasonNotFailed)
	}
	at.Status, at.Error, at.Cause = plan.Pending, "", nil
	return r.put(ctx, id, at)
}
