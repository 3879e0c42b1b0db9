package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/engine"
	"agentflow/backend/model/llm"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/roomclient"
	"agentflow/backend/talk/turns"
)

// script is an LLM server with scripted answers. say gets the agent that asks (the system
// prompt names it) and the last message it sent.
type script struct {
	*httptest.Server
	mu    sync.Mutex
	say   func(w http.ResponseWriter, r *http.Request, who, last string)
	asked []map[string]any
}

func startScript(t *testing.T, say func(w http.ResponseWriter, r *http.Request, who, last string)) *script {
	t.Helper()
	s := &script{say: say}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body) // a GET has none
		messages, _ := body["messages"].([]any)
		text := func(i int) string {
			m, _ := messages[i].(map[string]any)
			return fmt.Sprint(m["content"])
		}
		if len(messages) == 0 {
			http.NotFound(w, r)
			return
		}
		_, who, _ := strings.Cut(text(0), "You are ")
		who = strings.FieldsFunc(who, func(r rune) bool { return r == ',' || r == '(' || r == ' ' })[0]
		s.mu.Lock()
		s.asked = append(s.asked, body)
		say := s.say
		s.mu.Unlock()
		say(w, r, who, text(len(messages)-1))
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *script) set(say func(w http.ResponseWriter, r *http.Request, who, last string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say = say
}

// stream sends pieces of an answer, and how it ends.
func stream(w http.ResponseWriter, pieces ...string) {
	unfinished(w, pieces...)
	_, _ = fmt.Fprint(
		w,
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n"+`data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`+"\n\ndata: [DONE]\n\n",
	)
}

func unfinished(w http.ResponseWriter, pieces ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, p := range pieces {
		quoted, _ := json.Marshal(p)
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", quoted)
		w.(http.Flusher).Flush()
	}
}

// refuses is a model that gives no answer, and says why.
func refuses(w http.ResponseWriter, why string) {
	w.Header().Set("Content-Type", "text/event-stream")
	quoted, _ := json.Marshal(why)
	_, _ = fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"refusal":%s},"finish_reason":"stop"}]}`, quoted)
	_, _ = fmt.Fprint(w, "\n\ndata: [DONE]\n\n")
}

// home is a data folder that knows the script as the provider srv.
func (s *script) home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	conf := "providers:\n  - {name: srv, kind: openai, baseUrl: \"" + s.URL + "/v1\"}\ndefaultProvider: srv\n"
	if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (s *script) models() *llm.Registry {
	return llm.NewRegistry(
		llm.Options{Providers: []llm.ProviderConfig{{Name: "srv", Kind: llm.KindOpenAI, BaseURL: s.URL + "/v1"}}},
	)
}

const agentsYML = `agents:
  - {name: Ann, model: srv/m, persona: You plan., temperature: 0.2, max_tokens: 300, options: {top_p: 0.5, seed: 7}}
  - {name: Ben, model: m, persona: You build.}
  - {name: 調査役, model: srv/m, persona: あなたは調べます。}
common_settings: {chat_history_limit: 20, response_delay_ms: 1}
`

func cast(t *testing.T) map[string]chatagent.Config {
	t.Helper()
	f, err := chatagent.ReadFile([]byte(agentsYML), "agents.yml")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]chatagent.Config{}
	for _, c := range f.Agents {
		out[c.Name] = c
	}
	return out
}

// elsewhere runs an agent of the file as agentflow chat join does, in another program.
func (s *script) elsewhere(t *testing.T, url, token string, c chatagent.Config) (stop func()) {
	t.Helper()
	hub, err := hubclient.New(url, token)
	if err != nil {
		t.Fatal(err)
	}
	joined := make(chan struct{}, 100)
	a := chatagent.New(chatagent.Options{
		Config: c, Room: "dev", Instance: "elsewhere", Elsewhere: true,
		Link: &roomclient.Rooms{Hub: hub}, Responder: chatagent.ModelResponder{Models: s.models()}, Joined: func() { joined <- struct{}{} },
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		hub.Close()
	})
	t.Cleanup(stop)
	select {
	case <-joined:
	case err := <-ended:
		ended <- err
		t.Fatalf("%s could not join: %v", c.Name, err)
	case <-time.After(time.Minute):
		t.Fatalf("%s did not join", c.Name)
	}
	return stop
}

// status waits until the room is as wanted.
func (h *hub) status(what string, is func(s turns.Status) bool) turns.Status {
	h.t.Helper()
	m := h.join("room=dev&live=1")
	defer func() { _ = m.conn.Close() }()
	return *m.until(what, func(f frame) bool { return f.Live != nil && f.Live.Status != nil && is(*f.Live.Status) }).Live.Status
}

func here(names ...string) func(turns.Status) bool {
	return func(s turns.Status) bool {
		for _, name := range names {
			if !slices.ContainsFunc(s.Agents, func(m turns.Member) bool { return m.Name == name && m.State != room.Offline }) {
				return false
			}
		}
		return true
	}
}

func idle(s turns.Status) bool {
	return !slices.ContainsFunc(s.Agents, func(m turns.Member) bool { return m.TurnID != "" || m.Queued })
}

// heard waits for a message.
func (m *member) heard(sender, text string) room.Message {
	m.t.Helper()
	return m.until(
		sender+": "+text,
		func(f frame) bool { return f.Sender == sender && strings.Contains(f.Text, text) },
	).Message
}

func optionsOf(dir string) engine.Options { return engine.Options{DataDir: dir} }
