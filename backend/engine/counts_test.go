package engine_test

import (
	"net/http"
	"testing"
)

// A task that a person cancels isn't counted or listed as failed. For coordinators it has failed, as the seed of CO-4
// has it.
func TestCounts_ACanceledTaskIsNoFailure(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	sent := h.submit("chat", "nobody is there yet", nil)
	h.must(http.MethodPost, "/tasks/"+sent.TaskID+"/cancel", map[string]any{}, nil)
	var got struct {
		Counts struct{ Failed, Canceled int }
	}
	h.must(http.MethodGet, "/api/tasks", nil, &got)
	if got.Counts.Failed != 0 || got.Counts.Canceled != 1 {
		t.Errorf("%+v", got.Counts)
	}
	var seed struct {
		Status    string
		Cancelled bool
	}
	h.must(http.MethodGet, "/tasks/"+sent.TaskID+"/status", nil, &seed)
	if seed.Status != "failed" || !seed.Cancelled {
		t.Errorf("for coordinators it is %+v", seed)
	}
	for query, want := range map[string]int{"canceled": 1, "failed": 0} {
		for _, path := range []string{"/tasks", "/api/tasks"} {
			var list struct{ Tasks []struct{ Status string } }
			h.must(http.MethodGet, path+"?status="+query, nil, &list)
			if len(list.Tasks) != want || want == 1 && list.Tasks[0].Status != "canceled" {
				t.Errorf("%s: %s tasks are %+v", path, query, list.Tasks)
			}
		}
	}
}
