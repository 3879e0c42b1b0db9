package turns

import (
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

const (
	graceAway = 30 * time.Second // a lost agent may come back to its turn
	maxSilent = 15 * time.Minute // an agent may say nothing in its turn
	maxPiece  = 4 * room.MaxText // bytes of an answer that are shown before it is stored
)

// conversation holds the turns of one room. Of the locks, the Hub's come first: nothing of the Hub may
// be called while mu is held.
type conversation struct {
	machine *Machine
	name    string
	opening sync.Mutex

	mu         sync.Mutex
	sub        *room.Subscription // nil: not listening yet
	gone       bool               // the room was deleted
	setup      Setup
	members    map[string]*member
	order      []*member // as they came
	watchers   map[*watcher]struct{}
	last       int64       // the newest message
	agentTurns int         // since a person spoke
	recent     []time.Time // turns that began within the last minute
	speaker    *member     // who had the last turn
	halt       Halt
	wrapUp     *member // who is to have the last word
	wrapping   bool
	work
}

// work is what a step leaves to be done without the lock.
type work struct {
	states   map[string]room.State
	halves   []half
	notices  []room.Draft
	commands []command
	records  []Record
	wait     time.Duration // until the next step; 0: until something happens
	shown    bool          // nothing has changed that is shown
}

// half is the written part of a stopped answer, and the end of its turn. Watchers hear of the end once the
// message is there, so that the text stays in view.
type half struct {
	draft room.Draft
	end   Live
}

// command is what a person typed as a message of the type command.
type command struct{ by, text string }

// member is one agent of a room, here or away.
type member struct {
	name  string
	seat  Seat
	chair *Session // nil while it is away
	out   bool     // somebody took it out of the room, so nothing waits for it
	away  time.Time
	heard int64
	said  int64 // its newest message; 0: none
	usage Usage
	state room.State
	err   string
	turn  *turn

	unsaved bool

	queued  int64 // the newest message that it is to answer; 0: none
	why     Why
	trigger int64  // of its last turn
	repeat  int    // turns for the same trigger
	taken   string // the turn that was taken from it last
}

// turn is a Turn that is being taken.
type turn struct {
	Turn
	text   []byte // the answer so far
	news   time.Time
	ending bool
}

func newTalk(m *Machine, name string) *conversation {
	return &conversation{
		machine:  m,
		name:     name,
		members:  map[string]*member{},
		watchers: map[*watcher]struct{}{},
		work:     work{states: map[string]room.State{}, shown: true},
	}
}

func (t *conversation) add(a *member) {
	t.members[a.name] = a
	t.order = append(t.order, a)
}

func (t *conversation) empty() bool {
	return len(t.watchers) == 0 && len(t.members) == 0 && t.setup.Policy == nil && t.setup.Cast == nil &&
		!t.setup.Paused && t.sub == nil
}

// touch has the status shown again, and the loop look what is to be done.
func (t *conversation) touch() {
	t.shown = false
	t.machine.rouse(t)
}

func (t *conversation) policy() Policy {
	if t.setup.Policy != nil {
		return *t.setup.Policy
	}
	return DefaultPolicy(t.setup.Cast != nil)
}

// tokens are those of all agents, ever.
func (t *conversation) tokens() (n int64) {
	for _, a := range t.order {
		n += a.usage.TokensIn + a.usage.TokensOut
	}
	return n
}

// Deliver implements room.Reader.
func (t *conversation) Deliver(b *room.Batch) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range b.Messages {
		t.take(m)
	}
	return true
}

// Insider implements room.Insider.
func (t *conversation) Insider() {}

// End implements room.Reader: the room is deleted.
func (t *conversation) End() {
	t.machine.mu.Lock()
	delete(t.machine.talks, t.name)
	t.machine.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gone = true
	for _, a := range t.order {
		t.cut(a, nil)
		if a.chair != nil {
			a.chair.over()
		}
	}
}

// recall learns from what was said before anybody listened.
func (t *conversation) recall(recent []room.Message) {
	for _, m := range recent {
		t.last = max(t.last, m.ID)
		if a := t.members[m.Sender]; a != nil && m.Type == room.Chat {
			t.agentTurns++
			a.said = max(a.said, m.ID)
		} else if m.Type == room.Chat {
			t.agentTurns = 0
		}
	}
}

// take hears a message: who is meant by it gets into line.
func (t *conversation) take(m room.Message) {
	t.last = max(t.last, m.ID)
	from := t.members[m.Sender]
	if m.Type == room.Command && from == nil {
		t.commands = append(t.commands, command{by: m.Sender, text: m.Text})
		t.machine.rouse(t)
	}
	if m.Type != room.Chat || m.Stopped() {
		return
	}
	if from == nil {
		t.agentTurns, t.halt = 0, ""
		t.touch()
	} else {
		from.said = max(from.said, m.ID)
	}
	named := t.mentioned(m.Text)
	for _, a := range t.order {
		if a != from {
			t.hear(a, from, m.ID, named)
		}
		if from == nil && named[a] && a.out {
			t.say(room.HubName, a.name+" isn't in this room any more.",
				&errcode.Cause{Code: CauseRemoved, Params: map[string]string{KeyAgent: a.name}})
		}
	}
}

// hear puts the agent into line if the message is for it.
func (t *conversation) hear(a, from *member, id int64, named map[*member]bool) {
	why, meant := t.means(a, from, named)
	if !meant || a.out || id <= a.heard {
		return
	}
	if a.queued == 0 || why == ByMention {
		a.why = why
	}
	a.queued = max(a.queued, id)
	t.touch()
}

// means reports whether a message is for the agent; from is nil for a person's.
func (t *conversation) means(a, from *member, named map[*member]bool) (Why, bool) {
	p := t.policy()
	switch {
	case from != nil && p.ToAgents == ToNone:
		return "", false
	case len(named) > 0:
		return ByMention, named[a]
	case from == nil:
		return ByPerson, p.ToPeople == ToAll
	case p.ToAgents == ToAll:
		return ByAgent, true
	case p.ToAgents == ToConnected:
		return ByAgent, slices.Contains(a.seat.Peers, from.name) || slices.Contains(from.seat.Peers, a.name)
	}
	return "", false
}

// step gives the turns that can be given.
func (t *conversation) step(now time.Time) work {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wait = 0
	t.expire(now)
	if t.wrapUp != nil && len(t.notices)+len(t.halves) > 0 {
		t.machine.rouse(t) // what was ended for the last word stands before it
	} else {
		t.give(now)
	}
	if !t.shown && len(t.halves) == 0 { // else keepHalves has it sent later
		t.tell(Live{Type: KindStatus, Status: new(t.status())})
	}
	for _, a := range t.order {
		if a.unsaved {
			t.records = append(t.records, t.record(a))
			a.unsaved = false
		}
	}
	w := t.work
	t.work = work{states: map[string]room.State{}, shown: true}
	if t.gone {
		w.states, w.halves, w.notices, w.records = nil, nil, nil, nil
	}
	return w
}

func (t *conversation) record(a *member) Record {
	r := Record{Room: t.name, Name: a.name, Heard: a.heard, Usage: a.usage, Removed: a.out}
	if a.out {
		r.AgentID, r.Model = a.seat.AgentID, a.seat.Model
	}
	return r
}

// later asks for a step after a while.
func (t *conversation) later(wait time.Duration) {
	wait = max(wait, time.Millisecond)
	if t.wait == 0 || wait < t.wait {
		t.wait = wait
	}
}

// expire ends the turns of agents that are gone or say nothing.
func (t *conversation) expire(now time.Time) {
	for _, a := range t.order {
		if a.turn == nil || a.turn.ending {
			continue
		}
		limit, since := maxSilent, a.turn.news
		if a.chair == nil {
			limit, since = graceAway, a.away
		}
		if left := limit - now.Sub(since); left > 0 {
			t.later(left)
			continue
		}
		if a.chair != nil { // one that comes back has its turn again
			a.heard = max(a.heard, a.turn.UpTo)
			a.err = "it said nothing for too long"
			t.be(a, room.Failed)
			t.say(a.name, "The turn of "+a.name+" was ended: it said nothing for too long.",
				&errcode.Cause{Code: CauseSilent, Params: map[string]string{KeyAgent: a.name}})
		}
		t.cut(a, nil)
	}
}

// say has a system message posted.
func (t *conversation) say(speaker, text string, cause *errcode.Cause) {
	t.notices = append(t.notices,
		room.Draft{Room: t.name, Sender: speaker, Text: text, Type: room.System, Cause: cause})
}

// be changes what an agent does.
func (t *conversation) be(a *member, state room.State) {
	if a.chair == nil {
		state = room.Offline
	}
	if a.state == state {
		return
	}
	a.state = state
	if state != room.Offline { // leaving the room says that
		t.states[a.name] = state
	}
	t.touch()
}

// keep has the agent's record stored.
func (t *conversation) keep(a *member) {
	a.unsaved = true
	t.touch()
}

// tell tells everybody who watches.
func (t *conversation) tell(l Live) {
	l.Room = t.name
	for w := range t.watchers {
		if !w.tell(l) {
			delete(t.watchers, w)
		}
	}
}

// show gives a new watcher the whole picture.
func (t *conversation) show(w *watcher) {
	w.tell(Live{Type: KindStatus, Room: t.name, Status: new(t.status())})
	for _, a := range t.order {
		if a.turn != nil && len(a.turn.text) > 0 {
			w.tell(Live{
				Type:   KindPartial,
				Room:   t.name,
				Agent:  a.name,
				TurnID: a.turn.ID,
				Text:   string(a.turn.text),
				Whole:  true,
			})
		}
	}
}

func (t *conversation) status() Status {
	s := Status{
		Room:   t.name,
		State:  Open,
		Policy: t.policy(),
		Turns:  t.agentTurns,
		Agents: []Member{},
		Cast:   t.setup.Cast,
	}
	switch {
	case t.setup.Paused:
		s.State = Paused
	case t.halt != "":
		s.State, s.Halt = Halted, t.halt
	}
	for _, a := range t.order {
		one := Member{
			Name: a.name, AgentID: a.seat.AgentID, Model: a.seat.Model, Elsewhere: a.seat.Elsewhere,
			State: a.state, Removed: a.out, Queued: a.queued > 0, Error: a.err, Usage: a.usage,
		}
		if a.turn != nil {
			one.TurnID, one.WrapUp = a.turn.ID, a.turn.WrapUp
		}
		s.Agents = append(s.Agents, one)
		s.Tokens += a.usage.TokensIn + a.usage.TokensOut
		s.CostUSD += a.usage.CostUSD
		s.Unpriced += a.usage.Unpriced
	}
	slices.SortFunc(s.Agents, func(a, b Member) int { return compare(a.Name, b.Name) })
	return s
}
