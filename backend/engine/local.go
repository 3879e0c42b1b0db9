package engine

import (
	"context"

	"agentflow/backend/event"
	"agentflow/backend/gateway"
	"agentflow/backend/localgateway"
	"agentflow/backend/openclaw"
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

// localRPC gives the local gateway the methods of every other one.
type localRPC struct{ g *localgateway.Gateway }

func (l localRPC) ConfigGet(ctx context.Context) (gateway.Config, error) {
	s, err := l.g.ConfigGet(ctx)
	return gateway.Config{Hash: s.Hash, Parsed: s.Config, Raw: s.Raw, RawFormat: s.RawFormat, Valid: true}, err
}

func (l localRPC) SessionsList(ctx context.Context, q gateway.SessionsQuery) ([]gateway.Session, error) {
	found, err := l.g.Sessions(ctx, localgateway.SessionsQuery{Kinds: q.Kinds, IncludeLastMessage: q.IncludeLastMessage, MessageLimit: q.MessageLimit})
	out := make([]gateway.Session, 0, len(found))
	for _, s := range found {
		out = append(out, gateway.Session{
			SessionKey: s.SessionKey, AgentID: string(s.AgentID), Kind: s.Kind, ActiveAt: s.ActiveAt,
			LastMessages: lines(s.LastMessages), Model: s.Model, Running: s.HasActiveRun,
		})
	}
	return out, err
}

func (l localRPC) ChatSend(ctx context.Context, m gateway.ChatMessage) (gateway.ChatSent, error) {
	sent, err := l.g.ChatSend(ctx, localgateway.ChatMessage{SessionKey: m.SessionKey, Message: m.Message, IdempotencyKey: m.IdempotencyKey})
	return gateway.ChatSent{Success: sent.Success, MessageID: sent.MessageID, RunID: sent.RunID, Status: sent.Status}, err
}

func (l localRPC) History(ctx context.Context, q gateway.HistoryQuery) (gateway.History, error) {
	h, err := l.g.History(ctx, q.SessionKey, q.Limit, q.Offset)
	return gateway.History{Messages: lines(h.Messages), More: h.More, Next: h.Next}, err
}

// ChatAbort implements httpapi.RPC.
func (l localRPC) ChatAbort(ctx context.Context, sessionKey, runID string) (bool, error) {
	stopped, err := l.g.ChatAbort(ctx, sessionKey, runID)
	return len(stopped) > 0, err
}

// Chats implements httpapi.RPC.
func (l localRPC) Chats() gateway.ChatReader {
	return gateway.ReadChats(func() *event.Subscription[localgateway.Event] { return l.g.EventsLate(chatBuffer) }, asEvent)
}

func asEvent(e localgateway.Event) gateway.Event {
	return gateway.Event{Name: e.Name, Payload: e.Payload}
}

const chatBuffer = 512 // events that a reader of chats may lag

func lines(in []localgateway.ChatLine) []gateway.Message {
	out := make([]gateway.Message, 0, len(in))
	for _, line := range in {
		m := gateway.Message{Role: line.Role, Timestamp: line.Timestamp, Content: []gateway.Part{}}
		for _, p := range line.Content {
			m.Content = append(m.Content, gateway.Part{Type: p.Type, Text: p.Text})
		}
		out = append(out, m)
	}
	return out
}
