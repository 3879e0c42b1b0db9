package turns_test

import (
	"testing"

	"agentflow/backend/base/errcode"
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

// CH-12: nothing waits for an agent that was taken out of the room. When it's back, it hears the messages from then on.
func TestCH12_AnAgentThatWasTakenOut(t *testing.T) {
	h := open(t, t.TempDir())
	h.post("human", "before anybody was asked to come")
	pm, dev := turns.Seat{Name: "PM", AgentID: "pm"}, turns.Seat{Name: "Dev", AgentID: "dev", Model: "demo/echo"}
	set := func(seats ...turns.Seat) turns.Status {
		t.Helper()
		cast := &turns.Cast{Team: "d-1"}
		for _, s := range seats {
			cast.Agents = append(cast.Agents, s.AgentID)
		}
		s, err := h.turns.SetCast(t.Context(), "dev", cast, seats)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	sit := func() *agent {
		t.Helper()
		a, err := h.take(turns.Seat{Room: "dev", Name: "Dev", AgentID: "dev", Model: "demo/echo", Instance: "hub"})
		if err != nil {
			t.Fatal(err)
		}
		if turn := a.turn(); turn != nil {
			t.Fatalf("it sat down and had the turn %+v", turn)
		}
		return a
	}
	set(pm, dev)
	h.policy(func(p *turns.Policy) { p.ToPeople = turns.ToMentioned })
	a := sit()
	h.post("human", "@Dev begin")
	first := a.mine()
	if s := set(pm); !s.Agents[0].Removed || s.Agents[0].TurnID != "" || s.Agents[1].Removed {
		t.Fatalf("%+v", s.Agents)
	}
	late := turns.Update{TurnID: first.ID, End: &turns.End{Outcome: turns.Answered, Text: "too late"}}
	if err := a.chair.Report(t.Context(), late); !errcode.HasReason(err, turns.ReasonTurnOver) {
		t.Fatalf("a late answer: %v", err)
	}
	if turn := a.turn(); turn != nil {
		t.Fatalf("removed, it has the turn %+v", turn)
	}
	if s := set(pm, dev); s.Agents[0].Removed { // it's put back before it has left its seat
		t.Fatalf("%+v", s.Agents)
	}
	h.post("human", "@Dev again")
	a.answer("yes")
	set(pm)
	a.chair.Leave()
	h.post("human", "@Dev are you there?")
	h.lines(6)
	h.caused("AgentFlow", errcode.Cause{Code: turns.CauseRemoved, Params: map[string]string{turns.KeyAgent: "Dev"}})
	h.post("human", "@all hello") // isn't for it
	s, err := h.turns.Status("dev")
	if err != nil || s.Agents[0].Queued || !s.Agents[0].Removed {
		t.Fatalf("%+v, %v", s.Agents, err)
	}
	h.stop()

	h = open(t, h.dir) // it's known after a restart
	if s, err = h.turns.Status("dev"); err != nil || !s.Agents[0].Removed || s.Agents[0].AgentID != "dev" ||
		s.Agents[0].Model != "demo/echo" || s.Agents[1].Removed {
		t.Fatalf("after a restart %+v, %v", s.Agents, err)
	}
	set(pm)
	h.post("human", "@Dev and now?")
	h.lines(9)
	want(t, h.said()[5:], "AgentFlow: Dev isn't in this room any more.", "human: @all hello",
		"human: @Dev and now?", "AgentFlow: Dev isn't in this room any more.")
	set(pm, dev)
	a = sit()
	h.post("human", "@Dev welcome back")
	a.answer("thanks")
}

// CH-12: an agent that isn't in the team any more is out of the room, too.
func TestCH12_AnAgentThatLeftItsTeam(t *testing.T) {
	h := open(t, t.TempDir())
	cast := &turns.Cast{Team: "d-1", Agents: []string{"pm", "dev"}}
	seats := []turns.Seat{{Name: "PM", AgentID: "pm"}, {Name: "Dev", AgentID: "dev"}}
	h.post("human", "Hello")
	if _, err := h.turns.SetCast(t.Context(), "dev", cast, seats); err != nil {
		t.Fatal(err)
	}
	for _, team := range []string{"d-2", "d-1"} { // the first is another room's
		h.turns.Keep("dev", team, func(id string) bool { return id != "dev" })
		s, err := h.turns.Status("dev")
		if err != nil || s.Agents[0].Removed != (team == "d-1") || s.Agents[1].Removed {
			t.Fatalf("%s: %+v, %v", team, s.Agents, err)
		}
	}
}
