package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

func TestStream(t *testing.T) {
	s := serve(t, sse(": keep alive\n\n", delta("Hel"), delta("lo"), finish, usage, end))
	zero := 0.0
	var pieces []string
	a, err := s.registry().Stream(t.Context(), Request{
		Model: "srv/org/model-1", System: "be brief", Temperature: &zero, MaxTokens: 99,
		Messages: []Message{{Role: RoleUser, Text: "one"}, {Role: RoleAssistant, Text: "two"}, {Role: RoleUser, Text: "三"}},
	}, func(d string) error { pieces = append(pieces, d); return nil })
	if err != nil || a.Text != "Hello" || a.Model != "srv/org/model-1" || a.Finish != FinishStop || a.TokensIn != 7 || a.TokensOut != 3 {
		t.Fatalf("answer %+v, %v", a, err)
	}
	if !slices.Equal(pieces, []string{"Hel", "lo"}) {
		t.Fatalf("pieces %q", pieces)
	}
	if got := s.requests[0].Header.Get("Authorization"); got != "Bearer "+testKey || s.requests[0].URL.Path != "/v1/chat/completions" {
		t.Fatalf("asked %s with %q", s.requests[0].URL, got)
	}
	body := s.bodies[0]
	messages, _ := body["messages"].([]any)
	if body["model"] != "org/model-1" || body["stream"] != true || body["max_tokens"] != 99.0 || len(messages) != 4 {
		t.Fatalf("body %v", body)
	}
	if temp, ok := body["temperature"].(float64); !ok || temp > 1e-30 {
		t.Fatalf("temperature 0 was sent as %v", body["temperature"])
	}
	if last := messages[3].(map[string]any); last["role"] != "user" || last["content"] != "三" {
		t.Fatalf("the last message is %v", last)
	}
}

// What ends early is no answer, however cleanly it ends.
func TestFaultBrokenStreams(t *testing.T) {
	hijack := func(w http.ResponseWriter, r *http.Request) {
		sse(delta("half"))(w, r)
		conn, _, _ := w.(http.Hijacker).Hijack()
		_ = conn.Close()
	}
	cases := map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"ends without finish": {sse(delta("half")), "ended in the middle"},
		"done without finish": {sse(delta("half"), end), "ended in the middle"},
		"empty":               {sse(), "contains no answer"},
		"one piece, no stream": {
			status(200, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`),
			"contains no answer",
		},
		"web page": {
			status(200, "<html>Welcome</html>", "Content-Type", "text/html; charset=utf-8"),
			"a web page instead of JSON or an event stream. Its base URL may be wrong: http://",
		},
		"cut":     {hijack, "EOF"},
		"garbage": {sse(delta("half"), "data: {broken\n\n"), "invalid character"},
		"no text": {sse(finish, end), "no text"},
		"error inside the stream": {
			sse(delta("half"), `data: {"error":{"message":"overloaded `+testKey+`","type":"server_error"}}`+"\n\n"),
			"overloaded …",
		},
		"too long": {sse(delta(strings.Repeat("x", MaxAnswer)), delta("x"), finish, end), "longer than"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			_, _, err := ask(t.Context(), s.registry(), "srv/m")
			if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("got %v", err)
			}
			noKey(t, err)
			if s.count() != 1 {
				t.Fatalf("asked %d times", s.count())
			}
		})
	}
}

// An answer that the server cuts off says nothing against the address: something came from there.
func TestAnAnswerThatWasCutOffHasItsOwnCause(t *testing.T) {
	cut := func(frames ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			sse(frames...)(w, r)
			panic(http.ErrAbortHandler)
		}
	}
	half := `{"message":{"content":"half"}}` + "\n"
	for name, c := range map[string]struct {
		kind   string
		answer http.HandlerFunc
		cause  string
	}{
		"connection":           {KindOpenAI, cut(delta("half")), CauseEndedEarly},
		"in the middle of one": {KindOpenAI, cut(delta("half"), `data: {"choices":[{"ind`), CauseEndedEarly},
		"before a piece":       {KindOpenAI, cut(": keep alive\n\n"), CauseEndedEarly},
		"stream":               {KindOpenAI, sse(delta("half")), CauseEndedEarly},
		"Ollama's":             {KindOllama, sse(half), CauseEndedEarly},
		"Ollama's line":        {KindOllama, cut(half, `{"mess`), CauseEndedEarly},
		"no stream":            {KindOpenAI, status(200, `{"choices":[{"message":{"content":"x"}}]}`), ReasonNoAnswer},
		"nothing":              {KindOllama, sse(), ReasonNoAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			config := ProviderConfig{Name: "srv", Kind: c.kind, BaseURL: s.URL + "/v1"}
			_, err := TestProvider(t.Context(), config, "m", Options{})
			if !errcode.HasReason(err, ReasonNoAnswer) || errcode.CauseOf(err).Code != c.cause {
				t.Fatalf("%v: %v", err, errcode.From(err).Details)
			}
		})
	}
}

// A refusal is the model's own answer: the error has the model's words, and asking again does not help.
func TestARefusalIsTheReason(t *testing.T) {
	no := func(text string) string {
		quoted, _ := json.Marshal(text)
		return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"refusal":%s}}]}`+"\n\n", quoted)
	}
	ending := func(reason string) string { return strings.Replace(finish, "stop", reason, 1) }
	cases := map[string]struct {
		answer             http.HandlerFunc
		reason, said, text string
	}{
		"in pieces":        {sse(no("Not "), no(testKey+"."), finish, end), ReasonRefusal, "Not …", "refused"},
		"filter with text": {sse(no("No.\nOh."), ending("content_filter"), end), ReasonRefusal, "No. Oh", "refused"},
		"filter":           {sse(delta("x"), ending("content_filter"), end), ReasonFiltered, "", "content filter"},
		"Anthropic's":      {sse(delta("x"), ending("refusal"), end), ReasonRefusal, "", "refused"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			_, _, err := ask(t.Context(), s.registry(), "srv/m")
			e := errcode.From(err)
			said, _ := e.Details["said"].(string)
			if e.Code != errcode.Validation || e.Reason() != c.reason || said != c.said ||
				!strings.Contains(e.Message, c.text) || !strings.Contains(e.Message, c.said) {
				t.Fatalf("got %v, %v", err, e.Details)
			}
			noKey(t, err)
			if s.count() != 1 {
				t.Fatalf("asked %d times", s.count())
			}
		})
	}
	s := serve(t, sse(no(strings.Repeat("x", MaxAnswer)), no("x"), finish, end))
	if _, _, err := ask(t.Context(), s.registry(), "srv/m"); !errcode.HasReason(err, ReasonNoAnswer) {
		t.Fatalf("too long: %v", err)
	}
}

func TestLengthIsTold(t *testing.T) {
	s := serve(t, sse(delta("cut"), strings.Replace(finish, "stop", "length", 1), end))
	if a, _, err := ask(t.Context(), s.registry(), "srv/m"); err != nil || a.Finish != FinishLength {
		t.Fatalf("%+v, %v", a, err)
	}
}

func TestRefusals(t *testing.T) {
	body := `{"error":{"message":"no: ` + testKey + `","type":"x","code":"y"}}`
	cases := map[string]struct {
		answer http.HandlerFunc
		code   errcode.Code
		tries  int
		says   string
	}{
		"401": {status(401, body), errcode.Unauthorized, 1, "SRV_KEY"},
		"403": {status(403, body), errcode.Unauthorized, 1, "SRV_KEY"},
		"404": {status(404, body), errcode.NotFound, 1, `no model "m"`},
		"unknown model": {
			status(400, `{"error":{"message":"nope","code":"model_not_found"}}`),
			errcode.NotFound,
			1,
			"nope",
		},
		"400":       {status(400, body), errcode.Validation, 1, "does not take"},
		"429":       {status(429, body), errcode.RateLimited, 4, "no more requests"},
		"408":       {status(408, body), errcode.Timeout, 4, "too long"},
		"504":       {status(504, body), errcode.Timeout, 4, "too long"},
		"500":       {status(500, body), errcode.Unavailable, 4, "failed"},
		"503 html":  {status(503, "<html>down</html>"), errcode.Unavailable, 4, "503"},
		"long wait": {status(429, body, "Retry-After", "31"), errcode.RateLimited, 1, "no more requests"},
		"redirect":  {status(307, "", "Location", "http://127.0.0.1:1/"), errcode.Unavailable, 1, "redirects"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			_, _, err := ask(t.Context(), s.registry(), "srv/m")
			if !errcode.Is(err, c.code) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "srv") {
				t.Fatalf("got %v", err)
			}
			noKey(t, err)
			if s.count() != c.tries {
				t.Fatalf("asked %d times, want %d", s.count(), c.tries)
			}
		})
	}
	s := serve(t, status(429, body, "Retry-After", "31"))
	_, _, err := ask(t.Context(), s.registry(), "srv/m")
	if ms := errcode.From(err).Details[errcode.KeyRetryAfterMs]; ms != int64(31_000) {
		t.Fatalf("retryAfterMs is %v", ms)
	}
}

func TestRetryThenAnswer(t *testing.T) {
	s := serve(t, status(429, "{}"), status(502, "{}"), sse(delta("ok"), finish, end))
	if a, pieces, err := ask(t.Context(), s.registry(), "srv/m"); err != nil || a.Text != "ok" || len(pieces) != 1 || s.count() != 3 {
		t.Fatalf("%+v, %q, %v after %d tries", a, pieces, err, s.count())
	}
}

func TestRedirectTakesNothingAlong(t *testing.T) {
	var met bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { met = true }))
	defer other.Close()
	s := serve(t, status(308, "", "Location", other.URL))
	if _, _, err := ask(t.Context(), s.registry(), "srv/m"); err == nil || met {
		t.Fatalf("err %v, the other server was asked: %v", err, met)
	}
}

func hang(w http.ResponseWriter, r *http.Request) {
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func TestSilence(t *testing.T) {
	s := serve(t, hang)
	r := s.registry()
	r.entries[0].provider.(*chatServer).wait.First = 20 * time.Millisecond
	if _, _, err := ask(t.Context(), r, "srv/m"); !errcode.Is(err, errcode.Timeout) || s.count() != 4 {
		t.Fatalf("nothing ever: %v after %d tries", err, s.count())
	}
	s = serve(t, func(w http.ResponseWriter, req *http.Request) { sse(delta("half"))(w, req); hang(w, req) })
	r = s.registry()
	r.entries[0].provider.(*chatServer).wait.Idle = 20 * time.Millisecond
	if _, pieces, err := ask(t.Context(), r, "srv/m"); !errcode.Is(err, errcode.Timeout) || s.count() != 1 || len(pieces) != 1 {
		t.Fatalf("silence in the middle: %v, %q after %d tries", err, pieces, s.count())
	}
}

func TestCallerEndsIt(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, req *http.Request) { sse(delta("half"))(w, req); hang(w, req) })
	mine := errors.New("mine")
	_, err := s.registry().Stream(t.Context(), Request{Model: "srv/m"}, func(string) error { return mine })
	if !errors.Is(err, mine) {
		t.Fatalf("the callback's error became %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err = s.registry().Stream(ctx, Request{Model: "srv/m"}, func(string) error { cancel(mine); return nil })
	if !errors.Is(err, mine) || s.count() != 2 {
		t.Fatalf("the cause became %v after %d tries", err, s.count())
	}
}

func TestMissingKey(t *testing.T) {
	s := serve(t, sse(end))
	r := NewRegistry(Options{Providers: []ProviderConfig{{Name: "srv", Kind: KindOpenAI, BaseURL: s.URL, APIKeyEnv: "SRV_KEY"}}})
	if _, _, err := ask(t.Context(), r, "srv/m"); !errcode.Is(err, errcode.Unauthorized) || !strings.Contains(err.Error(), "SRV_KEY") || s.count() != 0 {
		t.Fatalf("got %v", err)
	}
}

func TestReasoningModels(t *testing.T) {
	s := serve(t, sse(delta("ok"), finish, end))
	warm := 0.7
	_, err := s.registry().
		Stream(t.Context(), Request{Model: "srv/gpt-5", MaxTokens: 5}, func(string) error { return nil })
	if err != nil || s.bodies[0]["max_completion_tokens"] != 5.0 || s.bodies[0]["max_tokens"] != nil {
		t.Fatalf("%v, body %v", err, s.bodies)
	}
	_, err = s.registry().
		Stream(t.Context(), Request{Model: "srv/gpt-5", Temperature: &warm}, func(string) error { return nil })
	if !errcode.Is(err, errcode.Validation) {
		t.Fatalf("a temperature gave %v", err)
	}
}
