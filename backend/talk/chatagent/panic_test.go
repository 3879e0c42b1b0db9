package chatagent

import (
	"context"
	"testing"
	"time"

	"agentflow/backend/talk/turns"
)

// A panic while an agent thinks ends that turn with a notice in the room; the next turn works.
func TestTR5_APanicEndsOneTurn(t *testing.T) {
	broken := true
	a := New(Options{Room: "dev", Config: Config{Name: "Ann", Persona: "p"}, Responder: asked(func() {
		if broken {
			panic("no")
		}
	})})
	think := func(id string) turns.End {
		r := a.newReply(t.Context(), turns.Turn{ID: id})
		defer r.cancel(nil)
		return r.think()
	}
	if end := think("turn-1"); end.Outcome != turns.Failed || end.Cause == nil || end.Cause.Code != "internal_error" {
		t.Errorf("%+v", end)
	}
	broken = false
	if end := think("turn-2"); end.Outcome != turns.Answered {
		t.Errorf("%+v", end)
	}
}

// brokenVoice is a link to a room that panics.
type brokenVoice struct{ asked chan struct{} }

func (v brokenVoice) Report(context.Context, turns.Update) error {
	v.asked <- struct{}{}
	panic("no")
}

// A panic while pieces of an answer are shown, which a timer does, ends nothing else.
func TestTR5_APanicInATimerEndsNothing(t *testing.T) {
	a, v := New(Options{Room: "dev", Config: Config{Name: "Ann"}, Responder: asked(func() {})}), brokenVoice{make(chan struct{}, 1)}
	a.voice = v
	r := a.newReply(t.Context(), turns.Turn{ID: "turn-1"})
	defer r.cancel(nil)
	r.rejoined()
	select {
	case <-v.asked:
	case <-time.After(time.Minute):
		t.Fatal("it was not shown")
	}
	r.mu.Lock() // comes back after the panic
	defer r.mu.Unlock()
}

// A panic around an answer ends that turn: it is not begun again, which would panic again.
func TestTR5_APanicAroundAnAnswerEndsOneTurn(t *testing.T) {
	a, v := New(Options{Room: "dev", Config: Config{Name: "Ann"}, Responder: asked(func() {})}), brokenVoice{make(chan struct{}, 10)}
	a.voice = v
	r := a.newReply(t.Context(), turns.Turn{ID: "turn-1"})
	r.run()
	if a.done != "turn-1" || len(v.asked) == 0 || r.ctx.Err() == nil {
		t.Errorf("done %q, asked %d, %v", a.done, len(v.asked), r.ctx.Err())
	}
}
