package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/work/task"
)

type submitAnswer struct{ TaskID, Status, Message string }

func (h *hub) submit(typ, prompt string, extra map[string]any) submitAnswer {
	h.t.Helper()
	body := map[string]any{"sessionId": "s-1", "userPrompt": prompt, "taskType": typ}
	if extra != nil {
		body["context"] = extra
	}
	var got submitAnswer
	h.must(http.MethodPost, "/submit_task", body, &got)
	return got
}

// applyTeam makes the agents of a config the team at work, through the local gateway.
func (h *hub) applyTeam(raw string) {
	h.t.Helper()
	var now struct {
		BaseHash string `json:"baseHash"`
	}
	h.must(http.MethodPost, "/api/gateway/config/get", map[string]any{}, &now)
	h.must(http.MethodPost, "/api/gateway/config/apply",
		map[string]any{"raw": raw, "baseHash": now.BaseHash, "reason": "test"}, nil)
}

// trust allows the applied team what it asks of this computer.
func (h *hub) trust() {
	h.t.Helper()
	enginetest.Trust(h.t, h.client, "local")
}

const demoTeam = `agents:
  pm-1: {name: PM, role: Coordinator, model: demo/echo, subagents: {allowAgents: [dev-1]}}
  dev-1: {name: Dev, role: Developer, model: demo/echo}
  dev-2: {name: Dev two, role: Developer, model: demo/echo}
`

// sse reads one stream of server-sent events to its end; the context ends it earlier.
func (h *hub) sse(ctx context.Context, path, lastID string, each func(id string, e task.Event) bool) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.e.URL()+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.e.Token())
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		h.t.Fatalf("%d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	var id, kind string
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			id = value
		case "event":
			kind = value
		case "data":
			var e task.Event
			if err := json.Unmarshal([]byte(value), &e); err != nil || string(e.Type) != kind {
				h.t.Fatalf("%s %s: %v", kind, value, err)
			}
			if !each(id, e) {
				return
			}
		}
	}
}

func TestCO5_ATaskIsStreamedAndResumed(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	sent := h.submit("chat", "say something that has quite a few words in it", map[string]any{"agent": "dev-1"})
	if sent.Status != "accepted" || sent.TaskID == "" {
		t.Fatalf("%+v", sent)
	}
	var first []task.Event
	h.sse(t.Context(), "/tasks/"+sent.TaskID+"/events", "", func(_ string, e task.Event) bool {
		first = append(first, e)
		return len(first) < 4 // the connection is cut in the middle
	})
	var rest []task.Event
	h.sse(t.Context(), "/tasks/"+sent.TaskID+"/events", "4",
		func(_ string, e task.Event) bool { rest = append(rest, e); return true })
	all := slices.Concat(first, rest)
	text := ""
	for i, e := range all {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d of %d has the number %d", i+1, len(all), e.Seq)
		}
		text += e.Text
	}
	if last := all[len(all)-1]; last.Type != task.EventEnd || last.Status != task.Completed || !strings.Contains(text, "demo answer") {
		t.Errorf("%q, the last is %+v", text, last)
	}

	conn, res, err := websocket.DefaultDialer.DialContext(t.Context(),
		"ws"+strings.TrimPrefix(h.e.URL(), "http")+"/tasks/"+sent.TaskID+"/stream?after=2",
		http.Header{"Authorization": {"Bearer " + h.e.Token()}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = res.Body.Close()
	var frames []task.Event
	for {
		var e task.Event
		if err := conn.ReadJSON(&e); err != nil {
			if !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
				t.Errorf("the stream ended with %v", err)
			}
			break
		}
		frames = append(frames, e)
	}
	if len(frames) != len(all)-2 || frames[0].Seq != 3 {
		t.Errorf("%d frames after 2, want %d", len(frames), len(all)-2)
	}

	var status struct {
		TaskID, Status, ErrorMessage string
		Progress                     float64
		Result                       map[string]any
	}
	h.must(http.MethodGet, "/tasks/"+sent.TaskID+"/status", nil, &status)
	if status.TaskID != sent.TaskID || status.Status != "completed" || status.Progress != 100 || status.Result["text"] != text || status.ErrorMessage != "" {
		t.Errorf("%+v", status)
	}
}

func TestCO6_WrongRequestsAreRefused(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	good := map[string]any{"sessionId": "s", "userPrompt": "p", "taskType": "chat"}
	with := func(key string, value any) map[string]any {
		out := map[string]any{key: value}
		for k, v := range good {
			if k != key {
				out[k] = v
			}
		}
		return out
	}
	for name, body := range map[string]any{
		"no session": with("sessionId", ""), "no prompt": with("userPrompt", ""), "another type": with("taskType", "dance"), "context that is no object": with("context", []int{1}),
		"context that is text": with("context", "x"), "an unknown field": with("priority", 3), "a number": with("userPrompt", 5), "null": nil, "nothing": map[string]any{},
	} {
		if code, e := h.call(http.MethodPost, "/submit_task", body, nil); code != 400 || e.Code != errcode.Validation {
			t.Errorf("%s: %d %v", name, code, e)
		}
	}
	if code, e := h.call(http.MethodGet, "/tasks/none/status", nil, nil); code != 404 || e.Code != errcode.NotFound {
		t.Errorf("%d %v", code, e)
	}
	if code, _ := h.call(http.MethodGet, "/tasks/none/events", nil, nil); code != 404 {
		t.Errorf("%d", code)
	}
	res, err := http.Post(h.e.URL()+"/submit_task", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %d", res.StatusCode)
	}
	if got := h.submit("chat", "p", map[string]any{"agent": "dev-2"}); got.Status != "rejected" || !strings.Contains(got.Message, "pm-1 has no Delegate connection to dev-2") {
		t.Errorf("%+v", got)
	}
}

// TestAG6_AnAgentMayReportItsTaskAndNothingElse has an agent on a real socket take a task
// from the hub and bring its result with its own secret.
func TestAG6_AnAgentMayReportItsTaskAndNothingElse(t *testing.T) {
	given := make(chan map[string]any, 1)
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer worker-secret-of-24-bytes-or-more" || r.URL.Path != "/tasks" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var job map[string]any
		_ = json.NewDecoder(r.Body).Decode(&job)
		_, _ = io.WriteString(w, `{"status":"accepted"}`)
		given <- job
	}))
	defer agent.Close()
	t.Setenv("AGENTFLOW_AGENT_WORKER", "worker-secret-of-24-bytes-or-more")
	t.Setenv("AGENTFLOW_AGENT_OTHER", "other-secret-of-24-bytes-or-more")
	h := startHub(t, t.TempDir())
	h.applyTeam(`agents:
  pm-1: {name: PM, role: Coordinator, model: demo/echo, subagents: {allowAgents: [far-1]}}
  far-1: {name: Far, role: Developer, url: "` + agent.URL + `", secretEnv: AGENTFLOW_AGENT_WORKER}
  far-2: {name: Other, role: Developer, url: "` + agent.URL + `", secretEnv: AGENTFLOW_AGENT_OTHER}
`)
	h.trust()
	sent := h.submit("file_operation", "write", map[string]any{"path": "a.txt"})
	select {
	case job := <-given:
		if job["taskId"] != sent.TaskID || job["prompt"] != "write" {
			t.Errorf("%v", job)
		}
	case <-time.After(time.Minute):
		t.Fatal("the agent was given nothing")
	}
	as := func(secret, method, path, body string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, h.e.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+secret)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		data, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(data)
	}
	result := "/tasks/" + sent.TaskID + "/result"
	for _, c := range []struct {
		secret, method, path, body string
		want                       int
	}{
		{"wrong", http.MethodPost, result, `{"status":"completed"}`, 401},
		{"other-secret-of-24-bytes-or-more", http.MethodPost, result, `{"status":"completed"}`, 403},
		{"worker-secret-of-24-bytes-or-more", http.MethodPost, "/tasks", `{"taskId":"x","taskType":"chat","prompt":"p"}`, 403},
		{"worker-secret-of-24-bytes-or-more", http.MethodPost, "/submit_task", `{}`, 403},
		{"worker-secret-of-24-bytes-or-more", http.MethodGet, "/api/teams", ``, 403},
		{"worker-secret-of-24-bytes-or-more", http.MethodPost, "/tasks/none/result", `{"status":"completed"}`, 404},
		{"worker-secret-of-24-bytes-or-more", http.MethodPost, result, `{"status":"done"}`, 400},
		{"worker-secret-of-24-bytes-or-more", http.MethodPost, result, `{"status":"completed","result":[1]}`, 400},
		{h.e.Token(), http.MethodPost, result, `{"status":"completed"}`, 403},
		{"worker-secret-of-24-bytes-or-more", http.MethodGet, "/status", ``, 200},
		{"worker-secret-of-24-bytes-or-more", http.MethodPost, result, `{"status":"in_progress","result":{"text":"half"}}`, 200},
		{"worker-secret-of-24-bytes-or-more", http.MethodPost, result, `{"status":"completed","result":{"n":1.50}}`, 200},
	} {
		if code, body := as(c.secret, c.method, c.path, c.body); code != c.want {
			t.Errorf("%s %s %s: %d, want %d: %s", c.method, c.path, c.body, code, c.want, body)
		}
	}
	var got task.Task
	h.must(http.MethodGet, "/tasks/"+sent.TaskID, nil, &got)
	if got.Status != task.Completed || string(got.Result) != `{"n":1.50}` || got.Attempts[0].Agent != "far-1" {
		t.Errorf("%+v", got)
	}
	var hubStatus struct{ AgentName, Role, Status string }
	h.must(http.MethodGet, "/status", nil, &hubStatus)
	if hubStatus.Role != "Coordinator" || hubStatus.Status != "idle" {
		t.Errorf("%+v", hubStatus)
	}
}
