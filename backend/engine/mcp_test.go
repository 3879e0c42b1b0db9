package engine_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearing sends a token with every request.
type bearing struct{ token, origin string }

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	if b.origin != "" {
		r.Header.Set("Origin", b.origin)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (h *hub) mcp(b bearing) (*sdk.ClientSession, error) {
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	return client.Connect(
		h.t.Context(),
		&sdk.StreamableClientTransport{
			Endpoint:             h.e.URL() + "/mcp",
			HTTPClient:           &http.Client{Transport: b},
			MaxRetries:           -1,
			DisableStandaloneSSE: true,
		},
		nil,
	)
}

func TestCO3_TheTeamIsAnMCPServer(t *testing.T) {
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	t.Setenv("AGENTFLOW_AGENT_FAR", "far-secret-of-24-bytes-or-more")
	for _, b := range []bearing{{token: "wrong"}, {token: ""}, {token: h.e.Token(), origin: "https://evil.example"}} {
		if s, err := h.mcp(b); err == nil {
			_ = s.Close()
			t.Errorf("%+v was let in", b)
		}
	}
	session, err := h.mcp(bearing{token: h.e.Token()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "cancel_task list_agents submit_task task_status" {
		t.Errorf("tools %s", got)
	}
	type status struct {
		TaskID, Status, Message, ErrorMessage string
		Result                                map[string]any
		Agents                                []struct{ ID, Role string }
	}
	call := func(name string, args map[string]any) (s status, failed string) {
		t.Helper()
		res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(name, err)
		}
		if res.IsError {
			return s, res.Content[0].(*sdk.TextContent).Text
		}
		data, _ := json.Marshal(res.StructuredContent)
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		return s, ""
	}
	if got, _ := call("list_agents", nil); len(got.Agents) != 3 || got.Agents[1].ID != "dev-1" || got.Agents[1].Role != "Developer" {
		t.Errorf("%+v", got)
	}
	sent, _ := call("submit_task", map[string]any{"text": "say something", "idempotency_key": "k"})
	if sent.Status != "accepted" {
		t.Fatalf("%+v", sent)
	}
	if again, _ := call("submit_task", map[string]any{"text": "say something", "idempotency_key": "k"}); again.TaskID != sent.TaskID {
		t.Errorf("%+v", again)
	}
	got := status{}
	for got.Status != "completed" {
		if got, _ = call("task_status", map[string]any{"task_id": sent.TaskID, "wait_seconds": 50}); got.Status == "failed" {
			t.Fatalf("%+v", got)
		}
	}
	if text, _ := got.Result["text"].(string); !strings.Contains(text, "demo answer") {
		t.Errorf("%+v", got)
	}
	if no, _ := call("submit_task", map[string]any{"text": "x", "agent": "dev-2"}); no.Status != "rejected" || !strings.Contains(no.Message, "pm-1 has no Delegate connection to dev-2") {
		t.Errorf("%+v", no)
	}
	waits, _ := call("submit_task", map[string]any{"text": "ls", "type": "command_execution"}) // nobody can
	if ended, _ := call("cancel_task", map[string]any{"task_id": waits.TaskID}); ended.Status != "canceled" || ended.ErrorMessage != "canceled by a person" {
		t.Errorf("%+v", ended)
	}
	for name, args := range map[string]map[string]any{"task_status": {"task_id": "none"}, "cancel_task": {"task_id": waits.TaskID}, "submit_task": {"text": "x", "type": "dance"}} {
		if _, failed := call(name, args); failed == "" {
			t.Errorf("%s %v was done", name, args)
		}
	}
}
