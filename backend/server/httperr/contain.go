package httperr

import (
	"bufio"
	"log/slog"
	"net"
	"net/http"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
)

// Contain answers INTERNAL_ERROR where a handler panics. If it had begun to answer, its
// connection ends, so that half an answer isn't taken for a whole one.
func Contain(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &contained{ResponseWriter: w}
		err := safego.Call(r.Context(), log, "a request", func() error {
			next.ServeHTTP(c, r)
			return nil
		})
		switch {
		case err == nil:
		case c.conn != nil:
			_ = c.conn.Close()
		case c.begun:
			panic(http.ErrAbortHandler) // net/http ends the connection
		default:
			Write(w, errcode.From(err))
		}
	})
}

// contained knows whether a handler has begun to answer.
type contained struct {
	http.ResponseWriter
	begun bool
	conn  net.Conn // after Hijack
}

// WriteHeader implements http.ResponseWriter.
func (c *contained) WriteHeader(status int) {
	c.begun = true
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (c *contained) Write(b []byte) (int, error) {
	c.begun = true
	return c.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (c *contained) Flush() {
	c.begun = true
	_ = http.NewResponseController(c.ResponseWriter).Flush() // the next write says what is wrong
}

// Hijack implements http.Hijacker.
func (c *contained) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(c.ResponseWriter).Hijack()
	if err == nil {
		c.conn = conn
	}
	return conn, rw, err
}

// Unwrap is for http.ResponseController.
func (c *contained) Unwrap() http.ResponseWriter { return c.ResponseWriter }
