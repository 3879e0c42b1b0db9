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

// counted sees how many messages are left when a room's end comes.
type counted struct {
	room.Store
	t    *testing.T
	left int
	some func() // after some messages were deleted
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
