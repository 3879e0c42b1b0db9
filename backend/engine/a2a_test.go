package engine_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// rpc calls a method of A2A.
func (h *hub) rpc(method string, params map[string]any, result any) (failed string) {
	h.t.Helper()
	var got struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	h.must(http.MethodPost, "/a2a", map[string]any{"jsonrpc": "2.0", "id": "1", "method": method, "params": params},
		&got)
	if got.Error != nil {
		return got.Error.Message
	}
	if err := json.Unmarshal(got.Result, result); err != nil {
		h.t.Fatal(method, err)
	}
	return ""
}

func said(id, taskID, text string, metadata map[string]any) map[string]any {
	return map[string]any{
		"message": map[string]any{
			"messageId": id,
			"taskId":    taskID,
			"role":      "ROLE_USER",
			"parts":     []any{map[string]any{"text": text}},
			"metadata":  metadata,
		},
	}
}

// TestAG1_AHubWorksForAnother has one hub give a task to the team of another one: the agent of
// the first is the second, by A2A.
func TestAG1_AHubWorksForAnother(t *testing.T) {
	far := startHub(t, t.TempDir())
	far.applyTeam(demoTeam)
	t.Setenv("AGENTFLOW_AGENT_FAR_HUB", far.e.Token())
	near := startHub(t, t.TempDir())
	near.applyTeam(`agents:
  pm-1: {name: PM, role: Coordinator, model: demo/echo, subagents: {allowAgents: [far]}}
  far: {name: Far, role: Developer, url: "a2a+` + far.e.URL() + `", secretEnv: AGENTFLOW_AGENT_FAR_HUB}
`)
	near.trust()
	sent := near.submit("chat", "say something", map[string]any{"agent": "far"})
	text := ""
	near.sse(t.Context(), "/tasks/"+sent.TaskID+"/events", "",
		func(_ string, e task.Event) bool {
			if e.Type == task.EventDelta {
				text += e.Text
			}
			return true
		})
	var got task.Task
	near.must(http.MethodGet, "/tasks/"+sent.TaskID, nil, &got)
	var result struct {
		Text string
		A2A  struct{ TaskID task.ID }
	}
	if err := json.Unmarshal(got.Result, &result); err != nil || got.Status != task.Completed {
		t.Fatalf("%+v: %v", got, err)
	}
	if !strings.Contains(result.Text, "demo answer") || text != result.Text {
		t.Errorf("streamed %q, the result is %q", text, result.Text)
	}
	var there task.Task
	far.must(http.MethodGet, "/tasks/"+string(result.A2A.TaskID), nil, &there)
	if there.Status != task.Completed || there.Prompt != "say something" || there.SessionID != sent.TaskID {
		t.Errorf("%+v", there)
	}
	if _, known := near.secretOpens(far.e.Token()); known {
		t.Error("what the hub tells an A2A agent opens the hub's own door")
	}
}

// TestAG1_PagesGoOnWhereTheLastEnded, though what stood there has ended meanwhile.
func TestAG1_PagesGoOnWhereTheLastEnded(t *testing.T) {
	t.Setenv("AGENTFLOW_AGENT_WORKER", "worker-secret-of-24-bytes-or-more")
	h := startHub(t, t.TempDir())
	h.applyTeam(
		"agents:\n  far-1: {name: Far, role: Developer, url: \"http://127.0.0.1:1\", secretEnv: AGENTFLOW_AGENT_WORKER}\n",
	)
	h.trust()
	for _, text := range []string{"first", "second", "third"} { // nobody is there: they wait
		h.submit("chat", text, map[string]any{})
	}
	type page struct {
		Tasks         []struct{ ID string }
		NextPageToken string
		TotalSize     int
	}
	var one, two page
	ask := map[string]any{"pageSize": 1, "status": "TASK_STATE_SUBMITTED"}
	if failed := h.rpc("ListTasks", ask, &one); failed != "" || len(one.Tasks) != 1 || one.NextPageToken == "" || one.TotalSize != 3 {
		t.Fatalf("%s %+v", failed, one)
	}
	var ended struct{ ID string }
	if failed := h.rpc("CancelTask", map[string]any{"id": one.Tasks[0].ID}, &ended); failed != "" {
		t.Fatal(failed)
	}
	ask["pageToken"] = one.NextPageToken
	if failed := h.rpc("ListTasks", ask, &two); failed != "" || len(two.Tasks) != 1 || two.Tasks[0].ID == one.Tasks[0].ID || two.TotalSize != 2 {
		t.Errorf("%s %+v after %+v", failed, two, one)
	}
	ask["pageToken"] = "nothing"
	if failed := h.rpc("ListTasks", ask, &two); !strings.Contains(failed, "pageToken") {
		t.Errorf("a token that nobody gave: %q", failed)
	}
}

// secretOpens asks for the hub's status as an agent would.
func (h *hub) secretOpens(secret string) (int, bool) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.e.URL()+"/status", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	return res.StatusCode, res.StatusCode == http.StatusOK
}

// TestCO7_AToolIsAllowedByA2A has an agent ask whether it may use a tool; who gave the task by
// A2A is asked, and decides.
func TestCO7_AToolIsAllowedByA2A(t *testing.T) {
	agent := httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"accepted"}`) },
	))
	defer agent.Close()
	t.Setenv("AGENTFLOW_AGENT_WORKER", "worker-secret-of-24-bytes-or-more")
	h := startHub(t, t.TempDir())
	h.applyTeam(`agents:
  pm-1: {name: PM, role: Coordinator, model: demo/echo, subagents: {allowAgents: [far-1]}}
  far-1: {name: Far, role: Developer, url: "` + agent.URL + `", secretEnv: AGENTFLOW_AGENT_WORKER}
`)
	h.trust()
	type answer struct {
		Task struct {
			ID     string
			Status struct {
				State   string
				Message struct{ Parts []struct{ Text string } }
			}
		}
	}
	begin := said("m-1", "", "install it", map[string]any{"agentflow": map[string]any{"taskType": "complex_task"}})
	begin["configuration"] = map[string]any{"returnImmediately": true}
	var sent answer
	if failed := h.rpc("SendMessage", begin, &sent); failed != "" {
		t.Fatal(failed)
	}
	ask := func() (e inbox.Entry) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.e.URL()+"/api/inbox/questions", strings.NewReader(`{"key":"k","task":"`+sent.Task.ID+`","tool":"shell_exec","from":"shell","folder":"/srv/far","arguments":{"command":"npm ci"}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer worker-secret-of-24-bytes-or-more")
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if err := json.NewDecoder(res.Body).Decode(&e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	ask()
	var asked answer // the same message again waits until it is this one's turn: it is
	if failed := h.rpc("SendMessage", said("m-1", "", "install it", nil), &asked); failed != "" || asked.Task.ID != sent.Task.ID || asked.Task.Status.State != "TASK_STATE_INPUT_REQUIRED" {
		t.Fatalf("%s %+v", failed, asked)
	}
	if text := asked.Task.Status.Message.Parts[0].Text; !strings.Contains(text, `far-1 wants to use the tool shell_exec of shell in the folder /srv/far: {"command":"npm ci"}`) {
		t.Error(text)
	}
	if failed := h.rpc("SendMessage", said("m-2", sent.Task.ID, "perhaps", nil), &answer{}); !strings.Contains(failed, "once, always or deny") {
		t.Error(failed)
	}
	reply := said("m-3", sent.Task.ID, "Deny, use the cache", nil)
	reply["configuration"] = map[string]any{"returnImmediately": true}
	if failed := h.rpc("SendMessage", reply, &answer{}); failed != "" {
		t.Error(failed)
	}
	if e := ask(); e.State != inbox.Answered || e.Choice != inbox.Deny || e.Word != "use the cache" {
		t.Errorf("%+v", e)
	}
	var ended struct{ Status struct{ State string } }
	if failed := h.rpc("CancelTask", map[string]any{"id": sent.Task.ID}, &ended); failed != "" || ended.Status.State != "TASK_STATE_CANCELED" {
		t.Errorf("%s %+v", failed, ended)
	}
}

// TestCO3_AFileOfAMessageIsTaken where it is text; what cannot be is refused with what to do instead.
func TestCO3_AFileOfAMessageIsTaken(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	with := func(id string, part map[string]any) map[string]any {
		return map[string]any{
			"message": map[string]any{
				"messageId": id,
				"role":      "ROLE_USER",
				"parts":     []any{map[string]any{"text": "read this"}, part},
			},
		}
	}
	var got struct{ Task struct{ ID string } }
	if failed := h.rpc("SendMessage", with("text", map[string]any{"raw": []byte("日本語 & <b>"), "filename": "notes.txt", "mediaType": "text/plain"}), &got); failed != "" {
		t.Fatal(failed)
	}
	var there task.Task
	if h.must(http.MethodGet, "/tasks/"+got.Task.ID, nil, &there); there.Prompt != "read this\n\nnotes.txt\n日本語 & <b>" {
		t.Errorf("%q", there.Prompt)
	}
	for want, part := range map[string]map[string]any{
		"send its path":     {"raw": []byte{0x89, 'P', 'N', 'G', 0}, "filename": "a.png", "mediaType": "image/png"},
		"send what it hold": {"url": "https://192.0.2.1/a.txt", "filename": "a.txt"},
	} {
		if failed := h.rpc("SendMessage", with("no", part), &got); !strings.Contains(failed, want) {
			t.Errorf("%v: %q", part, failed)
		}
	}
}
