package coordinator_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// The reason why a remote agent rejected a task is stored in the task, and once in its events.
func TestAG1_WhyAnAgentRejectedATaskIsTold(t *testing.T) {
	a := startAgent(t)
	a.mu.Lock()
	a.refuse = 2
	a.mu.Unlock()
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"))
	v := b.View()
	defer v.Close()
	sent := b.submit(task.CommandExecution, "ls", "")
	sees(t, v, func() bool { return reason(b, current(t, b, sent.ID)).Reason == coordinator.WaitsForRetry })
	waits := reason(b, current(t, b, sent.ID))
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
		t.Errorf("logged %d times", told)
	}
}

func current(t *testing.T, b *bench, id task.ID) task.Task {
	t.Helper()
	got, err := b.Task(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
