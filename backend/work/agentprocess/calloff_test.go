package agentprocess_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"agentflow/backend/work/agentprocess"
	"agentflow/backend/work/worker"
)

// CO-4: a canceled task ends at once, even if its agent reports only once an hour, and the agent takes the next task.
func TestCO4_ATaskIsCalledOff(t *testing.T) {
	h := startHub(t)
	began := make(chan struct{}, 1)
	p := start(t, h, waits(began), func(o *agentprocess.Options) { o.Heartbeat = time.Hour })
	off := func(task, secret, attempt string, want int) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL()+"/tasks/"+task+"/cancel",
			http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+secret)
		if attempt != "" {
			req.Header.Set(worker.AttemptHeader, attempt)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s of %s by %s: %d, want %d", task, attempt, secret, res.StatusCode, want)
		}
	}
	job := `{"taskId":"t-1","taskType":"chat","prompt":"write","context":{"agentflow":{"attempt":2}}}`
	if _, got := p.call(http.MethodPost, "/tasks", "coordinator-secret", job); !strings.Contains(got, `"accepted"`) {
		t.Fatal(got)
	}
	<-began
	off("t-1", "reviewer-secret", "2", http.StatusForbidden)
	off("t-2", "coordinator-secret", "", http.StatusNotFound)
	off("t-1", "coordinator-secret", "1", http.StatusNotFound) // an earlier attempt; this is the second
	if _, got := p.call(http.MethodGet, "/status", "coordinator-secret", ""); !strings.Contains(got, `"currentTask":"t-1"`) {
		t.Fatal(got)
	}
	off("t-1", "coordinator-secret", "2", http.StatusOK)
	idle := func() bool {
		_, got := p.call(http.MethodGet, "/status", "coordinator-secret", "")
		return strings.Contains(got, `"idle"`)
	}
	for deadline := time.Now().Add(time.Minute); !idle(); {
		if time.Now().After(deadline) {
			t.Fatal("it did not end")
		}
	}
	h.set(func(h *hub) {
		if len(h.tokens) != 0 {
			t.Errorf("the hub got %d reports", len(h.tokens))
		}
	})
	if got := p.give("t-1"); !strings.Contains(got, `"accepted"`) {
		t.Errorf("sent again: %s", got)
	}
	<-began
}
