package coordinator

import (
	"testing"

	"agentflow/backend/work/worker"
)

// TestCO4_Fault18_BeforeAnAttemptBeginsNoReportIsAboutIt: while the hub checks that the agent can be reached, reports
// are about the previous attempt.
func TestCO4_Fault18_BeforeAnAttemptBeginsNoReportIsAboutIt(t *testing.T) {
	for _, c := range []struct {
		attach         bool
		number, report int
		fenced         bool
	}{
		{false, 0, 1, true}, {false, 0, 0, true}, {true, 0, 1, false}, {true, 0, 0, false},
		{false, 2, 1, true}, {false, 2, 2, false}, {false, 2, 0, false}, {true, 1, 2, true},
	} {
		a := &attempt{attach: c.attach}
		a.number.Store(int64(c.number))
		if got := a.fences(worker.Report{Attempt: c.report}); got != c.fenced {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
