package coordinator

import (
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/task"
)

// The time that a task waits for trust again doesn't count toward its limit.
func TestTR1_AWithdrawnAttemptDoesNotStartTheClock(t *testing.T) {
	w := stopwatch{since: map[task.ID]start{}}
	now := time.Now()
	withdrawn := task.Attempt{StartedAt: now.Add(-time.Hour), Cause: &errcode.Cause{Code: trust.ReasonWaits}}
	if got := w.elapsed(&task.Task{ID: "t", Attempts: []task.Attempt{withdrawn}}); got != 0 {
		t.Errorf("a waiting task: %v", got)
	}
	again := task.Task{ID: "t", Attempts: []task.Attempt{withdrawn, {StartedAt: now.Add(-time.Minute)}}}
	if got := w.elapsed(&again); got < time.Minute || got > time.Hour/2 {
		t.Errorf("the second attempt: %v", got)
	}
}
