package turns_test

import (
	"testing"

	"agentflow/backend/talk/turns"
)

// CH-12: messages sent before the agents of a team have taken their seats wait for them,
// also for those who only listen along a connection; messages from before they were to
// take part don't.
func TestCH12_WhatIsSaidBeforeTheAgentsSitIsAnswered(t *testing.T) {
	h := open(t, t.TempDir())
	h.post("human", "before anybody was asked to come")
	cast := &turns.Cast{Team: "d-1", Agents: []string{"pm", "dev"}}
	seats := []turns.Seat{{Name: "PM", AgentID: "pm", Peers: []string{"Dev"}},
		{Name: "Dev", AgentID: "dev", Peers: []string{"PM"}}}
	s, err := h.turns.SetCast(t.Context(), "dev", cast, seats)
	if err != nil || len(s.Agents) != 2 || s.Agents[1].AgentID != "pm" {
		t.Fatalf("%+v, %v", s, err)
	}
	asked := h.post("human", "@PM begin")
	pm, err := h.trySit("PM", "hub", "Dev")
	if err != nil {
		t.Fatal(err)
	}
	turn := pm.mine()
	if turn.UpTo != asked.ID || turn.Why != turns.ByMention {
		t.Fatalf("the turn is %+v", turn)
	}
	pm.end(turn, turns.End{Outcome: turns.Answered, Text: "Dev, do it"})
	dev, err := h.trySit("Dev", "hub", "PM")
	if err != nil {
		t.Fatal(err)
	}
	first := dev.mine()
	dev.end(first, turns.End{Outcome: turns.Answered, Text: "done"})
	pm.end(pm.after(turn), turns.End{Outcome: turns.Skipped})
	h.quiet()
	want(t, h.said(), "human: before anybody was asked to come", "human: @PM begin", "PM: Dev, do it", "Dev: done")

	if _, err := h.turns.SetCast(t.Context(), "dev", cast, seats); err != nil { // those who sit stay as they are
		t.Fatal(err)
	}
	h.post("human", "@Dev again")
	dev.end(dev.after(first), turns.End{Outcome: turns.Answered, Text: "again"})
}

// after is the turn that follows t: an agent that sits down may hear twice of the same one.
func (a *agent) after(t turns.Turn) turns.Turn {
	a.h.t.Helper()
	for {
		if next := a.mine(); next.ID != t.ID {
			return next
		}
	}
}
