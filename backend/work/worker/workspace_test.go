package worker_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// asker answers every question, and remembers whether a folder was there when it was asked.
type asker struct {
	folder       string
	allow, there bool
}

// Ask implements tool.Asker.
func (a *asker) Ask(context.Context, tool.Question) (tool.Verdict, error) {
	_, err := os.Stat(a.folder)
	a.there = err == nil
	return tool.Verdict{Allow: a.allow}, nil
}

// The first command that a person allows creates the missing workspace. A question or a denied command doesn't.
func TestTR1_AnAllowedCommandCreatesTheWorkspace(t *testing.T) {
	job := worker.Job{Type: string(task.CommandExecution), Prompt: "true", Context: []byte(`{"command":"true"}`)}
	tell := func(worker.Update) error { return nil }
	for _, allow := range []bool{false, true} {
		at := filepath.Join(t.TempDir(), "new", "workspace-backend")
		person := &asker{folder: at, allow: allow}
		h := &worker.Local{
			Workspace: at, Allowed: []string{shell.From}, Asker: person, Sandbox: sandbox.Settings{Mode: sandbox.Off},
		}
		_, err := h.Run(t.Context(), job, tell)
		if person.there {
			t.Error("the workspace was there before the person answered")
		}
		if _, missing := os.Stat(at); (missing == nil) != allow || (err == nil) != allow {
			t.Errorf("allowed %v: the command ended with %v, the folder with %v", allow, err, missing)
		}
	}
	h := &worker.Local{
		Workspace: filepath.Join(t.TempDir(), "missing\x00"),
		Allowed:   []string{shell.From},
		Sandbox:   sandbox.Settings{Mode: sandbox.Off},
	}
	if _, err := h.Run(t.Context(), job, tell); err == nil {
		t.Error("no error for a workspace that cannot be created")
	}
}
