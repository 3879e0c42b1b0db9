package chatagent

import (
	"testing"

	"agentflow/backend/floor"
)

// A panic while an agent thinks ends that turn, and the room is told; its next turn is answered.
func TestTR5_APanicEndsOneTurn(t *testing.T) {
	broken := true
	a := New(Options{Room: "dev", Config: Config{Name: "Ann", Persona: "p"}, Mind: asked(func() {
		if broken {
			panic("no")
		}
	})})
	think := func(id string) floor.End {
		r := a.newReply(t.Context(), floor.Turn{ID: id})
		defer r.cancel(nil)
		return r.think()
	}
	if end := think("turn-1"); end.Outcome != floor.Failed || end.Cause == nil || end.Cause.Code != "internal_error" {
		t.Errorf("%+v", end)
	}
	broken = false
	if end := think("turn-2"); end.Outcome != floor.Answered {
		t.Errorf("%+v", end)
	}
}
