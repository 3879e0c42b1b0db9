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
	for _, row := range rows {
		m, results := row.read()
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
