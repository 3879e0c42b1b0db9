package dialect

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/safego"
)

const (
	readLimit       = 32 << 20 // frames of real gateways reach 25 MiB
	defaultMaxWrite = 25 << 20
	writeTimeout    = 30 * time.Second
	frameQueue      = 4 // whole frames between reader and dialect; then TCP holds the peer back
)

// socket is one WebSocket with its one reader.
type socket struct {
	conn     *websocket.Conn
	frames   chan []byte // closed by the reader after it has set err
	err      error       // why the reader ended; valid once frames is closed
	stop     chan struct{}
	stopOnce sync.Once
	writing  chan struct{} // held by the one writer
	silence  atomic.Int64  // how long the peer may say nothing, in ns
	maxWrite atomic.Int64
	latency  *atomic.Int64
}

// dial opens the socket and starts its reader, which ends at close or a read error.
// No Origin is sent, and no redirect is followed.
func (o *Opener) dial(ctx context.Context, token string) (*socket, error) {
	t := o.Timing
	dialer := websocket.Dialer{
		Proxy:            http.ProxyFromEnvironment,
		HandshakeTimeout: t.Dial,
		TLSClientConfig:  o.TLS,
		ReadBufferSize:   64 << 10,
		WriteBufferSize:  64 << 10,
	}
	// The library looks at ctx only until TCP stands; a stalled upgrade would outlive it.
	var stops []func() bool
	stopped := ctx
	dialer.NetDialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		if err == nil {
			stops = append(stops, context.AfterFunc(stopped, func() { _ = conn.Close() }))
		}
		return conn, err
	}
	defer func() {
		for _, stop := range stops {
			stop()
		}
	}()
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	ctx, cancel := context.WithTimeout(ctx, t.Dial)
	defer cancel()
	conn, resp, err := dialer.DialContext(ctx, o.URL, header)
	if err != nil {
		return nil, dialError(o.URL, resp, err)
	}
	s := &socket{
		conn: conn, frames: make(chan []byte, frameQueue), stop: make(chan struct{}),
		writing: make(chan struct{}, 1), latency: o.LatencyMs,
	}
	s.silence.Store(int64(t.ChallengeWait + 2*t.Handshake))
	s.maxWrite.Store(defaultMaxWrite)
	conn.SetReadLimit(readLimit)
	conn.SetPongHandler(s.pong)
	conn.SetPingHandler(s.pingBack)
	go s.read()
	return s, nil
}

// read reads until the socket ends. A panic in it, which would end the program, ends the socket.
func (s *socket) read() {
	defer close(s.frames)
	s.err = safego.Call(context.Background(), nil, "the reader of a gateway's socket", s.readAll)
}

func (s *socket) readAll() error {
	for {
		s.touch()
		_, r, err := s.conn.NextReader()
		if err == nil {
			var data []byte
			if data, err = io.ReadAll(&aliveReader{r: r, touch: s.touch}); err == nil {
				select {
				case s.frames <- data:
					continue
				case <-s.stop:
					err = net.ErrClosed
				}
			}
		}
		return err
	}
}

// aliveReader tells at every piece of a long frame that the peer is alive.
type aliveReader struct {
	r     io.Reader
	touch func()
}

func (a *aliveReader) Read(p []byte) (int, error) {
	a.touch()
	return a.r.Read(p)
}

// touch gives the peer its full time of silence again. Only the reader calls it.
func (s *socket) touch() {
	_ = s.conn.SetReadDeadline(time.Now().Add(time.Duration(s.silence.Load())))
}

// setSilence changes how long the peer may be silent, also for a read that already waits.
func (s *socket) setSilence(d time.Duration) {
	s.silence.Store(int64(d))
	_ = s.conn.NetConn().SetReadDeadline(time.Now().Add(d))
}

func (s *socket) pong(sent string) error {
	s.touch()
	if ns, err := strconv.ParseInt(sent, 10, 64); err == nil {
		s.latency.Store(max(time.Since(time.Unix(0, ns)).Milliseconds(), 1))
	}
	return nil
}

func (s *socket) pingBack(payload string) error {
	s.touch()
	// A pong that cannot be written now is no reason to end: a write may be under way.
	_ = s.conn.WriteControl(websocket.PongMessage, []byte(payload), time.Now().Add(time.Second))
	return nil
}

// ping asks for a sign of life; what follows from silence is the reader's to find.
func (s *socket) ping() {
	payload := strconv.FormatInt(time.Now().UnixNano(), 10)
	_ = s.conn.WriteControl(websocket.PingMessage, []byte(payload), time.Now().Add(time.Second))
}

// write sends one frame. An error that is ErrNotSent says that nothing has left;
// after any other error the socket is closed.
func (s *socket) write(ctx context.Context, data []byte) error {
	if limit := s.maxWrite.Load(); int64(len(data)) > limit {
		return tooLarge(len(data), limit)
	}
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-s.stop:
		return fmt.Errorf("%w: the link is closed", ErrNotSent)
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrNotSent, context.Cause(ctx))
	}
	if s.stopped() || ctx.Err() != nil {
		return fmt.Errorf("%w: the link is closed or the call has ended", ErrNotSent)
	}
	deadline := time.Now().Add(writeTimeout)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	_ = s.conn.SetWriteDeadline(deadline)
	if err := s.conn.WriteMessage(websocket.TextMessage, data); err != nil {
		s.shut(websocket.CloseAbnormalClosure, "")
		return err
	}
	return nil
}

func (s *socket) stopped() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// shut ends the socket without waiting for its reader.
func (s *socket) shut(code int, reason string) {
	s.stopOnce.Do(func() {
		close(s.stop)
		if code != websocket.CloseAbnormalClosure {
			msg := websocket.FormatCloseMessage(code, reason)
			_ = s.conn.WriteControl(websocket.CloseMessage, msg, time.Now().Add(500*time.Millisecond))
		}
		_ = s.conn.Close()
	})
}

// close ends the socket and returns when its reader has ended.
func (s *socket) close() {
	s.shut(websocket.CloseNormalClosure, "")
	for range s.frames { // what is left is read by nobody
	}
}
