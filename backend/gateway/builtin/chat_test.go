package builtin_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/client"
	"agentflow/backend/model/llm"
)

const pmSession = "agent:pm-1:main"

// chatEvents reads a client's chat events up to the end of a run.
func chatEvents(t *testing.T, events *event.Subscription[client.Event], runID string) []client.ChatEvent {
	t.Helper()
	var out []client.ChatEvent
	deadline := time.After(10 * time.Second)
	for {
		select {
		case e := <-events.C():
			chat, ok := client.ParseChatEvent(e)
			if !ok || chat.RunID != runID {
				continue
			}
			if out = append(out, chat); chat.Done() {
				return out
			}
		case <-deadline:
			t.Fatalf("the run did not end; events %+v", out)
		}
	}
}

func sendText(t *testing.T, h *hub, session, text string) builtin.ChatSent {
	t.Helper()
	sent, err := h.ChatSend(ctx(t), builtin.ChatMessage{SessionKey: session, Message: text})
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

// settled waits until the run's end was told, and returns it.
func settled(t *testing.T, facts *event.Subscription[builtin.Event], runID string) builtin.ChatEvent {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		select {
		case e := <-facts.C():
			var chat builtin.ChatEvent
			if e.Name == builtin.EventChat && json.Unmarshal(e.Payload, &chat) == nil && chat.RunID == runID && chat.State != builtin.ChatDelta {
				return chat
			}
		case <-deadline:
			t.Fatalf("the run %s did not end", runID)
		}
	}
}

// GW-4, GW-5, GW-9: a message is stored, answered by the agent's model with its persona,
// streamed, and stands in the history, seen through our own client on a socket.
func TestGW9_ChatStreams(t *testing.T) {
	h := start(t, hubOptions{})
	c := h.client(t)
	events := c.Events(256)
	defer events.Close()
	sent, err := c.ChatSend(ctx(t), client.ChatMessage{SessionKey: pmSession, Message: "計画は?", IdempotencyKey: "k1"})
	if err != nil || !sent.Success || sent.MessageID == "" || sent.RunID == "" || sent.Status != builtin.StatusStarted {
		t.Fatalf("sent %+v, %v", sent, err)
	}
	q := h.model.next(t)
	if r := q.request; r.Model != "talk/one" || !strings.Contains(r.System, "You plan.") || !strings.Contains(r.System, "Coordinator") ||
		len(r.Messages) != 1 || r.Messages[0].Text != "計画は?" {
		t.Fatalf("the model was asked %+v", r)
	}
	list, err := c.SessionsList(ctx(t),
		client.SessionsQuery{Kinds: []string{"main"}, IncludeLastMessage: true, MessageLimit: 5})
	if err != nil || len(list) != 1 || !list[0].Running || list[0].LastMessages[0].Text() != "計画は?" {
		t.Fatalf("sessions while it runs: %+v, %v", list, err)
	}
	q.say(t, "まず", "設計")
	q.finish(t, nil)
	got := chatEvents(t, events, sent.RunID)
	if len(got) != 3 || got[0].Text != "まず" || got[1].Text != "まず設計" || got[2].State != "final" || got[2].Text != "まず設計" ||
		got[2].SessionKey != pmSession || got[2].AgentID != "pm-1" {
		t.Fatalf("events %+v", got)
	}
	history, err := c.ChatHistory(ctx(t), pmSession, 20)
	if err != nil || len(history) != 2 || history[0].Role != "user" || history[1].Role != "assistant" || history[1].Text() != "まず設計" || history[1].Timestamp.IsZero() {
		t.Fatalf("history %+v, %v", history, err)
	}
	list, err = c.SessionsList(ctx(t), client.SessionsQuery{IncludeLastMessage: true, MessageLimit: 5})
	if err != nil || len(list) != 1 || list[0].AgentID != "pm-1" || list[0].Kind != "main" || list[0].ActiveAt.IsZero() || len(list[0].LastMessages) != 2 || list[0].Running {
		t.Fatalf("sessions %+v, %v", list, err)
	}
	if none, err := h.Sessions(ctx(t), builtin.SessionsQuery{Kinds: []string{"group"}}); err != nil || len(none) != 0 {
		t.Fatalf("sessions of another kind: %+v, %v", none, err)
	}
	if f := c.Features(); !f.Events {
		t.Fatal("the client does not know that there are events")
	}
}

// GW-5: the same idempotency key never runs twice, not even at once or after a restart.
func TestGW5_Idempotency(t *testing.T) {
	h := start(t, hubOptions{})
	facts := h.Events(64)
	defer facts.Close()
	m := builtin.ChatMessage{SessionKey: pmSession, Message: "once", IdempotencyKey: "unique-key-123"}
	first, err := h.ChatSend(ctx(t), m)
	if err != nil {
		t.Fatal(err)
	}
	q := h.model.next(t)
	again, err := h.ChatSend(ctx(t), m)
	if err != nil || again.MessageID != first.MessageID || again.RunID != first.RunID || again.Status != builtin.StatusInFlight {
		t.Fatalf("again %+v, %v", again, err)
	}
	q.say(t, "x")
	q.finish(t, nil)
	settled(t, facts, first.RunID)
	h.stop()
	h = start(t, hubOptions{store: h.store})
	again, err = h.ChatSend(ctx(t), m)
	if err != nil || again.MessageID != first.MessageID || again.Status != builtin.StatusOK {
		t.Fatalf("after a restart %+v, %v", again, err)
	}
	m.Message = "another"
	if _, err := h.ChatSend(ctx(t), m); !errcode.Is(err, errcode.Validation) {
		t.Fatalf("another message with the key gave %v", err)
	}
	if history, err := h.ChatHistory(ctx(t), pmSession, 0); err != nil || len(history) != 2 || len(h.model.questions) != 0 {
		t.Fatalf("history %+v, %v, %d more questions", history, err, len(h.model.questions))
	}
}

// A failing model shows in the session: as an event and as a line of the history.
func TestGW9_FailureIsInTheSession(t *testing.T) {
	h := start(t, hubOptions{})
	facts := h.Events(64)
	defer facts.Close()
	sent := sendText(t, h, pmSession, "hello")
	q := h.model.next(t)
	q.say(t, "half an ")
	q.finish(t, errcode.New(errcode.RateLimited, "the provider talk takes no more requests").
		With(errcode.KeyCause, "rate_limited"))
	end := settled(t, facts, sent.RunID)
	if end.State != builtin.ChatError || end.ErrorMessage != "⚠ The provider talk takes no more requests." {
		t.Fatalf("event %+v", end)
	}
	if c := end.Message.Cause; c == nil || c.Code != "rate_limited" {
		t.Fatalf("event with the cause %+v", c)
	}
	history, err := h.ChatHistory(ctx(t), pmSession, 0)
	if err != nil || len(history) != 2 || history[1].State != builtin.StateError ||
		!strings.Contains(history[1].Content[0].Text, "half an") || !strings.Contains(history[1].Content[0].Text, "takes no more requests") {
		t.Fatalf("history %+v, %v", history, err)
	}
	if c := history[1].Cause; c == nil || c.Code != "rate_limited" {
		t.Fatalf("history with the cause %+v", c)
	}
	// What failed is not part of the next prompt.
	sent = sendText(t, h, pmSession, "again")
	q = h.model.next(t)
	if m := q.request.Messages; len(m) != 1 || m[0].Text != "again" {
		t.Fatalf("prompt %+v", m)
	}
	q.finish(t, errors.New("a secret path /etc/x"))
	if end = settled(t, facts, sent.RunID); strings.Contains(end.ErrorMessage, "secret") {
		t.Fatalf("an inner cause was told: %+v", end)
	}
}

// An agent without a usable model reports that; the demo answers only where it was chosen.
func TestGW9_NoModelSaysSo(t *testing.T) {
	config := "agents:\n  bare: {name: Bare}\n  away: {name: Away, model: nobody/x}\n  demo: {name: Demo, model: demo/echo}\n  far: {name: Far, url: 'http://far'}\n"
	h := start(t, hubOptions{config: config, models: llm.NewRegistry(llm.Options{})})
	facts := h.Events(256)
	defer facts.Close()
	for agent, says := range map[string]string{"bare": "No model is set", "away": "No provider is called", "far": "runs at"} {
		sent := sendText(t, h, "agent:"+agent+":main", "hello")
		if end := settled(t, facts, sent.RunID); end.State != builtin.ChatError || !strings.Contains(end.ErrorMessage, says) {
			t.Errorf("%s: %+v", agent, end)
		}
	}
	sent := sendText(t, h, "agent:demo:main", "こんにちは")
	if end := settled(t, facts, sent.RunID); end.State != builtin.ChatFinal || !strings.Contains(end.Message.Content[0].Text, "デモ") || end.Message.Model != "demo/echo" {
		t.Fatalf("the demo said %+v", end)
	}
}

// An answer that the model had to cut off isn't shown as a whole one. The model isn't told.
func TestGW9_AnAnswerAtTheTokenLimitSaysSo(t *testing.T) {
	h := start(t, hubOptions{})
	facts := h.Events(64)
	defer facts.Close()
	sent := sendText(t, h, pmSession, "hello")
	q := h.model.next(t)
	q.say(t, "half")
	q.cut = true
	q.finish(t, nil)
	const want = "half\n\n⚠ The answer reached the token limit and is cut off."
	if end := settled(t, facts, sent.RunID); end.State != builtin.ChatFinal || end.Message.Content[0].Text != want {
		t.Fatalf("%+v", end)
	}
	sendText(t, h, pmSession, "go on")
	q = h.model.next(t)
	if m := q.request.Messages; len(m) != 3 || m[1].Text != "half" {
		t.Fatalf("prompt %+v", m)
	}
	q.finish(t, nil)
}

func TestFallbacks(t *testing.T) {
	h := start(
		t,
		hubOptions{
			config: "agents:\n  list:\n    - {id: a, model: {primary: talk/one, fallbacks: [talk/two, talk/three]}}\n",
		},
	)
	facts := h.Events(64)
	defer facts.Close()
	sent := sendText(t, h, "agent:a:main", "hello")
	h.model.next(t).finish(t, errcode.New(errcode.Unavailable, "one is down"))
	q := h.model.next(t)
	if q.request.Model != "talk/two" {
		t.Fatalf("the fallback is %s", q.request.Model)
	}
	q.say(t, "here")
	q.finish(t, nil)
	if end := settled(t, facts, sent.RunID); end.State != builtin.ChatFinal || end.Message.Model != "talk/two" {
		t.Fatalf("end %+v", end)
	}
	sent = sendText(t, h, "agent:a:main", "all fail")
	for i := range 3 {
		h.model.next(t).finish(t, errcode.New(errcode.Timeout, "late %d", i))
	}
	end := settled(t, facts, sent.RunID)
	if !strings.Contains(end.ErrorMessage, "late 0") || !strings.Contains(end.ErrorMessage, "late 2") {
		t.Fatalf("end %+v", end)
	}
}

// Replies of one session follow each other, those of others do not wait for them, and
// each is asked with what was answered before.
func TestOrderWithinASession(t *testing.T) {
	h := start(t, hubOptions{})
	facts := h.Events(256)
	defer facts.Close()
	one, two := sendText(t, h, pmSession, "one"), sendText(t, h, pmSession, "two")
	q := h.model.next(t)
	if q.request.Messages[0].Text != "one" || len(q.request.Messages) != 1 {
		t.Fatalf("first asked %+v", q.request.Messages)
	}
	other := sendText(t, h, "agent:dev-1:main", "elsewhere")
	elsewhere := h.model.next(t)
	if elsewhere.request.Messages[0].Text != "elsewhere" {
		t.Fatalf("asked %+v", elsewhere.request.Messages)
	}
	elsewhere.finish(t, nil)
	settled(t, facts, other.RunID)
	q.say(t, "first")
	q.finish(t, nil)
	settled(t, facts, one.RunID)
	q = h.model.next(t)
	var said []string
	for _, m := range q.request.Messages {
		said = append(said, m.Text)
	}
	if fmt.Sprint(said) != "[one first two]" {
		t.Fatalf("second asked %v", said)
	}
	q.finish(t, nil)
	settled(t, facts, two.RunID)
}

func TestAbort(t *testing.T) {
	h := start(t, hubOptions{})
	facts := h.Events(256)
	defer facts.Close()
	one, two := sendText(t, h, pmSession, "one"), sendText(t, h, pmSession, "two")
	q := h.model.next(t)
	q.say(t, "half")
	if ids, err := h.ChatAbort(ctx(t), pmSession, "another"); err != nil || len(ids) != 0 {
		t.Fatalf("aborting another run: %v, %v", ids, err)
	}
	if ids, err := h.ChatAbort(ctx(t), pmSession, ""); err != nil || fmt.Sprint(ids) != fmt.Sprint([]string{one.RunID, two.RunID}) {
		t.Fatalf("aborted %v, %v", ids, err)
	}
	for _, run := range []string{one.RunID, two.RunID} {
		if end := settled(t, facts, run); end.State != builtin.ChatAborted {
			t.Fatalf("end %+v", end)
		}
	}
	history, err := h.ChatHistory(ctx(t), pmSession, 0)
	if err != nil || len(history) != 3 || history[2].State != builtin.StateAborted || history[2].Content[0].Text != "half" {
		t.Fatalf("history %+v, %v", history, err)
	}
	if len(h.model.questions) != 0 {
		t.Fatal("a run that was aborted while it waited was asked")
	}
}

func TestReplyTimeout(t *testing.T) {
	h := start(t, hubOptions{timing: builtin.Timing{Reply: 20 * time.Millisecond}})
	facts := h.Events(64)
	defer facts.Close()
	sent := sendText(t, h, pmSession, "hello")
	if end := settled(t, facts, sent.RunID); end.State != builtin.ChatError || !strings.Contains(end.ErrorMessage, "longer than") {
		t.Fatalf("end %+v", end)
	}
}

// What was sent survives the end of the program, in whatever way it ends.
func TestGW5_RestartSurvives(t *testing.T) {
	h := start(t, hubOptions{})
	sendText(t, h, pmSession, "running")
	sendText(t, h, pmSession, "waiting")
	h.model.next(t).say(t, "half")
	h.stop() // an orderly end
	if _, err := h.ChatSend(ctx(t), builtin.ChatMessage{SessionKey: pmSession, Message: "late"}); !errcode.Is(err, errcode.Unavailable) {
		t.Fatalf("a stopped gateway took a message: %v", err)
	}
	killed := builtin.Message{
		ID:         "k",
		SessionKey: "agent:dev-1:main",
		AgentID:    "dev-1",
		Role:       builtin.RoleUser,
		Text:       "killed",
		RunID:      "k",
		At:         time.Now(),
	}
	if _, _, err := h.store.AppendMessage(ctx(t), killed); err != nil { // kill -9 leaves it so
		t.Fatal(err)
	}
	h = start(t, hubOptions{store: h.store})
	history, err := h.ChatHistory(ctx(t), pmSession, 0)
	if err != nil || len(history) != 4 {
		t.Fatalf("history %+v, %v", history, err)
	}
	if text := history[2].Content[0].Text; !strings.HasPrefix(text, "half\n") || !strings.Contains(text, "AgentFlow stopped") {
		t.Fatalf("the one under way ends %q", text)
	}
	history, err = h.ChatHistory(ctx(t), "agent:dev-1:main", 0)
	if err != nil || len(history) != 2 || history[1].State != builtin.StateError || !strings.Contains(history[1].Content[0].Text, "Send the message again") {
		t.Fatalf("history %+v, %v", history, err)
	}
	if owed, _ := h.store.Unanswered(ctx(t)); len(owed) != 0 {
		t.Fatalf("still owed: %+v", owed)
	}
}

// An agent that was taken out while its message waited is missed, not asked.
func TestAgentGone(t *testing.T) {
	h := start(t, hubOptions{})
	facts := h.Events(64)
	defer facts.Close()
	sendText(t, h, "agent:dev-1:main", "one")
	two := sendText(t, h, "agent:dev-1:main", "two")
	q := h.model.next(t)
	if _, err := h.ConfigApply(ctx(t), "agents: {pm-1: {}}\n", builtin.HashText(startConfig), ""); err != nil {
		t.Fatal(err)
	}
	q.finish(t, nil)
	if end := settled(t, facts, two.RunID); end.State != builtin.ChatError || !strings.Contains(end.ErrorMessage, "no longer in the team") {
		t.Fatalf("end %+v", end)
	}
	if history, err := h.ChatHistory(ctx(t), "agent:dev-1:main", 0); err != nil || len(history) < 3 {
		t.Fatalf("its history is gone: %+v, %v", history, err)
	}
}
