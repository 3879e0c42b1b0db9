package turns_test

import (
	"testing"

	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// CH-12: what is written of a stopped answer stays as the agent's message. It is marked, counted, there before the
// turn is over, and nobody replies to it. An answer without a word leaves nothing.
func TestCH12_AStoppedAnswerKeepsWhatIsWritten(t *testing.T) {
	h := open(t, t.TempDir())
	a, b := h.sit("Ann", "Ben"), h.sit("Ben", "Ann")
	h.policy(func(p *turns.Policy) { p.ToAgents = turns.ToAll })
	h.post("human", "Hello")
	mine := a.mine()
	b.mine()
	ends := make(chan turns.Live, 10)
	unwatch := h.turns.Watch("dev", func(l turns.Live) bool {
		if l.Type == turns.KindEnd {
			ends <- l
		}
		return true
	})
	defer unwatch()
	for x, text := range map[*agent]string{a: "Half of @Ben ", b: " \n"} {
		n := turns.Update{TurnID: mine.ID, State: room.Answering, Text: text}
		if err := x.chair.Report(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.turns.Stop("dev", "Aiko"); err != nil {
		t.Fatal(err)
	}
	h.lines(3)
	h.quiet()
	want(t, h.said(), "human: Hello", "Ann: Half of @Ben", "AgentFlow: Aiko stopped the agents.")
	list, err := h.rooms.List(t.Context(), room.Range{Room: "dev", Limit: room.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	kept := list[1]
	if !kept.Stopped() || kept.Cause.Params[turns.KeyBy] != "Aiko" || kept.ClientID != mine.ID || list[2].Stopped() {
		t.Errorf("the room holds %+v", list)
	}
	for range 2 {
		end := <-ends
		message := map[string]int64{"Ann": kept.ID}[end.Agent]
		if end.Outcome != turns.Stopped || end.MessageID != message {
			t.Errorf("a turn ended with %+v", end)
		}
	}
	s := h.until("counted", func(s turns.Status) bool { return s.Agents[0].Turns == 1 })
	if s.Agents[1].Turns != 0 {
		t.Errorf("Ben's empty answer counts: %+v", s.Agents[1])
	}
	h.stop()

	// After a restart it is no trigger either, and the same turn isn't given again.
	h = open(t, h.dir)
	for _, name := range []string{"Ann", "Ben"} {
		h.sit(name)
	}
	h.quiet()
	want(t, h.said(), "human: Hello", "Ann: Half of @Ben", "AgentFlow: Aiko stopped the agents.")
}

// The notice of a limit comes after the last turn that the limit permits, also while others wait for theirs.
func TestCH12_TheNoticeOfALimitComesLast(t *testing.T) {
	h := open(t, t.TempDir())
	a, b, c := h.sit("Ann"), h.sit("Ben"), h.sit("Cid")
	h.policy(func(p *turns.Policy) { p.MaxAgentTurns, p.ToAgents = 2, turns.ToNone })
	h.post("human", "Hello")
	first := map[*agent]turns.Turn{a: a.mine(), b: b.mine()}
	h.until("Cid waits", func(s turns.Status) bool { return s.Agents[2].Queued })
	for _, x := range []*agent{a, b} {
		x.end(first[x], turns.End{Outcome: turns.Answered, Text: "Hi"})
	}
	if s := h.until("halted", func(s turns.Status) bool { return s.State == turns.Halted }); s.Halt != turns.HaltTurns {
		t.Fatalf("%+v", s)
	}
	h.lines(4)
	want(t, h.said(), "human: Hello", "Ann: Hi", "Ben: Hi",
		"AgentFlow: The agents took 2 turns in a row. Send a message, or let them continue.")
	h.quiet()
	if len(c.turns) != 0 {
		t.Error("Cid had a turn")
	}
}
