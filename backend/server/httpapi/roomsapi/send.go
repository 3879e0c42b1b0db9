package roomsapi

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/gobwas/ws"

	"agentflow/backend/base/safego"
	"agentflow/backend/talk/room"
)

// frames joins messages into what is sent: one text frame each.
func frames(list []room.Message) []byte {
	var out []byte
	for _, m := range list {
		line, err := m.MarshalLine()
		if err != nil {
			continue // a Message always can be written
		}
		out = appendFrame(out, ws.OpText, line)
	}
	return out
}

func appendFrame(out []byte, op ws.OpCode, payload []byte) []byte {
	out = append(out, 0x80|byte(op))
	switch n := len(payload); {
	case n < 126:
		out = append(out, byte(n))
	case n < 1<<16:
		out = append(out, 126, byte(n>>8), byte(n))
	default:
		out = append(out, 127, 0, 0, 0, 0, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return append(out, payload...)
}

// Deliver implements room.Reader.
func (s *socket) Deliver(b *room.Batch) bool {
	var taken bool
	err := safego.Call(context.Background(), s.door.log, "a room's connection", func() error { // the room's goroutine
		taken = s.send(b.Wire(frames))
		return nil
	})
	if err != nil {
		_ = s.conn.Close() // the reader sees it
	}
	return taken
}

// End implements room.Reader.
func (s *socket) End() { s.close(ws.StatusNormalClosure, "the room is deleted") }

// send writes data, or keeps it until the peer takes it. It never blocks; false means
// that the peer is cut.
func (s *socket) send(data []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone || s.closeFrame != nil {
		return false
	}
	if s.size == 0 && s.raw != nil {
		n, err := s.try(data)
		if err != nil {
			s.drop()
			return false
		}
		if data = data[n:]; len(data) == 0 {
			return true
		}
		s.begun = n > 0
	}
	if s.size+len(data) > maxBacklog {
		s.beginClose(statusTryAgainLater, "too slow: come back with after=ID of the last message")
		return false
	}
	s.push(data)
	return true
}

// try writes what the kernel takes at once.
func (s *socket) try(data []byte) (int, error) {
	if s.attempt == nil {
		s.attempt = func(fd uintptr) bool {
			s.written, s.attemptIO = writeNow(fd, s.trying)
			return true
		}
	}
	s.trying, s.written = data, 0
	err := s.raw.Write(s.attempt)
	s.trying = nil
	return s.written, errors.Join(err, s.attemptIO)
}

// push adds to the backlog; s.mu is held.
func (s *socket) push(data []byte) {
	now := time.Now()
	if s.size == 0 {
		s.since = now
	}
	if len(s.out) == 0 {
		s.queued = now
	}
	s.out = append(s.out, data)
	s.size += len(data)
	if !s.draining {
		s.draining = true
		s.door.running.Go(s.drain)
	}
}

// drain writes the backlog until there is none, and the close frame after it. A panic in it, which
// would end the program, ends the socket.
func (s *socket) drain() {
	err := safego.Call(context.Background(), s.door.log, "the backlog of a room's connection", func() error {
		s.drainAll()
		return nil
	})
	if err != nil {
		_ = s.conn.Close() // the reader sees it
	}
}

func (s *socket) drainAll() {
	for {
		chunk, size, last := s.next()
		if chunk == nil {
			return
		}
		_ = s.conn.SetWriteDeadline(time.Now().Add(s.door.lag + s.door.grace)) // a later one of part counts
		_, err := chunk.WriteTo(s.conn)
		s.mu.Lock()
		s.size -= size
		s.since = s.queued
		if err != nil {
			s.drop()
		} else if last {
			s.gone, s.out = true, nil
			if half, ok := s.conn.(interface{ CloseWrite() error }); ok {
				_ = half.CloseWrite() // the reader waits for the peer to close, a while
			}
		}
		s.mu.Unlock()
	}
}

// next takes some of the backlog; nil: there is nothing to write.
func (s *socket) next() (chunk net.Buffers, size int, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone || len(s.out) == 0 && s.closeFrame == nil {
		s.draining = false
		s.clearDeadline()
		return nil, 0, false
	}
	if s.closeFrame != nil && len(s.out) == 0 {
		s.size += len(s.closeFrame)
		return net.Buffers{s.closeFrame}, len(s.closeFrame), true
	}
	n := 0
	for n < len(s.out) && (n == 0 || size+len(s.out[n]) <= writeChunk) {
		size += len(s.out[n])
		n++
	}
	chunk = append(chunk, s.out[:n]...)
	clear(s.out[:n])
	s.begun = false
	if s.out = s.out[n:]; len(s.out) == 0 {
		s.out = nil
	}
	return chunk, size, false
}

// clearDeadline removes the write deadline of a replay or a backlog: a write after it is
// refused at once, even if the peer takes everything. s.mu is held.
func (s *socket) clearDeadline() {
	if !s.gone && s.closeFrame == nil {
		_ = s.conn.SetWriteDeadline(time.Time{})
	}
}

// close sends what is waiting and then the close frame.
func (s *socket) close(code ws.StatusCode, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beginClose(code, why)
}

// beginClose begins the end; s.mu is held. A peer that has not taken what it was sent loses
// what is still waiting: it comes back for it.
func (s *socket) beginClose(code ws.StatusCode, why string) {
	if s.gone || s.closeFrame != nil {
		return
	}
	s.closeFrame = appendFrame(nil, ws.OpClose, ws.NewCloseFrameBody(code, why))
	if code == statusTryAgainLater {
		kept := 0
		if s.begun && len(s.out) > 0 {
			kept = 1 // the peer would take the close frame for the rest of this one
		}
		for _, data := range s.out[kept:] {
			s.size -= len(data)
		}
		s.out = s.out[:kept:kept]
	}
	deadline := time.Now().Add(s.door.grace)
	_ = s.conn.SetWriteDeadline(deadline)
	_ = s.conn.SetReadDeadline(deadline)
	if !s.draining {
		s.draining = true
		s.door.running.Go(s.drain)
	}
}

// drop ends the connection at once; s.mu is held.
func (s *socket) drop() {
	s.gone, s.out, s.size = true, nil, 0
	if secure, ok := s.conn.(*tls.Conn); ok {
		_ = secure.NetConn().Close() // its own Close would write
		return
	}
	_ = s.conn.Close()
}

// tend is called now and then: it cuts who lags and asks who is silent.
func (s *socket) tend(now time.Time) {
	silent := now.Sub(time.Unix(s.lastActive.Load(), 0))
	s.mu.Lock()
	age := now.Sub(s.since)
	switch {
	case silent > silentLimit, s.size > 0 && age > s.door.lag+2*s.door.grace:
		s.drop()
	case s.size > 0 && age > s.door.lag:
		s.beginClose(statusTryAgainLater, comeBack)
	}
	ask := s.entered && silent >= pingEvery
	s.mu.Unlock()
	if ask {
		s.send(ping)
	}
}

// statusTryAgainLater is the close code that tells a peer to come back.
const statusTryAgainLater ws.StatusCode = 1013

const comeBack = "too slow: come back with after=ID of the last message"

var ping = appendFrame(nil, ws.OpPing, nil)
