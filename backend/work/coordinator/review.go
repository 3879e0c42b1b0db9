package coordinator

import (
	"context"
	"encoding/json"
	"fmt"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/task"
)

// handleResult decides what follows a result: the task's end, a review, or, after a reviewer's verdict, possibly the work
// again.
func (m *Machine) handleResult(
	ctx context.Context,
	a *attempt,
	t *task.Task,
	result json.RawMessage,
) (again bool, err error) {
	next := t.Done(string(a.agent), result)
	var s task.Step
	if t.Reviewed() {
		accepted, remarks, err := task.ReadVerdict(result)
		if err != nil {
			return false, errcode.From(err).With(task.KeyAgent, string(a.agent))
		}
		if !accepted {
			s.Review = t.Review.Refuse(string(a.agent), remarks)
			s.Log = fmt.Sprintf("%s did not accept the work of %s: %s", a.agent, t.Review.By, remarks)
			s.Cause = task.Verdict(false, string(a.agent), t.Review.By, remarks)
			if n := len(s.Review.Refusals); n >= task.MaxRefusals {
				why := task.RefusedWork(n, string(a.agent), remarks)
				s.Error, s.Cause = why.Message, errcode.CauseOf(why)
				return false, m.step(ctx, t, s)
			}
			return true, m.step(ctx, t, s)
		}
		next = t.Review.Accept(string(a.agent))
		s.Log = fmt.Sprintf("%s accepted the work of %s", a.agent, next.By)
		s.Cause = task.Verdict(true, string(a.agent), next.By, "")
	}
	return m.handOn(ctx, t, next, s)
}

// handOn passes a result to its next reviewer, or ends the task with it if there is none.
func (m *Machine) handOn(ctx context.Context, t *task.Task, next *task.Review, s task.Step) (again bool, err error) {
	look := *t
	look.Review = next
	if m.eligibility.Reviewer(&look) != "" {
		s.Review = next
		return true, m.step(ctx, t, s)
	}
	if s.Result = next.Result; t.Review != nil {
		s.Review = next
	}
	return false, m.step(ctx, t, s)
}
