package engine_test

import (
	"bufio"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/work/task"
)

// What a caller has begun ends when they are revoked, by whatever door: streams of A2A in both
// its versions, a call of MCP that waits, the events of a task.
func TestAG4_WhoIsRevokedLosesEveryStream(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	h.Apply(talkingTeam) // where nobody has tools: a task that needs them waits
	waits := asked[struct{ TaskID string }](t, h, http.MethodPost, "/submit_task",
		map[string]any{"sessionId": "s", "userPrompt": "wait", "taskType": "command_execution"})
	for _, c := range []struct{ name, method, path, body string }{
		{"a task's events", http.MethodGet, "/tasks/" + waits.TaskID + "/events", ""},
		{"A2A 1.0", http.MethodPost, "/a2a", `{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"role":"ROLE_USER","messageId":"m-1","parts":[{"text":"by A2A 1.0"}],"metadata":{"agentflow":{"taskType":"command_execution"}}}}}`},
		{"A2A 0.3", http.MethodPost, "/a2a", `{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"kind":"message","role":"user","messageId":"m-2","parts":[{"kind":"text","text":"by A2A 0.3"}],"metadata":{"agentflow":{"taskType":"command_execution"}}}}}`},
		{"MCP", http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"submit_task","arguments":{"text":"by MCP","type":"command_execution","wait_seconds":50}}}`},
	} {
		who := asked[guardedCaller](t, h, http.MethodPost, "/api/security/callers",
			map[string]string{"name": "build box", "role": "tasks"})
		begun, ended := make(chan struct{}, 1), make(chan string, 1)
		go func() { ended <- follow(t, h, who.Token, c.method, c.path, c.body, begun) }()
		if c.name == "MCP" { // which says nothing before its end
			submitted(t, h, "by MCP")
			begun <- struct{}{}
		}
		select {
		case <-begun:
		case said := <-ended:
			t.Fatalf("%s ended before it was cut: %s", c.name, said)
		}
		if err := h.Client().Call(t.Context(), http.MethodDelete, "/api/security/callers/"+who.ID, nil, nil); err != nil {
			t.Fatal(err)
		}
		select {
		case said := <-ended:
			if strings.Contains(said, "pending") && c.name == "MCP" {
				t.Errorf("%s went on until its own end: %s", c.name, said)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s was not cut", c.name)
		}
	}
}

// submitted waits until the hub has a task of that text.
func submitted(t *testing.T, h *enginetest.Hub, prompt string) {
	t.Helper()
	enginetest.Until(t, "the task "+prompt, func() bool {
		got := asked[struct{ Tasks []task.Task }](t, h, http.MethodGet, "/tasks", nil)
		return slices.ContainsFunc(got.Tasks, func(one task.Task) bool { return one.Prompt == prompt })
	})
}

// follow reads an answer to its end, and tells when its first data came.
func follow(t *testing.T, h *enginetest.Hub, token, method, path, body string, begun chan<- struct{}) string {
	req, err := http.NewRequestWithContext(t.Context(), method, h.URL()+path, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	r := bufio.NewReader(res.Body)
	said := res.Status
	for res.StatusCode == http.StatusOK {
		line, err := r.ReadString('\n')
		said += line
		if strings.HasPrefix(line, "data:") {
			begun <- struct{}{}
			break
		}
		if err != nil {
			return said + err.Error()
		}
	}
	rest, err := io.ReadAll(r)
	if err != nil {
		return said + string(rest) + err.Error()
	}
	return said + string(rest)
}
