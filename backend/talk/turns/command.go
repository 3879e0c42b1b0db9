package turns

import (
	"context"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// Stop ends all turns and drops those still waiting for an answer. What an agent has
// written of its answer stays as its message, marked as stopped. The room stays
// open: agents hear the next thing that a person says.
// If something was under way, the room shows who stopped it; by is "" if unknown.
func (m *Machine) Stop(name, by string) (Status, error) { return m.stop(name, by, by != "") }

func (m *Machine) stop(name, by string, say bool) (Status, error) {
	return m.act(name, func(t *conversation) error {
		busy := t.busy()
		t.endTurns(stoppedBy(by))
		t.drop()
		if busy && say {
			t.say(room.HubName, by+" stopped the agents.",
				&errcode.Cause{Code: CauseStopped, Params: map[string]string{KeyBy: by}})
		}
		return nil
	})
}

// busy reports whether an agent has a turn or waits for one.
func (t *conversation) busy() bool {
	return slices.ContainsFunc(t.order,
		func(a *member) bool { return a.queued > 0 || a.turn != nil && !a.turn.ending })
}

// stoppedBy marks what is left of an answer that was stopped; by is "" if unknown.
func stoppedBy(by string) *errcode.Cause {
	c := &errcode.Cause{Code: room.CauseStopped}
	if by != "" {
		c.Params = map[string]string{KeyBy: by}
	}
	return c
}

// endTurns cuts all turns. An agent that had one has heard what it was for, and keeps what it has written
// with the mark; without a mark it gets another turn.
func (t *conversation) endTurns(mark *errcode.Cause) {
	t.wrapUp = nil
	for _, a := range t.order {
		if a.turn == nil || a.turn.ending {
			continue
		}
		upTo, why, trigger := a.turn.UpTo, a.turn.Why, a.trigger
		last := a.turn.WrapUp
		t.cut(a, mark)
		if mark != nil || last {
			a.heard = max(a.heard, upTo)
		} else if a.queued == 0 {
			a.queued, a.why = trigger, why
			t.agentTurns = max(t.agentTurns-1, 0)
		}
		t.keep(a)
	}
}

// WrapUp ends all turns and gives one agent the last word: the named one, or who spoke
// last. Then the room is halted. If something was under way, the room shows who ended it; by is "" if unknown.
func (m *Machine) WrapUp(name, agent, by string) (Status, error) {
	return m.act(name, func(t *conversation) error {
		a := t.members[agent]
		if agent == "" {
			a = t.lastToSpeak()
		}
		if a == nil || a.chair == nil {
			return errcode.New(errcode.Conflict, "no agent is there that could wrap up").
				With(errcode.KeyReason, "nobody")
		}
		if by != "" && t.busy() {
			t.say(room.HubName, by+" stopped the agents to wrap up.",
				&errcode.Cause{Code: CauseWrapUp, Params: map[string]string{KeyBy: by}})
		}
		t.endTurns(stoppedBy(by))
		t.drop()
		t.halt, t.wrapUp = "", a
		return nil
	})
}

// lastToSpeak is, of the agents that are there, the one whose message is the newest. If none has said anything, it's
// the one that had the last turn, or any. An agent that is still writing its first message hasn't spoken.
func (t *conversation) lastToSpeak() *member {
	var last *member
	for _, a := range t.order {
		switch {
		case a.chair == nil:
		case last == nil, a.said > last.said, a.said == last.said && a == t.speaker:
			last = a
		}
	}
	return last
}

// act changes the turns of a room at once.
func (m *Machine) act(name string, change func(t *conversation) error) (Status, error) {
	if _, err := m.o.Rooms.Room(name); err != nil {
		return Status{}, err
	}
	t := m.of(name)
	defer m.forget(t)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := change(t); err != nil {
		return Status{}, err
	}
	t.touch()
	return t.status(), nil
}

// Pause ends all turns until Resume; who had one has it again then.
func (m *Machine) Pause(ctx context.Context, name string) (Status, error) {
	_, err := m.act(name, func(t *conversation) error { t.setup.Paused = true; t.endTurns(nil); return nil })
	if err != nil {
		return Status{}, err
	}
	return m.setUp(ctx, name, func(s *Setup) { s.Paused = true })
}

// Resume lets a room go on that is paused or halted. Its agents may have all their turns
// again.
func (m *Machine) Resume(ctx context.Context, name string) (Status, error) {
	if _, err := m.act(name, func(t *conversation) error { t.halt, t.agentTurns = "", 0; return nil }); err != nil {
		return Status{}, err
	}
	return m.setUp(ctx, name, func(s *Setup) { s.Paused = false })
}

// SetPolicy gives a room its policy.
func (m *Machine) SetPolicy(ctx context.Context, name string, p Policy) (Status, error) {
	if err := p.Check(); err != nil {
		return Status{}, err
	}
	if _, err := m.act(name, func(t *conversation) error { t.halt = ""; return nil }); err != nil {
		return Status{}, err
	}
	return m.setUp(ctx, name, func(s *Setup) { s.Policy = &p })
}

// SetCast sets which agents of a team take part; nil: none. seats are those that they
// will take: from now on, messages wait for them there.
func (m *Machine) SetCast(ctx context.Context, name string, c *Cast, seats []Seat) (Status, error) {
	s, err := m.setUp(ctx, name, func(s *Setup) {
		if s.Cast, s.Names = c, nil; c != nil {
			s.Names = c.Names
		}
	})
	if err != nil {
		return s, err
	}
	if len(seats) == 0 {
		return m.act(name, func(t *conversation) error { t.takeOut(func(Seat) bool { return false }); return nil })
	}
	if err := m.open(ctx, m.of(name)); err != nil {
		return s, err
	}
	return m.act(name, func(t *conversation) error {
		t.takeOut(func(s Seat) bool {
			return slices.ContainsFunc(seats, func(one Seat) bool { return one.Name == s.Name })
		})
		for _, seat := range seats {
			if err := t.expect(seat); err != nil {
				return err
			}
		}
		return nil
	})
}

// command carries out what a person typed as a message of the type command.
func (m *Machine) command(ctx context.Context, name string, c command) error {
	var err error
	switch strings.ToLower(strings.TrimLeft(strings.TrimSpace(c.text), "/")) {
	case "stop":
		_, err = m.stop(name, c.by, false) // the message stands in the room, with who sent it
	case "pause":
		_, err = m.Pause(ctx, name)
	case "resume":
		_, err = m.Resume(ctx, name)
	case "wrap up", "wrap-up", "wrapup":
		_, err = m.WrapUp(name, "", "") // as above
	}
	return err
}
