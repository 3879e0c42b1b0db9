package client

import (
	"maps"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/client/internal/dialect"
)

// State is how the link stands.
type State string

// The states of a link.
const (
	StateConnecting   State = "connecting"   // the first attempt, or one that was asked for
	StateConnected    State = "connected"    // calls go through
	StateStarting     State = "starting"     // the gateway says that it starts, or was there a moment ago
	StateDown         State = "down"         // away for long, or not a gateway; still tried again
	StateUnauthorized State = "unauthorized" // the token was refused
	StatePairing      State = "pairing"      // a person must approve this device
	StateNoScope      State = "no_scope"     // the login was accepted without the right to read
	StateClosed       State = "closed"       // Run has ended
)

// Dialect is the protocol the gateway turned out to speak; "" while unknown.
type Dialect = dialect.Name

// The dialects.
const (
	DialectUnknown = dialect.Unknown
	DialectJSONRPC = dialect.JSONRPC
	DialectFramed  = dialect.Framed
)

// Features tell what a gateway can do.
type Features = dialect.Features

// Event is one fact from the gateway, or a Resync.
type Event = dialect.Event

// Issue is one thing a gateway does not accept about a config.
type Issue = dialect.Issue

// Status is the link as it stands. It is a copy; changing it changes nothing.
type Status struct {
	State            State          `json:"state"`
	URL              string         `json:"url"`
	Dialect          Dialect        `json:"dialect"`
	Protocol         int            `json:"protocol,omitempty"`
	ServerVersion    string         `json:"serverVersion,omitempty"` // for display only; some gateways say "dev"
	Scopes           []string       `json:"scopes,omitempty"`
	Features         Features       `json:"features"`
	LatencyMs        int64          `json:"latencyMs"` // of the last ping; 0 before the first
	Error            *errcode.Error `json:"error,omitempty"`
	PairingRequestID string         `json:"pairingRequestId,omitempty"`
	Since            time.Time      `json:"since"`    // when State began
	Insecure         bool           `json:"insecure"` // the token travels readable to another computer
	NextRetry        time.Time      `json:"nextRetry,omitzero"`
}

// Status returns the link as it stands.
func (c *Client) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.status
	s.Scopes = slices.Clone(s.Scopes)
	s.Features.Methods = slices.Clone(s.Features.Methods)
	s.LatencyMs = c.latencyMs.Load()
	if s.Error != nil {
		e := *s.Error
		e.Details = maps.Clone(e.Details)
		s.Error = &e
	}
	return s
}

// StatusEvents subscribes to changes of Status. The reader closes it.
func (c *Client) StatusEvents(buffer int) *event.Subscription[Status] {
	return c.statusTopic.Subscribe(buffer)
}

// Events subscribes to the gateway's facts, in order. A reader that lags is cut
// (event.ErrLagged) and must subscribe again and read afresh. The reader closes it.
func (c *Client) Events(buffer int) *event.Subscription[Event] {
	return c.eventTopic.Subscribe(buffer)
}

// Features returns what the gateway can do; the zero value while not connected.
func (c *Client) Features() Features { return c.Status().Features }

// setStatus changes the status in one step, wakes those who wait, and publishes it.
func (c *Client) setStatus(change func(*Status)) {
	c.mu.Lock()
	before := c.status.State
	change(&c.status)
	if c.status.State != before {
		c.status.Since = c.now()
	}
	close(c.changed)
	c.changed = make(chan struct{})
	c.mu.Unlock()
	c.statusTopic.Publish(c.Status())
}

// maxEvent bounds what a reader's buffer can hold; a longer fact has to be read.
const maxEvent = 4 << 20

// publish hands on one fact. It runs in the link's reading goroutine.
func (c *Client) publish(e Event) {
	if len(e.Payload) > maxEvent {
		c.log.Warn("gateway: an event was too large", "event", dialect.Clean(e.Name), "bytes", len(e.Payload))
		e = Event{Resync: true, Reason: "too_large"}
	}
	c.mu.Lock()
	first := c.link != nil && !c.status.Features.Events
	c.mu.Unlock()
	if first { // a JSON-RPC gateway shows only by doing it that it has events
		c.setStatus(func(s *Status) { s.Features.Events = true })
	}
	c.eventTopic.Publish(e)
}
