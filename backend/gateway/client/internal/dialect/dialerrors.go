package dialect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/websocket"
)

// StatusError is an upgrade that was answered with an HTTP status.
type StatusError struct {
	Status     int
	RetryAfter time.Duration
	text       string
}

func (e *StatusError) Error() string { return e.text }

// dialError tells why there is no socket. It names the address, which holds no secret.
func dialError(addr string, resp *http.Response, err error) error {
	if resp == nil || !errors.Is(err, websocket.ErrBadHandshake) {
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("no answer from %s in time: %w", addr, err)
		}
		return err
	}
	e := &StatusError{Status: resp.StatusCode}
	if wait, perr := time.ParseDuration(resp.Header.Get("Retry-After") + "s"); perr == nil && wait > 0 {
		e.RetryAfter = min(wait, 10*time.Minute)
	}
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		e.text = fmt.Sprintf(
			"%s answers with a redirect%s; a token is not sent on to another address, so set that address itself",
			addr,
			redirectTo(resp),
		)
	default:
		e.text = fmt.Sprintf("%s answers HTTP %d to a WebSocket request", addr, resp.StatusCode)
	}
	return e
}

func redirectTo(resp *http.Response) string {
	u, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || u.Host == "" {
		return ""
	}
	return Clean(" to " + u.Scheme + "://" + u.Host + u.EscapedPath())
}

// StartingError is a gateway that said it is not ready yet.
type StartingError struct {
	RetryAfter time.Duration
	text       string
}

func (e *StartingError) Error() string { return e.text }
