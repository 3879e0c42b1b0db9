package room_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"agentflow/backend/store"
	"agentflow/backend/talk/room"
)

// counted sees how many messages are left when a room's end comes.
type counted struct {
	room.Store
	t    *testing.T
	left int
	some func() // after some messages were deleted
	read atomic.Int64
}

func (c *counted) Rooms(ctx context.Context) ([]room.Info, error) {
	c.read.Add(1)
	return c.Store.Rooms(ctx)
}

func (c *counted) RoomMessages(ctx context.Context, r room.Range) ([]room.Message, error) {
	c.read.Add(1)
	return c.Store.RoomMessages(ctx, r)
}

func (c *counted) DeleteMessages(ctx context.Context, cut room.Cut) (int, error) {
	n, err := c.Store.DeleteMessages(ctx, cut)
	if c.some != nil {
		c.some()
	}
	return n, err
}

func (c *counted) DeleteRoom(ctx context.Context, name string) error {
	list, err := c.RoomMessages(ctx, room.Range{Room: name, Limit: 1})
	if err != nil {
		c.t.Error(err)
	}
	c.left = len(list)
	return c.Store.DeleteRoom(ctx, name)
}

// While a large room is deleted, messages are stored in others.
func TestTR5_ALargeRoomsDeletionLetsOtherRoomsGoOn(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(t.Context(), t.TempDir(), log)
	if err != nil {
		t.Fatal(err)
	}
	kept := &counted{Store: s.Rooms(), t: t}
	h, err := room.New(t.Context(), room.Options{Store: kept, Logger: log})
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
	for from := range 3 {
		batch := make([]room.Append, 1000)
		for i := range batch {
			batch[i] = room.Append{
				Message: room.Message{
					Room:      "large",
					Sender:    "s",
					Text:      fmt.Sprint(from, i),
					Timestamp: "2026-11-21T09:00:00Z",
					Type:      room.Chat,
				},
				At: time.Now(),
			}
		}
		if err := s.Rooms().AppendMessages(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if h, err = room.New(t.Context(), room.Options{Store: kept, Logger: log}); err != nil {
		t.Fatal(err)
	}
	stopHub()
	stopHub = running(t, h.Run)
	stored, posted := make(chan error, 1), false
	kept.some = func() { // within the hub's loop: what is sent now is stored at its next turn
		if posted {
			return
		}
		posted = true
		draft, err := room.Decode([]byte(`{"sender":"s","message":"meanwhile"}`), "other")
		if err == nil {
			err = h.Send(context.Background(), draft, func(_ room.Message, err error) { stored <- err })
		}
		if err != nil {
			stored <- err
		}
	}
	if err := h.Delete(t.Context(), "large"); err != nil {
		t.Fatal(err)
	}
	if err := <-stored; err != nil {
		t.Error(err)
	}
	if kept.left > 0 {
		t.Error("the room's messages were deleted in one go")
	}
}

// A deletion of old messages doesn't read the rooms again, because messages of others wait meanwhile.
// Empty rooms have no last message.
func TestTR5_PruningReadsNoRoomAgain(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(t.Context(), t.TempDir(), log)
	if err != nil {
		t.Fatal(err)
	}
	stopStore := running(t, s.Run)
	batch := make([]room.Append, 0, 60)
	for i := range 60 {
		m := room.Message{
			Room:      fmt.Sprint("room-", i%30),
			Sender:    "s",
			Text:      "x",
			Timestamp: "2026-11-21T09:00:00Z",
			Type:      room.Chat,
		}
		batch = append(batch, room.Append{Message: m, At: time.Now().Add(-time.Hour)})
	}
	batch[59].At = time.Now().Add(time.Hour) // too new to be deleted
	if err := s.Rooms().AppendMessages(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	kept := &counted{Store: s.Rooms(), t: t}
	h, err := room.New(t.Context(), room.Options{Store: kept, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	stopHub := running(t, h.Run)
	defer func() {
		stopHub()
		stopStore()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	before := kept.read.Load()
	n, err := h.Prune(t.Context(), room.Pruning{Before: time.Now()})
	if err != nil || n != 59 {
		t.Errorf("%d messages were deleted: %v", n, err)
	}
	if read := kept.read.Load() - before; read > 0 {
		t.Errorf("rooms were read %d times", read)
	}
	for i := range 30 {
		name := fmt.Sprint("room-", i)
		if sum, err := h.Room(name); err != nil || (sum.Last == nil) != (name != "room-29") {
			t.Errorf("%s: %+v %v", name, sum, err)
		}
	}
}
