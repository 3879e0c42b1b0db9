package engine

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/openclaw"
)

// askReadOnlyWithin bounds the question whether a gateway's config can be changed.
const askReadOnlyWithin = 10 * time.Second

// locked is what a Link knows of whether the gateway's config can be changed: what the gateway said, or its refusal.
type locked struct {
	why openclaw.ReadOnly
	// since is the connection that it was learned on. The next one asks again: a gateway reads it at its start.
	since time.Time
}

// ReadOnly returns why the gateway's config can't be changed, or "" if it can, as far as known.
func (l *Link) ReadOnly() openclaw.ReadOnly { return l.Capabilities().ReadOnly }

// askReadOnly asks the gateway once per connection whether its config can be changed.
func (l *Link) askReadOnly(ctx context.Context) {
	s := l.client.Status()
	l.mu.Lock()
	asked := l.locked.since.Equal(s.Since)
	l.mu.Unlock()
	if asked || s.State != client.StateConnected {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askReadOnlyWithin)
	defer cancel()
	managed, err := l.client.ConfigManaged(ctx)
	if errcode.HasReason(err, errcode.ReasonLinkDown) {
		return
	}
	why := openclaw.ReadOnly("")
	if managed {
		why = openclaw.Managed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.locked.since.Equal(s.Since) { // an apply may have learned more meanwhile
		l.locked = locked{why, s.Since}
	}
}

// answered notes what the answer to a change of the config says of whether it can be changed.
func (l *Link) answered(since time.Time, err error) {
	why := openclaw.ReadOnlyOf(err)
	if err != nil && why == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.locked = locked{why, since}
}
