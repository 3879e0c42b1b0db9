package coordinator_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"agentflow/backend/coordinator"
	"agentflow/backend/task"
	"agentflow/backend/worker"
)

// What an agent elsewhere says when it rejects a task is told with the task, and once in its events.
func TestAG1_WhyAnAgentRejectedATaskIsTold(t *testing.T) {
	a := startAgent(t)
	a.mu.Lock()
	a.refuse = 2
	a.mu.Unlock()
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"))
	sent := b.submit(task.CommandExecution, "ls", "")
	var waits *coordinator.Waits
	for until := time.Now().Add(time.Minute); waits == nil || waits.Reason != coordinator.WaitsForRetry; time.Sleep(10 * time.Millisecond) {
		got, err := b.Task(t.Context(), sent.ID)
		if err != nil || time.Now().After(until) {
			t.Fatal(waits, err)
		}
		waits = b.Waits(got)
	}
	if len(waits.Agents) != 1 || waits.Agents[0].Agent != "dev-1" || !strings.Contains(waits.Agents[0].Why, "busy") || waits.Agents[0].Cause == nil || waits.Agents[0].Cause.Code != "agent_rejected" {
		t.Errorf("it waits for %+v", waits)
	}
	<-a.came
	if ok, err := b.report("dev-1", sent.ID, worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{}`)}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	b.ended(sent.ID)
	told := 0
	for _, e := range b.watch(sent.ID, 0) {
		if e.Type == task.EventLog && strings.Contains(e.Text, "rejected the task for now: busy") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
