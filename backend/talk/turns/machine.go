// Package turns says who speaks next in a room: it gives agents their turns, holds them
// to the room's limits, and shows what each of them does and what it is saying just now.
// An agent speaks only in a turn, wherever it runs; so a stop reaches all of them, and no
// two of them talk for ever.
package turns

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// Options configure a Machine.
type Options struct {
	Rooms  *room.Hub
	Store  Store
	Logger *slog.Logger
	Now    func() time.Time // time.Now if nil
}

// Machine has the turns of every room. Methods may be called from anywhere while Run runs.
type Machine struct {
	o    Options
	wake chan struct{}

	mu    sync.Mutex // guards what follows; a talk's own lock is taken inside it
	talks map[string]*conversation

	busyMu sync.Mutex // taken inside a talk's lock
	busy   map[*conversation]struct{}
}

// New reads what is kept of the rooms. All agents are away until they take their seats.
func New(ctx context.Context, o Options) (*Machine, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Machine{
		o:     o,
		wake:  make(chan struct{}, 1),
		talks: map[string]*conversation{},
		busy:  map[*conversation]struct{}{},
	}
	setups, err := o.Store.Setups(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range setups {
		m.of(s.Room).setup = s
	}
	records, err := o.Store.Records(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		t := m.of(r.Room)
		t.add(&member{
			name: r.Name, heard: r.Heard, usage: r.Usage, state: room.Offline,
			out: r.Removed, seat: Seat{AgentID: r.AgentID, Model: r.Model},
		})
	}
	return m, nil
}

// of is the room's talk, made where there is none.
func (m *Machine) of(name string) *conversation {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.talks[name]
	if t == nil {
		t = newTalk(m, name)
		m.talks[name] = t
	}
	return t
}

// forget drops a talk that holds nothing.
func (m *Machine) forget(t *conversation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.talks[t.name] == t && t.empty() {
		delete(m.talks, t.name)
	}
}

// rouse has the loop look at a talk. It may be called with the talk locked.
func (m *Machine) rouse(t *conversation) {
	m.busyMu.Lock()
	m.busy[t] = struct{}{}
	m.busyMu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// Run gives turns until ctx ends; then it keeps what is not kept yet.
func (m *Machine) Run(ctx context.Context) error {
	work := context.WithoutCancel(ctx) // what is begun is kept
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		select {
		case <-m.wake:
		case <-timer.C:
		case <-ctx.Done():
			m.round(work)
			return nil
		}
		timer.Reset(m.round(work))
	}
}

// round does all that is due, and says when the next is.
func (m *Machine) round(ctx context.Context) time.Duration {
	m.busyMu.Lock()
	busy := m.busy
	m.busy = map[*conversation]struct{}{}
	m.busyMu.Unlock()
	next := time.Hour
	var records []Record
	for t := range busy {
		w := t.step(m.o.Now())
		records = append(records, w.records...)
		m.carryOut(ctx, t, w)
		if w.wait > 0 {
			next = min(next, w.wait)
			m.busyMu.Lock()
			m.busy[t] = struct{}{}
			m.busyMu.Unlock()
		}
	}
	if len(records) > 0 {
		if err := m.o.Store.PutRecords(ctx, records); err != nil {
			m.o.Logger.WarnContext(ctx, "what agents have used was not stored", slog.Any("error", err))
			m.keepLater(records)
		}
	}
	return next
}

// keepLater has records stored with the next ones.
func (m *Machine) keepLater(records []Record) {
	for _, r := range records {
		t := m.of(r.Room)
		t.mu.Lock()
		if a := t.members[r.Name]; a != nil {
			a.unsaved = true
		}
		t.mu.Unlock()
	}
}

// carryOut does what a step asks of others.
func (m *Machine) carryOut(ctx context.Context, t *conversation, w work) {
	for name, state := range w.states {
		_ = m.o.Rooms.SetState(t.name, name, state) // who has left meanwhile is offline already
	}
	m.keepHalves(ctx, t, w.halves)
	for _, notice := range w.notices {
		if _, err := m.o.Rooms.Post(ctx, notice); err != nil {
			m.o.Logger.WarnContext(ctx, "a room was not told", slog.String("room", t.name), slog.Any("error", err))
		}
	}
	for _, c := range w.commands {
		if err := m.command(ctx, t.name, c); err != nil {
			m.o.Logger.WarnContext(ctx, "a command was not carried out", slog.String("room", t.name),
				slog.Any("error", err))
		}
	}
}

// keepHalves posts what is written of stopped answers, and then tells that their turns are over.
func (m *Machine) keepHalves(ctx context.Context, t *conversation, list []half) {
	if len(list) == 0 {
		return
	}
	for i := range list {
		posted, err := m.o.Rooms.Post(ctx, list[i].draft)
		if err != nil {
			m.o.Logger.WarnContext(ctx, "a stopped answer was not stored", slog.String("room", t.name),
				slog.Any("error", err))
			continue
		}
		list[i].end.MessageID = posted.ID
	}
	_ = m.o.Rooms.Settle(ctx) // so that the messages are there before the ends; a hub that has ended tells nobody
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range list {
		t.tell(one.end)
	}
	t.touch()
}

// open begins to listen to the room, once.
func (m *Machine) open(ctx context.Context, t *conversation) error {
	t.opening.Lock()
	defer t.opening.Unlock()
	t.mu.Lock()
	listening := t.sub != nil
	t.mu.Unlock()
	if listening {
		return nil
	}
	sub, err := m.o.Rooms.Subscribe(t.name, t)
	if err != nil {
		return err
	}
	recent, err := m.o.Rooms.List(ctx, room.Range{Room: t.name, Limit: room.MaxLimit})
	if err != nil {
		m.o.Rooms.Unsubscribe(sub)
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sub = sub
	t.recall(recent)
	return nil
}

// Status returns how a room stands.
func (m *Machine) Status(name string) (Status, error) {
	if _, err := m.o.Rooms.Room(name); err != nil {
		return Status{}, err
	}
	t := m.of(name)
	defer m.forget(t)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status(), nil
}

// Casts returns the rooms with agents that the hub is to run.
func (m *Machine) Casts() map[string]Cast {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]Cast{}
	for name, t := range m.talks {
		t.mu.Lock()
		if t.setup.Cast != nil {
			c := *t.setup.Cast
			c.Names = t.setup.Names
			out[name] = c
		}
		t.mu.Unlock()
	}
	return out
}

// Watch tells what goes on in a room, beginning with how it stands; tell must not block,
// and ends the watching with false. stop must be called once.
func (m *Machine) Watch(name string, tell func(Live) bool) (stop func()) {
	t := m.of(name)
	w := &watcher{tell: tell}
	t.mu.Lock()
	t.watchers[w] = struct{}{}
	t.show(w)
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		delete(t.watchers, w)
		t.mu.Unlock()
		m.forget(t)
	}
}

type watcher struct{ tell func(Live) bool }

// setUp changes what is kept of a room.
func (m *Machine) setUp(ctx context.Context, name string, change func(s *Setup)) (Status, error) {
	if _, err := m.o.Rooms.Room(name); err != nil {
		return Status{}, err
	}
	t := m.of(name)
	defer m.forget(t)
	t.opening.Lock() // one change at a time
	defer t.opening.Unlock()
	t.mu.Lock()
	next := t.setup
	t.mu.Unlock()
	next.Room = name
	change(&next)
	if err := m.o.Store.PutSetup(ctx, next); err != nil {
		return Status{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gone {
		return Status{}, errcode.New(errcode.NotFound, "there is no room %s", name)
	}
	t.setup = next
	t.touch()
	return t.status(), nil
}
