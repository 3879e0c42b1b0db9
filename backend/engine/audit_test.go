package engine_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/audit"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// What changes something or is refused, and who asked, stands in the audit log; no secret
// and nothing that was said does.
func TestCO7_AG7_RequestsAreAudited(t *testing.T) {
	t.Setenv("AGENTFLOW_AGENT_DEV", "agents-own-secret-of-24-bytes-or-more")
	dir := t.TempDir()
	h := enginetest.Start(t, engine.Options{DataDir: dir})
	h.Apply(
		"agents:\n  pm-1: {role: Coordinator, model: demo/echo, subagents: {allowAgents: [dev-1]}}\n  dev-1: {role: Developer, url: \"http://127.0.0.1:1\", secretEnv: AGENTFLOW_AGENT_DEV}\n",
	)
	h.Trust()
	ask := func(method, path, token, body string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, h.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		res, err := http.DefaultTransport.RoundTrip(req) // does not follow the link on
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	ask("POST", "/api/message", h.Token(), `{"room":"dev","sender":"Aiko","message":"whisper-of-a-secret"}`)
	ask("GET", "/api/rooms", h.Token(), "")
	if got := ask("PUT", "/api/desk", h.Token(), `{"conversation":"room:dev"}`); got != http.StatusNoContent {
		t.Errorf("a draft is answered with %d", got)
	}
	ask("PUT", "/api/desk", h.Token(), `{"conversation":""}`)
	ask("GET", "/api/rooms", "guessed-token", "")
	ask("POST", "/api/settings", "agents-own-secret-of-24-bytes-or-more", "{}")
	ask("GET", strings.TrimPrefix(h.OneTimeLink(), h.URL()), "", "")
	ask("POST", "/submit_task?why=not-for-logs", h.Token(), "{")
	ask("GET", "/", "", "")
	conn, res, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(h.URL(), "http")+"/api/events",
		http.Header{"Authorization": {"Bearer " + h.Token()}})
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	_ = conn.Close()
	h.Stop()

	var got, text []string
	for _, name := range []string{audit.FileName, audit.RefusedName} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var e audit.Entry
			if err := json.Unmarshal([]byte(line), &e); err != nil || e.At.IsZero() || e.Address != "127.0.0.1" {
				t.Errorf("%s %v", line, err)
			}
			text = append(text, line)
			got = append(got, strings.Join([]string{e.Who, e.Method, e.Path, http.StatusText(e.Status), e.Code}, " "))
		}
	}
	for _, want := range []string{
		"owner POST /api/gateway/config/apply OK ", "owner POST /api/message Created ", " GET /api/rooms Unauthorized UNAUTHORIZED",
		"agent:dev-1 POST /api/settings Forbidden FORBIDDEN", "owner POST /submit_task Bad Request VALIDATION_ERROR",
		"owner GET /api/events Switching Protocols ", "page GET /open/ OK ",
		"owner PUT /api/desk Bad Request VALIDATION_ERROR",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if slices.Contains(got, "owner PUT /api/desk No Content ") {
		t.Error("what the page remembers hides the acts of people")
	}
	all := strings.Join(text, "\n")
	for _, secret := range []string{h.Token(), "agents-own-secret-of-24-bytes-or-more", "guessed-token", "whisper", "not-for-logs", "/open/ey", `"GET","path":"/"`, `"who":"owner","address":"127.0.0.1","method":"GET","path":"/api/rooms"`} {
		if strings.Contains(all, secret) {
			t.Errorf("%q stands in the log:\n%s", secret, all)
		}
	}
}
