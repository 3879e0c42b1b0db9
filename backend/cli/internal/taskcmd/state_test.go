package taskcmd

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// A task that a person canceled has not failed.
func TestACanceledTaskHasNotFailed(t *testing.T) {
	if got := statusWord(task.Canceled); !reflect.DeepEqual(got, i18n.T("canceled")) {
		t.Errorf("canceled: %+v", got)
	}
	if got := statusWord(task.Failed); !reflect.DeepEqual(got, i18n.T("failed")) {
		t.Errorf("failed: %+v", got)
	}
}

// A task that waits for trust again isn't in progress, and its status in JSON stays as documented.
func TestTR1_ATaskThatWaitsAgainIsNotInProgress(t *testing.T) {
	waits := &coordinator.Waits{Reason: coordinator.WaitsForTrust}
	for _, c := range []struct {
		status task.Status
		waits  *coordinator.Waits
		want   string
	}{
		{task.InProgress, waits, "waiting"},
		{task.InProgress, nil, "in_progress"},
		{task.Pending, waits, "pending"},
	} {
		d := coordinator.Detail{Task: task.Task{Status: c.status}, Waits: c.waits}
		if got := standing(d); !reflect.DeepEqual(got, i18n.T(c.want)) {
			t.Errorf("%s, waits %v: %+v", c.status, c.waits, got)
		}
	}
	var out bytes.Buffer
	p := program{Shell: &shell.Shell{Screen: &term.Screen{Stdio: term.Stdio{Out: &out, Err: &out}}}}
	p.show(coordinator.Detail{Task: task.Task{ID: "t", Type: task.Chat, Status: task.InProgress}, Waits: waits})
	if !strings.HasPrefix(out.String(), "t  chat  waiting  0 %") {
		t.Errorf("task status prints %q", out.String())
	}
	text, err := json.Marshal(coordinator.Detail{Task: task.Task{Status: task.InProgress}, Waits: waits})
	if err != nil || !strings.Contains(string(text), `"status":"in_progress"`) {
		t.Errorf("JSON: %s %v", text, err)
	}
}
