// Package codeclitest provides the real Codex CLI and a scripted model server for the protocols of OpenAI, Anthropic
// and Gemini.
package codeclitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// EnvReal enables the tests with the real Codex.
const EnvReal = "AGENTFLOW_REAL_WORKERS"

// Names of the programs.
const (
	codex    = "codex"
	CodexACP = "codex-acp"
	Gemini   = "gemini"
	OpenCode = "opencode"
	Claude   = "claude"
)

// Codex returns the path of the real Codex CLI. If it isn't enabled, or can't be installed or run, the test is
// skipped with a message.
func Codex(t testing.TB) string {
	t.Helper()
	command := CLI(t, codex)
	sandboxed(t, command)
	return command
}

// CLI returns the path of a real coding CLI, and installs it if needed. If it isn't enabled, or can't be installed,
// the test is skipped with a message.
func CLI(t testing.TB, name string) string {
	t.Helper()
	if os.Getenv(EnvReal) == "" {
		t.Skipf("NOT RUN: the real %s is only installed and started when %s is set", name, EnvReal)
	}
	cmd := exec.Command(script(t), name)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("NOT RUN: the real %s cannot be installed here: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

// sandboxed checks that Codex can run commands here: its sandbox needs user namespaces, which some containers forbid.
func sandboxed(t testing.TB, command string) {
	t.Helper()
	home, tmp := t.TempDir(), t.TempDir()
	cmd := exec.Command(command, "sandbox", "--", "true")
	cmd.Env = append(os.Environ(), "CODEX_HOME="+home, "TMPDIR="+tmp)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("NOT RUN: the real Codex cannot run sandboxed commands here: %v\n%s", err, out)
	}
}

// script finds build/codex-peer.sh of the module the test runs in.
func script(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "build", "codex-peer.sh")
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("build/codex-peer.sh is not above the test's folder")
		}
	}
}

// Reply is one answer of the model.
type Reply struct {
	Text   string // the model's text
	Shell  string // a command that it requests first
	Status int    // an HTTP error instead, if not 0
}

// Model answers requests. Ask is called for one request at a time, with the body.
type Model struct {
	URL string // with /v1
	mu  sync.Mutex
	ask func(api string, body string) Reply
}

// Serve runs a Model until the test ends.
func Serve(t testing.TB, ask func(api, body string) Reply) *Model {
	t.Helper()
	m := &Model{ask: ask}
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	m.URL = s.URL + "/v1"
	return m
}

// Script returns an ask function that plays the replies, and then repeats the last one.
func Script(replies ...Reply) func(api, body string) Reply {
	n := -1
	return func(string, string) Reply {
		n = min(n+1, len(replies)-1)
		return replies[n]
	}
}

// ServeHTTP implements http.Handler.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	api := apiOf(r.URL.Path)
	if api == "" {
		if !fixed(w, r.URL.Path) {
			http.NotFound(w, r)
		}
		return
	}
	m.mu.Lock()
	reply := m.ask(api, string(body))
	m.mu.Unlock()
	if reply.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(reply.Status)
		_, _ = io.WriteString(w, `{"error":{"message":"told to fail","type":"server_error"}}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	switch api {
	case Chat:
		chat(w, reply)
	case Messages:
		messages(w, reply)
	case Generate:
		generate(w, strings.Contains(r.URL.Path, ":stream"), reply)
	default:
		responses(w, reply)
	}
}

func responses(w io.Writer, reply Reply) {
	frame(w, "response.created", map[string]any{"response": map[string]any{"id": "resp-1"}})
	if reply.Text != "" {
		frame(w, "response.output_item.done", map[string]any{"output_index": 0, "item": map[string]any{
			"type":    "message",
			"id":      "msg-1",
			"role":    "assistant",
			"status":  "completed",
			"content": []any{map[string]any{"type": "output_text", "text": reply.Text, "annotations": []any{}}},
		}})
	}
	if reply.Shell != "" {
		arguments, _ := json.Marshal(map[string]string{"cmd": reply.Shell})
		frame(w, "response.output_item.done", map[string]any{"output_index": 1, "item": map[string]any{
			"type":      "function_call",
			"id":        "fc-1",
			"call_id":   "call-1",
			"name":      "exec_command",
			"arguments": string(arguments),
			"status":    "completed",
		}})
	}
	frame(w, "response.completed", map[string]any{"response": map[string]any{"id": "resp-1", "status": "completed", "usage": map[string]any{
		"input_tokens": 100, "output_tokens": 20, "total_tokens": 120, "input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
	}}})
}

func frame(w io.Writer, event string, data map[string]any) {
	if event != "" {
		data["type"] = event
		_, _ = fmt.Fprintf(w, "event: %s\n", event)
	}
	text, _ := json.Marshal(data)
	_, _ = fmt.Fprintf(w, "data: %s\n\n", text)
}

// Settings are the settings that make Codex use the Model.
func (m *Model) Settings() map[string]any {
	return map[string]any{"config": map[string]any{
		"model_provider": "stub", "model_providers.stub.name": "stub", "model_providers.stub.base_url": m.URL, "model_providers.stub.env_key": "STUB_KEY",
		"model_providers.stub.wire_api": "responses", "model_providers.stub.request_max_retries": 1, "model_providers.stub.stream_max_retries": 1, "model_providers.stub.stream_idle_timeout_ms": 60000,
	}}
}
