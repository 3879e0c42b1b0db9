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
	log := ""
	if t.Reviewed() {
		accepted, remarks, err := task.ReadVerdict(result)
		if err != nil {
			return false, errcode.From(err).With(task.KeyAgent, string(a.agent))
		}
		if !accepted {
			next = t.Review.Refuse(string(a.agent), remarks)
			log = fmt.Sprintf("%s did not accept the work of %s: %s", a.agent, next.By, remarks)
			if n := len(next.Refusals); n >= task.MaxRefusals {
				why := task.RefusedWork(n, string(a.agent), remarks)
				return false, m.step(ctx, t,
					task.Step{Review: next, Log: log, Error: why.Message, Cause: errcode.CauseOf(why)})
			}
			return true, m.step(ctx, t, task.Step{Review: next, Log: log})
		}
		next = t.Review.Accept(string(a.agent))
		log = fmt.Sprintf("%s accepted the work of %s", a.agent, next.By)
	}
	return m.handOn(ctx, t, next, task.Step{Log: log})
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
