package builtin

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

const (
	kindMain = "main" // every session here is a person's with one agent

	maxMessage     = 256 << 10 // bytes of one message of a user
	maxKey         = 512       // bytes of a session key or an idempotency key
	defaultHistory = 50
	maxHistory     = 1000
	maxHistoryText = 8 << 20 // bytes of text in one answer
	maxSessions    = 500
	maxLastLines   = 20
)

// Part is one piece of a line.
type Part struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// ChatLine is one line of a session as chat.history tells it.
type ChatLine struct {
	ID        string       `json:"id"`
	Role      string       `json:"role"`
	Content   []Part       `json:"content"`
	Timestamp time.Time    `json:"timestamp"`
	RunID     string       `json:"runId,omitempty"`
	State     MessageState `json:"state,omitempty"`
	Model     string       `json:"model,omitempty"` // that wrote it
	// Cause is why there is no reply. The end of the text tells it in English.
	Cause *errcode.Cause `json:"cause,omitempty"`
}

func (m Message) line() ChatLine {
	return ChatLine{
		ID: m.ID, Role: m.Role, Content: []Part{{Type: "text", Text: m.Text}}, Timestamp: m.At.UTC(),
		RunID: m.RunID, State: m.State, Model: m.Model, Cause: m.Cause,
	}
}

// SessionsQuery narrows Sessions. The zero value asks for all, without lines.
type SessionsQuery struct {
	Kinds              []string `json:"kinds"`
	IncludeLastMessage bool     `json:"includeLastMessage"`
	MessageLimit       int      `json:"messageLimit"`
}

// Session is a conversation with one agent.
type Session struct {
	SessionKey   string           `json:"sessionKey"`
	AgentID      topology.AgentID `json:"agentId"`
	Kind         string           `json:"kind"`
	ActiveAt     time.Time        `json:"activeAt"`
	LastMessages []ChatLine       `json:"lastMessages"`
	Model        string           `json:"model,omitempty"` // of the agent
	HasActiveRun bool             `json:"hasActiveRun,omitempty"`
}

// Sessions lists the sessions that hold a message, the most recently active first.
func (g *Gateway) Sessions(ctx context.Context, q SessionsQuery) ([]Session, error) {
	if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, kindMain) {
		return []Session{}, nil
	}
	rows, err := g.lines.Sessions(ctx, maxSessions)
	if err != nil {
		return nil, g.out.internal(err, "the sessions cannot be read")
	}
	out := make([]Session, 0, len(rows))
	for _, row := range rows {
		s := Session{
			SessionKey: row.SessionKey, AgentID: row.AgentID, Kind: kindMain, ActiveAt: row.ActiveAt.UTC(),
			LastMessages: []ChatLine{}, HasActiveRun: g.replies.runs.holds(row.SessionKey, ""),
		}
		if a, ok := g.roster.Agent(row.AgentID); ok {
			s.Model = a.Model
		}
		if q.IncludeLastMessage {
			if s.LastMessages, err = g.lastLines(ctx, row, q.MessageLimit); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

func (g *Gateway) lastLines(ctx context.Context, row SessionRow, limit int) ([]ChatLine, error) {
	if limit <= 1 {
		return lines([]Message{row.Last}), nil
	}
	messages, err := g.lines.Messages(ctx, row.SessionKey, min(limit, maxLastLines), 0)
	if err != nil {
		return nil, g.out.internal(err, "the history cannot be read")
	}
	return lines(messages), nil
}

// lines leaves out what a person stopped before anything came, and the oldest where all
// together are too much for one answer.
func lines(messages []Message) []ChatLine {
	out := []ChatLine{}
	for _, m := range fitting(messages) {
		if m.Text != "" {
			out = append(out, m.line())
		}
	}
	return out
}

// fitting are the newest that fit into one answer.
func fitting(messages []Message) []Message {
	size, first := 0, len(messages)
	for first > 0 && size+len(messages[first-1].Text) <= maxHistoryText {
		first--
		size += len(messages[first].Text)
	}
	return messages[first:]
}

// agentOf finds the agent of a session key, agent:<id>:<name>. An id may hold colons, so
// the longest one that is in the team wins.
func (g *Gateway) agentOf(sessionKey string) (topology.Agent, bool) {
	rest, ok := strings.CutPrefix(sessionKey, "agent:")
	for at := strings.LastIndexByte(rest, ':'); ok && at > 0; at = strings.LastIndexByte(rest[:at], ':') {
		if a, found := g.roster.Agent(topology.AgentID(rest[:at])); found && at < len(rest)-1 {
			return a, true
		}
	}
	return topology.Agent{}, false
}

func noSession(key string) error {
	return errcode.New(errcode.NotFound,
		"there is no session %q: a key is agent:<id>:<name>, with the id of an agent of the team", key).
		With(errcode.KeyField, "sessionKey")
}

func checkText(field, text string, limit int) error {
	switch {
	case strings.TrimSpace(text) == "":
		return errcode.New(errcode.Validation, "%s is missing", field).With(errcode.KeyField, field)
	case len(text) > limit:
		return errcode.New(errcode.Validation, "%s has %d bytes; at most %d are taken", field, len(text), limit).
			With(errcode.KeyField, field)
	case !utf8.ValidString(text):
		return errcode.New(errcode.Validation, "%s is not UTF-8 text", field).With(errcode.KeyField, field)
	case strings.ContainsRune(text, 0): // which PostgreSQL can't keep
		return errcode.New(errcode.Validation, "%s contains the character U+0000. Remove it", field).
			With(errcode.KeyField, field)
	}
	return nil
}

// ChatMessage is what ChatSend takes. The same IdempotencyKey in the same session is
// never run twice; left empty, the message counts as new.
type ChatMessage struct {
	SessionKey     string `json:"sessionKey"`
	Message        string `json:"message"`
	IdempotencyKey string `json:"idempotencyKey"`
}

func (m ChatMessage) check() error {
	if err := checkText("sessionKey", m.SessionKey, maxKey); err != nil {
		return err
	}
	if m.IdempotencyKey != "" {
		if err := checkText("idempotencyKey", m.IdempotencyKey, maxKey); err != nil {
			return err
		}
	}
	return checkText("message", m.Message, maxMessage)
}

// Statuses of a ChatSent.
const (
	StatusStarted  = "started"
	StatusInFlight = "in_flight" // sent before; the reply is still owed
	StatusOK       = "ok"        // sent before; the reply is in the history
)

// ChatSent is the receipt. The reply comes as chat events of the RunID.
type ChatSent struct {
	Success   bool   `json:"success"`
	MessageID string `json:"messageId"`
	RunID     string `json:"runId"`
	Status    string `json:"status"`
}

// ChatSend stores one message in a session and sees to it that the agent replies. When
// it returns, the message is stored for good.
func (g *Gateway) ChatSend(ctx context.Context, m ChatMessage) (ChatSent, error) {
	if err := m.check(); err != nil {
		return ChatSent{}, err
	}
	agent, ok := g.agentOf(m.SessionKey)
	if !ok {
		return ChatSent{}, noSession(m.SessionKey)
	}
	if err := g.replies.runs.reserve(m.SessionKey); err != nil {
		return ChatSent{}, err
	}
	id := newID()
	// A client that leaves now must not leave a message that is stored and never answered.
	storeCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	stored, fresh, err := g.lines.AppendMessage(storeCtx, Message{
		ID: id, SessionKey: m.SessionKey, AgentID: agent.ID, Role: RoleUser, Text: m.Message,
		RunID: id, IdempotencyKey: m.IdempotencyKey, At: time.Now().UTC(),
	})
	if err != nil || !fresh {
		g.replies.runs.release(m.SessionKey)
	}
	switch {
	case err != nil:
		return ChatSent{}, g.out.internal(err, "the message could not be stored")
	case !fresh && stored.Text != m.Message:
		return ChatSent{}, errcode.New(errcode.Validation,
			"this idempotencyKey was used for another message of the session; every new message needs a new one").
			With(errcode.KeyField, "idempotencyKey")
	}
	sent := ChatSent{Success: true, MessageID: stored.ID, RunID: stored.RunID, Status: StatusStarted}
	switch {
	case fresh:
		g.out.announce(stored)
		if r := (&run{ask: stored}); !g.replies.runs.push(r) {
			g.replies.settle(r, outcome{err: errStopped})
		}
	case g.replies.runs.holds(stored.SessionKey, stored.RunID):
		sent.Status = StatusInFlight
	default:
		sent.Status = StatusOK
	}
	return sent, nil
}

// History is a part of a session, oldest first. Next is the offset of what came before it, if
// there is More.
type History struct {
	Messages []ChatLine `json:"messages"`
	More     bool       `json:"hasMore,omitempty"`
	Next     int        `json:"nextOffset,omitempty"`
}

// ChatHistory returns a session's last lines, as History does.
func (g *Gateway) ChatHistory(ctx context.Context, sessionKey string, limit int) ([]ChatLine, error) {
	h, err := g.History(ctx, sessionKey, limit, 0)
	return h.Messages, err
}

// History returns a session's last lines but the newest offset; limit 0 means 50. A new session
// of an agent in the team is empty: a person can open it before the first message.
func (g *Gateway) History(ctx context.Context, sessionKey string, limit, offset int) (History, error) {
	if err := checkText("sessionKey", sessionKey, maxKey); err != nil {
		return History{}, err
	}
	if limit < 0 || offset < 0 {
		return History{}, errcode.New(errcode.Validation, "limit and offset must not be negative").
			With(errcode.KeyField, "limit")
	}
	if limit == 0 {
		limit = defaultHistory
	}
	limit = min(limit, maxHistory)
	messages, err := g.lines.Messages(ctx, sessionKey, limit+1, offset)
	if err != nil {
		return History{}, g.out.internal(err, "the history cannot be read")
	}
	if len(messages) == 0 && offset == 0 {
		if _, ok := g.agentOf(sessionKey); !ok {
			return History{}, noSession(sessionKey)
		}
	}
	given := fitting(messages[max(0, len(messages)-limit):])
	h := History{Messages: lines(given), More: len(given) < len(messages)}
	if h.More {
		h.Next = offset + len(given)
	}
	return h, nil
}

// ChatAbort stops the session's replies, or the one of the run, and returns the runs it
// stopped. What had come of them stays in the history.
func (g *Gateway) ChatAbort(_ context.Context, sessionKey, runID string) ([]string, error) {
	if err := checkText("sessionKey", sessionKey, maxKey); err != nil {
		return nil, err
	}
	return g.replies.runs.abort(sessionKey, runID), nil
}
