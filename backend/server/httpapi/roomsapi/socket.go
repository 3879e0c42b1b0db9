package roomsapi

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gobwas/ws"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

const (
	maxBacklog  = 4 << 20         // bytes that a reader may lag
	maxLag      = 9 * time.Second // and the time; it is found out within a second
	writeChunk  = 256 << 10       // of the backlog at once
	closeGrace  = 5 * time.Second // to take the last bytes
	pingEvery   = 20 * time.Second
	silentLimit = 3 * pingEvery
	inFlight    = 256 // messages of one sender that wait to be stored
)

// socket is one WebSocket in one room. What is sent to it goes straight into the kernel's
// buffer; what does not fit waits in out for a goroutine that lives until it is gone.
// While nobody speaks it holds neither a buffer nor more than one small goroutine.
type socket struct {
	door *Handler
	conn net.Conn
	from netip.Addr
	key  string          // whose token or login it came with
	raw  syscall.RawConn // nil where a write cannot be tried
	sub  *room.Subscription

	params
	leave      func()         // the room; nil without a sender
	session    *turns.Session // of an agent that takes turns
	unwatch    func()
	slots      chan struct{}
	lastActive atomic.Int64 // when the peer last sent anything, in Unix seconds

	mu         sync.Mutex
	out        [][]byte
	size       int       // bytes of out, and those that are being written
	since      time.Time // how old the oldest of them is
	queued     time.Time // how old the oldest in out is
	draining   bool
	begun      bool // the first of out is the rest of a frame
	entered    bool
	winding    bool   // nothing more is taken from the peer
	closeFrame []byte // the close frame, once there is one
	gone       bool   // nothing may be written any more

	attempt   func(fd uintptr) bool // writes trying, once
	trying    []byte
	written   int
	attemptIO error
}

func newSocket(d *Handler, conn net.Conn, asked params, from netip.Addr, key string) *socket {
	s := &socket{door: d, conn: conn, from: from, key: key, raw: rawConn(conn), params: asked}
	s.lastActive.Store(time.Now().Unix())
	return s
}

// run serves the socket until it ends.
func (s *socket) run(ctx context.Context, early []byte) {
	defer s.end()
	_ = safego.Call(ctx, s.door.log, "a room's connection", func() error { // end closes it
		s.serve(ctx, early)
		return nil
	})
}

func (s *socket) serve(ctx context.Context, early []byte) {
	in := newReader(s, early)
	if err := s.enter(ctx); err != nil {
		s.send(failure(err, ""))
		s.close(ws.StatusPolicyViolation, errcode.From(err).Message)
		in.discard()
		return
	}
	for {
		if err := in.wait(); err != nil {
			s.finishClose(ctx, in)
			return
		}
		s.lastActive.Store(time.Now().Unix())
		for more := true; more; more = in.pending() {
			if err := s.take(ctx, in); err != nil {
				s.fail(err)
				s.finishClose(ctx, in)
				return
			}
		}
		in.rest()
	}
}

// enter joins the room.
func (s *socket) enter(ctx context.Context) (err error) {
	if s.sender != "" && s.instance == "" {
		if s.leave, err = s.door.hub.Enter(ctx, s.room, s.sender); err != nil {
			return err
		}
	}
	if s.after == nil {
		s.sub, err = s.door.hub.Subscribe(s.room, s)
	} else {
		s.sub, err = s.replay(ctx, *s.after)
	}
	if err == nil {
		err = s.attend(ctx) // after the replay: until then nobody else may write
	}
	s.mu.Lock()
	s.entered = err == nil
	s.mu.Unlock()
	return err
}

// replay sends what the peer has missed. Nobody else writes until it is done.
func (s *socket) replay(ctx context.Context, after int64) (*room.Subscription, error) {
	return s.door.hub.SubscribeAfter(ctx, s.room, after, func(page []room.Message) error {
		if err := s.conn.SetWriteDeadline(time.Now().Add(s.door.lag)); err != nil {
			return err
		}
		_, err := s.conn.Write(frames(page))
		s.lastActive.Store(time.Now().Unix())
		s.mu.Lock()
		defer s.mu.Unlock()
		s.clearDeadline()
		return err
	}, s)
}

var errParting = errors.New("rooms: the connection is being closed")

// wind takes nothing more from the peer; what it has sent by now is still stored.
func (s *socket) wind() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.winding = true
	if s.closeFrame == nil && !s.gone {
		_ = s.conn.SetReadDeadline(time.Now())
	}
}

// finishClose says goodbye: at once where that was said already, else to a peer that still
// listens, when all is stored that it sent.
func (s *socket) finishClose(ctx context.Context, in *reader) {
	s.mu.Lock()
	winding := s.winding && s.closeFrame == nil && !s.gone
	s.mu.Unlock()
	if winding {
		s.flushed()
		_ = s.door.hub.Settle(ctx) // a hub that has ended has published all
		s.close(ws.StatusGoingAway, "the hub is stopping")
	}
	in.discard()
}

// end leaves the room and gives everything back.
func (s *socket) end() {
	if s.sub != nil {
		s.door.hub.Unsubscribe(s.sub)
	}
	if s.unwatch != nil {
		s.unwatch()
	}
	if s.leave != nil {
		s.leave()
	}
	s.flushed()
	s.mu.Lock()
	s.drop()
	s.mu.Unlock()
	s.door.remove(s)
}

// take reads what has arrived: one message or control frame.
func (s *socket) take(ctx context.Context, in *reader) error {
	if s.parting() {
		return errParting
	}
	op, payload, err := in.next()
	if err != nil {
		return err
	}
	switch op {
	case ws.OpPing:
		s.send(appendFrame(nil, ws.OpPong, payload))
		return nil
	case ws.OpPong, opNothing:
		return nil
	case ws.OpClose:
		return closed(payload)
	}
	if s.news(ctx, payload) {
		return nil
	}
	draft, err := room.Decode(payload, s.room)
	if err == nil && draft.Sender == "" {
		draft.Sender = s.sender
	}
	if err == nil && s.sender != "" && draft.Sender != s.sender {
		err = errcode.New(errcode.Validation, "this connection speaks as %s, not as %s", s.sender, draft.Sender).
			With(errcode.KeyField, "sender")
	}
	if err == nil {
		err = s.post(ctx, draft)
	}
	if err != nil {
		s.send(failure(err, draft.ClientID))
	}
	return nil
}

// post queues the message. The outcome comes back as a message, or as an error.
func (s *socket) post(ctx context.Context, d room.Draft) error {
	if s.slots == nil {
		s.slots = make(chan struct{}, inFlight)
	}
	s.slots <- struct{}{} // frees up: the hub stores or fails, always
	err := s.door.hub.Send(ctx, d, func(m room.Message, err error) {
		if err != nil {
			e := errcode.From(err)
			if m.ID > 0 {
				e = e.With("id", m.ID)
			}
			s.send(failure(e, d.ClientID))
		}
		<-s.slots
	})
	if err != nil {
		<-s.slots
	}
	return err
}

// flushed waits until all that was put in line is stored or refused.
func (s *socket) flushed() {
	for i := 0; s.slots != nil && i < inFlight; i++ {
		s.slots <- struct{}{}
	}
	s.slots = nil
}

func failure(err error, clientID string) []byte {
	e := errcode.From(err)
	if clientID != "" {
		e = e.With("clientMessageId", clientID)
	}
	text, err := json.Marshal(map[string]any{"error": e})
	if err != nil {
		return nil
	}
	return appendFrame(nil, ws.OpText, text)
}

// fail answers what ended the conversation with a close frame.
func (s *socket) fail(err error) {
	if bad, ok := errors.AsType[*broken](err); ok {
		s.close(bad.code, bad.why)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closeFrame == nil && !s.winding {
		s.drop()
	}
}

// readBy bounds the time that the next bytes may take; zero is no bound.
func (s *socket) readBy(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closeFrame == nil && !s.gone && !s.winding {
		_ = s.conn.SetReadDeadline(at)
	}
}

// parting reports whether the close frame is on its way.
func (s *socket) parting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeFrame != nil || s.gone || s.winding
}
