package tasksapi

import (
	"encoding/json"
	"testing"

	"agentflow/backend/work/task"
)

// Coordinators and agents know the four states of CO-4: there, a canceled task has failed, and a field says that it was
// canceled. No other task has that field.
func TestCO4_ACanceledTaskHasFailedForAgents(t *testing.T) {
	for status, want := range map[task.Status]string{
		task.Canceled: `{"taskId":"t","status":"failed","cancelled":true,"progress":0}`,
		task.Failed:   `{"taskId":"t","status":"failed","progress":0}`,
		task.Pending:  `{"taskId":"t","status":"pending","progress":0}`,
	} {
		got, err := json.Marshal(statusOf(&task.Task{ID: "t", Status: status}).Body)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, want %s: %v", status, got, want, err)
		}
	}
}
