package taskcmd

import (
	"reflect"
	"testing"

	"agentflow/backend/base/i18n"
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
