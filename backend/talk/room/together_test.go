package room_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"agentflow/backend/store"
	"agentflow/backend/talk/room"
)

// held is a Store that stores a batch once it is let.
type held struct {
	room.Store
	begun chan int // how many messages there are in the batch
	let   chan struct{}
}

func (h *held) AppendMessages(ctx context.Context, batch []room.Append) error {
	h.begun <- len(batch)
	<-h.let
	return h.Store.AppendMessages(ctx, batch)
}

// TestCH3_WhoeverWaitsIsStoredTogether: all that came while one batch was written is the next one.
func TestCH3_WhoeverWaitsIsStoredTogether(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(t.Context(), t.TempDir(), log)
	if err != nil {
		t.Fatal(err)
	}
	slow := &held{Store: s.Rooms(), begun: make(chan int), let: make(chan struct{})}
	h, err := room.New(t.Context(), room.Options{Store: slow, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	stopHub, stopStore := running(t, h.Run), running(t, s.Run)
	defer func() {
		stopHub()
		stopStore()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	const many = 50
	stored := make(chan int64, 1+many)
	send := func(n int) {
		if err := h.Send(t.Context(), draft(fmt.Sprint(n)), func(m room.Message, err error) {
			if err != nil {
				t.Error(err)
			}
			stored <- m.ID
		}); err != nil {
			t.Fatal(err)
		}
	}
	send(0)
	first := <-slow.begun
	for i := range many {
		send(1 + i)
	}
	if len(stored) > 0 {
		t.Error("a message was acknowledged before it was stored")
	}
	slow.let <- struct{}{}
	second := <-slow.begun
	slow.let <- struct{}{}
	for want := range int64(1 + many) {
		if id := <-stored; id != want+1 {
			t.Fatalf("after %d came %d", want, id)
		}
	}
	if first != 1 || second != many {
		t.Errorf("stored %d and %d together, want 1 and %d", first, second, many)
	}
}
