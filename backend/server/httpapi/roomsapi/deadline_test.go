package roomsapi

import (
	"context"
	"strings"
	"testing"
	"time"

	"agentflow/backend/talk/room"
)

// A socket that resumed with a replay outlives the replay's write deadline: later messages
// reach it.
func TestTR5_ASocketOutlivesTheDeadlineOfItsReplay(t *testing.T) {
	h := open(t)
	h.door.lag = time.Second
	stored := make(chan error, 1)
	draft, err := room.Decode([]byte(`{"sender":"s","message":"earlier"}`), "r")
	if err != nil {
		t.Fatal(err)
	}
	if err := h.hub.Send(context.Background(), draft, func(_ room.Message, err error) { stored <- err }); err != nil {
		t.Fatal(err)
	}
	if err := <-stored; err != nil {
		t.Fatal(err)
	}
	resumed := h.dial("room=r&after=0")
	if got := resumed.text(); !strings.Contains(got, "earlier") {
		t.Fatalf("the replay was %s", got)
	}
	pass(t, h.door.lag)
	resumed.write(say("still here"))
	if got := resumed.text(); !strings.Contains(got, "still here") {
		t.Errorf("after the deadline came %s", got)
	}
}

// So does one that once had a backlog.
func TestTR5_ASocketOutlivesTheDeadlineOfItsBacklog(t *testing.T) {
	h := open(t)
	h.door.lag, h.door.grace = 500*time.Millisecond, 500*time.Millisecond
	p := h.dial("room=r")
	s := h.socketOf(t, "r", 1)[0]
	s.mu.Lock()
	s.push(ping)
	s.mu.Unlock()
	p.next()
	pass(t, h.door.lag+h.door.grace)
	p.write(say("still here"))
	if got := p.text(); !strings.Contains(got, "still here") {
		t.Errorf("after the deadline came %s", got)
	}
}

// pass waits until a bound and half of it are over.
func pass(t *testing.T, bound time.Duration) {
	t.Helper()
	timer := time.NewTimer(bound + bound/2)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}
