package engine_test

import (
	"net/http"
	"testing"
)

// A task that a person cancels isn't counted as failed.
func TestCounts_ACanceledTaskIsNoFailure(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	sent := h.submit("chat", "nobody is there yet", nil)
	h.must(http.MethodPost, "/tasks/"+sent.TaskID+"/cancel", map[string]any{}, nil)
	var got struct {
		Counts struct{ Failed, Cancelled int }
	}
	h.must(http.MethodGet, "/api/tasks", nil, &got)
	if got.Counts.Failed != 0 || got.Counts.Cancelled != 1 {
		t.Errorf("%+v", got.Counts)
	}
}
