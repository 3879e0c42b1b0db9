package coordinator_test

import (
	"encoding/json"
	"testing"
	"time"

	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// A silent agent is asked for its status and keeps the task while it works on it. No second agent gets the task,
// however many leases expire.
func TestAG2_WhoIsSilentAtWorkKeepsTheTask(t *testing.T) {
	a, other := startAgent(t), startAgent(t)
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"), elsewhere("rev-1", other.URL, "REV_SECRET"))
	b.stop()
	b.opts.Lease = 30 * time.Millisecond
	b.start()
	sent := b.submit(task.Chat, "p", "")
	<-a.came
	for len(a.looked) > 0 { // requests from before it had the task
		<-a.looked
	}
	began := time.Now()
	for range 10 { // it is asked three times per lease
		<-a.looked
	}
	if took := time.Since(began); took < 2*b.opts.Lease {
		t.Errorf("it was asked ten times within %s", took)
	}
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Attempt: 1, Status: worker.ReportCompleted, Result: json.RawMessage(`{"n":1}`)}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := b.ended(sent.ID); got.Status != task.Completed || len(got.Attempts) != 1 || a.jobs() != 1 || other.jobs() != 0 {
		t.Errorf("started %d and %d times: %+v", a.jobs(), other.jobs(), got)
	}
}
