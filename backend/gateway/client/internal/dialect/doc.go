// Package dialect opens one socket to an OpenClaw gateway, finds out which of the
// two protocols it speaks, logs in, and carries calls and events over it. Package
// gateway keeps the link alive and gives the calls their meaning.
package dialect

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// Name is a protocol.
type Name string

// The protocols.
const (
	Unknown Name = ""
	JSONRPC Name = "jsonrpc"
	Framed  Name = "framed"
)

// Link is one connected and logged-in socket.
type Link interface {
	About() About
	// Call sends the request once and waits for its answer. The error is an *Error
	// when the gateway refused; it is ErrNotSent when nothing has left this computer.
	Call(ctx context.Context, method string, params any) (json.RawMessage, error)
	// Serve keeps the link until it ends, closes it, and tells why. It is called once.
	Serve(ctx context.Context, reconnect <-chan struct{}) error
}

// About is what a link knows of the other side.
type About struct {
	Dialect  Name
	Protocol int
	Version  string
	Scopes   []string // nil where the gateway does not say
	Features Features
}

// Event is one fact from the gateway.
type Event struct {
	Name    string          // the gateway's own name, such as "chat"; "" for Resync
	Payload json.RawMessage // as the gateway sent it
	Seq     int64           // 0 where the gateway does not count
	// Resync says that facts were or may have been lost: read sessions, history
	// and config afresh. It stands alone; Reason tells why.
	Resync bool
	Reason string // "gap", "reconnected" or "too_large"
}

// Timing holds the waits of opening and keeping a link.
type Timing struct {
	Dial          time.Duration // TCP, TLS and upgrade
	ChallengeWait time.Duration // how long a gateway may take to speak first before it is asked
	Handshake     time.Duration // challenge of a gateway known to be framed, login, first answer
	Tick          time.Duration // between two pings of a JSON-RPC link
	MinTick       time.Duration // the least tickIntervalMs that is believed
}

// Opener opens links to one address. It remembers which dialect was met; one
// goroutine uses it.
type Opener struct {
	URL           string // normalised
	Device        DeviceStore
	ClientVersion string
	Approver      bool        // the client shows the gateway's approvals to a person
	TLS           *tls.Config // of a pinned certificate; nil: as this computer trusts
	Timing        Timing
	Log           *slog.Logger
	LatencyMs     *atomic.Int64 // of the last ping
	Publish       func(Event)   // must not block

	hint Name
}

var (
	// ErrNotSent marks a request of which nothing has left this computer.
	ErrNotSent = errors.New("not sent")
	// ErrReconnect is why a link ended that was asked to.
	ErrReconnect = errors.New("a new connection was asked for")
)
