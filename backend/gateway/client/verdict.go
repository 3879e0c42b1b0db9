package client

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

// verdict is what follows from a failed attempt.
type verdict struct {
	state State
	err   *errcode.Error
	after time.Duration // 0: by the backoff
}

// judge tells a gateway that will be back from one that refuses us.
func (c *Client) judge(err error, away time.Duration) verdict {
	if e, ok := errors.AsType[*errcode.Error](err); ok {
		switch e.Reason() {
		case errcode.ReasonBadToken, errcode.ReasonReadable:
			return verdict{StateUnauthorized, e, c.timing.SlowRetry}
		case errcode.ReasonPairing:
			return verdict{StatePairing, e, c.timing.SlowRetry}
		case errcode.ReasonNoScope:
			return verdict{StateNoScope, e, c.timing.SlowRetry}
		}
		return verdict{StateDown, e, max(c.timing.SlowRetry, retryAfter(e))}
	}
	if v, ok := c.judgeHTTP(err); ok {
		return v
	}
	if e := closedUnauthorized(err); e != nil {
		return verdict{StateUnauthorized, e, c.timing.SlowRetry}
	}
	e := c.unreachable(err)
	var starting *dialect.StartingError
	wait := time.Duration(0)
	if errors.As(err, &starting) {
		wait = min(starting.RetryAfter, c.timing.BackoffMax)
	}
	if away < c.timing.StartingFor && (starting != nil || c.linkedBefore() && looksStarting(err)) {
		return verdict{StateStarting, e, wait}
	}
	return verdict{StateDown, e, wait}
}

// judgeHTTP reads the status that came in place of a WebSocket.
func (c *Client) judgeHTTP(err error) (verdict, bool) {
	var se *dialect.StatusError
	if !errors.As(err, &se) {
		return verdict{}, false
	}
	switch {
	case se.Status == 401 || se.Status == 403:
		return verdict{StateUnauthorized, dialect.BadToken(err, se.Error()), c.timing.SlowRetry}, true
	case se.Status == 429:
		e := dialect.LinkDown(err, "%s", se.Error()).With(errcode.KeyReason, errcode.ReasonRateLimited)
		return verdict{StateDown, e, max(c.timing.SlowRetry, se.RetryAfter)}, true
	case se.Status == 502 || se.Status == 503 || se.Status == 504:
		return verdict{
			StateStarting,
			dialect.LinkDown(err, "the gateway is starting: %s", se.Error()),
			min(se.RetryAfter, c.timing.BackoffMax),
		}, true
	}
	return verdict{
		StateDown,
		dialect.LinkDown(err, "%s", se.Error()).With(errcode.KeyCause, cause(err)),
		c.timing.SlowRetry,
	}, true
}

// looksStarting reports whether a gateway that was there may be back soon: it refuses connections, or has just cut one.
// Closing for what we did is neither.
func looksStarting(err error) bool {
	var ce *websocket.CloseError
	if errors.As(err, &ce) {
		return ce.Code != websocket.ClosePolicyViolation && ce.Code != websocket.CloseProtocolError
	}
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// closedUnauthorized reads the codes with which servers close on a refused login.
func closedUnauthorized(err error) *errcode.Error {
	var ce *websocket.CloseError
	if !errors.As(err, &ce) {
		return nil
	}
	said := ce.Code == websocket.ClosePolicyViolation && strings.Contains(strings.ToLower(ce.Text), "unauthorized")
	if said || slices.Contains([]int{3000, 3003, 4001, 4401, 4403}, ce.Code) {
		return dialect.BadToken(err, dialect.Clean(fmt.Sprintf("closed with %d %s", ce.Code, ce.Text)))
	}
	return nil
}

func retryAfter(e *errcode.Error) time.Duration {
	ms, _ := e.Details[errcode.KeyRetryAfterMs].(int64)
	return min(time.Duration(ms)*time.Millisecond, 10*time.Minute)
}
