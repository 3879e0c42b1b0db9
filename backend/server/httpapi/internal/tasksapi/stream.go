package tasksapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/work/task"
)

const (
	aliveEvery = 15 * time.Second
	maxLag     = 10 * time.Second
)

// streamBounds are those of streams: each holds a few pages of events while its reader lags.
var streamBounds = auth.Bounds{Most: 5_000, Each: 1_000, What: "readers of tasks"}

// Reader counts in one more reader of a task's events, by whatever door it came, until leave.
func (s *Routes) Reader(ctx context.Context) (leave func(), bad *errcode.Error) {
	return s.streams.Take(ctx, streamBounds)
}

// after reads where a stream goes on.
func after(text string) (int64, *errcode.Error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, errcode.New(errcode.Validation, "the number of the last event must be 0 or more, not %q", text).
			With(errcode.KeyField, "after")
	}
	return n, nil
}

// patience is how long a reader may take for what is written to it.
func (s *Routes) patience() time.Duration {
	if s.lag > 0 {
		return s.lag
	}
	return maxLag
}

// begin answers what keeps a stream from starting.
func (s *Routes) begin(w http.ResponseWriter, r *http.Request, said string) (task.ID, int64, bool) {
	id := task.ID(r.PathValue("taskId"))
	seq, bad := after(said)
	if bad == nil {
		_, err := s.Coordinator.Task(r.Context(), id)
		bad = errcode.From(err)
	}
	if bad != nil {
		httperr.Write(w, bad)
		return id, 0, false
	}
	return id, seq, true
}

// serveEvents streams a task's events as server-sent events (CO-5). Last-Event-ID, or
// ?after=N, resumes.
func (s *Routes) serveEvents(w http.ResponseWriter, r *http.Request) {
	said := r.Header.Get("Last-Event-ID")
	if said == "" {
		said = r.URL.Query().Get("after")
	}
	id, seq, ok := s.begin(w, r, said)
	if !ok {
		return
	}
	leave, bad := s.Reader(r.Context())
	if bad != nil {
		httperr.Write(w, bad)
		return
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	out := &sse{w: w, control: http.NewResponseController(w), patience: s.patience()}
	if out.write([]byte(": "+string(id)+"\n\n")) != nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	stop := everyNow(aliveEvery, func() error { return out.write([]byte(":\n\n")) }, cancel)
	defer stop()
	_ = s.Coordinator.Watch(ctx, id, seq, out.events) // the stream ends; why shows at the other end
}

// sse is one stream of server-sent events.
type sse struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController

	patience time.Duration
}

func (o *sse) write(data []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.control.SetWriteDeadline(time.Now().Add(o.patience)) // where there is none, the client's leaving ends the stream
	if _, err := o.w.Write(data); err != nil {
		return err
	}
	return o.control.Flush()
}

// everyNow says something now and then, so that a dead connection is noticed; gone is called
// once it is.
func everyNow(often time.Duration, say func() error, gone func()) (stop func() bool) {
	var timer *time.Timer
	ready := make(chan struct{})
	timer = time.AfterFunc(often, func() {
		<-ready
		if safego.Call(context.Background(), nil, "a sign of life", say) != nil { // in a timer a panic would end the program
			gone()
			return
		}
		timer.Reset(often)
	})
	close(ready)
	return timer.Stop
}

func (o *sse) events(list []task.Event) error {
	var b bytes.Buffer
	for _, e := range list {
		data, err := json.Marshal(e)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(&b, "id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Type, data)
	}
	return o.write(b.Bytes())
}

// serveStream streams a task's events as WebSocket frames (CO-5). ?after=N resumes.
func (s *Routes) serveStream(w http.ResponseWriter, r *http.Request) {
	id, seq, ok := s.begin(w, r, r.URL.Query().Get("after"))
	if !ok {
		return
	}
	if !websocket.IsWebSocketUpgrade(r) {
		httperr.Write(w, errcode.New(errcode.Validation, "/tasks/{taskId}/stream is a WebSocket"))
		return
	}
	leave, bad := s.Reader(r.Context())
	if bad != nil {
		httperr.Write(w, bad)
		return
	}
	defer leave()
	conn, err := auth.Upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer cancel()
		auth.Listen(conn, 1024, 3*aliveEvery, nil)
	}()
	stop := everyNow(aliveEvery, func() error {
		return conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(s.patience()))
	}, cancel)
	defer stop()
	err = s.Coordinator.Watch(ctx, id, seq, func(list []task.Event) error {
		for _, e := range list {
			_ = conn.SetWriteDeadline(time.Now().Add(s.patience())) // if it fails, so does the write
			if err := conn.WriteJSON(e); err != nil {
				return err
			}
		}
		return nil
	})
	code := websocket.CloseNormalClosure
	if err != nil {
		code = websocket.CloseGoingAway
	}
	cancel()
	auth.Leave(conn, code, read)
}
