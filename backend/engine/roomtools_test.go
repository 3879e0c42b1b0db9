package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/engine/enginetest"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
	"agentflow/backend/work/inbox"
)

// wants is an answer that asks for a tool.
func wants(w http.ResponseWriter, name, arguments string) {
	call, _ := json.Marshal([]any{
		map[string]any{
			"index":    0,
			"id":       "call-1",
			"type":     "function",
			"function": map[string]any{"name": name, "arguments": arguments},
		},
	})
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Let me look. \"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":%s}}]}\n\n", call)
	_, _ = fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`+"\n\ndata: [DONE]\n\n")
}

// CH-5, CH-12: an agent of a team uses a tool after a person has agreed; that it waits
// shows, the tool's result and what went wrong with one show in the chat, and the answer
// follows.
func TestCH12_AToolsResultShowsInTheChat(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "notes.txt"), []byte("the harbour opens at nine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, _, last string) {
		switch {
		case strings.HasSuffix(last, "human: when?"):
			wants(w, "file_read", `{"path":"notes.txt"}`)
		case strings.HasSuffix(last, "human: run it"):
			wants(w, "file_read", `{"path":"none.txt"}`)
		case strings.Contains(last, "the harbour opens at nine"):
			stream(w, "At nine.")
		default:
			stream(w, "I could not.")
		}
	})
	h := startHubWith(t, optionsOf(s.home(t)))
	var made struct{ ID string }
	h.must(http.MethodPost, "/api/teams", map[string]any{"name": "Team", "topology": map[string]any{"agents": []any{
		map[string]any{
			"id":        "ann",
			"name":      "Ann",
			"model":     "srv/m",
			"workspace": work,
			"tools":     map[string]any{"allow": []string{"file_read"}},
		},
	}}}, &made)
	enginetest.Trust(t, h.client, made.ID)
	h.must(http.MethodPost, "/api/rooms", map[string]any{"name": "dev", "team": made.ID, "agents": []string{"ann"}},
		nil)
	h.status("Ann is here", here("Ann"))
	page := h.join("room=dev&after=0&live=1")
	agree := func(choice inbox.Choice) {
		t.Helper()
		h.status("Ann waits", func(s turns.Status) bool { return s.Agents[0].State == room.Waiting })
		var waiting struct{ Entries []inbox.Entry }
		for len(waiting.Entries) == 0 { // its state changes just before it asks
			h.must(http.MethodGet, "/api/inbox", nil, &waiting)
		}
		q := waiting.Entries[0]
		if q.Agent != "Ann" || q.Room != "dev" || q.Tool != "file_read" {
			t.Fatalf("asked %+v", q)
		}
		h.must(http.MethodPost, "/api/inbox/"+string(q.ID)+"/answer", map[string]any{"choice": choice}, nil)
	}
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "when?"})
	agree(inbox.Once)
	m := page.heard("Ann", "Ann used file_read")
	if m.Type != room.System || !strings.Contains(m.Text, "the harbour opens at nine") || !strings.Contains(m.Text, `{"path":"notes.txt"}`) {
		t.Errorf("told %s %q", m.Type, m.Text)
	}
	if c := m.Cause; c == nil || c.Code != "tool_used" || c.Params["tool"] != "file_read" || c.Params["arguments"] != `{"path":"notes.txt"}` || c.Params[room.KeyOwn] != fmt.Sprint(len("```\nthe harbour opens at nine\n\n```")) {
		t.Errorf("told the cause %+v of %q", c, m.Text)
	}
	if answer := page.heard("Ann", "At nine."); answer.Text != "At nine." || answer.Type != room.Chat {
		t.Errorf("answered %q", answer.Text)
	}
	h.status("silent", idle)
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "run it"})
	agree(inbox.Once)
	if m := page.heard("Ann", "Ann could not use file_read"); m.Type != room.System || !strings.Contains(m.Text, "none.txt") {
		t.Errorf("told %s %q", m.Type, m.Text)
	}
	page.heard("Ann", "I could not.")
}
