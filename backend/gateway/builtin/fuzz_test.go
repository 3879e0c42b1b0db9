package builtin

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/roster"
)

// FuzzRequest: whatever a peer sends, it is served or refused in a well-formed frame, and
// nothing panics.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"config.get","params":{}}`, `{"method":"config.get"}`, `{"id":null,"method":"chat.history","params":{"sessionKey":"agent:a:main","limit":3}}`,
		`{"id":"x","method":"config.apply","params":{"raw":"agents: {a: {}}","baseHash":"x"}}`, `{"id":1,"result":{}}`, `[]`, `{`, `{"id":{},"method":"x"}`,
		`{"id":-1e400,"method":"models.list","params":[[[]]]}`, `{"method":"sessions.list","params":{"kinds":[],"messageLimit":1e9,"includeLastMessage":true}}`,
		`{"id":1,"method":"chat.abort","params":{"sessionKey":"a","runId":"b"}}`, `{"id":1,"error":7,"method":"config.get"}`, "{\"id\":\"\\u0000\",\"method\":\"a\xff\"}",
		`{"id":1,"id":2,"method":"chat.send","params":{"sessionKey":"agent:a:","message":"m"}}`, `{"params":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`,
	} {
		f.Add([]byte(seed))
	}
	c, err := parseConfig("agents: {a: {name: A}}\n")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		g := build(Options{Store: emptyStore{}, Models: noModels{}, Roster: &roster.Roster{}})
		g.configs.put(c)
		s := &stream{serving: map[uint64]*exchange{}}
		request, refusal := s.accept(frame)
		if request == nil {
			if refusal != nil {
				checkAnswer(t, refusal, "")
			}
			return
		}
		var req jsonrpc2.Request
		if err := json.Unmarshal(request, &req); err != nil {
			t.Fatalf("the library cannot read %s: %v", request, err)
		}
		x := s.at(req.ID.Num)
		result, err := g.call(t.Context(), req.Method, x.params)
		if x.failure = errcode.From(err); err == nil {
			if x.result, err = json.Marshal(result); err != nil {
				t.Fatal(err)
			}
		}
		checkAnswer(t, x.answer(), string(x.id))
	})
}

func checkAnswer(t *testing.T, answer []byte, id string) {
	t.Helper()
	var frame map[string]json.RawMessage
	if err := json.Unmarshal(answer, &frame); err != nil {
		t.Fatalf("the answer %s is no object: %v", answer, err)
	}
	if id != "" && !sameJSON(frame["id"], []byte(id)) {
		t.Fatalf("the answer has id %s, want %s", frame["id"], id)
	}
	if raw := frame["error"]; raw != nil {
		var e struct{ Code, Message string }
		if err := json.Unmarshal(raw, &e); err != nil || e.Code == "" || e.Message == "" {
			t.Fatalf("the error is %s", raw)
		}
	}
}

func sameJSON(a, b []byte) bool {
	x, errA := json.Marshal(json.RawMessage(a))
	y, errB := json.Marshal(json.RawMessage(b))
	return errA == nil && errB == nil && string(x) == string(y)
}
