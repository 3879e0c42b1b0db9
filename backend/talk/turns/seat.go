package turns

import (
	"context"
	"slices"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

const maxMembers = 200 // of one room

// Seat is the place that an agent takes in a room.
type Seat struct {
	Room string
	Name string
	// Instance names the one who runs the agent: while it is here, nobody else can be the
	// agent, but it can take the seat again, from a connection that it has lost.
	Instance  string
	AgentID   string   // in the team that it is of
	Model     string   // as it is shown
	Peers     []string // the agents that a communication connection joins it with
	Elsewhere bool     // another process runs it
}

// Session is a seat that is taken.
type Session struct {
	machine *Machine
	talk    *conversation
	member  *member
	tell    func(Live) bool
	gone    func()
	leave   func() // the room
}

// ReasonTaken marks an agent that is in the room already.
const ReasonTaken = "name_taken"

// ReasonTurnOver marks news of a turn that the agent has no more.
const ReasonTurnOver = "turn_over"

// TakeSeat has an agent take its seat, and creates the room if there is none. From then on,
// tell gives it its turn, at once and whenever that changes; it then stops working on any
// other turn. tell must not block. gone, which may be nil, is called once if
// another connection of the same instance takes the seat, or if the room is deleted. Leave
// must be called once.
func (m *Machine) TakeSeat(ctx context.Context, s Seat, tell func(Live) bool, gone func()) (*Session, error) {
	leave, err := m.o.Rooms.Enter(ctx, s.Room, s.Name)
	if err != nil {
		return nil, err
	}
	t := m.of(s.Room)
	c := &Session{machine: m, talk: t, tell: tell, gone: gone, leave: leave}
	if err = m.open(ctx, t); err == nil {
		err = c.sit(ctx, s)
	}
	if err != nil {
		leave()
		return nil, err
	}
	return c, nil
}

func (c *Session) sit(ctx context.Context, s Seat) error {
	t := c.talk
	t.mu.Lock()
	a, err := t.seat(s)
	if err != nil {
		t.mu.Unlock()
		return err
	}
	before := a.chair
	if a.seat.Instance != s.Instance {
		t.cut(a, nil) // it was another's
	}
	c.member, a.chair, a.seat = a, c, s
	heard := a.heard
	t.mu.Unlock()
	if before != nil {
		before.over()
	}
	missed, err := c.machine.o.Rooms.List(ctx, room.Range{Room: s.Room, After: heard, Limit: room.DefaultLimit})
	if err != nil {
		c.release()
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.missed(a, missed)
	if a.turn != nil {
		a.turn.news = c.machine.o.Now()
		t.be(a, room.Thinking)
	} else {
		t.be(a, room.Online)
	}
	t.touch()
	t.inform(a)
	return nil
}

// Seated reports whether an agent that another process runs has its seat in a room.
func (m *Machine) Seated(name, agent string) bool {
	here, seated := m.elsewhere(name, agent)
	return here && seated
}

// Elsewhere reports whether an agent in a room is, or was at last, run by another process.
func (m *Machine) Elsewhere(name, agent string) bool {
	here, _ := m.elsewhere(name, agent)
	return here
}

func (m *Machine) elsewhere(name, agent string) (here, seated bool) {
	m.mu.Lock()
	t := m.talks[name]
	m.mu.Unlock()
	if t == nil {
		return false, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.members[agent]
	return a != nil && a.seat.Elsewhere, a != nil && a.chair != nil
}

// seat is the member that s is for. One that was never here has nothing to answer.
func (t *conversation) seat(s Seat) (*member, error) {
	a := t.members[s.Name]
	switch {
	case t.gone:
		return nil, errcode.New(errcode.NotFound, "there is no room %s", t.name)
	case a == nil && len(t.members) >= maxMembers:
		return nil, errcode.New(errcode.Conflict,
			"the room %s has had %d agents, no more are possible", t.name, maxMembers).
			With(errcode.KeyReason, "too_many")
	case a == nil:
		a = &member{name: s.Name, heard: t.last, state: room.Offline}
		t.add(a)
		t.keep(a)
	case a.chair != nil && a.seat.Instance != s.Instance:
		return nil, errcode.New(errcode.Conflict,
			"%s is in the room %s already: end the other one, or give this one another name", s.Name, t.name).
			With(errcode.KeyReason, ReasonTaken)
	}
	t.putBack(a)
	return a, nil
}

// putBack ends a removal. Messages that came meanwhile weren't for the agent.
func (t *conversation) putBack(a *member) {
	if a.out {
		a.out, a.heard = false, t.last
		t.keep(a)
	}
}

// takeOut removes the agents that this hub runs and that don't stay: nothing waits for them.
func (t *conversation) takeOut(stays func(s Seat) bool) {
	for _, a := range t.order {
		if a.out || a.seat.Elsewhere || a.seat.AgentID == "" || stays(Seat{Name: a.name, AgentID: a.seat.AgentID}) {
			continue
		}
		a.out, a.queued = true, 0
		t.cut(a, stoppedBy(""))
		if t.wrapUp == a {
			t.wrapUp = nil
		}
		t.keep(a)
	}
}

// Keep removes a room's agents that aren't in their team any more; in tells which ones are.
func (m *Machine) Keep(name, team string, in func(agentID string) bool) {
	t := m.of(name)
	defer m.forget(t)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.setup.Cast != nil && t.setup.Cast.Team == team {
		t.takeOut(func(s Seat) bool { return in(s.AgentID) })
	}
}

// expect makes an agent known that will take its seat soon.
func (t *conversation) expect(s Seat) error {
	s.Room, s.Instance = t.name, ""
	if a := t.members[s.Name]; a != nil && a.chair != nil {
		t.putBack(a) // it hasn't left its seat yet
		return nil   // it says itself who it is
	}
	a, err := t.seat(s)
	if err == nil {
		a.seat = s
	}
	return err
}

// missed has a returning agent hear what came while it was away.
func (t *conversation) missed(a *member, list []room.Message) {
	for _, m := range list {
		if m.Sender == a.name && a.queued > 0 && a.queued <= triggerOf(m.ClientID) {
			a.queued = 0 // it was answered, and that was not kept
		}
		if m.Type == room.Chat && !m.Stopped() && m.Sender != a.name && (a.turn == nil || m.ID > a.turn.UpTo) {
			t.hear(a, t.members[m.Sender], m.ID, t.mentioned(m.Text))
		}
	}
}

// over tells the agent in this seat that another one has taken it.
func (c *Session) over() {
	if c.gone != nil {
		c.gone()
	}
}

// Leave gives the seat up. An agent that is back soon has the same turn still.
func (c *Session) Leave() {
	c.release()
	c.leave()
}

func (c *Session) release() {
	t, a := c.talk, c.member
	t.mu.Lock()
	defer t.mu.Unlock()
	if a.chair == c {
		a.chair, a.away = nil, c.machine.o.Now()
		t.be(a, room.Offline)
		t.touch()
	}
}

// Report takes news of the agent's turn; those of a turn that it has no more are a CONFLICT.
// News of its end are stored when Tell returns.
func (c *Session) Report(ctx context.Context, n Update) error {
	t, a := c.talk, c.member
	t.mu.Lock()
	if a.chair != c || a.turn == nil || a.turn.ID != n.TurnID || a.turn.ending {
		t.late(c, a, n)
		t.mu.Unlock()
		return errcode.New(errcode.Conflict, "%s does not have the turn %s", a.name, n.TurnID).
			With(errcode.KeyReason, ReasonTurnOver)
	}
	a.turn.news = c.machine.o.Now()
	if slices.Contains([]room.State{room.Thinking, room.Answering, room.Waiting}, n.State) {
		t.be(a, n.State)
	}
	t.piece(a, n)
	if n.End != nil {
		a.turn.ending = true
	}
	t.mu.Unlock()
	if n.Notice != "" {
		_, err := c.machine.o.Rooms.Post(ctx,
			room.Draft{Room: t.name, Sender: a.name, Text: fitting(n.Notice), Type: room.System, Cause: n.Cause})
		if err != nil && n.End == nil {
			return err
		}
	}
	if n.End == nil {
		return nil
	}
	return c.machine.finish(ctx, t, a, *n.End)
}

// late counts what an agent had used of a turn that was taken from it.
func (t *conversation) late(c *Session, a *member, n Update) {
	if a.chair != c || n.End == nil || a.taken != n.TurnID || n.TurnID == "" {
		return
	}
	a.taken = ""
	a.spend(*n.End)
	t.keep(a)
}

func (a *member) spend(e End) {
	a.usage.TokensIn += max(e.TokensIn, 0)
	a.usage.TokensOut += max(e.TokensOut, 0)
	a.usage.CostUSD += max(e.CostUSD, 0)
	if !e.Priced {
		a.usage.Unpriced += max(e.TokensIn, 0) + max(e.TokensOut, 0)
	}
}

// piece shows one more piece of an answer.
func (t *conversation) piece(a *member, n Update) {
	if n.Text == "" && !n.Whole {
		return
	}
	if n.Whole {
		a.turn.text = a.turn.text[:0]
	}
	if len(a.turn.text)+len(n.Text) > maxPiece {
		return // it is no message any more; that shows at its end
	}
	a.turn.text = append(a.turn.text, n.Text...)
	t.tell(Live{Type: KindPartial, Agent: a.name, TurnID: a.turn.ID, Text: n.Text, Whole: n.Whole})
}
