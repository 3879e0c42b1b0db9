// Package roomsapi serves rooms over HTTP and WebSocket.
package roomsapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/gobwas/ws"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

const (
	maxSockets = 10_000
	maxOfOne   = 1_000 // of one caller
	maxOfRoom  = 5_000 // in one room, the owner's included
	tendEvery  = time.Second
	retryAfter = time.Second
)

// Handler is the way into the rooms. Make it with New.
type Handler struct {
	hub     *room.Hub
	turns   *turns.Machine
	stage   RoomAgents
	log     *slog.Logger
	running sync.WaitGroup // all that serves a socket

	lag   time.Duration // how long a peer may take to read what it is sent
	grace time.Duration // and the close frame after it

	mu      sync.Mutex
	sockets map[*socket]struct{}
	closed  bool
	serving context.Context // of the sockets, which outlive their requests
	stop    context.CancelFunc
}

// New returns a Handler to the hub's rooms.
func New(hub *room.Hub, turns *turns.Machine, stage RoomAgents, log *slog.Logger) *Handler {
	d := &Handler{
		hub:     hub,
		turns:   turns,
		stage:   stage,
		log:     log,
		lag:     maxLag,
		grace:   closeGrace,
		sockets: map[*socket]struct{}{},
	}
	d.serving, d.stop = context.WithCancel(context.Background())
	return d
}

// Run tends the sockets until ctx ends. Then it tells each that the hub is going away,
// and returns once all have ended.
func (d *Handler) Run(ctx context.Context) error {
	tick := time.NewTicker(tendEvery)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			for _, s := range d.all() {
				s.tend(now)
			}
		case <-ctx.Done():
			d.mu.Lock()
			d.closed = true
			d.mu.Unlock()
			for _, s := range d.all() {
				s.wind()
			}
			late := time.AfterFunc(farewell, d.cut)
			d.running.Wait()
			late.Stop()
			d.stop()
			return nil
		}
	}
}

const farewell = 2 * time.Second // for the peers to close

// cut ends all connections, in a timer, where a panic would end the program.
func (d *Handler) cut() {
	_ = safego.Call(context.Background(), d.log, "the end of the rooms' connections", func() error {
		d.stop()
		for _, s := range d.all() {
			s.mu.Lock()
			s.drop()
			s.mu.Unlock()
		}
		return nil
	})
}

func (d *Handler) all() []*socket {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]*socket, 0, len(d.sockets))
	for s := range d.sockets {
		list = append(list, s)
	}
	return list
}

// Cut ends the sockets of those who may not stay.
func (d *Handler) Cut(stays func(from netip.Addr, key string) bool) {
	for _, s := range d.all() {
		if !stays(s.from, s.key) {
			s.mu.Lock()
			s.drop()
			s.mu.Unlock()
		}
	}
}

func (d *Handler) remove(s *socket) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.sockets, s)
}

// ServeHTTP answers /ws?room=R[&sender=NAME][&after=ID][&live=1][&agent=INSTANCE[&model=M]].
// The caller has checked who asks.
func (d *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, err := wsParams(r)
	if err == nil {
		asked.sender = auth.SeatName(r.Context(), asked.sender)
		err = auth.CheckSeat(r.Context(), asked.room, asked.sender)
	}
	if err != nil {
		httperr.Write(w, errcode.From(err))
		return
	}
	if err := d.admit(auth.Key(r.Context()), asked.room); err != nil {
		httperr.Write(w, err)
		return
	}
	conn, rw, _, err := ws.HTTPUpgrader{
		Timeout:  10 * time.Second,
		Protocol: func(p string) bool { return p == auth.WebSocketProtocol },
	}.Upgrade(r, w)
	if err != nil {
		return // the peer has been told
	}
	var early []byte
	if n := rw.Reader.Buffered(); n > 0 {
		early = make([]byte, n)
		_, _ = rw.Reader.Read(early)
	}
	s := newSocket(d, conn, asked, auth.From(r.Context()), auth.Key(r.Context()))
	d.mu.Lock()
	closed := d.closed || r.Context().Err() != nil // the hub ends, or who asks was sent away meanwhile
	if !closed {
		d.sockets[s] = struct{}{}
		// The request's own goroutine ends here, with the stack and the buffers it has.
		d.running.Go(func() { s.run(d.serving, early) })
	}
	d.mu.Unlock()
	if closed {
		_ = conn.Close()
	}
}

// admit reports why no more sockets of the caller, or to the room, are taken.
func (d *Handler) admit(key, to string) *errcode.Error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || len(d.sockets) >= maxSockets {
		return errcode.New(errcode.Unavailable, "the hub takes no more connections: try again later").
			With(errcode.KeyRetryAfterMs, retryAfter.Milliseconds())
	}
	n, there := 0, 0
	for s := range d.sockets {
		if s.key == key {
			n++
		}
		if s.room == to {
			there++
		}
	}
	if there >= maxOfRoom {
		return errcode.New(errcode.Unavailable, "the room %s has %d connections already. Close some first", to, there).
			With(errcode.KeyRetryAfterMs, retryAfter.Milliseconds())
	}
	if auth.IsCaller(key) && n >= maxOfOne {
		return errcode.New(errcode.RateLimited, "this token has %d connections to rooms already. Close some first", n).
			With(errcode.KeyRetryAfterMs, retryAfter.Milliseconds())
	}
	return nil
}

// params are what a socket asks for.
type params struct {
	room, sender    string
	after           *int64 // where it goes on; nil: with what is new
	watches         bool   // what goes on besides messages
	instance, model string // of an agent that takes turns
}

func wsParams(r *http.Request) (p params, err error) {
	q := r.URL.Query()
	if p.room, err = room.Name("room", q.Get("room")); err != nil {
		return p, err
	}
	if q.Has("sender") {
		if p.sender, err = room.Name("sender", q.Get("sender")); err != nil {
			return p, err
		}
	}
	if q.Has("agent") {
		if p.instance, err = room.Name("agent", q.Get("agent")); err != nil {
			return p, err
		}
		if p.sender == "" {
			return p, errcode.New(errcode.Validation, "an agent needs a sender, which is its name").
				With(errcode.KeyField, "sender")
		}
	}
	if q.Get("model") != "" {
		if p.model, err = room.Name("model", q.Get("model")); err != nil {
			return p, err
		}
	}
	if q.Has("after") {
		id, err := strconv.ParseInt(q.Get("after"), 10, 64)
		if err != nil || id < 0 {
			return p, errcode.New(errcode.Validation, "after is the id of a message, or 0").
				With(errcode.KeyField, "after")
		}
		p.after = &id
	}
	p.watches = q.Get("live") == "1" || q.Get("live") == "true"
	if r.Header.Get("Upgrade") == "" {
		return p, errcode.New(errcode.Validation, "/ws is a WebSocket")
	}
	return p, nil
}
