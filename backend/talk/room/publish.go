package room

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"agentflow/backend/base/errcode"
)

// The newest messages of a room with readers are kept in memory.
const (
	recentMessages = 1000
	recentBytes    = 1 << 20
	pageSize       = 500
	maxRooms       = 10_000
)

// Batch are messages of one room that are published together, in order. It is shared by
// all readers and must not be changed.
type Batch struct {
	Messages []Message
	wire     []byte
	size     int
}

// Wire returns the messages as encode makes them, which is asked once for all readers
// of a batch; they must all use the same encode.
func (b *Batch) Wire(encode func([]Message) []byte) []byte {
	if b.wire == nil {
		b.wire = encode(b.Messages)
	}
	return b.wire
}

// after is the part of b with ids above id.
func (b *Batch) after(id int64) *Batch {
	for i, m := range b.Messages {
		if m.ID > id {
			if i == 0 {
				return b
			}
			return &Batch{Messages: b.Messages[i:]}
		}
	}
	return nil
}

// Reader receives the messages of a room. Deliver must not block and not call the Hub;
// false ends the Subscription. End is called when the room is deleted.
type Reader interface {
	Deliver(b *Batch) bool
	End()
}

// Insider marks a Reader that is a part of the hub, and no connection to it.
type Insider interface{ Insider() }

// Subscription is one Reader in one room.
type Subscription struct {
	state  *state
	reader Reader
	cursor int64 // the id of the last message that the reader has
	index  int   // in state.readers; -1: not there
}

// state is what a Hub keeps of a room.
type state struct {
	name string
	pins int // those who hold it; guarded by Hub.mu

	exists atomic.Bool // in the store; it changes under mu

	mu        sync.Mutex
	createdAt time.Time
	newest    *Message
	last      int64 // the id of the newest published message
	readers   []*Subscription
	insiders  int // of the readers
	recent    []*Batch
	count     int // messages in recent
	bytes     int
	floor     int64 // all published messages with an id above it are in recent
	names     map[string]*presence
}

func newState(name string) *state { return &state{name: name, names: map[string]*presence{}} }

// of returns the room's state, which may be one of a room that does not exist yet. It is
// kept until release.
func (h *Hub) of(room string) (*state, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[room] == nil && len(h.rooms) >= maxRooms {
		return nil, errcode.New(errcode.Conflict, "there are %d rooms, no more are possible: delete some", maxRooms).
			With(errcode.KeyReason, "too_many")
	}
	return h.pin(room), nil
}

// pin is of for a room that is in the store, however many rooms there are. h.mu is held.
func (h *Hub) pin(room string) *state {
	s := h.rooms[room]
	if s == nil {
		s = newState(room)
		h.rooms[room] = s
	}
	s.pins++
	return s
}

// release drops the state of a room that does not exist and that nobody is in.
func (h *Hub) release(s *state) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.pins--
	if s.pins > 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.exists.Load() {
		delete(h.rooms, s.name)
	}
}

// Subscribe gives r the messages of the room from now on.
func (h *Hub) Subscribe(room string, r Reader) (*Subscription, error) {
	s, err := h.of(room)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	sub := s.add(r, s.last)
	s.mu.Unlock()
	h.changed(room)
	return sub, nil
}

// SubscribeAfter gives replay, page by page, the messages with an id above after, and
// then r what follows, without a gap and nothing twice. It returns after the last page;
// replay may block. An id that no message has had yet is a CONFLICT: it is of another
// database, and the caller has to start over.
func (h *Hub) SubscribeAfter(
	ctx context.Context,
	room string,
	after int64,
	replay func([]Message) error,
	r Reader,
) (*Subscription, error) {
	if after > h.lastID.Load() {
		return nil, errcode.New(errcode.Conflict,
			"there is no message %d. It comes from another database. Read the room again", after).
			With(errcode.KeyReason, "unknown_position")
	}
	s, err := h.of(room)
	if err != nil {
		return nil, err
	}
	for cursor := after; ; {
		if sub := s.resume(r, cursor); sub != nil {
			h.changed(room)
			return sub, nil
		}
		page, err := h.store.RoomMessages(ctx, Range{Room: room, After: cursor, Oldest: true, Limit: pageSize})
		if err == nil && len(page) > 0 {
			cursor = page[len(page)-1].ID
			err = replay(page)
		} else if err == nil {
			cursor = s.floorNow() // what was there is deleted
		}
		if err != nil {
			h.release(s)
			return nil, err
		}
	}
}

func (s *state) floorNow() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.floor
}

// resume adds the reader if everything after cursor is in memory, and delivers that.
func (s *state) resume(r Reader, cursor int64) *Subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cursor < s.floor {
		return nil
	}
	sub := s.add(r, cursor)
	for _, b := range s.recent {
		if part := b.after(cursor); part != nil && !r.Deliver(part) {
			s.remove(sub)
			break
		}
	}
	return sub
}

func (s *state) add(r Reader, cursor int64) *Subscription {
	sub := &Subscription{state: s, reader: r, cursor: cursor, index: len(s.readers)}
	s.readers = append(s.readers, sub)
	if _, is := r.(Insider); is {
		s.insiders++
	}
	return sub
}

// remove removes the reader, which then gets nothing more.
func (s *state) remove(sub *Subscription) {
	if sub.index < 0 {
		return
	}
	end := len(s.readers) - 1
	moved := s.readers[end]
	s.readers[sub.index], moved.index = moved, sub.index
	s.readers[end] = nil
	s.readers = s.readers[:end]
	sub.index = -1
	if _, is := sub.reader.(Insider); is {
		s.insiders--
	}
	if end == 0 {
		s.readers, s.recent, s.count, s.bytes, s.floor = nil, nil, 0, 0, s.last
	}
}

// Unsubscribe ends the subscription. It must be called once for each.
func (h *Hub) Unsubscribe(sub *Subscription) {
	s := sub.state
	s.mu.Lock()
	s.remove(sub)
	s.mu.Unlock()
	h.release(s)
	h.changed(s.name)
}

// toPublish is what was stored, room by room. The rooms are there from now on.
func (h *Hub) toPublish(batch []Append, now time.Time) call {
	c := call{now: now, done: h.published}
	at := map[string]int{}
	for _, a := range batch {
		if a.Duplicate {
			continue
		}
		i, has := at[a.Room]
		if !has {
			i = len(c.parts)
			at[a.Room] = i
			h.mu.Lock()
			c.parts = append(c.parts, part{h.pin(a.Room), new(Batch)})
			h.mu.Unlock()
			c.parts[i].state.opened(now)
		}
		c.parts[i].batch.Messages = append(c.parts[i].batch.Messages, a.Message)
	}
	return c
}

// opened notes that the room is in the store.
func (s *state) opened(at time.Time) {
	if s.exists.Load() {
		return // without the lock, which is held during delivery to many readers
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.createdAt = at
	s.exists.Store(true)
}

func (h *Hub) published(s *state) {
	h.release(s)
	h.changed(s.name)
}

// publish delivers b to all readers; step is called after each.
func (s *state) publish(b *Batch, now time.Time, step func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	newest := b.Messages[len(b.Messages)-1]
	s.last, s.newest = newest.ID, &newest
	for _, m := range b.Messages {
		b.size += len(m.Text)
		if p := s.names[m.Sender]; p != nil {
			p.lastSeen = now
		}
	}
	if len(s.readers) == 0 {
		s.floor = s.last
		return
	}
	s.keep(b)
	for i := 0; i < len(s.readers); step() {
		sub := s.readers[i]
		part := b
		if sub.cursor >= b.Messages[0].ID {
			part = b.after(sub.cursor)
		}
		if part != nil && !sub.reader.Deliver(part) {
			s.remove(sub) // another one takes its place
			continue
		}
		i++
	}
}

// keep keeps the newest messages in memory.
func (s *state) keep(b *Batch) {
	s.recent = append(s.recent, b)
	s.count += len(b.Messages)
	s.bytes += b.size
	for len(s.recent) > 1 && (s.count > recentMessages || s.bytes > recentBytes) {
		old := s.recent[0]
		s.recent[0] = nil
		s.recent = s.recent[1:]
		s.count -= len(old.Messages)
		s.bytes -= old.size
		s.floor = old.Messages[len(old.Messages)-1].ID
	}
}
