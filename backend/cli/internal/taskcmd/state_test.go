package taskcmd

import (
	"reflect"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/work/task"
)

// A task that a person canceled has not failed.
func TestACanceledTaskHasNotFailed(t *testing.T) {
	canceled := task.Task{Status: task.Failed, Cause: &errcode.Cause{Code: task.CauseCancelled}}
	if got := stateWord(&canceled); !reflect.DeepEqual(got, i18n.T("canceled")) {
		t.Errorf("canceled: %+v", got)
	}
	if got := stateWord(&task.Task{Status: task.Failed}); !reflect.DeepEqual(got, i18n.T("failed")) {
		t.Errorf("failed: %+v", got)
	}
}
