package agentprocess_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agentflow/backend/model/llm"
	"agentflow/backend/work/worker"
)

// A panic in one task is reported as its failure, and the agent takes the next task.
func TestTR5_APanicEndsOneTaskOfAnAgentElsewhere(t *testing.T) {
	h := startHub(t)
	var broken atomic.Bool
	broken.Store(true)
	p := start(t, h, func(_ context.Context, _ llm.Request, onDelta func(string) error) (string, error) {
		if broken.Load() {
			panic("no")
		}
		return "fine", onDelta("fine")
	}, nil)
	p.give("T-1")
	if end, _ := h.end(t); end.Status != worker.ReportFailed {
		t.Errorf("%+v", end)
	}
	broken.Store(false)
	for deadline := time.Now().Add(time.Minute); ; { // it is busy until its report has been answered
		got := p.give("T-2")
		if strings.Contains(got, `"accepted"`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the next task is rejected: %s", got)
		}
	}
	if end, _ := h.end(t); end.Status != worker.ReportCompleted {
		t.Errorf("%+v", end)
	}
}
