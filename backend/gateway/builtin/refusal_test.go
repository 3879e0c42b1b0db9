package builtin_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/builtintest"
	"agentflow/backend/model/llm"
)

// GW-6: what is not there is NOT_FOUND, what is wrong is VALIDATION_ERROR.
func TestGW6_ChatRefusals(t *testing.T) {
	h := start(t, hubOptions{})
	send := func(key, text string) error {
		_, err := h.ChatSend(ctx(t), builtin.ChatMessage{SessionKey: key, Message: text})
		return err
	}
	history := func(key string, limit int) error {
		_, err := h.ChatHistory(ctx(t), key, limit)
		return err
	}
	cases := map[string]struct {
		err  error
		want errcode.Code
	}{
		"send to nobody":         {send("agent:nobody:main", "x"), errcode.NotFound},
		"send to no key":         {send("pm-1", "x"), errcode.NotFound},
		"send to no name":        {send("agent:pm-1:", "x"), errcode.NotFound},
		"send nothing":           {send(pmSession, " "), errcode.Validation},
		"send without key":       {send("", "x"), errcode.Validation},
		"send too much":          {send(pmSession, strings.Repeat("x", 1<<20)), errcode.Validation},
		"history of nobody":      {history("agent:nobody:main", 1), errcode.NotFound},
		"history of no name":     {history("agent:pm-1:", 1), errcode.NotFound},
		"history, bad limit":     {history(pmSession, -1), errcode.Validation},
		"history of a new agent": {history("agent:dev-1:main", 1), ""},
		"history, new session":   {history("agent:pm-1:other", 1), ""},
	}
	for name, c := range cases {
		if c.want == "" && c.err != nil || c.want != "" && !errcode.Is(c.err, c.want) {
			t.Errorf("%s: got %v, want %q", name, c.err, c.want)
		}
	}
	long := builtin.ChatMessage{SessionKey: pmSession, Message: "x", IdempotencyKey: strings.Repeat("k", 1000)}
	if _, err := h.ChatSend(ctx(t), long); !errcode.Is(err, errcode.Validation) {
		t.Errorf("a long idempotencyKey gave %v", err)
	}
	if rows, _ := h.Sessions(ctx(t), builtin.SessionsQuery{}); len(rows) != 0 {
		t.Errorf("a refused message left %+v", rows)
	}
}

// An id may hold colons.
func TestOddIDs(t *testing.T) {
	h := start(t,
		hubOptions{config: "agents:\n  'a': {model: talk/a}\n  'a:b': {model: talk/ab}\n  '企画': {model: talk/k}\n"})
	for key, model := range map[string]llm.Model{"agent:a:b:main": "talk/ab", "agent:a:main": "talk/a", "agent:a:discord:guild:123": "talk/a", "agent:企画:main": "talk/k"} {
		sendText(t, h, key, "x")
		q := h.model.next(t)
		if q.request.Model != model {
			t.Errorf("%s asked %s", key, q.request.Model)
		}
		q.finish(t, nil)
	}
}

// Too many messages in one session are refused before they are stored.
func TestBusySession(t *testing.T) {
	h := start(t, hubOptions{})
	for i := range 16 {
		sendText(t, h, pmSession, fmt.Sprint(i))
	}
	_, err := h.ChatSend(ctx(t), builtin.ChatMessage{SessionKey: pmSession, Message: "more"})
	if !errcode.Is(err, errcode.RateLimited) || errcode.From(err).Details[errcode.KeyRetryAfterMs] == nil {
		t.Fatalf("got %v", err)
	}
	if history, _ := h.ChatHistory(ctx(t), pmSession, 100); len(history) != 16 {
		t.Fatalf("stored %d", len(history))
	}
}

// deafStore stores no replies.
type deafStore struct{ builtintest.MemoryStore }

func (s *deafStore) AppendMessage(ctx context.Context, m builtin.Message) (builtin.Message, bool, error) {
	if m.Role == builtin.RoleAssistant {
		return m, false, errors.New("disk full")
	}
	return s.MemoryStore.AppendMessage(ctx, m)
}

func TestFaultReplyThatCannotBeStored(t *testing.T) {
	h := start(t, hubOptions{store: &deafStore{}})
	facts := h.Events(64)
	defer facts.Close()
	sent := sendText(t, h, pmSession, "hello")
	q := h.model.next(t)
	q.say(t, "x")
	q.finish(t, nil)
	if end := settled(t, facts, sent.RunID); end.State != builtin.ChatError || !strings.Contains(end.ErrorMessage, "could not be stored") {
		t.Fatalf("end %+v", end)
	}
}
