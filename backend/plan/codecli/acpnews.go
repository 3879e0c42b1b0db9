package codecli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coder/acp-go-sdk"

	"agentflow/backend/base/safego"
	"agentflow/backend/base/strictjson"
)

// line handles one line of the CLI's output. It reads session updates here, in order, so that a flood of them is
// slowed down; all other messages go to the connection.
func (t *talk) line(line []byte, cut bool) error {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if cut {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.r.say(Event{Kind: EventLog, Text: fmt.Sprintf("a message longer than %d bytes was not read", maxMessage)})
		return nil
	}
	if json.Unmarshal(line, &m) != nil { // programs print greetings and warnings
		return nil
	}
	if m.ID != nil {
		if m.Method == acp.ClientMethodSessionRequestPermission && strictjson.Numbers(line) != nil {
			line = t.unclear(m.ID)
		}
		_, _ = t.answers.Write(append(bytes.Clone(line), '\n')) // after the end there is no reader
		return nil
	}
	var n acp.SessionNotification
	if m.Method == acp.ClientMethodSessionUpdate && json.Unmarshal(m.Params, &n) == nil {
		return t.SessionUpdate(t.ctx, n)
	}
	return nil
}

// SessionUpdate implements acp.Client.
func (t *talk) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	u := n.Update
	if u.AgentMessageChunk == nil {
		t.tellWords(true)
	}
	switch {
	case u.AgentMessageChunk != nil:
		if text := u.AgentMessageChunk.Content.Text; text != nil {
			t.words.WriteString(text.Text)
			t.tellWords(false)
		}
	case u.ToolCall != nil:
		c := u.ToolCall
		t.tool(string(c.ToolCallId), c.Title, c.Kind, c.Status, c.Content)
	case u.ToolCallUpdate != nil:
		c := u.ToolCallUpdate
		t.tool(string(c.ToolCallId), deref(c.Title), deref(c.Kind), deref(c.Status), c.Content)
	case u.UsageUpdate != nil:
		t.r.v.TokensIn = max(t.r.v.TokensIn, u.UsageUpdate.Used) // the size of its context: it has read at least that much
		if c := u.UsageUpdate.Cost; c != nil && c.Currency == "USD" {
			t.r.v.Cost = c.Amount
		}
	}
	return nil
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// tellWords reports the text so far, in whole lines or all of it.
func (t *talk) tellWords(all bool) {
	text := t.words.String()
	if !all {
		text = text[:strings.LastIndexByte(text, '\n')+1]
		if text == "" && t.words.Len() < maxShown {
			return
		}
		if text == "" {
			text = t.words.String()
		}
	}
	t.words.Next(len(text))
	if all && strings.TrimSpace(text) != "" || strings.Contains(text, "\n") {
		t.r.v.Message = strings.TrimSpace(text)
	}
	t.r.say(Event{Kind: EventText, Text: strings.TrimRight(text, "\n")})
}

// unclear reports an ambiguous or inexact request for approval. It returns the request without a session, so that it
// is rejected without asking.
func (t *talk) unclear(id json.RawMessage) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.r.say(Event{Kind: EventLog, Text: "was not allowed: what it asked leave for can be read in more than one way", Failed: true})
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"%s","params":{"sessionId":"","toolCall":{"toolCallId":""},"options":[]}}`, id, acp.ClientMethodSessionRequestPermission)
}

// tool records a tool call, and reports its end.
func (t *talk) tool(id, title string, kind acp.ToolKind, status acp.ToolCallStatus, content []acp.ToolCallContent) {
	c := t.tools[id]
	if c == nil {
		c = &toolCall{}
		if len(t.order) < maxTools {
			if t.tools == nil {
				t.tools = map[string]*toolCall{}
			}
			t.tools[id] = c
			t.order = append(t.order, c)
		}
	}
	c.title, c.kind = or(title, c.title), acp.ToolKind(or(string(kind), string(c.kind)))
	if status == acp.ToolCallStatusCompleted || status == acp.ToolCallStatusFailed {
		t.endTool(c, status == acp.ToolCallStatusFailed, content)
	}
}

func (t *talk) endTool(c *toolCall, failed bool, content []acp.ToolCallContent) {
	if c.ended {
		return
	}
	c.ended = true
	switch c.kind {
	case acp.ToolKindExecute, acp.ToolKindOther, "":
		t.r.command(c.title, failed)
	default:
		t.r.say(Event{Kind: EventLog, Text: string(c.kind) + " " + c.title, Failed: failed})
	}
	for _, part := range content {
		if part.Diff != nil {
			t.r.say(Event{Kind: EventFile, Text: "update " + part.Diff.Path, Failed: failed})
		}
	}
}

// maxTools limits the number of recorded tool calls.
const maxTools = 10_000

// RequestPermission implements acp.Client by calling Permit. The SDK calls it in a separate goroutine, where a panic
// would end the program.
func (t *talk) RequestPermission(ctx context.Context, in acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	return safego.Value(ctx, nil, "a worker's request for permission", func() (acp.RequestPermissionResponse, error) { return t.permit(in) })
}

func (t *talk) permit(in acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	asked := Permission{Kind: t.w.Kind, Title: deref(in.ToolCall.Title), Does: string(deref(in.ToolCall.Kind))}
	for _, at := range in.ToolCall.Locations {
		asked.Paths = append(asked.Paths, at.Path)
	}
	if in.ToolCall.RawInput != nil {
		asked.Input, _ = json.Marshal(in.ToolCall.RawInput)
	}
	allow := false                               // the default
	if t.w.Permit != nil && in.SessionId != "" { // without a session the request was unclear
		yes, err := t.w.Permit(t.asking, asked)
		allow = yes && err == nil
	}
	if t.asking.Err() == nil {
		for _, kind := range choices[allow] {
			for _, o := range in.Options {
				if o.Kind == kind {
					t.said(asked, allow)
					return acp.RequestPermissionResponse{
						Outcome: acp.NewRequestPermissionOutcomeSelected(o.OptionId),
					}, nil
				}
			}
		}
	}
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}, nil
}

// PermitAll is a Permit that allows everything.
func PermitAll(context.Context, Permission) (bool, error) { return true, nil }

// choices are the kinds of options for yes and no, the narrowest first.
var choices = map[bool][]acp.PermissionOptionKind{
	true:  {acp.PermissionOptionKindAllowOnce, acp.PermissionOptionKindAllowAlways},
	false: {acp.PermissionOptionKindRejectOnce, acp.PermissionOptionKindRejectAlways},
}

func (t *talk) said(asked Permission, allow bool) {
	word := "was not allowed: "
	if allow {
		word = "was allowed: "
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asking.Err() != nil { // nothing is reported after the end
		return
	}
	t.r.say(Event{Kind: EventLog, Text: word + or(asked.Title, asked.Does, "a tool"), Failed: !allow})
}
