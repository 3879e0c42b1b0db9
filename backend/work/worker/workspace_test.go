package worker_test

import (
	"path/filepath"
	"testing"

	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// The first task of an agent creates its missing workspace.
func TestAMissingWorkspaceIsCreated(t *testing.T) {
	at := filepath.Join(t.TempDir(), "new", "workspace-backend")
	h := &worker.Local{Workspace: at, Allowed: []string{shell.From}, Sandbox: sandbox.Settings{Mode: sandbox.Off}}
	job := worker.Job{Type: string(task.CommandExecution), Prompt: "true", Context: []byte(`{"command":"true"}`)}
	tell := func(worker.Update) error { return nil }
	_, err := h.Run(t.Context(), job, tell) // the command itself may be rejected, because no person can approve it
	if dirs, _ := filepath.Glob(at); len(dirs) != 1 {
		t.Errorf("the workspace doesn't exist: %v", err)
	}
	file := &worker.Local{
		Workspace: filepath.Join(at, "missing\x00"),
		Allowed:   []string{shell.From},
		Sandbox:   h.Sandbox,
	}
	if _, err := file.Run(t.Context(), job, tell); err == nil {
		t.Error("no error for a workspace that cannot be created")
	}
}
