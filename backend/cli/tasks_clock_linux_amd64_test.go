package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/work/task"
)

// elsewhere is an agent on a separate socket that accepts tasks and never works on them.
type elsewhere struct {
	*httptest.Server
	c      *child
	came   chan string
	asked  chan struct{} // once for each time that the hub asks what it does
	at     atomic.Value  // the task's id
	secret string
}

func startElsewhere(t *testing.T, secret string) *elsewhere {
	t.Helper()
	a := &elsewhere{came: make(chan string, 10), asked: make(chan struct{}, 1000), secret: secret}
	a.at.Store("")
	mux := http.NewServeMux()
	mux.HandleFunc("POST /tasks", func(w http.ResponseWriter, r *http.Request) {
		var job struct{ TaskID string }
		_ = json.NewDecoder(r.Body).Decode(&job)
		a.at.Store(job.TaskID)
		_, _ = w.Write([]byte(`{"status":"accepted"}`))
		a.came <- job.TaskID
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).
			Encode(map[string]any{"agentName": "dev-1", "role": "Developer", "status": "busy", "currentTask": a.at.Load()})
		a.asked <- struct{}{}
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

// given waits until the agent is given the task.
func (a *elsewhere) given(t *testing.T, id string) {
	t.Helper()
	select {
	case <-a.came:
	case <-time.After(time.Minute):
		var got task.Task
		err := a.c.Call(t.Context(), http.MethodGet, "/tasks/"+id, nil, &got)
		t.Fatalf("it is not given: %s %q %v", got.Status, got.ErrorMessage, err)
	}
}

// tell says something of a task as the agent does.
func (a *elsewhere) tell(t *testing.T, path string, in, out any) {
	t.Helper()
	as, err := hubclient.New(a.c.URL(), a.secret)
	if err != nil {
		t.Fatal(err)
	}
	defer as.Close()
	if err := as.Call(t.Context(), http.MethodPost, path, in, out); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// The hub's calendar jumps by a day, to and fro, while an agent holds a task: its lease, its time
// and what is left of it for a part that is given on are as before (fault 13).
func TestCO4_Fault13_TheClockJumpsUnderARunningLease(t *testing.T) {
	a := startElsewhere(t, "secret-of-24-bytes-of-dev-1")
	c := startChild(t, t.TempDir(), "AGENTFLOW_AGENT_DEV="+a.secret)
	a.c = c
	apply(t, c, fmt.Sprintf(`agents:
  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [dev-1]}}
  dev-1: {name: Far, role: Developer, url: %q, secretEnv: AGENTFLOW_AGENT_DEV, subagents: {allowAgents: [dev-2]}}
  dev-2: {name: Near, role: Developer, model: demo/echo}
`, a.URL))
	enginetest.Trust(t, c.Client, "local")
	clock := clockOf(t, c.cmd.Process.Pid)
	var sent struct{ TaskID string }
	wish := map[string]any{"agent": "dev-1", "timeoutSec": 3600, "budget": map[string]any{"seconds": 3600}}
	if err := c.Call(t.Context(), http.MethodPost, "/submit_task", map[string]any{"sessionId": "s", "userPrompt": "p", "taskType": "chat", "context": wish}, &sent); err != nil {
		t.Fatal(err)
	}
	for n, jump := range []time.Duration{24 * time.Hour, -24 * time.Hour, 0} {
		a.given(t, sent.TaskID)
		clock.set(jump)
		for range rounds(0, 1) { // a third of a lease
			for len(a.asked) > 0 {
				<-a.asked
			}
			<-a.asked
		}
		var on struct{ Success bool }
		if a.tell(t, "/tasks/"+sent.TaskID+"/result", map[string]any{"status": "in_progress", "result": map[string]any{"text": "half"}}, &on); !on.Success {
			t.Errorf("after a jump of %s the agent does not hold the task any more", jump)
		}
		var part struct{ TaskID, ChildID, Status string }
		a.tell(t, "/tasks/"+sent.TaskID+"/delegations", map[string]any{"agent": "dev-2", "prompt": "a part"}, &part)
		var given task.Task
		if err := c.Call(t.Context(), http.MethodGet, "/tasks/"+part.TaskID, nil, &given); err != nil || given.Budget.Seconds < 3000 || given.Budget.Seconds > 3600 {
			t.Errorf("after a jump of %s a part is given %d seconds, %v", jump, given.Budget.Seconds, err)
		}
		end := map[string]any{"status": "completed", "result": map[string]any{"text": "whole"}}
		if n < 2 {
			end = map[string]any{"status": "failed", "errorMessage": "once more"}
		}
		a.tell(t, "/tasks/"+sent.TaskID+"/result", end, &on)
	}
	events := eventsOf(t, c, sent.TaskID)
	var got task.Task
	if err := c.Call(t.Context(), http.MethodGet, "/tasks/"+sent.TaskID, nil, &got); err != nil {
		t.Fatal(err)
	}
	if got.Status != task.Completed || len(got.Attempts) != 3 || events[len(events)-1].Type != task.EventEnd {
		t.Fatalf("%s %q after %d attempts: %+v", got.Status, got.ErrorMessage, len(got.Attempts), got.Attempts)
	}
	if on, back := got.Attempts[1].StartedAt.Sub(got.Attempts[0].StartedAt), got.Attempts[2].StartedAt.Sub(got.Attempts[1].StartedAt); on < 23*time.Hour || back > -47*time.Hour {
		t.Errorf("the clock did not jump: %s, %s", on, back)
	}
	for i, e := range events {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has the number %d", i+1, e.Seq)
		}
	}
}
