package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testKey = "sk-a-very-secret-key"

// server is a provider on a real socket. Each request takes the next answer; the last
// one stays.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	answers  []http.HandlerFunc
	requests []*http.Request
	bodies   []map[string]any
}

func serve(t *testing.T, answers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body) // a GET has none
		s.mu.Lock()
		answer := s.answers[min(len(s.requests), len(s.answers)-1)]
		s.requests, s.bodies = append(s.requests, r), append(s.bodies, body)
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(func() {
		s.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return s
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// registry knows the server as "srv".
func (s *server) registry() *Registry { return s.registryOf(KindOpenAI, "/v1") }

func (s *server) registryOf(kind, path string) *Registry {
	return NewRegistry(Options{
		Providers: []ProviderConfig{{Name: "srv", Kind: kind, BaseURL: s.URL + path, APIKeyEnv: "SRV_KEY"}},
		Getenv:    env(map[string]string{"SRV_KEY": testKey}),
		Waits:     Waits{First: 5 * time.Second, Idle: 5 * time.Second, Retry: time.Millisecond},
	})
}

func env(vars map[string]string) func(string) string { return func(k string) string { return vars[k] } }

func delta(text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%s}}]}`+"\n\n", quoted)
}

const (
	finish = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	usage  = `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}` + "\n\n"
	end    = "data: [DONE]\n\n"
)

func sse(frames ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, f := range frames {
			_, _ = w.Write([]byte(f))
			w.(http.Flusher).Flush()
		}
	}
}

func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}
}

// ask returns the answer and the pieces it came in.
func ask(ctx context.Context, r *Registry, model Model) (Answer, []string, error) {
	var pieces []string
	a, err := r.Stream(
		ctx,
		Request{Model: model, System: "be brief", Messages: []Message{{Role: RoleUser, Text: "hello"}}},
		func(d string) error {
			pieces = append(pieces, d)
			return nil
		},
	)
	return a, pieces, err
}

func noKey(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; {
		if strings.Contains(fmt.Sprintf("%v %+v %#v", e, e, e), testKey) {
			t.Fatalf("the key is in the error %v", e)
		}
		u, ok := e.(interface{ Unwrap() error })
		if !ok {
			return
		}
		e = u.Unwrap()
	}
}
