package llm

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// CH-4: options are passed on as they are, where the provider expects them; they cannot
// change what is asked.
func TestCH4_OptionsArePassedOn(t *testing.T) {
	options := map[string]json.RawMessage{
		"top_p": json.RawMessage("0.5"), "google_search": json.RawMessage("1"), "think": json.RawMessage("false"),
		"model": json.RawMessage(`"other"`), "stream": json.RawMessage("false"), "temperature": json.RawMessage("9"),
	}
	cold := 0.1
	request := Request{
		Model:       "srv/m",
		Temperature: &cold,
		Options:     options,
		Messages:    []Message{{Role: RoleUser, Text: "hello"}},
	}
	s := serve(t, sse(delta("ok"), finish, end))
	if _, err := s.registry().Stream(t.Context(), request, func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	got := s.bodies[0]
	if got["top_p"] != 0.5 || got["google_search"] != 1.0 || got["think"] != false || got["model"] != "m" || got["stream"] != true || got["temperature"] != 0.1 {
		t.Errorf("asked with %v", got)
	}

	s = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(
			[]byte(`{"message":{"role":"assistant","content":"ok"},"done":true,"done_reason":"stop"}` + "\n"),
		)
	})
	if _, err := s.registryOf(KindOllama, "").Stream(t.Context(), request, func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	got = s.bodies[0]
	inside, _ := got["options"].(map[string]any)
	if got["think"] != false || inside["top_p"] != 0.5 || inside["google_search"] != 1.0 || inside["temperature"] != 0.1 || got["model"] != "m" || inside["think"] != nil {
		t.Errorf("asked with %v", got)
	}

	args := commandOptions(map[string]json.RawMessage{
		"b":      json.RawMessage(`"text"`),
		"a":      json.RawMessage("1"),
		"--evil": json.RawMessage("1"),
		"model":  json.RawMessage("1"),
	})
	if !slices.Equal(args, strings.Fields("-o a 1 -o b text")) {
		t.Errorf("arguments %q", args)
	}
}
