package builtin_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/builtintest"
	"agentflow/backend/gateway/client"
	"agentflow/backend/model/llm"
	"agentflow/backend/team/roster"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(patient{m}) }

// patient waits for what reads out the rest of a flood before its connection ends: that takes the
// race detector longer than goleak looks on.
type patient struct{ *testing.M }

func (p patient) Run() int {
	code := p.M.Run()
	for range 20 {
		if goleak.Find() == nil {
			break
		}
	}
	return code
}

const startConfig = `# who does what
agents:
  pm-1:
    name: PM   # plans
    role: Coordinator
    model: talk/one
    persona: You plan.
    subagents:
      allowAgents: [dev-1]
  dev-1:
    name: Dev
    model: talk/two
    x-color: blue
`

// asked is one question that a model got.
type asked struct {
	request llm.Request
	delta   func(string) error
	ctx     context.Context
	end     chan error // sending ends the answer
	cut     bool       // at the token limit
}

// talker is a language model whose answers the test gives.
type talker struct {
	questions chan *asked
	panics    atomic.Bool // instead of answering
}

func newTalker() *talker { return &talker{questions: make(chan *asked, 64)} }

func (m *talker) Offers(context.Context) []llm.Offer {
	return []llm.Offer{{Provider: "talk", Models: []llm.Model{"talk/one", "talk/two"}}}
}

func (m *talker) Stream(ctx context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	if m.panics.Load() {
		panic("no answer")
	}
	q := &asked{request: r, delta: onDelta, ctx: ctx, end: make(chan error)}
	m.questions <- q
	select {
	case err := <-q.end:
		if q.cut {
			return llm.Answer{Model: r.Model, Finish: llm.FinishLength}, err
		}
		return llm.Answer{Model: r.Model, Finish: llm.FinishStop}, err
	case <-ctx.Done():
		return llm.Answer{}, context.Cause(ctx)
	}
}

// next waits for the next question.
func (m *talker) next(t *testing.T) *asked {
	t.Helper()
	select {
	case q := <-m.questions:
		return q
	case <-time.After(10 * time.Second):
		t.Fatal("no model was asked")
		return nil
	}
}

func (q *asked) say(t *testing.T, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if err := q.delta(p); err != nil {
			t.Fatal(err)
		}
	}
}

func (q *asked) finish(t *testing.T, err error) {
	t.Helper()
	select {
	case q.end <- err:
	case <-time.After(10 * time.Second):
		t.Fatal("nobody waits for the end of the answer")
	}
}

// hub is a gateway at work behind a socket.
type hub struct {
	*builtin.Gateway
	store  builtin.Store
	roster *roster.Roster
	model  *talker
	url    string
	served chan error // what ServeConn returned
	stop   func()     // as the end of the program does
}

type hubOptions struct {
	store  builtin.Store
	models builtin.Asker
	config string // "" is startConfig, "-" is none
	home   string
	apart  func(...string) error
	timing builtin.Timing
}

func start(t *testing.T, o hubOptions) *hub {
	t.Helper()
	h := &hub{store: o.store, roster: &roster.Roster{}, model: newTalker(), served: make(chan error, 64)}
	if h.store == nil {
		h.store = &builtintest.MemoryStore{}
	}
	if o.config == "" {
		o.config = startConfig
	}
	if _, ok, _ := h.store.LoadConfig(t.Context()); !ok && o.config != "-" {
		if err := h.store.SaveConfig(t.Context(), o.config, builtin.HashText(o.config), "", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	models := o.models
	if models == nil {
		models = h.model
	}
	if o.timing.Delta == 0 {
		o.timing.Delta = time.Nanosecond
	}
	g, err := builtin.New(t.Context(),
		builtin.Options{Store: h.store, Models: models, Roster: h.roster, Timing: o.timing, Home: o.home,
			Apart: o.apart})
	if err != nil {
		t.Fatal(err)
	}
	h.Gateway = g
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() {
		if err := g.Run(ctx); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	upgrader := websocket.Upgrader{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		work.Go(func() { h.served <- g.ServeConn(ctx, ws) })
	}))
	h.url = "ws" + strings.TrimPrefix(srv.URL, "http")
	h.stop = sync.OnceFunc(func() {
		srv.Close()
		cancel()
		ended := make(chan struct{})
		go func() { work.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Error("the gateway did not end within 10 s")
		}
	})
	t.Cleanup(h.stop)
	return h
}

func ctx(t *testing.T) context.Context {
	t.Helper()
	c, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return c
}

// client connects with our own gateway client.
func (h *hub) client(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{
		URL:    h.url,
		Timing: client.Timing{ChallengeWait: 20 * time.Millisecond, BackoffMin: 10 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	runCtx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(runCtx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if err := c.WaitConnected(ctx(t)); err != nil {
		t.Fatal(err)
	}
	return c
}

// peer speaks to the gateway in plain frames.
type peer struct {
	t  *testing.T
	ws *websocket.Conn
}

func (h *hub) peer(t *testing.T) *peer {
	t.Helper()
	ws, resp, err := websocket.DefaultDialer.DialContext(ctx(t), h.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	t.Cleanup(func() { _ = ws.Close() })
	return &peer{t, ws}
}

func (p *peer) send(text string) {
	p.t.Helper()
	if err := p.ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// read returns the next frame that is no notification.
func (p *peer) read() map[string]any {
	p.t.Helper()
	for {
		_ = p.ws.SetReadDeadline(time.Now().Add(time.Minute))
		_, data, err := p.ws.ReadMessage()
		if err != nil {
			p.t.Fatal(err)
		}
		var frame map[string]any
		if err := json.Unmarshal(data, &frame); err != nil {
			p.t.Fatalf("%v: %s", err, data)
		}
		if frame["method"] == nil {
			return frame
		}
	}
}

func (p *peer) ask(text string) map[string]any {
	p.t.Helper()
	p.send(text)
	return p.read()
}

// wireError returns the code and message of an error answer.
func wireError(frame map[string]any) (code any, message string) {
	e, _ := frame["error"].(map[string]any)
	message, _ = e["message"].(string)
	return e["code"], message
}
