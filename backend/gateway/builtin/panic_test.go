package builtin_test

import (
	"strings"
	"testing"

	"agentflow/backend/gateway/builtin"
)

// A panic in one reply is that reply's failure, which its session shows; the next one comes.
func TestTR5_APanicEndsOneReply(t *testing.T) {
	h := start(t, hubOptions{})
	facts := h.Events(64)
	defer facts.Close()
	h.model.panics.Store(true)
	sent := sendText(t, h, pmSession, "hello")
	if end := settled(t, facts, sent.RunID); end.State != builtin.ChatError || !strings.Contains(end.ErrorMessage, "unexpected") {
		t.Fatalf("%+v", end)
	}
	h.model.panics.Store(false)
	sent = sendText(t, h, pmSession, "again")
	q := h.model.next(t)
	q.say(t, "here")
	q.finish(t, nil)
	if end := settled(t, facts, sent.RunID); end.State != builtin.ChatFinal {
		t.Errorf("%+v", end)
	}
}
