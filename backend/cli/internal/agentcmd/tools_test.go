package agentcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

const asServer = "AGENTFLOW_TEST_AS_MCP_SERVER"

// serveTools is an MCP server with one tool.
func serveTools() {
	s := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	type sum struct{ A, B int }
	sdk.AddTool(s, &sdk.Tool{Name: "add", Description: "adds"}, func(_ context.Context, _ *sdk.CallToolRequest, in sum) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: fmt.Sprint(in.A + in.B)}}}, nil, nil
	})
	_ = s.Run(context.Background(), &sdk.StdioTransport{})
}

// ask asks a server with a bearer token and returns the status.
func ask(t *testing.T, method, url, token string, in, out any) int {
	t.Helper()
	var body io.Reader = http.NoBody
	if in != nil {
		data, _ := json.Marshal(in)
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		t.Fatal(url, res.Status, err)
	}
	return res.StatusCode
}

// until asks again until it is so; the test's own time ends it.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-t.Context().Done():
			t.Fatal("never: " + what)
		case <-tick.C:
		}
	}
}

type hub struct {
	*enginetest.Hub
	t *testing.T
}

func (h *hub) post(path string, in, out any) {
	h.t.Helper()
	if code := ask(h.t, http.MethodPost, h.URL()+path, h.Token(), in, out); code != http.StatusOK {
		h.t.Fatal(path, code)
	}
}

type taskState struct {
	Status       string
	ErrorMessage string
	Result       json.RawMessage
	Attempts     []struct{ Agent string }
}

func (h *hub) submit(taskType, prompt string, context map[string]any) string {
	h.t.Helper()
	body := map[string]any{"sessionId": "s", "userPrompt": prompt, "taskType": taskType}
	if context != nil {
		body["context"] = context
	}
	var sent struct{ TaskID, Status, Message string }
	h.post("/submit_task", body, &sent)
	if sent.Status != "accepted" {
		h.t.Fatalf("%+v", sent)
	}
	return sent.TaskID
}

func (h *hub) ended(id string) (s taskState) {
	h.t.Helper()
	until(h.t, "the task's end", func() bool {
		s = taskState{}
		ask(h.t, http.MethodGet, h.URL()+"/tasks/"+id, h.Token(), nil, &s)
		return s.Status == "completed" || s.Status == "failed" || s.Status == "canceled"
	})
	return s
}

type asked struct {
	ID, Agent, Task, Tool, From, Said, State string
	Arguments                                json.RawMessage
}

// question is what waits for the task, once there is something.
func (h *hub) question(task string) (found asked) {
	h.t.Helper()
	until(h.t, "a question", func() bool {
		var list struct{ Entries []asked }
		ask(h.t, http.MethodGet, h.URL()+"/api/inbox", h.Token(), nil, &list)
		at := slices.IndexFunc(list.Entries, func(e asked) bool { return e.Task == task })
		if at >= 0 {
			found = list.Entries[at]
		}
		return at >= 0
	})
	return found
}

func (h *hub) answer(q asked, choice, word string) {
	h.t.Helper()
	var e struct{ State string }
	h.post("/api/inbox/"+q.ID+"/answer",
		map[string]any{"choice": choice, "word": word, "standing": map[string]string{"until": "revoked"}}, &e)
	if e.State != "answered" {
		h.t.Errorf("answered: %+v", e)
	}
}

// scripted is a language model that calls the shell and then says what came of it.
func scripted(t *testing.T) string {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		body, _ := io.ReadAll(r.Body)
		delta, why := `{"tool_calls":[{"index":0,"id":"a","function":{"name":"shell_exec","arguments":"{\"command\":\"cat made.txt\"}"}}]}`, "tool_calls"
		if asked.Add(1)%2 == 0 {
			delta, why = `{"content":"I saw it."}`, "stop"
			if !bytes.Contains(body, []byte("hello from the shell")) {
				delta = `{"content":"I saw nothing."}`
			}
		}
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", delta, why)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// equipped is a hub with an agent process that has tools; project is its folder.
func equipped(t *testing.T) (h *hub, a *child, project string) {
	t.Helper()
	t.Setenv("AGENTFLOW_AGENT_FAR", "far-secret-of-24-bytes-or-more")
	h = &hub{enginetest.Start(t, engine.Options{}), t}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	project = t.TempDir()
	a = start(t, []string{"HUB_SECRET=far-secret-of-24-bytes-or-more", "AGENTFLOW_AGENT_SECRET=far-secret-of-24-bytes-or-more", "OPENAI_BASE_URL=" + scripted(t)},
		"agent", "start", "--port", "0", "--coordinator", h.URL(), "--config", write(t, "agent-config.yaml", `agent:
  name: far-1
  role: Developer
  model: openai/m
  mcpServers: [{name: sums, command: [env, `+asServer+`=1, `+self+`]}, {name: gone, command: [/no/such/server]}]
  mcpPolicy: {default: auto, tools: {shell_exec: ask, file_list: deny}}
  security: {allowedPaths: [`+project+`], blockedCommands: [sudo]}
callers:
  - {name: hub, role: Coordinator, secretEnv: HUB_SECRET}
`))
	url, _ := strings.CutPrefix(a.line(), "listening on ")
	var status struct{ AvailableTools []string }
	ask(t, http.MethodGet, url+"/status", "far-secret-of-24-bytes-or-more", nil, &status)
	if got := strings.Join(status.AvailableTools, " "); got != "file_read file_write file_search shell_exec add" {
		t.Errorf("tools %s", got)
	}
	h.Apply(`agents:
  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [far-1]}}
  far-1: {name: Far, role: Developer, url: "` + url + `", secretEnv: AGENTFLOW_AGENT_FAR}
`)
	h.Trust()
	return h, a, project
}

// TestCO3_AG3_AnAgentProcessWithTools: the real program as an agent of a real hub, with a real
// MCP server. Its tools are listed, commands and files are done by them, and what needs a
// person travels to the hub's inbox and back.
func TestCO3_AG3_AnAgentProcessWithTools(t *testing.T) {
	h, a, project := equipped(t)
	h.allowsOnce(project)
	h.denies(project)
	id := h.submit("chat", "What is in the file?", nil)
	h.answer(h.question(id), "always", "")
	if got := h.ended(id); got.Status != "completed" || !strings.Contains(string(got.Result), "I saw it.") || !strings.Contains(string(got.Result), `"tool":"shell_exec"`) {
		t.Errorf("%+v %s", got, got.Result)
	}
	id = h.submit("command_execution", "cat made.txt", nil)
	if got := h.ended(id); got.Status != "completed" || !strings.Contains(string(got.Result), `"stdout":"hello from the shell\n"`) {
		t.Errorf("%+v %s", got, got.Result)
	}
	h.callsOff(project)
	id = h.submit("file_operation", "read it", map[string]any{"operation": "read", "path": "made.txt"})
	if got := h.ended(id); got.Status != "completed" || !strings.Contains(string(got.Result), "hello from the shell") {
		t.Errorf("%+v %s", got, got.Result)
	}
	id = h.submit("file_operation", `{"operation":"read","path":"../../etc/passwd"}`, nil)
	if got := h.ended(id); got.Status != "failed" || !strings.Contains(got.ErrorMessage, "outside of the folders") {
		t.Errorf("%+v", got)
	}
	h.stops(a, project)
	if log := a.errs.String(); strings.Contains(log, "far-secret-of-24-bytes-or-more") || strings.Contains(log, "hello from") || !strings.Contains(log, `"server":"gone"`) {
		t.Errorf("the log: %s", log)
	}
}

func (h *hub) allowsOnce(project string) {
	t := h.t
	id := h.submit("command_execution",
		"echo hello from the shell > made.txt; cat made.txt; echo $AGENTFLOW_AGENT_SECRET$HUB_SECRET; exit 4", nil)
	q := h.question(id)
	if q.Agent != "far-1" || q.Tool != "shell_exec" || q.From != "shell" || !strings.Contains(string(q.Arguments), "echo hello") {
		t.Errorf("%+v", q)
	}
	var refused struct{ Error struct{ Code string } }
	for _, r := range []struct{ method, path string }{{http.MethodGet, "/api/inbox"}, {http.MethodPost, "/api/inbox/" + q.ID + "/answer"}, {http.MethodGet, "/api/inbox/rules"}} {
		if code := ask(t, r.method, h.URL()+r.path, "far-secret-of-24-bytes-or-more", nil, &refused); code != http.StatusForbidden {
			t.Errorf("an agent asked %s: %d", r.path, code)
		}
	}
	h.answer(q, "once", "")
	var ran struct {
		ExitCode int
		Stdout   string
	}
	got := h.ended(id)
	if json.Unmarshal(got.Result, &ran) != nil || got.Status != "completed" || ran.ExitCode != 4 || ran.Stdout != "hello from the shell\n\n" {
		t.Errorf("%+v %s", got, got.Result)
	}
	if data, _ := os.ReadFile(filepath.Join(project, "made.txt")); string(data) != "hello from the shell\n" {
		t.Errorf("the file holds %q", data)
	}
}

// callsOff cancels a task whose command would go on for long: it ends in the agent's process.
func (h *hub) callsOff(project string) {
	t := h.t
	id := h.submit("command_execution", "echo $$ > pid; exec sleep 3600", nil)
	h.answer(h.question(id), "once", "")
	pid := 0
	until(t, "the command to run", func() bool {
		text, _ := os.ReadFile(filepath.Join(project, "pid"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0
	})
	began := time.Now()
	var ended taskState
	h.post("/tasks/"+id+"/cancel", nil, &ended)
	until(t, "the command's end", func() bool { return syscall.Kill(pid, 0) != nil })
	t.Logf("%s after the cancel the command of an agent elsewhere had ended", time.Since(began))
	if got := h.ended(id); got.Status != "canceled" || got.ErrorMessage != "canceled by a person" || len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
}

// stops ends the agent while it runs a command that does not want to end: the command is gone with
// it, and the task is handed back.
func (h *hub) stops(a *child, project string) {
	t := h.t
	id := h.submit("command_execution", "trap '' TERM; echo $$ > pid2; while :; do sleep 1; done", nil)
	h.answer(h.question(id), "once", "")
	pid := 0
	until(t, "the command to run", func() bool {
		text, _ := os.ReadFile(filepath.Join(project, "pid2"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0
	})
	began := time.Now()
	if code := a.exit(syscall.SIGTERM); code != 0 {
		t.Errorf("SIGTERM: exit %d: %s", code, a.errs.String())
	}
	t.Logf("the agent ended %s after SIGTERM", time.Since(began))
	if syscall.Kill(pid, 0) == nil {
		t.Error("its command goes on")
	}
	var now struct {
		Status   string
		Attempts []struct{ Error, EndedAt string }
	}
	ask(t, http.MethodGet, h.URL()+"/tasks/"+id, h.Token(), nil, &now)
	if now.Status == "completed" || len(now.Attempts) != 1 || now.Attempts[0].EndedAt == "" || !strings.Contains(now.Attempts[0].Error, "stop") {
		t.Errorf("the task was not handed back: %+v", now)
	}
}

func (h *hub) denies(project string) {
	t := h.t
	id := h.submit("command_execution", "touch never", nil)
	h.answer(h.question(id), "deny", "use the copy")
	if got := h.ended(id); got.Status != "failed" || !strings.Contains(got.ErrorMessage, "replied: use the copy") || len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
	id = h.submit("command_execution", "sudo ls", nil)
	if got := h.ended(id); got.Status != "failed" || !strings.Contains(got.ErrorMessage, "blocked") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(project, "never")); err == nil {
		t.Error("what was denied was done")
	}
}
