package roomsapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobwas/ws"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/talk/room"
)

func message(t *testing.T, text string) room.Message {
	t.Helper()
	var m room.Message
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// narrow is a peer whose system takes little before it is read.
func (h *house) narrow(query string) *peer {
	h.t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(256 << 10); err != nil {
		h.t.Fatal(err)
	}
	return h.greet(conn, query, nil)
}

// One that never reads is cut with a code that says "come back"; the others go on, and it
// goes on where it was (fault 9).
func TestFault9_WhoNeverReadsIsCutAndComesBack(t *testing.T) {
	h := open(t)
	stuck, writer := h.narrow("room=r"), h.dial("room=r")
	const size = 60_000
	most := 2 * (maxBacklog + 4<<20) / size // more than all buffers between here and there hold
	sides := h.socketOf(t, "r", 2)
	total := 0
	for cut := false; !cut && total < most; total++ {
		writer.write(say(fmt.Sprint(total) + strings.Repeat("x", size)))
		if m := message(t, writer.text()); m.ID != int64(total+1) {
			t.Fatalf("message %d has the id %d", total, m.ID)
		}
		for _, s := range sides {
			cut = cut || s.parting()
		}
	}
	last := int64(0)
	for {
		op, payload := stuck.next()
		if op == ws.OpPing {
			continue
		}
		if op == ws.OpClose {
			if code, why := ws.ParseCloseFrameData([]byte(payload)); code != statusTryAgainLater || !strings.Contains(why, "come back") {
				t.Errorf("cut with %d %q", code, why)
			}
			break
		}
		m := message(t, payload)
		if m.ID != last+1 {
			t.Fatalf("after %d came %d", last, m.ID)
		}
		last = m.ID
	}
	if last == 0 || last >= int64(total) {
		t.Fatalf("it was cut after %d of %d", last, total)
	}
	again := h.dial(fmt.Sprintf("room=r&after=%d", last))
	for id := last + 1; id <= int64(total); id++ {
		if m := message(t, again.text()); m.ID != id {
			t.Fatalf("it came back and got %d, want %d", m.ID, id)
		}
	}
}

// The time counts as well as the size.
func TestFault9_WhoLagsTooLongIsCut(t *testing.T) {
	h := open(t)
	stuck := h.narrow("room=r")
	writer := h.dial("room=r")
	s := h.socketOf(t, "r", 2)
	sent := 0
	for lags := false; !lags; sent++ {
		if sent > 200 {
			t.Fatal("the system takes everything")
		}
		writer.write(say(strings.Repeat("x", 60_000)))
		writer.text()
		for _, one := range s {
			one.mu.Lock()
			lags = lags || one.size > 0
			one.mu.Unlock()
		}
	}
	for _, one := range s {
		one.tend(time.Now())
		if one.parting() {
			t.Fatal("it was cut at once")
		}
	}
	for _, one := range s {
		one.tend(time.Now().Add(maxLag + time.Second))
	}
	for {
		op, payload := stuck.next()
		if op == ws.OpClose {
			if code, _ := ws.ParseCloseFrameData([]byte(payload)); code != statusTryAgainLater {
				t.Errorf("cut with %d", code)
			}
			break
		}
	}
	writer.write(say("last"))
	if m := message(t, writer.text()); m.Text != "last" {
		t.Errorf("the writer got %s", m.Text)
	}
}

// socketOf returns the hub's side of a room's n sockets.
func (h *house) socketOf(t *testing.T, name string, n int) []*socket {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		var list []*socket
		for _, s := range h.door.all() {
			s.mu.Lock()
			if s.room == name && s.entered {
				list = append(list, s)
			}
			s.mu.Unlock()
		}
		if len(list) == n {
			return list
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d sockets of %d", len(list), n)
		}
		tick(t)
	}
}

// When the hub stops, everyone connected learns it, after all that was accepted (fault 3).
func TestFault3_StoppingTellsEverybody(t *testing.T) {
	h := open(t)
	readers := []*peer{h.dial("room=r"), h.dial("room=r"), h.dial("room=other")}
	h.socketOf(t, "r", 2)
	h.socketOf(t, "other", 1)
	var stopping sync.WaitGroup
	stopping.Go(h.stop)
	for _, p := range readers {
		for {
			op, payload := p.next()
			if op == ws.OpClose {
				if code, _ := ws.ParseCloseFrameData([]byte(payload)); code != ws.StatusGoingAway {
					t.Errorf("closed with %d", code)
				}
				break
			}
		}
		_ = p.conn.Close()
	}
	stopping.Wait()
}

// A storm of connections, half of them without a word, does not keep the others from
// talking (fault 10). The server's own time for a handshake is net/http's.
func TestFault10_ConnectStorm(t *testing.T) {
	h := open(t)
	var silent []net.Conn
	for range 300 {
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		silent = append(silent, conn)
	}
	defer func() {
		for _, c := range silent {
			_ = c.Close()
		}
	}()
	peers := make([]*peer, 300)
	var joining sync.WaitGroup
	for i := range peers {
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		joining.Go(func() { peers[i] = h.greet(conn, "room=r", nil) })
	}
	joining.Wait()
	h.socketOf(t, "r", len(peers))
	peers[0].write(say("hello"))
	for i, p := range peers {
		if got := p.text(); !strings.Contains(got, "hello") {
			t.Fatalf("peer %d got %s", i, got)
		}
	}
}

// One room, or one caller, does not take all connections: the others are still let in.
func TestTR4_F18_ARoomAndACallerHaveAShareOfConnections(t *testing.T) {
	h := open(t)
	h.door.mu.Lock()
	for range maxOfRoom {
		h.door.sockets[&socket{key: auth.OwnerKey, params: params{room: "full"}}] = struct{}{}
	}
	for range maxOfOne {
		h.door.sockets[&socket{key: auth.CallerKey("many"), params: params{room: "r"}}] = struct{}{}
	}
	h.door.mu.Unlock()
	for _, c := range []struct {
		key, to string
		refused errcode.Code
	}{
		{auth.OwnerKey, "full", errcode.Unavailable},
		{auth.OwnerKey, "r", ""},
		{auth.CallerKey("many"), "r", errcode.RateLimited},
		{auth.CallerKey("other"), "r", ""},
	} {
		err := h.door.admit(c.key, c.to)
		if c.refused == "" && err != nil || c.refused != "" && (err == nil || err.Code != c.refused || err.Details["retryAfterMs"] == nil) {
			t.Errorf("%s to %s: %v", c.key, c.to, err)
		}
	}
	h.door.mu.Lock()
	clear(h.door.sockets)
	h.door.mu.Unlock()
}

func TestMoreConnectionsThanAllowedAreRefused(t *testing.T) {
	h := open(t)
	h.door.mu.Lock()
	for range maxSockets {
		h.door.sockets[&socket{}] = struct{}{}
	}
	h.door.mu.Unlock()
	if err := h.door.admit(auth.OwnerKey, "r"); err == nil || err.Details["retryAfterMs"] == nil {
		t.Errorf("got %v", err)
	}
	h.door.mu.Lock()
	clear(h.door.sockets)
	h.door.mu.Unlock()
}

// Who is cut for being slow loses what waits, but not the rest of a frame that it has the beginning of: the close
// frame would count as that rest.
func TestBeginClose_KeepsTheRestOfAFrame(t *testing.T) {
	for _, begun := range []bool{true, false} {
		here, there := net.Pipe()
		s := &socket{
			door: &Handler{grace: time.Minute}, conn: here, begun: begun, draining: true,
			out: [][]byte{[]byte("rest"), []byte("next")}, size: 8,
		}
		s.close(statusTryAgainLater, "too slow")
		if got := string(bytes.Join(s.out, nil)); got != map[bool]string{true: "rest"}[begun] || s.size != len(got) {
			t.Errorf("begun %v: %q of %d bytes waits", begun, got, s.size)
		}
		_, _ = here.Close(), there.Close()
	}
}
