package engine

import (
	"context"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/server/httpapi/cronapi"
	"agentflow/backend/team/topology"
)

// watched is a Link that tells the fleet when the gateway's config was read afresh.
type watched struct {
	*Link
	fleet  *Fleet
	member *member
}

// Read implements openclaw.Gateway.
func (w *watched) Read(ctx context.Context) (openclaw.Snapshot, error) {
	snap, err := w.Link.Read(ctx)
	if err == nil {
		w.fleet.read(w.member, snap.Hash)
	}
	return snap, err
}

// Apply implements openclaw.Gateway.
func (w *watched) Apply(ctx context.Context, raw, baseHash, note string) (openclaw.ApplyOutcome, error) {
	out, err := w.Link.Apply(ctx, raw, baseHash, note)
	w.tellReadOnly(err)
	return out, err
}

// DeleteAgent implements openclaw.Gateway.
func (w *watched) DeleteAgent(ctx context.Context, id topology.AgentID) error {
	err := w.Link.DeleteAgent(ctx, id)
	w.tellReadOnly(err)
	return err
}

// tellReadOnly shows that a gateway turned out to be read-only.
func (w *watched) tellReadOnly(err error) {
	if openclaw.ReadOnlyOf(err) != "" {
		w.fleet.topic.Publish(struct{}{})
	}
}

// localRPC gives the local gateway the methods of every other one.
type localRPC struct{ g *builtin.Gateway }

func (l localRPC) ConfigGet(ctx context.Context) (client.Config, error) {
	s, err := l.g.ConfigGet(ctx)
	return client.Config{Hash: s.Hash, Parsed: s.Config, Raw: s.Raw, RawFormat: s.RawFormat, Valid: true}, err
}

func (l localRPC) SessionsList(ctx context.Context, q client.SessionsQuery) ([]client.Session, error) {
	found, err := l.g.Sessions(ctx,
		builtin.SessionsQuery{Kinds: q.Kinds, IncludeLastMessage: q.IncludeLastMessage, MessageLimit: q.MessageLimit})
	out := make([]client.Session, 0, len(found))
	for _, s := range found {
		out = append(out, client.Session{
			SessionKey: s.SessionKey, AgentID: string(s.AgentID), Kind: s.Kind, ActiveAt: s.ActiveAt,
			LastMessages: lines(s.LastMessages), Model: s.Model, Running: s.HasActiveRun,
		})
	}
	return out, err
}

func (l localRPC) ChatSend(ctx context.Context, m client.ChatMessage) (client.ChatSent, error) {
	sent, err := l.g.ChatSend(ctx, builtin.ChatMessage{SessionKey: m.SessionKey, Message: m.Message, IdempotencyKey: m.IdempotencyKey})
	return client.ChatSent{Success: sent.Success, MessageID: sent.MessageID, RunID: sent.RunID, Status: sent.Status}, err
}

func (l localRPC) History(ctx context.Context, q client.HistoryQuery) (client.History, error) {
	h, err := l.g.History(ctx, q.SessionKey, q.Limit, q.Offset)
	return client.History{Messages: lines(h.Messages), More: h.More, Next: h.Next}, err
}

// ChatAbort implements httpapi.RPC.
func (l localRPC) ChatAbort(ctx context.Context, sessionKey, runID string) (bool, error) {
	stopped, err := l.g.ChatAbort(ctx, sessionKey, runID)
	return len(stopped) > 0, err
}

// SessionReset implements httpapi.RPC.
func (l localRPC) SessionReset(context.Context, string) error { return lacks("reset") }

// SessionCompact implements httpapi.RPC.
func (l localRPC) SessionCompact(context.Context, string) (client.Compacted, error) {
	return client.Compacted{}, lacks("compact")
}

// SessionFork implements httpapi.RPC.
func (l localRPC) SessionFork(context.Context, string) (string, error) { return "", lacks("fork") }

// Cron implements httpapi.RPC.
func (l localRPC) Cron() (cronapi.Jobs, error) {
	return nil, errcode.New(errcode.Gateway, "the built-in gateway has no cron jobs. Choose another gateway").
		With(errcode.KeyReason, errcode.ReasonRejected)
}

func lacks(act string) error {
	return errcode.New(errcode.Gateway, "the built-in gateway can't %s a session. Start another session instead", act).
		With(errcode.KeyReason, errcode.ReasonRejected)
}

// Chats implements httpapi.RPC.
func (l localRPC) Chats() client.ChatReader {
	return client.ReadChats(func() *event.Subscription[builtin.Event] { return l.g.EventsLate(chatBuffer) }, asEvent)
}

func asEvent(e builtin.Event) client.Event {
	return client.Event{Name: e.Name, Payload: e.Payload}
}

const chatBuffer = 512 // events that a reader of chats may lag

func lines(in []builtin.ChatLine) []client.Message {
	out := make([]client.Message, 0, len(in))
	for _, line := range in {
		m := client.Message{
			Role: line.Role, Timestamp: line.Timestamp, Content: []client.Part{},
			Stopped: line.State == builtin.StateAborted, Cause: line.Cause,
		}
		for _, p := range line.Content {
			m.Content = append(m.Content, client.Part{Type: p.Type, Text: p.Text})
		}
		out = append(out, m)
	}
	return out
}
