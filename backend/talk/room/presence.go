package room

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
)

const maxNames = 1000 // in one room

// presence is one name in a room, and how often it is here now.
type presence struct {
	state    State
	lastSeen time.Time
	here     int
}

type seat struct{ room, name string }

func (h *Hub) loadPresences(ctx context.Context) error {
	known, err := h.store.Presences(ctx)
	if err != nil {
		return err
	}
	for _, p := range known {
		if s := h.rooms[p.Room]; s != nil {
			s.names[p.Name] = &presence{state: Offline, lastSeen: p.LastSeen}
		}
		if p.State != Offline {
			p.State = Offline
			h.seen[seat{p.Room, p.Name}] = p
		}
	}
	return nil
}

// Enter says that name is in the room, until leave is called. One name may be there
// more than once. A room that does not exist is made.
func (h *Hub) Enter(ctx context.Context, room, name string) (leave func(), err error) {
	s, err := h.of(room)
	if err != nil {
		return nil, err
	}
	if err := h.ensure(ctx, s); err != nil {
		h.release(s)
		return nil, err
	}
	s.mu.Lock()
	p := s.names[name]
	if p == nil && len(s.names) >= maxNames {
		s.mu.Unlock()
		h.release(s)
		return nil, errcode.New(errcode.Conflict, "the room knows %d names, no more are possible", maxNames).
			With(errcode.KeyReason, "too_many")
	}
	if p == nil {
		p = &presence{}
		s.names[name] = p
	}
	p.here++
	h.mark(s, name, p, Online)
	return func() {
		s.mu.Lock()
		if p.here--; p.here > 0 {
			s.mu.Unlock()
		} else {
			h.mark(s, name, p, Offline)
		}
		h.release(s)
	}, nil
}

// SetState says what name is doing; it must have entered the room.
func (h *Hub) SetState(room, name string, to State) error {
	h.mu.Lock()
	s := h.rooms[room]
	h.mu.Unlock()
	if s != nil {
		s.mu.Lock()
		if p := s.names[name]; p != nil && p.here > 0 {
			h.mark(s, name, p, to)
			return nil
		}
		s.mu.Unlock()
	}
	return errcode.New(errcode.NotFound, "%s is not in the room %s", name, room)
}

// mark notes a state, to be stored soon. It unlocks s.mu, which the caller has locked.
func (h *Hub) mark(s *state, name string, p *presence, to State) {
	p.state, p.lastSeen = to, h.now()
	now := Presence{Room: s.name, Name: name, State: to, LastSeen: p.lastSeen}
	s.mu.Unlock()
	h.mu.Lock()
	h.seen[seat{s.name, name}] = now
	h.mu.Unlock()
	h.changed(s.name)
	h.rouse()
}

// keepPresences stores what has changed.
func (h *Hub) keepPresences(ctx context.Context) {
	h.mu.Lock()
	list := make([]Presence, 0, len(h.seen))
	for _, p := range h.seen {
		list = append(list, p)
	}
	clear(h.seen)
	h.mu.Unlock()
	if len(list) == 0 {
		return
	}
	slices.SortFunc(list,
		func(a, b Presence) int { return cmp.Or(cmp.Compare(a.Room, b.Room), cmp.Compare(a.Name, b.Name)) })
	if err := h.store.PutPresences(ctx, list); err != nil {
		h.log.WarnContext(ctx, "who is in the rooms was not stored", slog.Any("error", err))
	}
}

// leaveAll marks everybody as gone, at the end.
func (h *Hub) leaveAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	for _, s := range h.rooms {
		s.mu.Lock()
		for name, p := range s.names {
			if p.state != Offline {
				h.seen[seat{s.name, name}] = Presence{Room: s.name, Name: name, State: Offline, LastSeen: now}
			}
		}
		s.mu.Unlock()
	}
}

// Agent is one name in a room, as it is shown.
type Agent struct {
	Name     string    `json:"name"`
	Status   State     `json:"status" enum:"online,thinking,answering,waiting,failed,offline"`
	LastSeen time.Time `json:"lastSeen" doc:"Time of the last activity."`
}

// Agents returns who is or was in the room, by name.
func (h *Hub) Agents(room string) []Agent {
	h.mu.Lock()
	s := h.rooms[room]
	h.mu.Unlock()
	if s == nil {
		return []Agent{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.agents()
}

func (s *state) agents() []Agent {
	list := make([]Agent, 0, len(s.names))
	for name, p := range s.names {
		list = append(list, Agent{Name: name, Status: p.state, LastSeen: p.lastSeen.UTC()})
	}
	slices.SortFunc(list, func(a, b Agent) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
