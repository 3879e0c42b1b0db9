package gatewaytest

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/gateway/client"
)

// conn is one client's socket.
type conn struct {
	s  *Server
	ws *websocket.Conn

	mu       sync.Mutex // writes
	seq      int64
	loggedIn bool
	scopes   []string
	caps     []string
	nonce    string
}

// refusal is what a method answers instead of a result.
type refusal struct {
	Code         string         `json:"code"`
	Message      string         `json:"message"`
	Details      map[string]any `json:"details,omitempty"`
	Retryable    bool           `json:"retryable,omitempty"`
	RetryAfterMs int64          `json:"retryAfterMs,omitempty"`
}

func invalid(message string) *refusal { return &refusal{Code: "INVALID_REQUEST", Message: message} }

func (c *conn) run() {
	c.ws.SetReadLimit(64 << 20)
	if c.s.opts.Dialect == client.DialectFramed {
		f := c.s.fault()
		switch {
		case f.NoChallenge:
		case f.ChallengeDelay > 0:
			timer := time.AfterFunc(f.ChallengeDelay, c.greet)
			defer timer.Stop()
		default:
			c.greet()
		}
	}
	for {
		_, data, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		if c.s.opts.Dialect == client.DialectFramed {
			if !c.takeFramed(data) {
				return
			}
		} else {
			c.takeRPC(data)
		}
	}
}

func (c *conn) write(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		c.s.t.Errorf("gatewaytest: %v", err)
		return
	}
	c.writeText(data)
}

func (c *conn) writeText(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.ws.SetWriteDeadline(time.Now().Add(10 * time.Second))
	_ = c.ws.WriteMessage(websocket.TextMessage, data) // who is gone needs no answer
}

func (c *conn) close(code int, reason string) {
	if code != websocket.CloseAbnormalClosure {
		_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason),
			time.Now().Add(time.Second))
	}
	_ = c.ws.Close()
}

// serveMethod answers one call, with the faults that are on.
func (c *conn) serveMethod(method string, params json.RawMessage, answer func(any, *refusal)) {
	f := c.s.fault()
	c.s.mu.Lock()
	c.s.calls = append(c.s.calls, Call{Method: method, Params: params})
	c.s.mu.Unlock()
	switch {
	case f.Stall[method] || f.Stall["*"]:
		return
	case f.Refuse[method]:
		answer(nil, &refusal{Code: "UNAVAILABLE", Message: method + " unavailable during gateway restart"})
		return
	case f.Cut[method]:
		c.close(websocket.CloseAbnormalClosure, "")
		return
	}
	result, no := c.s.dispatch(c, method, params)
	if f.CutAfter[method] {
		c.close(websocket.CloseAbnormalClosure, "")
		return
	}
	if n := f.Hold[method]; n > 0 {
		c.s.hold(n, func() { answer(result, no) })
		return
	}
	answer(result, no)
}

// hold keeps answers back until n wait, and sends them last first.
func (s *Server) hold(n int, send func()) {
	s.mu.Lock()
	s.held = append(s.held, send)
	var out []func()
	if len(s.held) >= n {
		out, s.held = s.held, nil
	}
	s.mu.Unlock()
	for i := len(out) - 1; i >= 0; i-- {
		out[i]()
	}
}

// Emit sends an event to everybody who is logged in.
func (s *Server) Emit(name string, payload any) { s.emit(name, payload, 1) }

// EmitGap loses an event and sends the next one.
func (s *Server) EmitGap(name string, payload any) { s.emit(name, payload, 2) }

func (s *Server) emit(name string, payload any, step int64) {
	s.emitTo(name, payload, step, func(*conn) bool { return true })
}

func (s *Server) emitTo(name string, payload any, step int64, may func(*conn) bool) {
	s.each(func(c *conn) {
		if s.opts.Dialect == client.DialectJSONRPC {
			c.write(map[string]any{"jsonrpc": "2.0", "method": name, "params": payload})
			return
		}
		c.mu.Lock()
		in := c.loggedIn
		if in && !may(c) {
			c.mu.Unlock()
			return
		}
		c.seq += step
		seq := c.seq
		c.mu.Unlock()
		if in {
			c.write(map[string]any{"type": "event", "event": name, "payload": payload, "seq": seq})
		}
	})
}

// SendRaw sends the text as it stands to everybody.
func (s *Server) SendRaw(text string) {
	s.each(func(c *conn) { c.writeText([]byte(text)) })
}

func (s *Server) each(do func(*conn)) {
	s.mu.Lock()
	conns := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		do(c)
	}
}

// Deep returns a JSON value that nests so many levels.
func Deep(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
