package netlisten_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentflow/backend/base/netlisten"
)

// pipes is a listener whose connections are in memory, so that a test has its own clock.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() net.Conn {
	here, there := net.Pipe()
	p.conns <- there
	return here
}

// A browser opens connections ahead of time: a stop doesn't wait for requests on them, but for the
// answer to one that was asked.
func TestServe_AStopWaitsForAnswersAndForNothingElse(t *testing.T) {
	for _, c := range []struct {
		name        string
		asks        bool
		takes, want time.Duration
	}{
		{"a connection without a request", false, 0, 0},
		{"a request", true, 2 * time.Second, 2 * time.Second},
		{"a request without end", true, time.Hour, netlisten.DrainTimeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					select {
					case <-time.After(c.takes):
					case <-r.Context().Done():
					}
					_, _ = io.WriteString(w, "answered")
				})}
				go func() { served <- netlisten.Serve(ctx, server, l) }()
				conn := l.dial()
				answer := make(chan string, 1)
				go func() {
					if c.asks {
						_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n")
					}
					all, _ := io.ReadAll(conn)
					answer <- string(all)
				}()
				synctest.Wait()
				from := time.Now()
				stop()
				if err := <-served; err != nil {
					t.Error(err)
				}
				// Shutdown looks every half second whether the answers are out.
				if got := time.Since(from); got < c.want || got > c.want+time.Second {
					t.Errorf("it stopped after %v, want %v", got, c.want)
				}
				got := <-answer
				if whole := c.asks && c.want < netlisten.DrainTimeout; strings.HasSuffix(got, "answered") != whole {
					t.Errorf("the answer is %q", got)
				}
			})
		})
	}
}
