package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// lines is an Ollama's answer.
func lines(all ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		for _, l := range all {
			_, _ = w.Write([]byte(l + "\n"))
			w.(http.Flusher).Flush()
		}
	}
}

func said(text string) string {
	return fmt.Sprintf(`{"message":{"role":"assistant","content":%q},"done":false}`, text)
}

const done = `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}`

// fragment is a piece of a call as OpenAI's chat completions stream it.
func fragment(call string) string {
	return `data: {"choices":[{"index":0,"delta":{"tool_calls":[` + call + `]}}]}` + "\n\n"
}

const finishCalls = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n"

var weather = Tool{
	Name:        "weather",
	Description: "tells the weather",
	Schema:      json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`),
}

func withTools(t *testing.T, r *Registry, messages ...Message) (Answer, string, error) {
	t.Helper()
	var text strings.Builder
	a, err := r.Stream(
		t.Context(),
		Request{Model: "srv/m", Tools: []Tool{weather}, Messages: messages},
		func(d string) error {
			text.WriteString(d)
			return nil
		},
	)
	return a, text.String(), err
}

func show(calls []Call) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "%s %s %s;", c.ID, c.Name, c.Arguments)
	}
	return b.String()
}

// TestCH5_CallsArePutTogether: servers send the pieces of calls in many ways.
func TestCH5_CallsArePutTogether(t *testing.T) {
	two := `a weather {"city":"Kyoto"};b weather {"city":"Oslo"};`
	cases := map[string]struct {
		frames []string
		want   string
	}{
		"fragmented and interleaved": {[]string{
			fragment(`{"index":0,"id":"a","type":"function","function":{"name":"weather","arguments":""}}`),
			fragment(`{"index":0,"function":{"arguments":"{\"ci"}}`),
			fragment(`{"index":1,"id":"b","type":"function","function":{"name":"weather","arguments":"{\"city\":"}}`),
			fragment(`{"index":0,"function":{"arguments":"ty\":\"Kyoto\"}"}}`),
			fragment(`{"index":1,"function":{"arguments":"\"Oslo\"}"}}`), finishCalls,
		}, two},
		"both in one frame": {[]string{fragment(
			`{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Kyoto\"}"}},{"index":1,"id":"b","function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}`), finishCalls}, two},
		"all with the number 0": {[]string{
			fragment(`{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Kyoto\"}"}}`),
			fragment(`{"index":0,"id":"b","function":{"name":"weather","arguments":"{\"city\":"}}`),
			fragment(`{"index":0,"function":{"arguments":"\"Oslo\"}"}}`), finishCalls,
		}, two},
		"without numbers": {[]string{
			fragment(`{"id":"a","function":{"name":"weather","arguments":"{\"city\":\"Kyoto\"}"}}`),
			fragment(`{"id":"b","function":{"name":"weather","arguments":"{\"city\":"}}`),
			fragment(`{"function":{"arguments":"\"Oslo\"}"}}`), finishCalls,
		}, two},
		"name and id with every piece": {[]string{
			fragment(`{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\""}}`),
			fragment(`{"index":0,"id":"a","function":{"name":"weather","arguments":":\"Kyoto\"}"}}`), finish,
		}, `a weather {"city":"Kyoto"};`},
		"no id":     {[]string{fragment(`{"index":0,"function":{"name":"weather","arguments":"{}"}}`), finishCalls}, `call_1 weather {};`},
		"malformed": {[]string{fragment(`{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\": Kyo"}}`), finishCalls}, `a weather {"city": Kyo;`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t, sse(append([]string{delta("I look. ")}, append(c.frames, usage, end)...)...))
			a, text, err := withTools(t, s.registry(), Message{Role: RoleUser, Text: "weather?"})
			if err != nil || a.Finish != FinishCalls || show(a.Calls) != c.want || text != "I look. " || a.Text != text || a.TokensOut != 3 {
				t.Fatalf("%+v %q, %v", a, text, err)
			}
			tools, _ := json.Marshal(s.bodies[0]["tools"])
			if want := `[{"function":{"description":"tells the weather","name":"weather","parameters":{"properties":{"city":{"type":"string"}},"type":"object"}},"type":"function"}]`; string(tools) != want {
				t.Errorf("offered %s", tools)
			}
		})
	}
}

// TestCH5_ResultsGoBack: a call and what came of it, in each server's own words. Arguments
// that were no JSON go back as none, since servers refuse them.
func TestCH5_ResultsGoBack(t *testing.T) {
	talk := []Message{
		{Role: RoleUser, Text: "weather?"},
		{
			Role: RoleAssistant,
			Calls: []Call{
				{ID: "a", Name: "weather", Arguments: `{"city":"Kyoto"}`},
				{ID: "b", Name: "weather", Arguments: `{"city": Kyo`},
			},
		},
		{Role: RoleTool, Text: "sunny", Call: Call{ID: "a", Name: "weather"}},
		{Role: RoleTool, Text: "the arguments are no JSON", Call: Call{ID: "b", Name: "weather"}},
	}
	for kind, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		KindOpenAI: {sse(delta("Sunny."), finish, end), `[{"content":"weather?","role":"user"},` +
			`{"role":"assistant","tool_calls":[{"function":{"arguments":"{\"city\":\"Kyoto\"}","name":"weather"},"id":"a","type":"function"},{"function":{"arguments":"{}","name":"weather"},"id":"b","type":"function"}]},` +
			`{"content":"sunny","role":"tool","tool_call_id":"a"},{"content":"the arguments are no JSON","role":"tool","tool_call_id":"b"}]`},
		KindOllama: {lines(said("Sunny."), done), `[{"content":"weather?","role":"user"},` +
			`{"content":"","role":"assistant","tool_calls":[{"function":{"arguments":{"city":"Kyoto"},"name":"weather"}},{"function":{"arguments":{},"name":"weather"}}]},` +
			`{"content":"sunny","role":"tool","tool_name":"weather"},{"content":"the arguments are no JSON","role":"tool","tool_name":"weather"}]`},
	} {
		s := serve(t, c.answer)
		a, _, err := withTools(t, s.registryOf(kind, "/v1"), talk...)
		if err != nil || a.Text != "Sunny." || a.Finish != FinishStop || len(a.Calls) > 0 {
			t.Errorf("%s: %+v, %v", kind, a, err)
		}
		if got, _ := json.Marshal(s.bodies[0]["messages"]); string(got) != c.want {
			t.Errorf("%s was told %s", kind, got)
		}
	}
}

func TestCH5_OllamaInItsOwnWords(t *testing.T) {
	s := serve(t, lines(
		said("I look. "),
		`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"weather","arguments":{"city":"Kyoto"}}}]},"done":false}`,
		`{"message":{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"name":"weather","arguments":"{\"city\": Kyo"}}]},"done":false}`,
		done,
	))
	half := 0.5
	a, err := s.registryOf(KindOllama, "").Stream(t.Context(), Request{
		Model:       "srv/qwen3",
		System:      "be brief",
		Temperature: &half,
		MaxTokens:   99,
		Tools:       []Tool{weather},
		Messages:    []Message{{Role: RoleUser, Text: "weather?"}},
	}, func(string) error { return nil })
	if err != nil || a.Finish != FinishCalls || a.Text != "I look. " || a.TokensIn != 7 || a.TokensOut != 3 {
		t.Fatalf("%+v, %v", a, err)
	}
	if got := show(a.Calls); got != `call_1 weather {"city":"Kyoto"};x weather {"city": Kyo;` {
		t.Errorf("calls %s", got)
	}
	body := s.bodies[0]
	options, _ := json.Marshal(body["options"])
	if s.requests[0].URL.Path != "/api/chat" || body["model"] != "qwen3" || string(options) != `{"num_predict":99,"temperature":0.5}` || body["tools"] == nil {
		t.Errorf("%s asked %v", s.requests[0].URL, body)
	}
	if s.requests[0].Header.Get("Authorization") != "Bearer "+testKey {
		t.Error("the key did not travel")
	}
}

// TestFaultOllama: whatever is no whole answer is an error, and says what Ollama said.
func TestFaultOllama(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		code   errcode.Code
		says   string
	}{
		"ends without done":     {lines(said("half")), errcode.Unavailable, "ended in the middle"},
		"no text":               {lines(done), errcode.Unavailable, "no text"},
		"garbage":               {lines(said("half"), "{broken"), errcode.Unavailable, "incomplete or invalid answer"},
		"error in the stream":   {lines(said("half"), `{"error":"out of memory `+testKey+`"}`), errcode.Unavailable, "out of memory …"},
		"no tools":              {status(400, `{"error":"m does not support tools"}`), errcode.Validation, "does not support tools"},
		"a proxy's own refusal": {status(401, `{"error":{"message":"who are you"}}`), errcode.Unauthorized, "who are you"},
		"endless":               {lines(said(strings.Repeat("x", MaxAnswer)), said("x"), done), errcode.Unavailable, "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := withTools(t, serve(t, c.answer).registryOf(KindOllama, ""), Message{Role: RoleUser, Text: "?"})
			if !errcode.Is(err, c.code) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v", err)
			}
			noKey(t, err)
		})
	}
}

func TestFaultTooManyCalls(t *testing.T) {
	var frames []string
	for i := range MaxCalls + 1 {
		frames = append(frames,
			fragment(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"weather","arguments":"{}"}}`, i, i)))
	}
	_, _, err := withTools(t, serve(t, sse(append(frames, finishCalls, end)...)).registry(),
		Message{Role: RoleUser, Text: "?"})
	if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "more than 64 tools") {
		t.Errorf("got %v", err)
	}
	long := fragment(`{"index":0,"id":"a","function":{"name":"weather","arguments":"` + strings.Repeat("x", MaxAnswer) + `"}}`)
	if _, _, err := withTools(t, serve(t, sse(long, finishCalls, end)).registry(), Message{Role: RoleUser, Text: "?"}); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("got %v", err)
	}
}

// A call that is cut off is no call.
func TestFaultACutCallIsNotMade(t *testing.T) {
	s := serve(t, sse(fragment(`{"index":0,"id":"a","function":{"name":"weather","arguments":"{\"city\":"}}`), strings.Replace(finish, "stop", "length", 1), end))
	if a, _, err := withTools(t, s.registry(), Message{Role: RoleUser, Text: "?"}); err != nil || a.Finish != FinishLength || len(a.Calls) > 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestACommandTakesNoTools(t *testing.T) {
	r := NewRegistry(Options{Providers: []ProviderConfig{{Name: "srv", Kind: KindCLI, Command: "/no/such/llm"}}})
	if _, _, err := withTools(t, r, Message{Role: RoleUser, Text: "?"}); !errcode.HasReason(err, ReasonNoTools) {
		t.Errorf("got %v", err)
	}
}
