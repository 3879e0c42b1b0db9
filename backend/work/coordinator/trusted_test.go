package coordinator_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/coordinator/activity"
	"agentflow/backend/work/task"
)

// A revoke during an attempt takes the task back from the agent. The log names the agent, and the next attempt has the
// number that the task gives it.
func TestTR1_ARevokeDuringAnAttempt(t *testing.T) {
	b := newBench(t, dev("dev-1"))
	b.stop()
	var revoked atomic.Bool
	b.opts.Trusts = func(*topology.Agent) error {
		if revoked.Load() {
			return errors.New("not allowed")
		}
		return nil
	}
	began := make(chan llm.Request, 1)
	b.models.answer = waits(began)
	b.start()
	v := b.View()
	defer v.Close()
	sent := b.submit(task.Chat, "p", "")
	<-began
	revoked.Store(true)
	b.Trusted()
	sees(t, v, func() bool {
		w := b.Waits(current(t, b, sent.ID))
		return w != nil && w.Reason == coordinator.WaitsForTrust
	})
	if c, err := b.Count(t.Context()); err != nil || c.ByStatus[task.InProgress] != 1 || c.Queued != 1 {
		t.Errorf("the numbers of tasks are %+v, %v", c, err)
	}
	list, err := b.Summaries(t.Context(), coordinator.Query{Limit: 1})
	if err != nil || len(list) != 1 || !list[0].Queued {
		t.Errorf("the list has %+v, %v", list, err)
	}
	if got := current(t, b, sent.ID); len(got.Attempts) != 1 || !got.Attempts[0].Withdrawn() || got.Tries() != 0 {
		t.Errorf("the withdrawn attempt: %+v, %d tries", got.Attempts, got.Tries())
	}
	for _, a := range b.Work().Agents {
		if a.State == activity.AgentFailed || a.Why != "" {
			t.Errorf("the agent: %+v", a)
		}
	}
	b.models.mu.Lock()
	b.models.answer = says("done")
	b.models.mu.Unlock()
	revoked.Store(false)
	b.Trusted()
	if got := b.ended(sent.ID); got.Status != task.Completed || len(got.Attempts) != 2 {
		t.Errorf("%s after %d attempts", got.Status, len(got.Attempts))
	}
	var attempts []int
	named := false
	for _, e := range b.watch(sent.ID, 0) {
		if e.Agent != "" {
			attempts = append(attempts, e.Attempt)
		}
		if e.Type == task.EventLog && e.Cause != nil && e.Cause.Code == trust.ReasonWaits {
			named = e.Cause.Params["agent"] == "dev-1"
		}
	}
	if !slices.Equal(attempts, []int{1, 2}) || !named {
		t.Errorf("the attempts are %v, the agent is named: %v", attempts, named)
	}
}
