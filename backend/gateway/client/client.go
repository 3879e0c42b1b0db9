package client

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/client/internal/dialect"
)

// DeviceStore keeps this installation's identity and the tokens gateways gave to it.
type DeviceStore = dialect.DeviceStore

// OnlyIdentity is a DeviceStore that neither offers nor keeps device tokens.
type OnlyIdentity = dialect.OnlyIdentity

// NewFileDeviceStore keeps them in dir, in files that only their owner can read.
// Clients of several processes may share one dir.
func NewFileDeviceStore(dir string) *dialect.FileDeviceStore { return dialect.NewFileDeviceStore(dir) }

// Options configure a Client.
type Options struct {
	// URL is the gateway's address, ws:// or wss://.
	URL string
	// Token returns the secret for exactly the address NormalizeURL(URL), or "".
	// It is called for every login. Nil means no token.
	Token func(ctx context.Context) (string, error)
	// Insecure lets the token go to another computer without TLS, where others can read it.
	Insecure bool
	// Fingerprint is that of the one certificate to trust at a wss:// URL: sha256: and 64
	// hexadecimal digits. "" trusts what this computer trusts.
	Fingerprint string
	// Device keeps this installation's identity, which framed gateways ask for.
	// Nil means an identity that lives as long as the Client: most gateways will
	// then ask for approval after every start.
	Device DeviceStore
	// Approver says that a person is shown the gateway's approvals (Asks). The gateway then waits for their answer.
	Approver bool
	// ClientVersion is AgentFlow's own version, told to the gateway.
	ClientVersion string
	// Logger takes what is worth knowing; nil discards it. No secret is logged.
	Logger *slog.Logger
	// Timing changes the waits; its zero fields take the defaults.
	Timing Timing
}

// Timing holds every wait of a Client.
type Timing struct {
	Dial          time.Duration // TCP, TLS and upgrade: 15 s
	ChallengeWait time.Duration // how long a framed gateway may take to speak first: 0.6 s
	Handshake     time.Duration // challenge (once known to be framed), login, first answer: 15 s
	Call          time.Duration // one call: 30 s
	Apply         time.Duration // ConfigApply and AgentsDelete: 90 s
	CallGrace     time.Duration // how long a call waits for a link that is coming: 5 s
	Tick          time.Duration // between two pings of a JSON-RPC link: 15 s
	MinTick       time.Duration // the least tickIntervalMs that is believed: 1 s
	BackoffMin    time.Duration // 0.25 s
	BackoffMax    time.Duration // 5 s
	SlowRetry     time.Duration // after a refused login: 30 s
	StartingFor   time.Duration // how long a gateway that went away counts as starting: 60 s
}

func (t Timing) withDefaults() Timing {
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	def(&t.Dial, 15*time.Second)
	def(&t.ChallengeWait, 600*time.Millisecond)
	def(&t.Handshake, 15*time.Second)
	def(&t.Call, 30*time.Second)
	def(&t.Apply, 90*time.Second)
	def(&t.CallGrace, 5*time.Second)
	def(&t.Tick, 15*time.Second)
	def(&t.MinTick, time.Second)
	def(&t.BackoffMin, 250*time.Millisecond)
	def(&t.BackoffMax, 5*time.Second)
	def(&t.SlowRetry, 30*time.Second)
	def(&t.StartingFor, time.Minute)
	return t
}

// Client keeps one link to one gateway. Its methods may be called from anywhere.
type Client struct {
	url      string
	token    func(context.Context) (string, error)
	insecure bool
	pinned   *tls.Config // trusts one certificate; nil: what this computer trusts
	device   DeviceStore
	approver bool
	vers     string
	log      *slog.Logger
	timing   Timing
	now      func() time.Time

	statusTopic event.Topic[Status]
	eventTopic  event.Topic[Event]
	latencyMs   atomic.Int64
	reconnect   chan struct{}
	running     atomic.Bool

	mu      sync.Mutex
	status  Status
	changed chan struct{} // closed at every change of status
	link    dialect.Link  // nil while not connected
	secret  string        // the token of the last login
	hadLink bool
}

// New checks the options and returns a Client that is not yet connected; Run connects it.
func New(opts Options) (*Client, error) {
	normalized, err := NormalizeURL(opts.URL)
	if err != nil {
		return nil, err
	}
	pinned, err := pin(normalized, opts.Fingerprint)
	if err != nil {
		return nil, err
	}
	c := &Client{
		pinned: pinned,
		url:    normalized, token: opts.Token, insecure: opts.Insecure, device: opts.Device, vers: opts.ClientVersion,
		approver: opts.Approver,
		log:      opts.Logger, timing: opts.Timing.withDefaults(), now: time.Now,
		reconnect: make(chan struct{}, 1), changed: make(chan struct{}),
	}
	if c.token == nil {
		c.token = func(context.Context) (string, error) { return "", nil }
	}
	if c.device == nil {
		c.device = &dialect.MemoryDeviceStore{}
	}
	if c.vers == "" {
		c.vers = "dev"
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.status = Status{State: StateConnecting, URL: normalized, Since: c.now()}
	c.eventTopic.Recall = Growing
	return c, nil
}

// URL returns the normalised address, the key of everything secret about it.
func (c *Client) URL() string { return c.url }

// Reconnect drops the link, if there is one, and tries again at once.
func (c *Client) Reconnect() {
	select {
	case c.reconnect <- struct{}{}:
	default: // one is already waiting
	}
}

// WaitConnected returns nil once calls go through. It returns the reason at once
// when waiting will not help: a refused token, a device that must be approved, a
// missing scope, or a Client that has ended. When ctx ends first, it returns why
// the last attempt failed.
func (c *Client) WaitConnected(ctx context.Context) error {
	for {
		c.mu.Lock()
		s, changed := c.status, c.changed
		c.mu.Unlock()
		switch s.State {
		case StateConnected:
			return nil
		case StateUnauthorized, StatePairing, StateNoScope, StateClosed:
			return c.notConnected(s)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if s.Error != nil {
				return s.Error
			}
			return errcode.Wrap(errcode.Timeout, context.Cause(ctx), "the gateway at %s did not answer in time", c.url)
		}
	}
}

// notConnected is what a call gets while there is no link.
func (c *Client) notConnected(s Status) *errcode.Error {
	if s.Error != nil {
		return s.Error
	}
	if s.State == StateClosed {
		return dialect.LinkDown(nil, "the link to the gateway is closed")
	}
	return dialect.LinkDown(nil, "not connected to the gateway at %s", c.url)
}

// currentLink returns the link. While the first attempt runs, or a gateway we knew
// is coming back, it waits for it, at most Timing.CallGrace. The link ended is not
// good enough.
func (c *Client) currentLink(ctx context.Context, ended dialect.Link) (dialect.Link, error) {
	grace, cancel := context.WithTimeout(ctx, c.timing.CallGrace)
	defer cancel()
	for {
		c.mu.Lock()
		l, s, had, changed := c.link, c.status, c.hadLink, c.changed
		c.mu.Unlock()
		if l != nil && l != ended {
			return l, nil
		}
		// The status still shows a link that was just lost; the next state follows in a moment.
		coming := s.State == StateConnected || s.State == StateConnecting || s.State == StateStarting && had
		if !coming {
			return nil, c.notConnected(s)
		}
		select {
		case <-changed:
		case <-grace.Done():
			if ctx.Err() != nil {
				return nil, errcode.From(context.Cause(ctx))
			}
			return nil, c.notConnected(s)
		}
	}
}

// Call sends one request as it stands and returns the result. It is for methods
// that have none of their own here; params is anything that encodes to a JSON object.
func (c *Client) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	return c.call(ctx, request{method: method, params: params, timeout: c.timing.Call})
}

// request is one call on a link.
type request struct {
	method  string
	params  any
	build   func(Dialect) any // in place of params, where the dialects differ
	timeout time.Duration
	changes bool                // without an answer the outcome is unknown
	scope   string              // the right it needs; "" asks nothing
	able    func(Features) bool // nil: every gateway has it
}

func (c *Client) call(ctx context.Context, r request) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	l, err := c.currentLink(ctx, nil)
	if err != nil {
		return nil, err
	}
	result, err := c.callOn(ctx, l, r)
	if errors.Is(err, dialect.ErrNotSent) && ctx.Err() == nil && !isCoded(err) {
		// The link had ended already and nothing has left: this is the first sending still.
		if l, err = c.currentLink(ctx, l); err != nil {
			return nil, err
		}
		result, err = c.callOn(ctx, l, r)
	}
	if err != nil {
		return nil, c.callError(l.About().Dialect, r, err)
	}
	return result, nil
}

func isCoded(err error) bool {
	_, ok := errors.AsType[*errcode.Error](err)
	return ok
}

// callOn makes the call on one link, if the other side can and may do it.
func (c *Client) callOn(ctx context.Context, l dialect.Link, r request) (json.RawMessage, error) {
	a := l.About()
	if r.able != nil && !r.able(a.Features) {
		return nil, errcode.New(errcode.Gateway, "this gateway has no %s", r.method).
			With(errcode.KeyReason, errcode.ReasonRejected)
	}
	if r.scope != "" && !dialect.HasScope(a.Scopes, r.scope) {
		return nil, dialect.NoScope(nil, r.scope, r.method)
	}
	if r.build != nil {
		r.params = r.build(a.Dialect)
	}
	return l.Call(ctx, r.method, r.params)
}

// callError gives a failed call its code.
func (c *Client) callError(d Dialect, r request, err error) error {
	return c.scrub(c.codedError(d, r, err))
}

func (c *Client) codedError(d Dialect, r request, err error) *errcode.Error {
	if e, ok := errors.AsType[*errcode.Error](err); ok {
		return e
	}
	if w, ok := errors.AsType[*dialect.Error](err); ok {
		if r.changes && w.Code == dialect.CodeBadFrame {
			return unknownOutcome(w.Translate(d, r.method))
		}
		e := w.Translate(d, r.method)
		if r.method == methodConfigApply && w.Uncertain(e) {
			e = unknownOutcome(e).With(KeyAnswered, true)
			if w.Restarts() {
				e = e.With(KeyRestarts, true)
			}
		}
		return e
	}
	if r.changes && !errors.Is(err, dialect.ErrNotSent) {
		return errcode.Wrap(errcode.Gateway, err,
			"no answer to %s, so it is unknown whether it was done. Read again before you repeat it", r.method).
			With(errcode.KeyReason, errcode.ReasonUnknown)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errcode.Wrap(errcode.Timeout, err, "the gateway did not answer %s in time", r.method)
	case errors.Is(err, context.Canceled):
		return errcode.Wrap(errcode.Unavailable, err, "%s was stopped", r.method)
	}
	return dialect.LinkDown(err, "the link to the gateway was lost during %s", r.method)
}
