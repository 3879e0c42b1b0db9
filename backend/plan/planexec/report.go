package planexec

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runner"
	"agentflow/backend/plan/scheduler"
)

const (
	tailKept  = 16 << 10               // bytes of a worker's output
	tellEvery = 500 * time.Millisecond // interval for output and for a look at edits; statuses are reported at once
)

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
	p.Attempts, p.Passed = slices.Clone(p.Attempts), slices.Clone(p.Passed)
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
			at.Attempts = append(at.Attempts, planner.Attempt{Worker: r.order.Worker, StartedAt: now})
			at.Output, at.Passed = "", nil
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

// tell handles an event from the runner.
func (r *run) tell(id plan.ID, e runner.Event) {
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
	if line := lineOf(e); line != "" {
		at.Output = tail(at.Output + line + "\n")
	}
	at.dirty = true
}

func lineOf(e runner.Event) string {
	switch {
	case e.Worker != nil:
		return strings.TrimSpace(e.Worker.Text)
	case e.Type == runner.EventTest && e.ExitCode != nil:
		return strings.TrimSpace(fmt.Sprintf("test: %s\n%s", runner.ExitCode(*e.ExitCode), e.Text))
	case e.Type == runner.EventMerge && e.Merged:
		return "merged into " + e.Branch
	case e.Type == runner.EventResumed:
		return fmt.Sprintf("resumed after %d steps", e.Steps)
	case e.Type == runner.EventEnd || e.Text == "":
		return ""
	}
	return e.Type + ": " + strings.TrimSpace(e.Text)
}

// tail returns the end of a text, from a whole line on.
func tail(text string) string {
	if len(text) <= tailKept {
		return text
	}
	text = text[len(text)-tailKept:]
	if _, rest, ok := strings.Cut(text, "\n"); ok && rest != "" {
		return rest
	}
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
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
