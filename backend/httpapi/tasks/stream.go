package tasks

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

	"agentflow/backend/errcode"
	"agentflow/backend/httpapi/access"
	"agentflow/backend/httpapi/answer"
	"agentflow/backend/task"
)

const (
	aliveEvery   = 15 * time.Second
	writeTimeout = 10 * time.Second
)

// after reads where a stream goes on.
func after(text string) (int64, *errcode.Error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, errcode.New(errcode.Validation, "the number of the last event must be 0 or more, not %q", text).With(errcode.KeyField, "after")
	}
	return n, nil
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
		answer.Write(w, bad)
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
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	out := &sse{w: w, control: http.NewResponseController(w)}
	if out.write([]byte(": "+string(id)+"\n\n")) != nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	stop := out.keepAlive(cancel)
	defer stop()
	_ = s.Coordinator.Watch(ctx, id, seq, out.events) // the stream ends; why shows at the other end
}

// sse is one stream of server-sent events.
type sse struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
}

func (o *sse) write(data []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // where there is none, the client's leaving ends the stream
	if _, err := o.w.Write(data); err != nil {
		return err
	}
	return o.control.Flush()
}

// keepAlive writes a comment now and then, so that a dead connection is noticed; gone is
// called once it is.
func (o *sse) keepAlive(gone func()) (stop func() bool) {
	var timer *time.Timer
	ready := make(chan struct{})
	timer = time.AfterFunc(aliveEvery, func() {
		<-ready
		if o.write([]byte(":\n\n")) != nil {
			gone()
			return
		}
		timer.Reset(aliveEvery)
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
		answer.Write(w, errcode.New(errcode.Validation, "/tasks/{taskId}/stream is a WebSocket"))
		return
	}
	conn, err := access.Upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer cancel()
		conn.SetReadLimit(1024)
		for {
			if _, _, err := conn.ReadMessage(); err != nil {
				return
			}
		}
	}()
	err = s.Coordinator.Watch(ctx, id, seq, func(list []task.Event) error {
		for _, e := range list {
			_ = conn.SetWriteDeadline(time.Now().Add(writeTimeout)) // the write says so if it fails
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
	_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	cancel()
	_ = conn.Close()
	<-read
}
