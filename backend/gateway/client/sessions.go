package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

// Part is one piece of a message.
type Part struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
	Name string `json:"name,omitempty" doc:"Name of the tool."`

	// Of a PartTool: what went in, what came out, and how it ended.
	Input  string `json:"input,omitempty" doc:"Input of the tool."`
	Output string `json:"output,omitempty" doc:"Output of the tool."`
	Done   bool   `json:"done,omitempty" doc:"The tool has ended."`
	Failed bool   `json:"failed,omitempty" doc:"The tool failed."`

	id string // of the call, until its result has been found
}

// Message is one line of a session. Timestamp is zero where the gateway gives none.
type Message struct {
	Role      string    `json:"role" doc:"Speaker: user or assistant, or system: the gateway, speaking to the agent."`
	Content   []Part    `json:"content"`
	Timestamp time.Time `json:"timestamp,omitzero"`
	Stopped   bool      `json:"stopped,omitempty" doc:"The answer was stopped, and this is what had come of it."`
	// Cause is what only the built-in gateway says.
	Cause *errcode.Cause `json:"cause,omitempty" doc:"Why there is no answer. The text ends with the reason in English, after ⚠."`
}

// Text returns the text parts, joined.
func (m Message) Text() string {
	var b strings.Builder
	for _, p := range m.Content {
		if p.Type == "text" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Session is a conversation with one agent.
type Session struct {
	SessionKey   string    `json:"sessionKey"`
	AgentID      string    `json:"agentId"`
	Kind         string    `json:"kind" doc:"Kind: main, direct, group, global, unknown, or the gateway's own word."`
	ActiveAt     time.Time `json:"activeAt,omitzero"`
	LastMessages []Message `json:"lastMessages"`
	Title        string    `json:"title,omitempty"`
	Model        string    `json:"model,omitempty"`
	TotalTokens  int64     `json:"totalTokens,omitempty" doc:"Tokens used in total."`
	InputTokens  int64     `json:"inputTokens,omitempty" doc:"Tokens that models read."`
	OutputTokens int64     `json:"outputTokens,omitempty" doc:"Tokens that models wrote."`
	CostUSD      float64   `json:"costUsd,omitempty" doc:"Cost in US dollars, as the gateway estimates it."`
	Running      bool      `json:"running,omitempty" doc:"A run is active."`
	StartedAt    time.Time `json:"startedAt,omitzero" doc:"Start of the active run."`
	Parent       string    `json:"parent,omitempty" doc:"Session that started this one as a subagent."`
}

// SessionsQuery narrows SessionsList. The zero value asks for all, without messages.
type SessionsQuery struct {
	Kinds              []string `json:"kinds,omitempty"`
	IncludeLastMessage bool     `json:"includeLastMessage,omitempty"`
	MessageLimit       int      `json:"messageLimit,omitempty"`
}

// ChatMessage is what ChatSend sends. The same IdempotencyKey is never run twice;
// left empty, a fresh one is made.
type ChatMessage struct {
	SessionKey     string `json:"sessionKey"`
	Message        string `json:"message"`
	IdempotencyKey string `json:"idempotencyKey"`
}

// ChatSent is the gateway's receipt. The reply itself comes as "chat" events whose
// runId is RunID, where the gateway has events.
type ChatSent struct {
	Success   bool   `json:"success"`
	MessageID string `json:"messageId"`
	RunID     string `json:"runId,omitempty"`
	Status    string `json:"status,omitempty" doc:"State of the run: started, in_flight or ok."`
}

// MaxSessions is the most sessions that are read of one gateway.
const MaxSessions = 1000

// SessionsList lists the gateway's sessions, at most MaxSessions, the most recently active first where it sorts.
// Rows that name no session, can't be read, or repeat another are left out.
func (c *Client) SessionsList(ctx context.Context, q SessionsQuery) ([]Session, error) {
	const method = "sessions.list"
	build := func(d Dialect) any {
		if d == DialectJSONRPC {
			return q
		}
		return map[string]any{
			"includeLastMessage": q.IncludeLastMessage, "includeDerivedTitles": true, "limit": MaxSessions,
		}
	}
	raw, err := c.call(ctx, request{method: method, build: build, timeout: c.timing.Call})
	if err != nil {
		return nil, err
	}
	var a struct {
		Sessions []json.RawMessage `json:"sessions"`
	}
	if err := decodeResult(method, raw, &a); err != nil {
		return nil, err
	}
	out, listed := make([]Session, 0, min(len(a.Sessions), MaxSessions)), map[string]bool{}
	for _, one := range a.Sessions {
		var row sessionRow
		if len(out) == MaxSessions {
			break
		}
		if json.Unmarshal(one, &row) != nil {
			continue
		}
		s := row.session()
		if s.SessionKey == "" || listed[s.SessionKey] {
			continue
		}
		listed[s.SessionKey] = true
		if len(q.Kinds) == 0 || slices.Contains(q.Kinds, s.Kind) || slices.Contains(q.Kinds, row.Kind) {
			out = append(out, s)
		}
	}
	if q.IncludeLastMessage && q.MessageLimit > 1 {
		return out, c.fillPreviews(ctx, out, q.MessageLimit)
	}
	return out, nil
}

// previewBatch is how many sessions one sessions.preview asks for.
const previewBatch = 50

// fillPreviews reads several last messages per session, where the gateway can.
func (c *Client) fillPreviews(ctx context.Context, sessions []Session, limit int) error {
	const method = "sessions.preview"
	if !c.Features().Has(method) {
		return nil
	}
	for chunk := range slices.Chunk(sessions, previewBatch) {
		keys := make([]string, len(chunk))
		for i, s := range chunk {
			keys[i] = s.SessionKey
		}
		params := map[string]any{"keys": keys, "limit": min(limit, 50), "maxChars": 2000}
		raw, err := c.call(ctx, request{method: method, params: params, timeout: c.timing.Call})
		if err != nil {
			return err
		}
		var a struct {
			Previews []struct {
				Key   string `json:"key"`
				Items []struct {
					Role string `json:"role"`
					Text string `json:"text"`
				} `json:"items"`
			} `json:"previews"`
		}
		if err := decodeResult(method, raw, &a); err != nil {
			return err
		}
		for _, p := range a.Previews {
			i := slices.Index(keys, p.Key)
			if i < 0 || len(p.Items) == 0 {
				continue
			}
			chunk[i].LastMessages = nil
			for _, item := range p.Items {
				chunk[i].LastMessages = append(chunk[i].LastMessages, textMessage(item.Role, item.Text, time.Time{}))
			}
		}
	}
	return nil
}

// sessionRow is one row of sessions.list in both dialects.
type sessionRow struct {
	SessionKey    string       `json:"sessionKey"`
	Key           string       `json:"key"`
	AgentID       string       `json:"agentId"`
	Kind          string       `json:"kind"`
	ActiveAt      wireTime     `json:"activeAt"`
	UpdatedAt     wireTime     `json:"updatedAt"`
	LastMessages  []messageRow `json:"lastMessages"`
	Preview       string       `json:"lastMessagePreview"`
	Title         string       `json:"title"`
	DerivedTitle  string       `json:"derivedTitle"`
	Model         string       `json:"model"`
	ModelProvider string       `json:"modelProvider"`
	TotalTokens   float64      `json:"totalTokens"`
	InputTokens   float64      `json:"inputTokens"`
	OutputTokens  float64      `json:"outputTokens"`
	CostUSD       float64      `json:"estimatedCostUsd"`
	HasActiveRun  bool         `json:"hasActiveRun"`
	StartedAt     wireTime     `json:"startedAt"`
	SpawnedBy     string       `json:"spawnedBy"`
	ParentKey     string       `json:"parentSessionKey"`
}

func (r sessionRow) session() Session {
	s := Session{
		SessionKey: firstOf(r.SessionKey, r.Key), AgentID: r.AgentID, Kind: r.Kind,
		ActiveAt: r.ActiveAt.Time, Title: firstOf(r.Title, r.DerivedTitle), Model: r.Model,
		TotalTokens: counted(r.TotalTokens), InputTokens: counted(r.InputTokens),
		OutputTokens: counted(r.OutputTokens), CostUSD: min(max(r.CostUSD, 0), maxCost),
		Running: r.HasActiveRun, Parent: r.SpawnedBy, LastMessages: []Message{},
	}
	if r.HasActiveRun {
		s.StartedAt = r.StartedAt.Time
	}
	if s.Parent == "" && strings.Contains(s.SessionKey, ":subagent:") {
		s.Parent = r.ParentKey // of others it's the session that they were forked from
	}
	if r.ModelProvider != "" && r.Model != "" {
		s.Model = r.ModelProvider + "/" + r.Model
	}
	if s.ActiveAt.IsZero() {
		s.ActiveAt = r.UpdatedAt.Time
	}
	agent, rest, inKey := agentOfKey(s.SessionKey)
	if s.AgentID == "" && inKey {
		s.AgentID = agent
	}
	if r.Key != "" && inKey && rest == "main" {
		s.Kind = "main"
	}
	for _, m := range r.LastMessages {
		s.LastMessages = append(s.LastMessages, m.message())
	}
	if len(s.LastMessages) == 0 && r.Preview != "" {
		s.LastMessages = append(s.LastMessages, previewMessage(r.Preview, s.ActiveAt))
	}
	return s
}

// The most that is believed of what a gateway counts.
const (
	maxTokens = 1e15
	maxCost   = 1e9
)

func counted(n float64) int64 { return int64(min(max(n, 0), maxTokens)) }

// agentOfKey splits "agent:<id>:<rest>".
func agentOfKey(key string) (agent, rest string, ok bool) {
	after, ok := strings.CutPrefix(key, "agent:")
	if !ok {
		return "", "", false
	}
	return strings.Cut(after, ":")
}

// ChatSend sends one message into a session. An error carries details.idempotencyKey:
// sending again with that key is safe, even after outcome_unknown.
func (c *Client) ChatSend(ctx context.Context, m ChatMessage) (ChatSent, error) {
	const method = "chat.send"
	if m.IdempotencyKey == "" {
		m.IdempotencyKey = "agentflow-" + rand.Text()
	}
	raw, err := c.call(ctx,
		request{method: method, params: m, timeout: c.timing.Call, changes: true, scope: dialect.ScopeWrite})
	if err != nil {
		return ChatSent{}, errcode.From(err).With("idempotencyKey", m.IdempotencyKey)
	}
	var a struct {
		Success   *bool  `json:"success"`
		MessageID string `json:"messageId"`
		RunID     string `json:"runId"`
		Status    string `json:"status"`
	}
	if err := decodeResult(method, raw, &a); err != nil {
		return ChatSent{}, err
	}
	if a.Success != nil && !*a.Success || a.Status == "error" {
		return ChatSent{}, errcode.New(errcode.Gateway, "the gateway did not take the message and did not say why").
			With(errcode.KeyReason, errcode.ReasonRejected)
	}
	return ChatSent{Success: true, MessageID: firstOf(a.MessageID, a.RunID), RunID: a.RunID, Status: a.Status}, nil
}

// HistoryQuery asks for the last Limit messages of a session but the newest Offset; Limit 0
// leaves the number to the gateway.
type HistoryQuery struct {
	SessionKey    string
	Limit, Offset int
}

// MaxHistory is the most that gateways give at once.
const MaxHistory = 1000

// History is a part of a session, oldest first.
type History struct {
	Messages []Message `json:"messages"`
	More     bool      `json:"more,omitempty" doc:"There are older messages."`
	Next     int       `json:"next,omitempty" doc:"Offset of the older messages. Absent: the gateway returns only the newest."`
}

// ChatHistory returns a session's last messages, oldest first; limit 0 leaves the number to the gateway.
func (c *Client) ChatHistory(ctx context.Context, sessionKey string, limit int) ([]Message, error) {
	h, err := c.History(ctx, HistoryQuery{SessionKey: sessionKey, Limit: limit})
	return h.Messages, err
}

// History returns a part of a session. An Offset is for gateways that have told a Next.
func (c *Client) History(ctx context.Context, q HistoryQuery) (History, error) {
	const method = "chat.history"
	params := map[string]any{"sessionKey": q.SessionKey}
	if q.Limit > 0 {
		params["limit"] = min(q.Limit, MaxHistory)
	}
	if q.Offset > 0 {
		params["offset"] = q.Offset
	}
	raw, err := c.call(ctx, request{method: method, params: params, timeout: c.timing.Call})
	if err != nil {
		return History{}, err
	}
	var a struct {
		Messages   []messageRow `json:"messages"`
		HasMore    bool         `json:"hasMore"`
		NextOffset int          `json:"nextOffset"`
	}
	if err := decodeResult(method, raw, &a); err != nil {
		return History{}, err
	}
	h := History{Messages: history(a.Messages), More: a.HasMore || q.Limit > 0 && len(a.Messages) >= q.Limit}
	if a.HasMore {
		h.Next = max(0, a.NextOffset)
	}
	return h, nil
}

func textMessage(role, text string, at time.Time) Message {
	if role == "user" {
		text = unwrapUserText(text)
	}
	return Message{Role: role, Content: []Part{{Type: "text", Text: text}}, Timestamp: at}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// messageRow is a message in either dialect: content is text or a list of parts.
type messageRow struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Timestamp wireTime        `json:"timestamp"`

	// How the built-in gateway and OpenClaw mark an answer that was stopped.
	State json.RawMessage `json:"state"`
	Abort json.RawMessage `json:"openclawAbort"`
	// Cause is why a reply of the built-in gateway failed.
	Cause json.RawMessage `json:"cause"`
	// StopReason is why the model's answer ended.
	StopReason json.RawMessage `json:"stopReason"`

	Provenance json.RawMessage `json:"provenance"` // in OpenClaw: who wrote a message that no user did

	// Of a message that is what came of a tool.
	ToolCallID string `json:"toolCallId"`
	ToolName   string `json:"toolName"`
	IsError    bool   `json:"isError"`
}
