package room_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"agentflow/backend/store"
	"agentflow/backend/talk/room"
)

// gate is a Store that tells of each batch before it stores it.
type gate struct {
	room.Store
	begun chan int
}

func (g *gate) AppendMessages(ctx context.Context, batch []room.Append) error {
	g.begun <- len(batch)
	return g.Store.AppendMessages(ctx, batch)
}

// lastReader does not take the first batch before the next one is being stored.
type lastReader struct {
	*collector
	begun  chan int
	beside chan int
}

func (l *lastReader) Deliver(b *room.Batch) bool {
	if b.Messages[0].ID == 1 {
		select {
		case n := <-l.begun:
			l.beside <- n
		case <-time.After(time.Minute):
			l.beside <- 0
		}
	}
	return l.collector.Deliver(b)
}

func TestCH1_TheNextBatchIsStoredWhileTheLastOfManyReadersAreTold(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(t.Context(), t.TempDir(), log)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{Store: s.Rooms(), begun: make(chan int, 16)}
	h, err := room.New(t.Context(), room.Options{Store: g, Logger: log})
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
	readers := make([]*collector, 200)
	for i := range readers {
		readers[i] = newCollector()
	}
	last := &lastReader{collector: readers[199], begun: g.begun, beside: make(chan int, 1)}
	for i := range readers[:199] {
		if _, err := h.Subscribe("r", readers[i]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Subscribe("r", last); err != nil {
		t.Fatal(err)
	}
	send := func(from, to int) {
		for i := from; i < to; i++ {
			if err := h.Send(t.Context(), room.Draft{Room: "r", Sender: "s", Text: fmt.Sprint(i)}, func(_ room.Message, err error) {
				if err != nil {
					t.Error(err)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	send(0, 1)
	<-g.begun
	readers[0].ids(t, 1) // it is being published
	send(1, 8)
	if n := <-last.beside; n == 0 {
		t.Error("the next batch was not stored while the last reader was told")
	}
	for _, r := range readers {
		inOrder(t, r.ids(t, 8), 1, 8)
	}
}

func TestCH1_AnOrderComesAfterWhatIsBeingPublished(t *testing.T) {
	h, _ := open(t, nil)
	readers := make([]*collector, 100)
	for i := range readers {
		readers[i] = newCollector()
		if _, err := h.Subscribe("r", readers[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 50 {
		if _, err := h.Post(t.Context(), room.Draft{Room: "r", Sender: "s", Text: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
		if err := h.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, r := range readers {
			r.mu.Lock()
			n := len(r.got)
			r.mu.Unlock()
			if n != i+1 {
				t.Fatalf("after message %d was settled a reader has %d", i+1, n)
			}
		}
	}
	if err := h.Delete(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	for _, r := range readers {
		if r.mu.Lock(); !r.ended {
			t.Error("a reader was not told that the room is deleted")
		}
		r.mu.Unlock()
	}
}
