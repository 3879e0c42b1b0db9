package room

import (
	"cmp"
	"context"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
)

// Summary is a room in a list.
type Summary struct {
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"createdAt"`
	Last      *Message  `json:"last,omitempty" doc:"Newest message."`
	Readers   int       `json:"readers" doc:"Number of connections that read the room now."`
	Agents    []Agent   `json:"agents"`
}

// Rooms returns the rooms, by name.
func (h *Hub) Rooms() []Summary {
	h.mu.Lock()
	states := make([]*state, 0, len(h.rooms))
	for _, s := range h.rooms {
		states = append(states, s)
	}
	h.mu.Unlock()
	list := make([]Summary, 0, len(states))
	for _, s := range states {
		if sum, ok := s.summary(); ok {
			list = append(list, sum)
		}
	}
	slices.SortFunc(list, func(a, b Summary) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Room returns one room.
func (h *Hub) Room(name string) (Summary, error) {
	h.mu.Lock()
	s := h.rooms[name]
	h.mu.Unlock()
	if s != nil {
		if sum, ok := s.summary(); ok {
			return sum, nil
		}
	}
	return Summary{}, noRoom(name)
}

func noRoom(name string) error {
	return errcode.New(errcode.NotFound, "there is no room %s", name)
}

func (s *state) summary() (Summary, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Summary{
		Name:      s.name,
		CreatedAt: s.createdAt.UTC(),
		Last:      s.newest,
		Readers:   len(s.readers) - s.insiders,
		Agents:    s.agents(),
	}, s.exists.Load()
}

// Create makes an empty room.
func (h *Hub) Create(ctx context.Context, name string) (Summary, error) {
	name, err := Name("name", name)
	if err != nil {
		return Summary{}, err
	}
	s, err := h.of(name)
	if err != nil {
		return Summary{}, err
	}
	defer h.release(s)
	err = h.order(ctx, func(ctx context.Context) error {
		at := h.now()
		if err := h.store.CreateRoom(ctx, name, at); err != nil {
			return err
		}
		s.opened(at)
		return nil
	})
	if err != nil {
		return Summary{}, err
	}
	h.changed(name)
	sum, _ := s.summary()
	return sum, nil
}

// ensure makes the room if it is not there.
func (h *Hub) ensure(ctx context.Context, s *state) error {
	if s.exists.Load() {
		return nil
	}
	if _, err := h.Create(ctx, s.name); err != nil && !errcode.Is(err, errcode.Conflict) {
		return err
	}
	return nil
}

// Delete deletes a room with its messages and notifies its readers.
func (h *Hub) Delete(ctx context.Context, name string) error {
	if _, err := h.Room(name); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // half a room helps nobody
	if err := h.empty(ctx, name); err != nil {
		return err
	}
	return h.order(ctx, func(ctx context.Context) error {
		if err := h.store.DeleteRoom(ctx, name); err != nil {
			return err
		}
		h.mu.Lock()
		s := h.pin(name)
		h.mu.Unlock()
		s.mu.Lock()
		s.newest, s.names = nil, map[string]*presence{}
		s.exists.Store(false)
		readers := slices.Clone(s.readers)
		for _, sub := range readers {
			s.remove(sub)
		}
		s.mu.Unlock()
		for _, sub := range readers {
			sub.reader.End()
		}
		h.release(s)
		h.changed(name)
		return nil
	})
}

// empty deletes a room's messages, some at a time: other rooms go on in between.
func (h *Hub) empty(ctx context.Context, name string) error {
	for n := 1; n > 0; {
		err := h.order(ctx, func(ctx context.Context) error {
			last, err := h.store.LastMessageID(ctx)
			if err == nil {
				n, err = h.store.DeleteMessages(ctx, Cut{Room: name, ID: last})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// The bounds of a list.
const (
	DefaultLimit = 50
	MaxLimit     = 500
)

// List returns messages of a room, oldest first. Limit 0 means DefaultLimit.
func (h *Hub) List(ctx context.Context, r Range) ([]Message, error) {
	r.Limit = limit(r.Limit)
	return h.store.RoomMessages(ctx, r)
}

func limit(n int) int {
	if n <= 0 {
		return DefaultLimit
	}
	return min(n, MaxLimit)
}

// Each calls do with all messages of a room, oldest first, as they are when it starts.
func (h *Hub) Each(ctx context.Context, room string, do func([]Message) error) error {
	sum, err := h.Room(room)
	if err != nil || sum.Last == nil {
		return err
	}
	for cursor := int64(0); cursor < sum.Last.ID; {
		page, err := h.store.RoomMessages(ctx,
			Range{Room: room, After: cursor, Before: sum.Last.ID + 1, Oldest: true, Limit: pageSize})
		if err != nil || len(page) == 0 {
			return err
		}
		if err := do(page); err != nil {
			return err
		}
		cursor = page[len(page)-1].ID
	}
	return nil
}

// Prune deletes the oldest messages, as p says, and returns how many.
func (h *Hub) Prune(ctx context.Context, p Pruning) (int, error) {
	if p.Before.IsZero() && p.Keep <= 0 && p.MaxBytes <= 0 {
		return 0, invalid("keep", "say what may go: by age, by number or by size")
	}
	if p.Room != "" {
		if _, err := h.Room(p.Room); err != nil {
			return 0, err
		}
	}
	cuts, err := h.store.Prunable(ctx, p)
	if err != nil {
		return 0, err
	}
	deleted := 0
	for _, cut := range cuts {
		for n := 1; n > 0; {
			err := h.order(ctx, func(ctx context.Context) (err error) {
				n, err = h.store.DeleteMessages(ctx, cut)
				return err
			})
			if err != nil {
				return deleted, err
			}
			deleted += n
		}
	}
	return deleted, h.order(ctx, func(context.Context) error { h.cut(cuts); return nil })
}

// cut notes which rooms are empty after a deletion. Only the oldest messages were deleted, so the newest
// one of every other room is the same, and the store isn't read while others wait.
func (h *Hub) cut(cuts []Cut) {
	for _, cut := range cuts {
		h.mu.Lock()
		s := h.pin(cut.Room)
		h.mu.Unlock()
		s.mu.Lock()
		empty := s.newest != nil && s.newest.ID <= cut.ID
		if empty {
			s.newest = nil
		}
		s.mu.Unlock()
		h.release(s)
		if empty {
			h.changed(cut.Room)
		}
	}
}
