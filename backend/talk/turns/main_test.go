package turns_test

import (
	"context"
	"log/slog"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a hub's rooms and their turns, over a real database.
type house struct {
	t     *testing.T
	dir   string
	rooms *room.Hub
	turns *turns.Machine
	stop  func()
}

func open(t *testing.T, dir string) *house {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(t.Context(), dir, log)
	if err != nil {
		t.Fatal(err)
	}
	stopStore := running(t, s.Run)
	kept := s.Rooms()
	rooms, err := room.New(t.Context(), room.Options{Store: kept, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	f, err := turns.New(t.Context(), turns.Options{Rooms: rooms, Store: kept.Turns(), Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	stopRooms, stopFloor := running(t, rooms.Run), running(t, f.Run)
	h := &house{t: t, dir: dir, rooms: rooms, turns: f, stop: sync.OnceFunc(func() {
		stopFloor()
		stopRooms()
		stopStore()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})}
	t.Cleanup(h.stop)
	return h
}

func running(t *testing.T, run func(context.Context) error) func() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func (h *house) post(sender, text string) room.Message {
	h.t.Helper()
	m, err := h.rooms.Post(h.t.Context(), room.Draft{Room: "dev", Sender: sender, Text: text})
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// said are the room's messages as "sender: text", those of the turns not among them.
func (h *house) said() []string {
	h.t.Helper()
	list, err := h.rooms.List(h.t.Context(), room.Range{Room: "dev", Limit: room.MaxLimit})
	if err != nil {
		h.t.Fatal(err)
	}
	var out []string
	for _, m := range list {
		out = append(out, m.Sender+": "+m.Text)
	}
	return out
}

// lines waits until the room has so many messages.
func (h *house) lines(n int) {
	h.t.Helper()
	for until := time.Now().Add(time.Minute); len(h.said()) < n; {
		if time.Now().After(until) {
			h.t.Fatalf("no %d lines: %q", n, h.said())
		}
		runtime.Gosched()
	}
}

// caused shows that a sender's system message carries the cause.
func (h *house) caused(sender string, want errcode.Cause) {
	h.t.Helper()
	list, err := h.rooms.List(h.t.Context(), room.Range{Room: "dev", Limit: room.MaxLimit})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, m := range list {
		if m.Type == room.System && m.Sender == sender {
			if m.Cause == nil || !reflect.DeepEqual(*m.Cause, want) {
				h.t.Errorf("%q has the cause %+v, want %+v", m.Text, m.Cause, want)
			}
			return
		}
	}
	h.t.Errorf("%s told nothing: %q", sender, h.said())
}

// until waits for a state of the room.
func (h *house) until(what string, is func(turns.Status) bool) turns.Status {
	h.t.Helper()
	got := make(chan turns.Status, 1)
	stop := h.turns.Watch("dev", func(l turns.Live) bool {
		if l.Status != nil && is(*l.Status) {
			select {
			case got <- *l.Status:
			default:
			}
		}
		return true
	})
	defer stop()
	select {
	case s := <-got:
		return s
	case <-time.After(time.Minute):
		now, err := h.turns.Status("dev")
		h.t.Fatalf("the room never was %s; it is %+v, %v; said %q", what, now, err, h.said())
		return now
	}
}

// agent is one that takes turns by hand.
type agent struct {
	h     *house
	name  string
	chair *turns.Session
	turns chan *turns.Turn
	gone  chan struct{}
}

func (h *house) sit(name string, peers ...string) *agent {
	h.t.Helper()
	a, err := h.trySit(name, name+"-1", peers...)
	if err != nil {
		h.t.Fatal(err)
	}
	if first := a.turn(); first != nil {
		h.t.Fatalf("%s sat down and had the turn %+v", name, first)
	}
	return a
}

func (h *house) trySit(name, instance string, peers ...string) (*agent, error) {
	return h.take(turns.Seat{Room: "dev", Name: name, Instance: instance, Peers: peers})
}

func (h *house) take(seat turns.Seat) (*agent, error) {
	a := &agent{h: h, name: seat.Name, turns: make(chan *turns.Turn, 100), gone: make(chan struct{}, 1)}
	chair, err := h.turns.TakeSeat(
		h.t.Context(),
		seat,
		func(l turns.Live) bool {
			a.turns <- l.Turn
			return true
		},
		func() { a.gone <- struct{}{} },
	)
	if err != nil {
		return nil, err
	}
	a.chair = chair
	h.t.Cleanup(sync.OnceFunc(chair.Leave))
	return a, nil
}

// turn returns the next news the agent gets about its turn.
func (a *agent) turn() *turns.Turn {
	a.h.t.Helper()
	select {
	case t := <-a.turns:
		return t
	case <-time.After(time.Minute):
		a.h.t.Fatalf("%s was told nothing; said %q", a.name, a.h.said())
		return nil
	}
}

// mine is the turn that the agent gets.
func (a *agent) mine() turns.Turn {
	a.h.t.Helper()
	for {
		if t := a.turn(); t != nil {
			return *t
		}
	}
}

func (a *agent) end(turn turns.Turn, e turns.End) {
	a.h.t.Helper()
	if err := a.chair.Report(a.h.t.Context(), turns.Update{TurnID: turn.ID, End: &e}); err != nil {
		a.h.t.Fatal(err)
	}
}

func (a *agent) answer(text string) {
	a.h.t.Helper()
	a.end(a.mine(), turns.End{Outcome: turns.Answered, Text: text, TokensIn: 10, TokensOut: 1})
}

func (a *agent) skip() {
	a.h.t.Helper()
	a.end(a.mine(), turns.End{Outcome: turns.Skipped})
}

// quiet shows that the agent has no turn, and is to have none.
func (h *house) quiet() {
	h.t.Helper()
	if err := h.rooms.Settle(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	h.until("quiet", func(s turns.Status) bool {
		return !slices.ContainsFunc(s.Agents, func(m turns.Member) bool { return m.TurnID != "" || m.Queued })
	})
}

func (h *house) policy(change func(p *turns.Policy)) {
	h.t.Helper()
	s, err := h.turns.Status("dev")
	if err != nil {
		h.t.Fatal(err)
	}
	change(&s.Policy)
	if _, err := h.turns.SetPolicy(h.t.Context(), "dev", s.Policy); err != nil {
		h.t.Fatal(err)
	}
}

func want(t *testing.T, got []string, wanted ...string) {
	t.Helper()
	if !slices.Equal(got, wanted) {
		t.Fatalf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(wanted, "\n  "))
	}
}
