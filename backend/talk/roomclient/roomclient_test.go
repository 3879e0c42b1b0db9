package roomclient_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/server/httpapi/roomsapi"
	"agentflow/backend/store"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/roomclient"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wire is a network between a client and a hub that can be cut, or fall silent.
type wire struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	conns    map[net.Conn]bool
	silent   bool
	wg       sync.WaitGroup
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: l, to: to, conns: map[net.Conn]bool{}}
	w.wg.Go(w.accept)
	t.Cleanup(func() {
		_ = l.Close()
		w.cut()
		w.wg.Wait()
	})
	return w
}

func (w *wire) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.to)
		if err != nil {
			_ = near.Close()
			continue
		}
		w.mu.Lock()
		w.conns[near], w.conns[far] = true, true
		w.mu.Unlock()
		w.wg.Go(func() { w.pass(near, far) })
		w.wg.Go(func() { w.pass(far, near) })
	}
}

func (w *wire) pass(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	buf := make([]byte, 700) // cuts frames anywhere
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		w.mu.Lock()
		silent := w.silent
		w.mu.Unlock()
		if silent {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// cut resets all connections.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = c.Close()
	}
	clear(w.conns)
}

func (w *wire) setSilent(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silent = on
}

// serve runs a hub's rooms and returns its hub, the wire to it and a client over that wire.
func serve(t *testing.T) (*room.Hub, *wire, *roomclient.Rooms) {
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
	door := roomsapi.New(hub, nil, nil, log)
	mux := http.NewServeMux()
	door.Register(humago.New(mux, huma.DefaultConfig("test", "1")), log)
	mux.Handle("GET /ws", door)
	server := httptest.NewServer(mux)
	stops := []func(){running(t, door.Run), server.Close, running(t, hub.Run), running(t, s.Run)}
	t.Cleanup(func() {
		for _, stop := range stops {
			stop()
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	w := newWire(t, server.Listener.Addr().String())
	client, err := hubclient.New("http://"+w.listener.Addr().String(), "token")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return hub, w, &roomclient.Rooms{Hub: client}
}

func running(t *testing.T, run func(context.Context) error) func() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// The network is cut again and again, in the middle of anything: the follower gets every
// message once and in order, and what is posted is stored once (fault 14).
func TestFault14_ACutNetworkLosesAndDoublesNothing(t *testing.T) {
	hub, wire, rooms := serve(t)
	total := 40
	if os.Getenv("AGENTFLOW_FAULTS") != "" {
		total = 400
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() { // cuts until all is done
		for ctx.Err() == nil {
			timer := time.NewTimer(time.Duration(20+rand.IntN(120)) * time.Millisecond)
			select {
			case <-timer.C:
				wire.cut()
			case <-ctx.Done():
			}
			timer.Stop()
		}
	})
	wg.Go(func() {
		for i := range total {
			d := room.Draft{Room: "r", Sender: "far", Text: fmt.Sprint(i), ClientID: fmt.Sprint("c", i)}
			for {
				if _, err := rooms.Post(ctx, d); err == nil || ctx.Err() != nil {
					break
				}
			}
		}
	})
	last, seen := int64(0), map[string]bool{}
	err := rooms.Follow(ctx, roomclient.Following{Room: "r", Sender: "near"}, func(m room.Message) error {
		if m.ID != last+1 || seen[m.ClientID] {
			return fmt.Errorf("after %d came %d %s", last, m.ID, m.ClientID)
		}
		last, seen[m.ClientID] = m.ID, true
		if len(seen) == total {
			return io.EOF
		}
		return nil
	})
	cancel()
	wg.Wait()
	if err != io.EOF { //nolint:errorlint // exactly what was returned
		t.Fatal(err)
	}
	list, err := hub.List(t.Context(), room.Range{Room: "r", Limit: room.MaxLimit})
	if err != nil || len(list) != total {
		t.Errorf("%d messages are stored, %v", len(list), err)
	}
}

// A connection that is open and says nothing is given up and made again.
func TestFault14_AHalfOpenConnectionIsMadeAgain(t *testing.T) {
	hub, wire, rooms := serve(t)
	rooms.Silence = 300 * time.Millisecond
	tried := make(chan struct{}, 100)
	rooms.Retry = func(error, time.Duration) {
		wire.setSilent(false)
		select {
		case tried <- struct{}{}:
		default:
		}
	}
	joined := make(chan struct{}, 100)
	got := make(chan room.Message, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- rooms.Follow(ctx, roomclient.Following{Room: "r", Joined: func() { joined <- struct{}{} }}, func(m room.Message) error {
			got <- m
			return nil
		})
	}()
	<-joined
	wire.setSilent(true)
	if _, err := hub.Post(t.Context(), room.Draft{Room: "r", Sender: "s", Text: "unheard"}); err != nil {
		t.Fatal(err)
	}
	<-tried
	if m := <-got; m.Text != "unheard" {
		t.Errorf("got %+v", m)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("it ended without a reason")
	}
}

func TestFollowEndsWhereItMakesNoSenseToGoOn(t *testing.T) {
	hub, _, rooms := serve(t)
	if _, err := hub.Post(t.Context(), room.Draft{Room: "r", Sender: "s", Text: "x"}); err != nil {
		t.Fatal(err)
	}
	nothing := func(room.Message) error { return nil }
	if err := rooms.Follow(t.Context(), roomclient.Following{Room: "r", After: 99}, nothing); !errcode.HasReason(err, "unknown_position") {
		t.Errorf("a position of another database: %v", err)
	}
	if err := rooms.Follow(t.Context(), roomclient.Following{Room: " ", After: 0}, nothing); !errcode.Is(err, errcode.Validation) {
		t.Errorf("a bad name: %v", err)
	}
	joined := make(chan struct{}, 1)
	done := make(chan error, 1)
	go func() {
		done <- rooms.Follow(t.Context(), roomclient.Following{Room: "r", After: -1, Sender: "me", Joined: func() { joined <- struct{}{} }}, nothing)
	}()
	<-joined
	for len(hub.Agents("r")) == 0 {
		if _, err := rooms.Rooms(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := hub.Delete(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errcode.Is(err, errcode.NotFound) || !strings.Contains(err.Error(), "deleted") {
		t.Errorf("a deleted room: %v", err)
	}
}
