package taskcmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/cli"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// startHub runs a hub over a data folder and points the commands at it.
func startHub(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	h := enginetest.Start(t, engine.Options{DataDir: dir})
	t.Setenv("AGENTFLOW_DATA", dir)
	t.Setenv("AGENTFLOW_URL", h.URL())
	h.Apply(`agents:
  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [dev-1, dev-3]}}
  dev-1: {name: Dev, role: Developer, model: demo/echo}
  dev-2: {name: Two, role: Developer, model: demo/echo}
  dev-3: {name: Three, role: Developer, url: "http://192.0.2.1:1", secretEnv: AGENTFLOW_AGENT_MISSING}
`)
	h.Trust()
}

func run(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Main(t.Context(), args, cli.Stdio{In: strings.NewReader(stdin), Out: &o, Err: &e}, nil)
	return code, o.String(), e.String()
}

func contextFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "context.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCO3_TaskCommands(t *testing.T) {
	startHub(t)
	free := contextFile(t, `{"agent":"dev-1"}`)
	code, out, errs := run(t, "What is a queue?\n", "task", "submit", "--wait", "--context", free, "-")
	if code != 0 || !strings.Contains(out, "demo answer") || !strings.Contains(out, "What is a queue?") || !strings.HasSuffix(out, "\n") {
		t.Fatalf("exit %d: %q %q", code, out, errs)
	}
	code, out, _ = run(t, "", "task", "submit", "--json", "--idempotency-key", "k1", "--context", free, "Hello")
	var sent struct{ TaskID, Status string }
	if err := json.Unmarshal([]byte(out), &sent); err != nil || code != 0 || sent.Status != "accepted" {
		t.Fatalf("exit %d: %q", code, out)
	}
	_, again, _ := run(t, "", "task", "submit", "--idempotency-key", "k1", "Hello")
	if strings.TrimSpace(again) != sent.TaskID {
		t.Errorf("the same key gave %q, want %q", again, sent.TaskID)
	}
	code, out, errs = run(t, "", "task", "watch", sent.TaskID, "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var last struct{ Type, Status, TaskID string }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || code != 0 || last.Type != "end" || last.Status != "completed" {
		t.Fatalf("exit %d: %s %s", code, out, errs)
	}
	code, out, _ = run(t, "", "task", "status", sent.TaskID)
	if code != 0 || !strings.Contains(out, "completed  100 %") || !strings.Contains(out, "attempt 1, dev-1: done") {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, out, _ = run(t, "", "task", "list", "--status", "completed"); code != 0 || strings.Count(out, "\n") != 2 || !strings.Contains(out, "Hello") {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, _, errs = run(t, "", "task", "cancel", sent.TaskID); code != 5 || !strings.Contains(errs, "has ended") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// A reviewer's text is no part of the answer, and the task stays that of the agent that worked.
func TestCO3_AReviewIsNeitherTheAnswerNorTheAgentOfATask(t *testing.T) {
	dir := t.TempDir()
	h := enginetest.Start(t, engine.Options{DataDir: dir})
	t.Setenv("AGENTFLOW_DATA", dir)
	t.Setenv("AGENTFLOW_URL", h.URL())
	h.Apply(`agents:
  dev-1: {name: Dev, role: Developer, model: demo/echo}
  qa: {name: Tester, role: Tester, model: demo/echo, connections: [{targetId: dev-1, type: review}]}
`)
	code, out, errs := run(t, "", "task", "submit", "--wait", "--agent", "dev-1", "What is a queue?")
	if code != 0 || strings.Count(out, "demo answer") != 1 || !strings.Contains(errs, "qa reviews the result") {
		t.Errorf("exit %d: %q %q", code, out, errs)
	}
	code, out, _ = run(t, "", "task", "list")
	if code != 0 || !strings.Contains(out, "dev-1") || strings.Contains(out, "qa") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// A canceled task is listed by its own status. Following one exits with 1, as for a failed task.
func TestCO4_ACanceledTaskIsListedAsSuch(t *testing.T) {
	startHub(t)
	_, out, _ := run(t, "", "task", "submit", "--agent", "dev-1", "--type", "command_execution", "ls") // it can't
	id := strings.TrimSpace(out)
	if code, out, errs := run(t, "", "task", "cancel", id); code != 0 || out != id+"  canceled\n" {
		t.Fatalf("exit %d: %q %q", code, out, errs)
	}
	if code, out, _ := run(t, "", "task", "list", "--status", "canceled"); code != 0 || !strings.Contains(out, id) {
		t.Errorf("exit %d: %q", code, out)
	}
	if code, out, _ := run(t, "", "task", "list", "--status", "failed"); code != 0 || strings.Contains(out, id) {
		t.Errorf("among failed tasks: exit %d: %q", code, out)
	}
	if code, out, errs := run(t, "", "task", "watch", id); code != 1 || out != "" ||
		!strings.HasSuffix(errs, "agentflow: the task was canceled\n") {
		t.Errorf("exit %d: %q %q", code, out, errs)
	}
	const want = "--status must be pending, in_progress, completed, failed or canceled, not cancelled"
	code, out, errs := run(t, "", "task", "list", "--status", "cancelled")
	if code != 2 || out != "" || !strings.Contains(errs, want) {
		t.Errorf("exit %d: %q %q", code, out, errs)
	}
	if code, _, errs := run(t, "", "task", "retry", id); code != 0 {
		t.Errorf("exit %d: %q", code, errs)
	}
}

func TestCO6_TaskCommandsSayWhatIsWrong(t *testing.T) {
	startHub(t)
	if code, _, errs := run(t, "", "task", "submit", "--context", contextFile(t, `{"agent":"dev-2"}`), "x"); code != 3 || !strings.Contains(errs, "pm-1 has no Delegate connection to dev-2") {
		t.Errorf("exit %d: %s", code, errs)
	}
	code, out, errs := run(t, "", "task", "submit", "--agent", "nobody", "x")
	if code != 4 || out != "" || !strings.Contains(errs, "there is no agent nobody in the applied team") {
		t.Errorf("an agent that isn't there: exit %d: %q %q", code, out, errs)
	}
	code, out, _ = run(t, "", "task", "submit", "--json", "--agent", "nobody", "x")
	if code != 4 || !strings.Contains(out, `"code":"unknown_agent"`) {
		t.Errorf("the same for a program: exit %d: %s", code, out)
	}
	code, _, errs = run(t, "", "task", "submit", "--wait", "--context", contextFile(t, `{"agent":"dev-3"}`), "x")
	if code != 1 || !strings.Contains(errs, "the task failed") || !strings.Contains(errs, "secret") {
		t.Errorf("exit %d: %s", code, errs)
	}
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{"task", "submit", " "}},
		{2, []string{"task", "submit", "--type", "dance", "x"}},
		{2, []string{"task", "submit", "--context", contextFile(t, `[1]`), "x"}},
		{4, []string{"task", "submit", "--context", "/no/such/file", "x"}},
		{4, []string{"task", "status", "none"}},
		{4, []string{"task", "watch", "none"}},
		{2, []string{"task", "watch", "none", "--after", "-1"}},
		{2, []string{"task", "list", "--url", "nonsense"}},
		{3, []string{"task", "list", "--url", "http://127.0.0.1:1"}},
		{3, []string{"task", "list", "--url", "http://192.0.2.1:1"}},
	} {
		if code, out, errs := run(t, "", c.args...); code != c.code || out != "" || errs == "" {
			t.Errorf("%v: exit %d, want %d: %q %q", c.args, code, c.code, out, errs)
		}
	}
	t.Setenv("AGENTFLOW_TOKEN", "wrong")
	if code, _, errs := run(t, "", "task", "list"); code != 3 {
		t.Errorf("a wrong token: exit %d: %s", code, errs)
	}
}
