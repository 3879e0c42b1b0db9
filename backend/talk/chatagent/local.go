package chatagent

import (
	"context"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// Local is the Link of an agent that runs in the hub.
type Local struct {
	Rooms *room.Hub
	Turns *turns.Machine
}

// Join implements Link.
func (h Local) Join(ctx context.Context, seat turns.Seat, history int, ear turns.Listener) error {
	s := &stay{ear: ear, gone: make(chan error, 1)}
	after, err := h.catchUp(ctx, seat.Room, history, ear)
	if err != nil {
		return err
	}
	sub, err := h.Rooms.SubscribeAfter(ctx, seat.Room, after,
		func(page []room.Message) error { s.hear(page); return nil }, s)
	if err != nil {
		return err
	}
	defer h.Rooms.Unsubscribe(sub)
	chair, err := h.Turns.TakeSeat(ctx, seat, s.live, func() { s.end(errTaken) })
	if err != nil {
		return err
	}
	defer chair.Leave()
	ear.Joined(chair)
	defer ear.Joined(nil)
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case err := <-s.gone:
		return err
	}
}

var errTaken = errcode.New(errcode.Conflict, "the agent's seat was taken over").
	With(errcode.KeyReason, turns.ReasonTaken)

// catchUp hears the last messages; it returns the id of the newest.
func (h Local) catchUp(ctx context.Context, name string, history int, ear turns.Listener) (after int64, err error) {
	list, err := h.Rooms.List(ctx, room.Range{Room: name, Limit: history})
	for _, m := range list {
		ear.Heard(m)
		after = m.ID
	}
	return after, err
}

// stay is an agent's time in a room.
type stay struct {
	ear  turns.Listener
	gone chan error
}

func (s *stay) live(l turns.Live) bool {
	s.ear.Turned(l.Turn)
	return true
}

// Deliver implements room.Reader.
func (s *stay) Deliver(b *room.Batch) bool {
	s.hear(b.Messages)
	return true
}

func (s *stay) hear(list []room.Message) {
	for _, m := range list {
		s.ear.Heard(m)
	}
}

// Insider implements room.Insider.
func (s *stay) Insider() {}

// End implements room.Reader.
func (s *stay) End() { s.end(errcode.New(errcode.NotFound, "the room was deleted")) }

func (s *stay) end(why error) {
	select {
	case s.gone <- why:
	default:
	}
}
