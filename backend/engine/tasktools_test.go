package engine_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// question waits for what an agent asks about the task, and answers it.
func (h *hub) decide(id string, choice inbox.Choice, word string) inbox.Entry {
	h.t.Helper()
	for {
		var waiting struct{ Entries []inbox.Entry }
		h.must(http.MethodGet, "/api/inbox", nil, &waiting)
		for _, q := range waiting.Entries {
			if q.Task == id {
				h.must(
					http.MethodPost,
					"/api/inbox/"+string(q.ID)+"/answer",
					map[string]any{
						"choice":   choice,
						"word":     word,
						"standing": inbox.Standing{Until: inbox.UntilRevoked},
					},
					nil,
				)
				return q
			}
		}
		if err := h.t.Context().Err(); err != nil {
			h.t.Fatal("nobody asked", err)
		}
	}
}

func (h *hub) over(id string) task.Task {
	h.t.Helper()
	h.sse(h.t.Context(), "/tasks/"+id+"/events", "", func(string, task.Event) bool { return true })
	var got task.Task
	h.must(http.MethodGet, "/tasks/"+id, nil, &got)
	return got
}

// TestCO3_ADrawnAgentWithAFolderDoesCommandsAndFiles: it needs no local process, it can't leave the
// folder, and a person decides about each use.
func TestCO3_ADrawnAgentWithAFolderDoesCommandsAndFiles(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	work := t.TempDir()
	h.applyTeam(`agents:
  pm-1: {name: PM, role: Coordinator, model: demo/echo, subagents: {allowAgents: [dev-1, dev-2]}}
  dev-1: {name: Dev, role: Developer, model: demo/echo, workspace: "` + work + `", tools: {allow: [files, shell]}}
  dev-2: {name: Reader, role: Developer, model: demo/echo, workspace: "` + work + `", tools: {allow: [file_read]}}
`)
	h.trust()
	id := h.submit("command_execution", "echo made > a.txt; exit 3", nil).TaskID
	if q := h.decide(id, inbox.Once, ""); q.Agent != "dev-1" || q.Tool != "shell_exec" || !strings.Contains(string(q.Arguments), "echo made") {
		t.Errorf("asked %+v", q)
	}
	if got := h.over(id); got.Status != task.Completed || !strings.Contains(string(got.Result), `"exitCode":3`) {
		t.Errorf("%+v %s", got, got.Result)
	}
	if data, err := os.ReadFile(filepath.Join(work, "a.txt")); err != nil || string(data) != "made\n" {
		t.Errorf("%q %v", data, err)
	}
	id = h.submit(
		"file_operation",
		"read it",
		map[string]any{"operation": "read", "path": "a.txt", "agent": "dev-2"},
	).TaskID
	h.decide(id, inbox.Always, "")
	if got := h.over(id); got.Status != task.Completed || !strings.Contains(string(got.Result), "made") {
		t.Errorf("%+v %s", got, got.Result)
	}
	id = h.submit("file_operation", "read it", map[string]any{"operation": "read", "path": "../../../etc/passwd", "agent": "dev-2"}).TaskID // it is not asked any more
	if got := h.over(id); got.Status != task.Failed || strings.Contains(string(got.Result), "root:") || !strings.Contains(got.ErrorMessage, "outside") {
		t.Errorf("%+v %s", got, got.Result)
	}
	h.calledOff(work)
	id = h.submit("command_execution", "touch never", nil).TaskID
	h.decide(id, inbox.Deny, "not today")
	if got := h.over(id); got.Status != task.Failed || !strings.Contains(got.ErrorMessage, "replied: not today") || len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(work, "never")); err == nil {
		t.Error("what was denied was done")
	}
	var list struct {
		Agents []struct {
			ID  string
			Can []string
		}
	}
	h.must(http.MethodGet, "/api/task-agents", nil, &list)
	for _, a := range list.Agents {
		tools := map[string]string{"dev-1": "files shell", "dev-2": "files"}[a.ID]
		for _, info := range task.Types {
			if slices.Contains(a.Can, string(info.Type)) != strings.Contains(tools, info.ToolKind) {
				t.Errorf("%s has the tools %q and can %v", a.ID, tools, a.Can)
			}
		}
	}
}

// calledOff cancels a task while its command runs within the hub. What the command has printed arrives while it runs,
// and is kept. The command is over by the time the cancel is answered.
func (h *hub) calledOff(work string) {
	h.t.Helper()
	id := h.submit("command_execution", "echo begun; echo $$ > pid; exec sleep 3600", nil).TaskID
	h.decide(id, inbox.Once, "")
	pid := 0
	for pid == 0 {
		text, _ := os.ReadFile(filepath.Join(work, "pid"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		if err := h.t.Context().Err(); err != nil {
			h.t.Fatal("the command never ran", err)
		}
	}
	said := ""
	h.sse(h.t.Context(), "/tasks/"+id+"/events", "", func(_ string, e task.Event) bool {
		said += e.Text
		return !strings.Contains(said, "begun\n")
	})
	began := time.Now()
	h.must(http.MethodPost, "/tasks/"+id+"/cancel", nil, nil)
	h.t.Logf("a cancel was answered within %s", time.Since(began))
	if p, err := os.FindProcess(pid); err == nil && p.Signal(syscall.Signal(0)) == nil {
		h.t.Error("the command of a canceled task goes on")
	}
	if got := h.over(id); got.Status != task.Canceled || got.Cause == nil || got.Cause.Code != task.CauseCancelled {
		h.t.Errorf("%+v", got)
	}
	said = ""
	h.sse(h.t.Context(), "/tasks/"+id+"/events", "", func(_ string, e task.Event) bool {
		said += e.Text
		return true
	})
	if !strings.Contains(said, "begun\n") {
		h.t.Errorf("a canceled task keeps only %q", said)
	}
	h.retried(id)
}

// retried retries a task: each of the two names the other.
func (h *hub) retried(id string) {
	h.t.Helper()
	var again submitAnswer
	h.must(http.MethodPost, "/tasks/"+id+"/retry", nil, &again)
	var old, retry task.Task
	h.must(http.MethodGet, "/tasks/"+id, nil, &old)
	h.must(http.MethodGet, "/tasks/"+again.TaskID, nil, &retry)
	if string(retry.RetryOf) != id || len(old.RetriedAs) != 1 || string(old.RetriedAs[0]) != again.TaskID {
		h.t.Errorf("retry of %q; the old one is retried as %v", retry.RetryOf, old.RetriedAs)
	}
	h.must(http.MethodPost, "/tasks/"+again.TaskID+"/cancel", nil, nil)
}
