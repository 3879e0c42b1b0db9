package roomsapi

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"go.uber.org/goleak"

	"agentflow/backend/store"
	"agentflow/backend/talk/room"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a Handler on a real socket, over a hub with a real database.
type house struct {
	t    *testing.T
	hub  *room.Hub
	door *Handler
	addr string
	stop func()
}

func open(t *testing.T) *house {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(t.Context(), t.TempDir(), log)
	if err != nil {
		t.Fatal(err)
	}
	hub, err := room.New(t.Context(), room.Options{Store: s.Rooms(), Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, hub: hub, door: New(hub, nil, nil, log)}
	doorStop := running(t, h.door.Run)
	hubStop := running(t, hub.Run)
	storeStop := running(t, s.Run)
	server := httptest.NewServer(h.door)
	h.addr = server.Listener.Addr().String()
	h.stop = func() {
		doorStop()
		server.Close()
		hubStop()
		storeStop()
	}
	t.Cleanup(func() {
		h.stop()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// running runs a machine until the returned function is called.
func running(t *testing.T, run func(context.Context) error) func() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	ended := false
	return func() {
		if ended {
			return
		}
		ended = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// peer is a WebSocket without a library's manners.
type peer struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func (h *house) dial(query string, early ...byte) *peer {
	h.t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	return h.greet(conn, query, early)
}

func (h *house) greet(conn net.Conn, query string, early []byte) *peer {
	h.t.Helper()
	ask := "GET /ws?" + query + " HTTP/1.1\r\nHost: " + h.addr + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
	if _, err := conn.Write(append([]byte(ask), early...)); err != nil {
		h.t.Fatal(err)
	}
	p := &peer{h.t, conn, bufio.NewReader(conn)}
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	res, err := http.ReadResponse(p.in, nil)
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		h.t.Fatalf("handshake: %v %v", res, err)
	}
	return p
}

func (p *peer) write(data []byte) {
	p.t.Helper()
	if _, err := p.conn.Write(data); err != nil {
		p.t.Fatal(err)
	}
}

// frame is a client's frame, masked.
func frame(first byte, payload []byte) []byte {
	out := []byte{first}
	switch n := len(payload); {
	case n < 126:
		out = append(out, 0x80|byte(n))
	case n < 1<<16:
		out = binary.BigEndian.AppendUint16(append(out, 0x80|126), uint16(n))
	default:
		out = binary.BigEndian.AppendUint64(append(out, 0x80|127), uint64(n))
	}
	mask := [4]byte{1, 2, 3, 4}
	out = append(out, mask[:]...)
	body := append([]byte(nil), payload...)
	ws.Cipher(body, mask, 0)
	return append(out, body...)
}

const finText = 0x80 | byte(ws.OpText)

func say(text string) []byte {
	return frame(finText, fmt.Appendf(nil, `{"sender":"s","message":%q}`, text))
}

// next is the next frame from the hub.
func (p *peer) next() (ws.OpCode, string) {
	p.t.Helper()
	_ = p.conn.SetReadDeadline(time.Now().Add(time.Minute))
	h, err := ws.ReadHeader(p.in)
	if err != nil {
		p.t.Fatal(err)
	}
	payload := make([]byte, h.Length)
	if _, err := io.ReadFull(p.in, payload); err != nil {
		p.t.Fatal(err)
	}
	return h.OpCode, string(payload)
}

// closedWith reads until the close frame, which must have the code.
func (p *peer) closedWith(code ws.StatusCode) {
	p.t.Helper()
	for {
		op, payload := p.next()
		if op != ws.OpClose {
			continue
		}
		if got, why := ws.ParseCloseFrameData([]byte(payload)); got != code {
			p.t.Errorf("closed with %d %q, want %d", got, why, code)
		}
		break
	}
	_ = p.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if n, err := io.Copy(io.Discard, p.in); n > 0 || err != nil && !strings.Contains(err.Error(), "reset") {
		p.t.Errorf("after the close frame came %d bytes, %v", n, err)
	}
}

func (p *peer) text() string {
	p.t.Helper()
	op, payload := p.next()
	for op == ws.OpPing { // on a busy machine a test lasts that long
		op, payload = p.next()
	}
	if op != ws.OpText {
		p.t.Fatalf("got frame %x %q", op, payload)
	}
	return payload
}
