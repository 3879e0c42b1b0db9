package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

var (
	errRunTwice = errors.New("gateway: Run was called twice")
	errRunEnded = errors.New("the client has ended")
)

// stableAfter is how long a link must have lived for the backoff to start afresh.
const stableAfter = 5 * time.Second

// Run keeps the link until ctx ends, and then returns nil: it connects, serves, and
// connects again, quickly while the gateway is away and slowly while it refuses us.
// All goroutines of the Client live inside Run. It can be called once.
func (c *Client) Run(ctx context.Context) error {
	if c.running.Swap(true) {
		return errRunTwice
	}
	defer c.end()
	retry, opener := c.backoff(), c.opener()
	awaySince := c.now()
	for ctx.Err() == nil {
		lived, err := c.serveOnce(ctx, opener)
		if lived > 0 {
			awaySince = c.now()
		}
		if lived >= stableAfter {
			retry.Reset()
		}
		if ctx.Err() != nil {
			break
		}
		if errors.Is(err, dialect.ErrReconnect) {
			retry.Reset()
			c.setStatus(func(s *Status) { s.State, s.Error = StateConnecting, nil })
			continue
		}
		v := c.judge(err, c.now().Sub(awaySince))
		v.err = c.scrub(v.err)
		wait := v.after
		if wait == 0 {
			wait = retry.NextBackOff()
		}
		if c.pause(ctx, v, wait) {
			retry.Reset()
		}
	}
	return nil
}

func (c *Client) backoff() *backoff.ExponentialBackOff {
	b := &backoff.ExponentialBackOff{
		InitialInterval: c.timing.BackoffMin, MaxInterval: c.timing.BackoffMax,
		RandomizationFactor: 0.3, Multiplier: 2,
	}
	b.Reset()
	return b
}

// serveOnce makes a link and keeps it until it ends; it tells how long it lived, and why not longer.
func (c *Client) serveOnce(ctx context.Context, opener *dialect.Opener) (time.Duration, error) {
	l, err := c.open(ctx, opener)
	if err != nil {
		return 0, err
	}
	began := c.now()
	c.connected(l)
	err = l.Serve(ctx, c.reconnect)
	c.disconnected()
	return max(c.now().Sub(began), 1), err
}

// end leaves nothing open.
func (c *Client) end() {
	c.setStatus(func(s *Status) {
		s.State, s.Error, s.NextRetry = StateClosed, dialect.LinkDown(errRunEnded, "the link to the gateway is closed"), time.Time{}
	})
	c.statusTopic.Close()
	c.eventTopic.Close()
}

// linkedBefore reports whether there has been a link to this gateway.
func (c *Client) linkedBefore() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hadLink
}

func (c *Client) connected(l dialect.Link) {
	select { // a wish for a new connection is fulfilled by this one
	case <-c.reconnect:
	default:
	}
	c.mu.Lock()
	again := c.hadLink
	c.link, c.hadLink = l, true
	c.mu.Unlock()
	a := l.About()
	c.setStatus(func(s *Status) {
		*s = Status{
			State: StateConnected, URL: s.URL, Since: s.Since, Insecure: s.Insecure, Dialect: a.Dialect, Protocol: a.Protocol,
			ServerVersion: a.Version, Scopes: slices.Clone(a.Scopes), Features: a.Features,
		}
	})
	c.log.Info("gateway: connected", "url", c.url, "dialect", string(a.Dialect), "protocol", a.Protocol)
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

// open makes a link with the secret of exactly this address.
func (c *Client) open(ctx context.Context, opener *dialect.Opener) (dialect.Link, error) {
	token, err := c.token(ctx)
	if err != nil {
		return nil, errcode.Wrap(errcode.Unauthorized, err, "the gateway's token cannot be read").
			With(errcode.KeyReason, errcode.ReasonBadToken)
	}
	token = strings.TrimSpace(token)
	if len(token) > 8<<10 || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errcode.New(errcode.Unauthorized, "the stored token is no token: it is too long, or has spaces, line breaks or letters outside ASCII; set it again in the gateway's settings").
			With(errcode.KeyReason, errcode.ReasonBadToken)
	}
	refused := Readable(c.url)
	switch {
	case refused == nil || c.insecure:
	case token != "":
		return nil, refused
	default: // neither is the token that this gateway gave to the device
		if stored, err := c.device.DeviceToken(c.url); err == nil && stored != "" {
			return nil, refused
		}
	}
	c.mu.Lock()
	c.secret = token
	c.status.Insecure = token != "" && refused != nil
	c.mu.Unlock()
	return opener.Open(ctx, token)
}

// scrub takes our own token out of what a gateway says, which may repeat it.
func (c *Client) scrub(e *errcode.Error) *errcode.Error {
	c.mu.Lock()
	secret := c.secret
	c.mu.Unlock()
	if len(secret) < 4 || !strings.Contains(e.Error(), secret) && !strings.Contains(fmt.Sprint(e.Details), secret) {
		return e
	}
	clean := errcode.New(e.Code, "%s", strings.ReplaceAll(e.Message, secret, "***"))
	for key, value := range e.Details {
		if !strings.Contains(fmt.Sprint(value), secret) {
			clean = clean.With(key, value)
		}
	}
	return clean
}

func (c *Client) opener() *dialect.Opener {
	t, device := c.timing, c.device
	if !c.insecure && Readable(c.url) != nil {
		device = dialect.OnlyIdentity{DeviceStore: device}
	}
	return &dialect.Opener{
		URL: c.url, Device: device, ClientVersion: c.vers, Log: c.log, LatencyMs: &c.latencyMs, Publish: c.publish,
		Approver: c.approver, TLS: c.pinned,
		Timing: dialect.Timing{
			Dial: t.Dial, ChallengeWait: t.ChallengeWait, Handshake: t.Handshake, Tick: t.Tick, MinTick: t.MinTick,
		},
	}
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
