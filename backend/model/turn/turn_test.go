package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a server that plays one answer after another, and then repeats the last one.
type script struct {
	mu      sync.Mutex
	answers []string
	bodies  []string
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body json.RawMessage
	_ = json.NewDecoder(r.Body).Decode(&body) // the test shows what is missing
	s.mu.Lock()
	answer := s.answers[min(len(s.bodies), len(s.answers)-1)]
	s.bodies = append(s.bodies, string(body))
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte(answer))
}

func chunk(choice string) string { return "data: {\"choices\":[{\"index\":0," + choice + "}]}\n\n" }

func says(text string) string {
	quoted, _ := json.Marshal(text)
	return chunk(`"delta":{"content":`+string(quoted)+`}`) + chunk(`"delta":{},"finish_reason":"stop"`) + usage
}

// calls requests tools: ID, name and arguments of each.
func calls(text string, all ...[3]string) string {
	quoted, _ := json.Marshal(text)
	out := chunk(`"delta":{"content":` + string(quoted) + `}`)
	for i, c := range all {
		args, _ := json.Marshal(c[2])
		out += chunk(fmt.Sprintf(
			`"delta":{"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}]}`,
			i,
			c[0],
			c[1],
			args,
		))
	}
	return out + chunk(`"delta":{},"finish_reason":"tool_calls"`) + usage
}

const usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n\ndata: [DONE]\n\n"

func play(t *testing.T, answers ...string) (*script, Turn) {
	t.Helper()
	s := &script{answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	models := llm.NewRegistry(llm.Options{Providers: []llm.ProviderConfig{{Name: "srv", Kind: llm.KindOpenAI, BaseURL: server.URL}}, Waits: llm.Waits{Retry: time.Millisecond}})
	return s, Turn{Models: models, Request: llm.Request{Model: "srv/m", Messages: []llm.Message{{Role: llm.RoleUser, Text: "weather?"}}}, Tools: tools()}
}

func tools() *tool.Set {
	echo := func(name string, do func(args json.RawMessage) (string, error)) tool.Tool {
		return tool.Tool{
			Name:   name,
			From:   "x",
			Schema: json.RawMessage(`{"type":"object"}`),
			Call:   func(_ context.Context, args json.RawMessage) (string, error) { return do(args) },
		}
	}
	return tool.NewSet(tool.Options{Policies: tool.Policies{Default: tool.Auto}},
		echo("weather", func(args json.RawMessage) (string, error) { return "sunny in " + string(args), nil }),
		echo("fail", func(json.RawMessage) (string, error) { return "", errors.New("no network") }))
}

// TestCH5_AModelUsesToolsUntilItAnswers over a real socket: two calls at once, one malformed, one that fails. The
// model and the listener get everything.
func TestCH5_AModelUsesToolsUntilItAnswers(t *testing.T) {
	s, turn := play(t,
		calls("I look. ", [3]string{"a", "weather", `{"city":"Kyoto"}`}, [3]string{"b", "weather", `{"city": Kyo`}),
		calls("", [3]string{"c", "fail", `{}`}, [3]string{"d", "guess", ``}),
		says("Sunny."))
	var heard strings.Builder
	turn.Tell = func(n Update) error {
		switch {
		case n.Ended:
			fmt.Fprintf(&heard, "%s→%v;", n.Use.Tool, n.Use.Failed)
		case n.Use != nil:
			fmt.Fprintf(&heard, "%s…", n.Use.Tool)
		default:
			heard.WriteString(n.Text)
		}
		return nil
	}
	a, err := Run(t.Context(), turn)
	if err != nil || a.Text != "Sunny." || a.Finish != llm.FinishStop || a.TokensIn != 30 || a.TokensOut != 15 || len(a.Uses) != 4 {
		t.Fatalf("%+v, %v", a, err)
	}
	if want := "I look. weather…weather→false;weather…weather→true;fail…fail→true;guess…guess→true;Sunny."; heard.String() != want {
		t.Errorf("heard %s", heard.String())
	}
	last := s.bodies[2]
	for _, want := range []string{`sunny in {\"city\":\"Kyoto\"}`, `error: the arguments are not a JSON object`, `error: no network`, `error: there is no tool \"guess\"`, `"tool_call_id":"a"`, `"tool_call_id":"d"`} {
		if !strings.Contains(last, want) {
			t.Errorf("the model didn't get %s:\n%s", want, last)
		}
	}
	if len(turn.Request.Messages) != 1 {
		t.Error("the caller's messages were changed")
	}
}

// TestFaultATurnThatDoesNotEnd is ended by each limit, without a retry.
func TestFaultATurnThatDoesNotEnd(t *testing.T) {
	var many []string
	for i := range 10 {
		many = append(many, calls("x", [3]string{"a", "weather", fmt.Sprintf(`{"n":%d}`, i)}))
	}
	same := calls("x", [3]string{"a", "fail", `{}`})
	for reason, c := range map[string]struct {
		answers []string
		bounds  Bounds
		asked   int
	}{
		ReasonRounds: {many, Bounds{Rounds: 3}, 3},
		ReasonTokens: {many, Bounds{Tokens: 40}, 3},
		ReasonOutput: {many, Bounds{Output: 2}, 3},
		ReasonAlike:  {[]string{same}, Bounds{}, 4},
	} {
		s, turn := play(t, c.answers...)
		turn.Bounds = c.bounds
		a, err := Run(t.Context(), turn)
		if !errcode.HasReason(err, reason) || !errcode.Is(err, errcode.Validation) || len(s.bodies) != c.asked || a.TokensIn == 0 {
			t.Errorf("%s: %v after %d questions, %+v", reason, err, len(s.bodies), a)
		}
	}
}

// The listener's error and the end of ctx end a turn, and are returned unchanged.
func TestWhatEndsATurn(t *testing.T) {
	mine := errors.New("enough")
	_, turn := play(t, calls("x", [3]string{"a", "weather", `{}`}), says("no"))
	for _, when := range []func(Update) bool{func(n Update) bool { return n.Text != "" }, func(n Update) bool { return n.Use != nil }, func(n Update) bool { return n.Ended }} {
		turn.Tell = func(n Update) error {
			if when(n) {
				return mine
			}
			return nil
		}
		if _, err := Run(t.Context(), turn); !errors.Is(err, mine) {
			t.Errorf("got %v", err)
		}
		_, turn = play(t, calls("x", [3]string{"a", "weather", `{}`}), says("no"))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	turn.Tell = func(n Update) error {
		if n.Use != nil {
			cancel(mine)
		}
		return nil
	}
	if a, err := Run(ctx, turn); !errors.Is(err, mine) || len(a.Uses) > 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// Without tools, none is offered, and a call is rejected.
func TestATurnWithoutTools(t *testing.T) {
	s, turn := play(t, calls("", [3]string{"a", "weather", `{}`}), says("Then not."))
	turn.Tools = nil
	a, err := Run(t.Context(), turn)
	if err != nil || a.Text != "Then not." || strings.Contains(s.bodies[0], `"tools"`) || !strings.Contains(s.bodies[1], "there are no tools") {
		t.Errorf("%+v, %v, %s", a, err, s.bodies)
	}
}
