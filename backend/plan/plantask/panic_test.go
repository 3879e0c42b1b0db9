package plantask

import (
	"context"
	"testing"

	"agentflow/backend/base/safego"
	"agentflow/backend/model/tool"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
	"agentflow/backend/work/worker"
)

// nobody never answers questions.
type nobody struct{}

func (nobody) Ask(ctx context.Context, _ tool.Question) (tool.Verdict, error) {
	<-ctx.Done()
	return tool.Verdict{}, context.Cause(ctx)
}

// A panic in the goroutine that waits for the decision withdraws the question and fails the errand.
func TestTR5_APanicInTheWaitForAJudgementFailsOneErrand(t *testing.T) {
	e := &taskRun{Worker: &Worker{Asker: nobody{}}, tell: func(worker.Update) error { return nil }} // without a planner
	if err := e.asked(t.Context(), &planner.Shown{Proposal: planner.Proposal{Patch: &plan.Patch{}}}); !safego.Is(err) {
		t.Errorf("%v", err)
	}
}
