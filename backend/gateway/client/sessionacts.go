package client

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

// SessionAct is something that a person does with a whole session.
type SessionAct string

// What can be done with a session, where the gateway offers it.
const (
	ActStop    SessionAct = "stop"    // end its run
	ActReset   SessionAct = "reset"   // begin again without its messages
	ActCompact SessionAct = "compact" // replace its older messages by a summary
	ActFork    SessionAct = "fork"    // copy it into another session
)

const (
	methodReset   = "sessions.reset"
	methodCompact = "sessions.compact"
	methodCreate  = "sessions.create"
	methodFork    = "sessions.fork"
)

// compactTime is how long a compaction can take: a model summarizes the session.
const compactTime = 5 * time.Minute

// SessionActs lists what the gateway offers to do with a session.
func SessionActs(f Features) []SessionAct {
	acts := []SessionAct{}
	for _, a := range []struct {
		act SessionAct
		can bool
	}{
		{ActStop, f.ChatAbort}, {ActReset, f.Has(methodReset)}, {ActCompact, f.Has(methodCompact)}, {ActFork, forks(f)},
	} {
		if a.can {
			acts = append(acts, a.act)
		}
	}
	return acts
}

// forks reports whether the gateway copies whole sessions: those that do have sessions.fork as well, which copies
// a session up to one message.
func forks(f Features) bool { return f.Has(methodFork) && f.Has(methodCreate) }

// ChatAbort stops the session's run, or the one named runID; it reports whether one was stopped.
func (c *Client) ChatAbort(ctx context.Context, sessionKey, runID string) (bool, error) {
	const method = "chat.abort"
	params := map[string]any{"sessionKey": sessionKey}
	if runID != "" {
		params["runId"] = runID
	}
	raw, err := c.call(ctx, request{
		method: method, params: params, timeout: c.timing.Call, scope: dialect.ScopeWrite,
		able: func(f Features) bool { return f.ChatAbort },
	})
	if err != nil {
		return false, err
	}
	var a struct {
		Aborted bool `json:"aborted"`
	}
	return a.Aborted, decodeResult(method, raw, &a)
}

// SessionReset begins a session again under the same key. The gateway decides about its messages.
func (c *Client) SessionReset(ctx context.Context, sessionKey string) error {
	raw, err := c.call(ctx, request{
		method: methodReset, params: map[string]any{"key": sessionKey}, timeout: c.timing.Apply, changes: true,
		able: func(f Features) bool { return f.Has(methodReset) },
	})
	if err != nil {
		return err
	}
	var a struct {
		OK *bool `json:"ok"`
	}
	if err := decodeResult(methodReset, raw, &a); err != nil {
		return unknownOutcome(err)
	}
	if a.OK == nil || !*a.OK {
		return errcode.New(errcode.Gateway, "the gateway did not reset the session and did not say why").
			With(errcode.KeyReason, errcode.ReasonRejected)
	}
	return nil
}

// Compacted is the outcome of a compaction. Reason is the gateway's own word, where it did nothing.
type Compacted struct {
	Compacted bool   `json:"compacted" doc:"Older messages were replaced by a summary."`
	Reason    string `json:"reason,omitempty" doc:"Why nothing was compacted, as the gateway says it."`
}

// SessionCompact has the gateway summarize a session's older messages. It can take minutes.
func (c *Client) SessionCompact(ctx context.Context, sessionKey string) (Compacted, error) {
	raw, err := c.call(ctx, request{
		method: methodCompact, params: map[string]any{"key": sessionKey}, timeout: max(compactTime, c.timing.Call),
		changes: true, able: func(f Features) bool { return f.Has(methodCompact) },
	})
	if err != nil {
		return Compacted{}, err
	}
	var a struct {
		Compacted *bool  `json:"compacted"`
		Reason    string `json:"reason"`
	}
	if err := decodeResult(methodCompact, raw, &a); err != nil {
		return Compacted{}, unknownOutcome(err)
	}
	if a.Compacted == nil {
		return Compacted{}, unknownOutcome(badAnswer(nil, methodCompact, "it does not say whether it compacted"))
	}
	return Compacted{Compacted: *a.Compacted, Reason: dialect.Clean(a.Reason)}, nil
}

// SessionFork copies a session with its messages into another one, and returns the other's key.
func (c *Client) SessionFork(ctx context.Context, sessionKey string) (string, error) {
	params := map[string]any{"parentSessionKey": sessionKey, "fork": true}
	if agent, _, ok := agentOfKey(sessionKey); ok {
		params["agentId"] = agent
	}
	raw, err := c.call(ctx, request{
		method: methodCreate, params: params, timeout: c.timing.Apply, changes: true, scope: dialect.ScopeWrite,
		able: forks,
	})
	if err != nil {
		return "", err
	}
	var a struct {
		Key string `json:"key"`
	}
	if err := decodeResult(methodCreate, raw, &a); err != nil {
		return "", unknownOutcome(err)
	}
	if a.Key == "" || a.Key == sessionKey {
		return "", unknownOutcome(badAnswer(nil, methodCreate, "it names no new session"))
	}
	return a.Key, nil
}
