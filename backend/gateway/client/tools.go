package client

import (
	"encoding/json"
	"slices"
	"strings"
)

// PartTool is the type of a part that tells of a tool: what went in, and what came out
// once there is something.
const PartTool = "tool"

// partRow is a part as gateways write it. Those that tell of tools have two families of
// names.
type partRow struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Name      string          `json:"name"`
	ID        string          `json:"id"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

var callTypes = []string{"toolCall", "tool_call", "toolUse", "tool_use"}

// part evens a part out; a result that stands among the parts comes as its own.
func (p partRow) part(role string) (part Part, result *toolResult) {
	switch {
	case slices.Contains(callTypes, p.Type):
		input := p.Arguments
		if input == nil {
			input = p.Input
		}
		return Part{Type: PartTool, Name: p.Name, Input: inputText(input), id: p.ID}, nil
	case p.Type == "toolResult" || p.Type == "tool_result":
		return Part{}, &toolResult{call: p.ToolUseID, text: contentText(p.Content), failed: p.IsError}
	case p.Type == "text" && role == "user":
		return Part{Type: p.Type, Text: unwrapUserText(p.Text)}, nil
	}
	return Part{Type: p.Type, Text: p.Text, Name: p.Name}, nil
}

// inputText writes what went into a tool: a text as it is, all else as JSON.
func inputText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// contentText is the text of a content in any of its shapes.
func contentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []partRow
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "text" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// toolResult is what came of a tool's call.
type toolResult struct {
	call, name, text string
	failed           bool
}

// absorbs reports whether other is the same stopped answer once more, and keeps the longer text of the two. OpenClaw
// 2026.2.26 keeps a stopped answer twice: once with the mark of the stop, and once as the model's.
func (m *Message) absorbs(other Message) bool {
	if m.Role != "assistant" || other.Role != m.Role || len(m.Content) != 1 || len(other.Content) != 1 {
		return false
	}
	mine, its := m.Text(), other.Text()
	if !strings.HasPrefix(mine, its) && !strings.HasPrefix(its, mine) {
		return false
	}
	m.Stopped = true
	if len(its) > len(mine) {
		m.Content = other.Content
	}
	return true
}

// absorbed reports whether m, an aborted answer of the model, is a copy of the stopped answer before it, and if so
// merges the two. OpenClaw 2026.2.26 writes a new session's first question only with the model's answer, and so behind
// the mark of its stop: the stopped answer then comes after the questions that are older than it.
func absorbed(out []Message, m Message) bool {
	i := len(out) - 1
	for i >= 0 && out[i].Role == "user" {
		i--
	}
	if i < 0 || !out[i].Stopped {
		return false
	}
	asked := out[i+1:]
	if slices.ContainsFunc(asked, func(q Message) bool { return !q.Timestamp.Before(out[i].Timestamp) }) ||
		!out[i].absorbs(m) {
		return false
	}
	stopped := out[i]
	copy(out[i:], asked)
	out[len(out)-1] = stopped
	return true
}

// history evens a list of messages out: what came of a tool stands beside its call.
func history(rows []messageRow) []Message {
	out := make([]Message, 0, len(rows))
	answer := func(r toolResult, m Message) {
		for i := len(out) - 1; i >= 0; i-- {
			for k := range out[i].Content {
				if p := &out[i].Content[k]; p.Type == PartTool && p.id != "" && p.id == r.call {
					p.Output, p.Failed, p.Done = r.text, r.failed, true
					return
				}
			}
		}
		// Its call is further back than what was asked for.
		m.Role, m.Content = "assistant", []Part{
			{Type: PartTool, Name: r.name, Output: r.text, Failed: r.failed, Done: true},
		}
		out = append(out, m)
	}
	lastAborted := false
	for _, row := range rows {
		m, results := row.read()
		aborted := row.aborted()
		if aborted && absorbed(out, m) || lastAborted && m.Stopped && len(out) > 0 && out[len(out)-1].absorbs(m) {
			continue
		}
		lastAborted = aborted
		if row.ToolCallID != "" {
			answer(
				toolResult{
					call:   row.ToolCallID,
					name:   row.ToolName,
					text:   contentText(row.Content),
					failed: row.IsError,
				},
				m,
			)
			continue
		}
		for _, r := range results {
			answer(r, m)
		}
		if len(results) == 0 || len(m.Content) > 0 {
			out = append(out, m)
		}
	}
	return out
}
