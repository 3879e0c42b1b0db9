package turns_test

import (
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/turns"
)

// wrapsUp has Aiko wrap the room up, which gives the agent the last word.
func wrapsUp(t *testing.T, h *house, a *agent) {
	t.Helper()
	if _, err := h.turns.WrapUp("dev", "", "Aiko"); err != nil {
		t.Fatal(err)
	}
	last := a.mine()
	if !last.WrapUp {
		t.Fatalf("the turn of %s is %+v", a.name, last)
	}
	a.end(last, turns.End{Outcome: turns.Answered, Text: "to sum up"})
	h.until("wrapped up", func(s turns.Status) bool { return s.Halt == turns.HaltWrapped })
}

// CH-12: the agent that spoke last sums up, not the one that is at its first answer.
func TestCH12_WhoSpokeLastWrapsUp(t *testing.T) {
	h := open(t, t.TempDir())
	ben, cleo := h.sit("Ben"), h.sit("Cleo")
	h.policy(func(p *turns.Policy) { p.ToAgents = turns.ToNone })
	for _, a := range []*agent{cleo, ben} {
		h.post("human", "@"+a.name+" hello")
		a.answer("I am " + a.name)
	}
	h.stop()
	h = open(t, h.dir) // who has spoken is known after a restart
	ann := h.sit("Ann")
	ben = h.sit("Ben")
	h.sit("Cleo")
	h.post("human", "@Ann take your time")
	ann.mine()
	wrapsUp(t, h, ben)
	h.caused("AgentFlow", errcode.Cause{Code: turns.CauseWrapUp, Params: map[string]string{turns.KeyBy: "Aiko"}})
}

// Where nobody has said anything, the agent that is at its answer has the last word.
func TestCH12_WrapUpBeforeTheFirstAnswer(t *testing.T) {
	h := open(t, t.TempDir())
	h.sit("Ann")
	ben := h.sit("Ben")
	h.policy(func(p *turns.Policy) { p.ToAgents = turns.ToNone })
	h.post("human", "@Ben take your time")
	ben.mine()
	if _, err := h.turns.WrapUp("dev", "", "Aiko"); err != nil {
		t.Fatal(err)
	}
	if last := ben.mine(); !last.WrapUp {
		t.Fatalf("Ben's turn is %+v", last)
	}
}

// A discussion that its turn limit ended is wrapped up without another round.
func TestCH12_WrapUpAfterTheTurnLimit(t *testing.T) {
	h := open(t, t.TempDir())
	ann, ben := h.sit("Ann"), h.sit("Ben")
	h.policy(func(p *turns.Policy) { p.MaxAgentTurns, p.ToAgents = 1, turns.ToNone })
	h.post("human", "@Ann @Ben hello")
	ann.answer("I am Ann")
	h.until("halted", func(s turns.Status) bool { return s.Halt == turns.HaltTurns })
	wrapsUp(t, h, ann)
	h.quiet()
	if len(ben.turns) != 0 {
		t.Error("Ben had a turn")
	}
}
