package builtin_test

import (
	"testing"
	"time"

	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/client"
)

// GW-9: text from a model is sent while the model thinks about what comes next, not only after that.
func TestGW9_WhatWasSaidIsToldWithoutWaitingForMore(t *testing.T) {
	h := start(t, hubOptions{timing: builtin.Timing{Delta: 100 * time.Millisecond}})
	c := h.client(t)
	chats := c.Chats()
	defer chats.Close()
	if _, err := c.ChatSend(ctx(t), client.ChatMessage{SessionKey: pmSession, Message: "計画は?"}); err != nil {
		t.Fatal(err)
	}
	q := h.model.next(t)
	q.say(t, "まず", "設計") // the second at once after the first, and then nothing
	for told := ""; told != "まず設計"; {
		e, err := chats.Next(ctx(t))
		if err != nil {
			t.Fatalf("told were %q: %v", told, err)
		}
		told = e.Text
	}
	q.finish(t, nil)
	for {
		e, err := chats.Next(ctx(t))
		if err != nil {
			t.Fatal(err)
		}
		if e.State == "final" {
			return
		}
		t.Errorf("told twice: %+v", e)
	}
}

// GW-9: who begins to read in the middle of a reply is shown at once what has come so far,
// from the local gateway and through our client on a socket; of a reply that is over nothing.
func TestGW9_WhoComesLateSeesWhatThereIs(t *testing.T) {
	h := start(t, hubOptions{})
	c := h.client(t)
	early := c.Chats()
	defer early.Close()
	sent, err := c.ChatSend(ctx(t), client.ChatMessage{SessionKey: pmSession, Message: "計画は?"})
	if err != nil {
		t.Fatal(err)
	}
	q := h.model.next(t)
	q.say(t, "まず")
	next := func(r client.ChatReader) client.ChatEvent {
		t.Helper()
		for {
			e, err := r.Next(ctx(t))
			if err != nil {
				t.Fatal(err)
			}
			if e.State != client.ChatResync {
				return e
			}
		}
	}
	if e := next(early); e.Text != "まず" {
		t.Fatalf("the first piece is %+v", e)
	}
	late, here := c.Chats(), h.EventsLate(1)
	defer late.Close()
	defer here.Close()
	if e := next(late); e.RunID != sent.RunID || e.State != client.ChatDelta || e.Text != "まず" {
		t.Errorf("who comes late sees %+v", e)
	}
	if e, is := client.ParseChatEvent(client.Event{Name: "chat", Payload: (<-here.C()).Payload}); !is || e.Text != "まず" {
		t.Errorf("who comes late to the local gateway sees %+v", e)
	}
	q.say(t, "設計")
	q.finish(t, nil)
	for e := next(late); e.State != "final"; e = next(late) {
		if e.State != client.ChatDelta || e.Text != "まず設計" {
			t.Errorf("then comes %+v", e)
		}
	}
	after := c.Chats()
	defer after.Close()
	second, err := c.ChatSend(ctx(t), client.ChatMessage{SessionKey: pmSession, Message: "次は?"})
	if err != nil {
		t.Fatal(err)
	}
	q = h.model.next(t)
	q.say(t, "はい")
	q.finish(t, nil)
	if e := next(after); e.RunID != second.RunID {
		t.Errorf("after its end it is still told: %+v", e)
	}
}
