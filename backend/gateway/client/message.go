package client

import (
	"encoding/json"
	"regexp"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

// wireTime reads an ISO 8601 text, or milliseconds since 1970; anything else is no time.
type wireTime struct{ time.Time }

func (t *wireTime) UnmarshalJSON(data []byte) error {
	var ms float64
	if json.Unmarshal(data, &ms) == nil && ms > 0 && ms < 1e15 {
		t.Time = time.UnixMilli(int64(ms)).UTC()
		return nil
	}
	var text string
	if json.Unmarshal(data, &text) == nil {
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			t.Time = at.UTC()
		}
	}
	return nil
}

func (m messageRow) message() Message {
	out, _ := m.read()
	return out
}

// read evens the message out; results of tools that stand in it come beside it.
func (m messageRow) read() (out Message, results []toolResult) {
	var text string
	if json.Unmarshal(m.Content, &text) == nil && len(m.Content) > 0 && m.Content[0] == '"' {
		out = textMessage(m.speaker(), text, m.Timestamp.Time)
		out.Stopped, out.Cause = m.stopped(), m.cause()
		return out, nil
	}
	out = Message{
		Role: m.speaker(), Content: []Part{}, Timestamp: m.Timestamp.Time, Stopped: m.stopped(), Cause: m.cause(),
	}
	var parts []json.RawMessage
	if json.Unmarshal(m.Content, &parts) != nil {
		return out, nil
	}
	for _, raw := range parts {
		var row partRow
		if json.Unmarshal(raw, &row) != nil || row.Type == "" {
			continue // a part of a shape we do not know is not shown
		}
		p, result := row.part(m.Role)
		if result != nil {
			results = append(results, *result)
			continue
		}
		out.Content = append(out.Content, p)
	}
	return out, results
}

// speaker is the role, or system where the gateway itself wrote what it told the agent.
func (m messageRow) speaker() string {
	var by struct {
		Kind string `json:"kind"`
	}
	// A provenance of another type is none.
	if m.Role == "user" && json.Unmarshal(m.Provenance, &by) == nil && by.Kind == "internal_system" {
		return "system"
	}
	return m.Role
}

// stopped reports whether the message is what had come of an answer that was stopped.
func (m messageRow) stopped() bool {
	var state string
	var abort struct {
		Aborted bool `json:"aborted"`
	}
	// A mark of another type is none.
	return json.Unmarshal(m.State, &state) == nil && state == "aborted" ||
		json.Unmarshal(m.Abort, &abort) == nil && abort.Aborted
}

// cause returns why there is no reply, or nil if the gateway gives no code for it.
func (m messageRow) cause() *errcode.Cause {
	c := new(errcode.Cause)
	if json.Unmarshal(m.Cause, c) != nil || c.Check() != nil { // a cause of another type is none
		return nil
	}
	return c
}

// aborted reports whether the gateway ended the model's answer.
func (m messageRow) aborted() bool {
	var why string
	return json.Unmarshal(m.StopReason, &why) == nil && why == "aborted" // a reason of another type is none
}

var (
	wrapBlock = regexp.MustCompile("^Conversation info \\(untrusted metadata\\):\\n```json\\n[^`]*```\\n+")
	wrapClock = regexp.MustCompile(`^\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d[^\]\n]{0,16}\] `)
	// wrapEvents is what happened to the gateway since the agent's last turn. The text behind it begins with the time
	// or the block, or else somebody typed it.
	wrapEvents = regexp.MustCompile(`(?s)^System: \[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]\n]{0,16}\] .*?\n\n` +
		`(\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d[^\]\n]{0,16}\] |Conversation info \(untrusted metadata\):\n)`)
)

// unwrapUserText takes off what early gateways put before the words a user typed: events such as a restart, a block of
// metadata, and then the time. Text with neither events nor the block is left alone.
func unwrapUserText(text string) string {
	if events := wrapEvents.FindStringSubmatchIndex(text); events != nil {
		text = text[events[2]:]
		if clock := wrapClock.FindStringIndex(text); clock != nil {
			return text[clock[1]:]
		}
	}
	at := wrapBlock.FindStringIndex(text)
	if at == nil {
		return text
	}
	text = text[at[1]:]
	if clock := wrapClock.FindStringIndex(text); clock != nil {
		text = text[clock[1]:]
	}
	return text
}

// previewMessage is the last message of a session whose gateway doesn't say who wrote it: replies end most
// conversations, but early gateways put the time before what a user wrote.
func previewMessage(text string, at time.Time) Message {
	if clock := wrapClock.FindStringIndex(text); clock != nil {
		return textMessage("user", text[clock[1]:], at)
	}
	if unwrapUserText(text) != text {
		return textMessage("user", text, at)
	}
	return textMessage("assistant", text, at)
}

// ChatEvent is a "chat" event, the same for every gateway.
type ChatEvent struct {
	RunID      string
	SessionKey string
	AgentID    string
	// State is delta, final, aborted, error or status. The run ends with final,
	// aborted or error.
	State string
	// Text is all of the reply so far, not only what is new. It may be empty in the
	// last event of a run: keep what the deltas brought.
	Text  string
	Phase string         // of a status
	Error string         // of an error
	Cause *errcode.Cause // of an error, where the gateway says it
}

// Done reports whether the run has ended.
func (e ChatEvent) Done() bool {
	return e.State == "final" || e.State == "aborted" || e.State == "error"
}

// ParseChatEvent reads a "chat" event; ok is false for every other event.
func ParseChatEvent(e Event) (ChatEvent, bool) {
	if e.Name != "chat" {
		return ChatEvent{}, false
	}
	var p struct {
		RunID      string     `json:"runId"`
		SessionKey string     `json:"sessionKey"`
		AgentID    string     `json:"agentId"`
		State      string     `json:"state"`
		Phase      string     `json:"phase"`
		Error      string     `json:"errorMessage"`
		Message    messageRow `json:"message"`
	}
	if json.Unmarshal(e.Payload, &p) != nil || p.State == "" {
		return ChatEvent{}, false
	}
	out := ChatEvent{
		RunID: p.RunID, SessionKey: p.SessionKey, AgentID: p.AgentID, State: p.State,
		Phase: p.Phase, Error: dialect.Clean(p.Error), Text: p.Message.message().Text(),
		Cause: p.Message.cause(),
	}
	if agent, _, ok := agentOfKey(p.SessionKey); ok && out.AgentID == "" {
		out.AgentID = agent
	}
	return out, true
}
