package tasksapi

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"go.uber.org/goleak"

	"agentflow/backend/model/llm"
	"agentflow/backend/store"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// talker is a model that says what the test hands it, piece by piece, until the test closes pieces.
type talker struct{ pieces chan string }

func (k *talker) Check(llm.Model) error { return nil }

func (k *talker) Stream(ctx context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	for {
		select {
		case p, more := <-k.pieces:
			if !more {
				return llm.Answer{Text: "all", Model: r.Model, Finish: llm.FinishStop}, nil
			}
			if err := onDelta(p); err != nil {
				return llm.Answer{}, err
			}
		case <-ctx.Done():
			return llm.Answer{}, context.Cause(ctx)
		}
	}
}

// place is the streams of a coordinator over a real database, on a real socket.
type place struct {
	t    *testing.T
	addr string
	id   task.ID
	talk chan string
	left chan string // the query of every stream that the hub has ended
	stop func()
}

func open(t *testing.T) *place {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	db, err := store.Open(t.Context(), t.TempDir(), log)
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, talk: make(chan string), left: make(chan string, 1000)}
	team := new(roster.Roster)
	team.Apply("1", &topology.Topology{Agents: []topology.Agent{{ID: "dev-1", Role: "Developer", Model: "m/1"}}})
	m := coordinator.New(coordinator.Options{
		Store:  store.Tasks(db),
		Roster: team,
		Models: &talker{p.talk},
		Logger: log,
		Getenv: func(string) string { return "" },
	})
	ctx, cancel := context.WithCancel(context.Background())
	served, end := context.WithCancel(context.Background())
	var machines sync.WaitGroup
	machines.Go(func() {
		if err := m.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	stored := make(chan error, 1)
	go func() { stored <- db.Run(served) }()
	routes := &Routes{Coordinator: m, Logger: log, lag: 2 * time.Second}
	mux := http.NewServeMux()
	for path, serve := range map[string]http.HandlerFunc{"events": routes.serveEvents, "stream": routes.serveStream} {
		mux.HandleFunc("GET /tasks/{taskId}/"+path, func(w http.ResponseWriter, r *http.Request) {
			serve(w, r)
			p.left <- r.URL.RawQuery
		})
	}
	server := httptest.NewUnstartedServer(mux)
	server.Listener = narrow{server.Listener}
	server.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	server.Start()
	p.addr = server.Listener.Addr().String()
	p.stop = sync.OnceFunc(func() {
		cancel()
		machines.Wait()
		server.Close()
		end()
		if err := errors.Join(<-stored, db.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(p.stop)
	got, err := m.Submit(t.Context(), task.Task{SessionID: "s", Type: task.Chat, Prompt: "p"}, "")
	if err != nil {
		t.Fatal(err)
	}
	p.id = got.Task.ID
	return p
}

// narrow is a listener whose connections' systems take little before the peer reads it.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(64 << 10)
	}
	return c, err
}

// reader is one that reads a task's stream, without a library's manners.
type reader struct {
	t      *testing.T
	conn   net.Conn
	in     *bufio.Reader
	socket bool
}

// dial asks for the stream and reads the answer's head.
func (p *place) dial(socket bool, query string) *reader {
	p.t.Helper()
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
		p.t.Fatal(err)
	}
	path, more, want := "events", "", http.StatusOK
	if socket {
		path, want = "stream", http.StatusSwitchingProtocols
		more = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
	}
	if _, err := fmt.Fprintf(conn, "GET /tasks/%s/%s?%s HTTP/1.1\r\nHost: %s\r\n%s\r\n", p.id, path, query, p.addr, more); err != nil {
		p.t.Fatal(err)
	}
	r := &reader{p.t, conn, bufio.NewReader(conn), socket}
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	res, err := http.ReadResponse(r.in, nil)
	if err != nil || res.StatusCode != want {
		p.t.Fatalf("%v %v", res, err)
	}
	if !socket {
		r.in = bufio.NewReader(res.Body)
	}
	return r
}

// next is the next event; false once there is none any more.
func (r *reader) next() (e task.Event, more bool) {
	r.t.Helper()
	_ = r.conn.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		var data []byte
		if r.socket {
			op, payload, err := r.frame()
			if err != nil || op == ws.OpClose {
				return e, false
			}
			if op != ws.OpText {
				continue
			}
			data = payload
		} else {
			line, err := r.in.ReadString('\n')
			if err != nil {
				return e, false
			}
			text, is := strings.CutPrefix(line, "data: ")
			if !is {
				continue
			}
			data = []byte(text)
		}
		if err := json.Unmarshal(data, &e); err != nil {
			r.t.Fatalf("%.100s: %v", data, err)
		}
		return e, true
	}
}

func (r *reader) frame() (ws.OpCode, []byte, error) {
	h, err := ws.ReadHeader(r.in)
	if err != nil {
		return 0, nil, err
	}
	payload := make([]byte, h.Length)
	_, err = io.ReadFull(r.in, payload)
	return h.OpCode, payload, err
}

// until reads events in order until one that is wanted.
func (r *reader) until(seq *int64, wanted func(task.Event) bool) bool {
	r.t.Helper()
	for {
		e, more := r.next()
		if !more {
			return false
		}
		if e.Seq != *seq+1 {
			r.t.Fatalf("after the event %d comes %d", *seq, e.Seq)
		}
		*seq = e.Seq
		if wanted(e) {
			return true
		}
	}
}

func said(text string) func(task.Event) bool {
	return func(e task.Event) bool { return strings.Contains(e.Text, text) }
}

func ended(e task.Event) bool { return e.Type == task.EventEnd }

// One that never reads is cut; the others get everything meanwhile, and it resumes from the
// number of the last event, without a gap (fault 9).
func TestCO5_Fault9_AReaderOfATaskThatNeverReads(t *testing.T) {
	for name, socket := range map[string]bool{"events": false, "WebSocket": true} {
		t.Run(name, func(t *testing.T) {
			p := open(t)
			stuck, witness := p.dial(socket, "stuck=1"), p.dial(socket, "witness=1")
			seen := int64(0)
			for i := range 26 { // 830 kB: much more than the systems hold in between
				p.talk <- fmt.Sprintf("piece %d;%s", i, strings.Repeat("x", 32<<10))
				if !witness.until(&seen, said(fmt.Sprintf("piece %d;", i))) {
					t.Fatalf("the one that reads was cut after piece %d", i)
				}
			}
			if who := <-p.left; who != "stuck=1" {
				t.Fatalf("%s was cut", who)
			}
			p.talk <- "after"
			if !witness.until(&seen, said("after")) {
				t.Fatal("the one that reads was cut with the other")
			}
			last := int64(0)
			if stuck.until(&last, ended) || last == 0 || last >= seen {
				t.Fatalf("the one that did not read got %d of %d events", last, seen)
			}
			close(p.talk)
			again := p.dial(socket, fmt.Sprintf("after=%d", last))
			if !again.until(&last, ended) || !witness.until(&seen, ended) || last != seen {
				t.Errorf("one has %d events, the other %d", seen, last)
			}
		})
	}
}

// A storm of readers, half of them without a word, keeps nobody from getting the events (fault
// 10). Their number is limited; one beyond the limit gets the time to come back.
func TestCO5_Fault10_AStormOfReadersOfATask(t *testing.T) {
	p := open(t)
	for range 200 {
		conn, err := net.Dial("tcp", p.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	readers := make([]*reader, 200)
	var joining sync.WaitGroup
	for i := range readers {
		joining.Go(func() { readers[i] = p.dial(i%2 == 0, "") })
	}
	joining.Wait()
	seqs := make([]int64, len(readers))
	p.talk <- "hello"
	for i, r := range readers {
		if !r.until(&seqs[i], said("hello")) {
			t.Fatalf("reader %d was cut", i)
		}
	}
	close(p.talk)
	for i, r := range readers {
		if !r.until(&seqs[i], ended) || seqs[i] != seqs[0] {
			t.Errorf("reader %d has %d events of %d", i, seqs[i], seqs[0])
		}
	}
}

// When the hub ends, the readers of a task are asked to come back (fault 3).
func TestCO5_Fault3_ReadersOfATaskAreToldOfTheEnd(t *testing.T) {
	p := open(t)
	socket, events := p.dial(true, ""), p.dial(false, "")
	p.talk <- "hello"
	for _, r := range []*reader{socket, events} {
		if seq := int64(0); !r.until(&seq, said("hello")) {
			t.Fatal("it was cut")
		}
	}
	var stopping sync.WaitGroup
	stopping.Go(p.stop)
	for {
		op, payload, err := socket.frame()
		if err != nil {
			t.Fatal(err)
		}
		if op != ws.OpClose {
			continue
		}
		if code, _ := ws.ParseCloseFrameData(payload); code != ws.StatusGoingAway {
			t.Errorf("closed with %d", code)
		}
		break
	}
	if e, more := events.next(); more && e.Type == task.EventEnd {
		t.Error("the task is reported as ended")
	}
	stopping.Wait()
}
