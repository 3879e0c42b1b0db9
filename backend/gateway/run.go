package gateway

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/gorilla/websocket"

	"agentflow/backend/errcode"
)

var (
	errReconnect = errors.New("a new connection was asked for")
	errRunTwice  = errors.New("gateway: Run was called twice")
	errRunEnded  = errors.New("the client has ended")
	stableAfter  = 5 * time.Second // a link that lived this long starts the backoff afresh
	restartCodes = []int{websocket.CloseServiceRestart, websocket.CloseTryAgainLater, websocket.CloseAbnormalClosure, websocket.CloseGoingAway}
)

// Run keeps the link until ctx ends, and then returns nil: it connects, serves, and
// connects again, quickly while the gateway is away and slowly while it refuses us.
// All goroutines of the Client live inside Run. It can be called once.
func (c *Client) Run(ctx context.Context) error {
	if c.running.Swap(true) {
		return errRunTwice
	}
	defer c.end()
	retry := &backoff.ExponentialBackOff{
		InitialInterval: c.timing.BackoffMin, MaxInterval: c.timing.BackoffMax,
		RandomizationFactor: 0.3, Multiplier: 2,
	}
	retry.Reset()
	awaySince := c.now()
	for ctx.Err() == nil {
		l, err := c.connect(ctx)
		if err == nil {
			began := c.now()
			c.connected(l)
			err = l.serve(ctx, c.reconnect)
			c.disconnected()
			if awaySince = c.now(); awaySince.Sub(began) >= stableAfter {
				retry.Reset()
			}
		}
		if ctx.Err() != nil {
			break
		}
		if errors.Is(err, errReconnect) {
			retry.Reset()
			c.setStatus(func(s *Status) { s.State, s.Error = StateConnecting, nil })
			continue
		}
		v := c.judge(err, c.now().Sub(awaySince))
		wait := v.after
		if wait == 0 {
			wait = retry.NextBackOff()
		}
		if c.pause(ctx, v, wait) {
			retry.Reset()
			awaySince = c.now()
		}
	}
	return nil
}

// end leaves nothing open.
func (c *Client) end() {
	c.setStatus(func(s *Status) {
		s.State, s.Error, s.NextRetry = StateClosed, linkDown(errRunEnded, "the link to the gateway is closed"), time.Time{}
	})
	c.statusTopic.Close()
	c.eventTopic.Close()
}

func (c *Client) connected(l link) {
	select { // a wish for a new connection is fulfilled by this one
	case <-c.reconnect:
	default:
	}
	c.mu.Lock()
	again := c.hadLink
	c.link, c.hadLink = l, true
	c.mu.Unlock()
	a := l.about()
	c.setStatus(func(s *Status) {
		*s = Status{
			State: StateConnected, URL: s.URL, Since: s.Since, Insecure: s.Insecure, Dialect: a.dialect, Protocol: a.protocol,
			ServerVersion: a.version, Scopes: slices.Clone(a.scopes), Features: a.features,
		}
	})
	c.log.Info("gateway: connected", "url", c.url, "dialect", string(a.dialect), "protocol", a.protocol)
	if again {
		c.eventTopic.Publish(Event{Resync: true, Reason: "reconnected"})
	}
}

func (c *Client) disconnected() {
	c.mu.Lock()
	c.link = nil
	c.mu.Unlock()
	c.latencyMs.Store(0)
}

// setStatusQuietly changes what is no news by itself.
func (c *Client) setStatusQuietly(change func(*Status)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.status)
}

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
		case errcode.ReasonBadToken:
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
	e := linkDown(err, "the gateway at %s is not there: %s", c.url, clean(err.Error()))
	var starting *startingError
	wait := time.Duration(0)
	if errors.As(err, &starting) {
		wait = min(starting.retryAfter, c.timing.BackoffMax)
	}
	if away < c.timing.StartingFor && looksStarting(err) {
		return verdict{StateStarting, e, wait}
	}
	return verdict{StateDown, e, wait}
}

// judgeHTTP reads the status that came in place of a WebSocket.
func (c *Client) judgeHTTP(err error) (verdict, bool) {
	var se *statusError
	if !errors.As(err, &se) {
		return verdict{}, false
	}
	switch {
	case se.status == 401 || se.status == 403:
		return verdict{StateUnauthorized, badToken(err, se.text), c.timing.SlowRetry}, true
	case se.status == 429:
		e := linkDown(err, "%s", se.text).With(errcode.KeyReason, errcode.ReasonRateLimited)
		return verdict{StateDown, e, max(c.timing.SlowRetry, se.retryAfter)}, true
	case se.status == 502 || se.status == 503 || se.status == 504:
		return verdict{StateStarting, linkDown(err, "the gateway is starting: %s", se.text), min(se.retryAfter, c.timing.BackoffMax)}, true
	}
	return verdict{StateDown, linkDown(err, "%s", se.text), c.timing.SlowRetry}, true
}

// pause waits before the next attempt; it returns true when one was asked for.
func (c *Client) pause(ctx context.Context, v verdict, wait time.Duration) bool {
	c.log.Info("gateway: not connected", "url", c.url, "state", string(v.state), "error", v.err, "retry", wait)
	c.setStatus(func(s *Status) {
		s.State, s.Error, s.NextRetry = v.state, v.err, c.now().Add(wait)
		s.PairingRequestID, _ = v.err.Details["requestId"].(string)
		s.Protocol, s.ServerVersion, s.Scopes, s.Features = 0, "", nil, Features{}
	})
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-c.reconnect:
		c.setStatus(func(s *Status) { s.State, s.Error, s.NextRetry = StateConnecting, nil, time.Time{} })
		return true
	}
	return false
}
