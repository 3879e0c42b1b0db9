package turns_test

import (
	"fmt"
	"slices"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// CH-12: what a person says is answered by all, what an agent says by the others, and an
// agent with nothing to say ends it.
func TestCH12_APersonIsAnsweredAndAgentsTalk(t *testing.T) {
	h := open(t, t.TempDir())
	a, b := h.sit("Ann"), h.sit("Ben")
	asked := h.post("human", "Hello")
	first := a.mine()
	if first.ID != fmt.Sprintf("turn-%d", asked.ID) || first.UpTo != asked.ID || first.Why != turns.ByPerson {
		t.Fatalf("the turn is %+v", first)
	}
	a.end(first, turns.End{Outcome: turns.Answered, Text: "Hi", TokensIn: 10, TokensOut: 1})
	b.skip()            // it was asked by the person …
	b.answer("Hi, too") // … and heard Ann
	if t2 := a.mine(); t2.Why != turns.ByAgent {
		t.Fatalf("the turn is %+v", t2)
	} else {
		a.end(t2, turns.End{Outcome: turns.Skipped})
	}
	h.quiet()
	want(t, h.said(), "human: Hello", "Ann: Hi", "Ben: Hi, too")
	s, err := h.turns.Status("dev")
	if err != nil || s.Tokens != 22 || s.Turns != 2 || s.Agents[0].Turns != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
}

// Who is named with an @ answers, and nobody else.
func TestCH12_Mentions(t *testing.T) {
	h := open(t, t.TempDir())
	agents := map[string]*agent{}
	for _, name := range []string{"Dev", "Dev 2", "設計", "QA"} {
		agents[name] = h.sit(name)
	}
	h.policy(func(p *turns.Policy) { p.ToAgents = turns.ToMentioned })
	for text, names := range map[string][]string{
		"@Dev do it":                   {"Dev"},
		"@dev 2, do it":                {"Dev 2"},
		"＠設計さん、お願いします":                 {"設計"},
		"ask @QA and @Dev.":            {"Dev", "QA"},
		"@all here?":                   {"Dev", "Dev 2", "QA", "設計"},
		"全員へ。@全員":                      {"Dev", "Dev 2", "QA", "設計"},
		"@QAs are not meant, nor x@QA": {"Dev", "Dev 2", "QA", "設計"}, // nobody is named: all answer a person
	} {
		h.post("human", text)
		for _, name := range names {
			agents[name].skip()
		}
		h.quiet()
		for name, a := range agents {
			for len(a.turns) > 0 {
				if turn := <-a.turns; turn != nil {
					t.Errorf("%q: %s had a turn", text, name)
				}
			}
		}
	}
	h.post("human", "@QA say")
	agents["QA"].answer("@設計 what do you think?")
	agents["設計"].answer("nothing")
	h.quiet()
}

// Along the team's communication connections only, in either direction.
func TestCH12_ConnectedAgentsHearEachOther(t *testing.T) {
	h := open(t, t.TempDir())
	pm, dev, qa := h.sit("PM", "Dev"), h.sit("Dev"), h.sit("QA")
	h.policy(func(p *turns.Policy) { p.ToAgents = turns.ToConnected })
	h.post("human", "@PM begin")
	pm.answer("Dev, do it") // PM → Dev
	dev.answer("done")      // and back
	pm.skip()
	h.quiet()
	if len(qa.turns) != 0 {
		t.Error("QA had a turn")
	}
}

// One after the other, each hearing those before.
func TestCH12_RoundRobin(t *testing.T) {
	h := open(t, t.TempDir())
	agents := []*agent{h.sit("A"), h.sit("B"), h.sit("C")}
	h.policy(func(p *turns.Policy) { p.Order, p.ToAgents = turns.RoundRobin, turns.ToNone })
	for range 2 {
		h.post("human", "next?")
		for i, a := range agents {
			s := h.until("at "+a.name, func(s turns.Status) bool { return s.Agents[i].TurnID != "" })
			for j, m := range s.Agents {
				if (m.TurnID != "") != (i == j) {
					t.Fatalf("at %s, %s has the turn %q", a.name, m.Name, m.TurnID)
				}
			}
			a.answer(a.name + " speaks")
		}
	}
	want(t, h.said(), "human: next?", "A: A speaks", "B: B speaks", "C: C speaks", "human: next?", "A: A speaks", "B: B speaks", "C: C speaks")
}

// CH-12: the limit ends two agents that answer each other forever; they go on when a
// person continues the conversation.
func TestCH12_TwoAgentsNeverTalkForEver(t *testing.T) {
	h := open(t, t.TempDir())
	a, b := h.sit("Ann"), h.sit("Ben")
	h.policy(func(p *turns.Policy) { p.MaxAgentTurns = 5 })
	h.post("human", "@Ann begin")
	for i := range 5 {
		[]*agent{a, b}[i%2].answer(fmt.Sprint("and ", i))
	}
	s := h.until("halted", func(s turns.Status) bool { return s.State == turns.Halted })
	if s.Halt != turns.HaltTurns || s.Turns != 5 {
		t.Fatalf("%+v", s)
	}
	h.quiet()
	h.post("human", "@Ben go on")
	b.answer("on it")
	a.skip()
	h.quiet()
	if list := h.said(); !slices.Contains(list, "AgentFlow: The agents took 5 turns in a row. Send a message, or let them continue.") {
		t.Errorf("nobody was told: %q", list)
	}
	h.caused("AgentFlow", errcode.Cause{Code: "limit_turns", Params: map[string]string{turns.KeyCount: "5"}})
}

// The room's tokens are a hard limit, that a new policy raises.
func TestCH11_TokensOfARoomAreLimited(t *testing.T) {
	h := open(t, t.TempDir())
	a := h.sit("Ann")
	h.policy(func(p *turns.Policy) { p.MaxTokens = 11 })
	h.post("human", "one")
	a.answer("1") // 11 tokens
	h.quiet()
	h.post("human", "two")
	h.until("halted", func(s turns.Status) bool { return s.Halt == turns.HaltTokens })
	h.post("human", "three")
	h.until("halted again", func(s turns.Status) bool { return s.Halt == turns.HaltTokens })
	h.policy(func(p *turns.Policy) { p.MaxTokens = 1000 })
	h.post("human", "four")
	a.answer("4")
}

// More turns than a minute may have wait; they are not lost.
func TestCH12_TurnsPerMinute(t *testing.T) {
	h := open(t, t.TempDir())
	a := h.sit("Ann")
	h.policy(func(p *turns.Policy) { p.TurnsPerMinute = 2 })
	for i := range 2 {
		h.post("human", fmt.Sprint(i))
		a.answer("yes")
		h.quiet()
	}
	h.post("human", "and this?")
	h.until("waiting", func(s turns.Status) bool { return s.Agents[0].Queued && s.Agents[0].TurnID == "" })
	h.policy(func(p *turns.Policy) { p.TurnsPerMinute = 3 })
	a.answer("late")
}

// CH-12: a stop takes the turn away at once; an answer that comes later is refused.
func TestCH12_StopPauseResumeAndWrapUp(t *testing.T) {
	h := open(t, t.TempDir())
	a, b := h.sit("Ann"), h.sit("Ben")
	h.policy(func(p *turns.Policy) { p.ToAgents = turns.ToNone })
	h.post("human", "Hello")
	mine, its := a.mine(), b.mine()
	if _, err := h.turns.Stop("dev", "Aiko"); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*agent{a, b} {
		if turn := x.turn(); turn != nil {
			t.Fatalf("%s has the turn %+v after the stop", x.name, turn)
		}
	}
	late := turns.Update{TurnID: mine.ID, End: &turns.End{Outcome: turns.Answered, Text: "too late"}}
	if err := a.chair.Report(t.Context(), late); !errcode.HasReason(err, turns.ReasonTurnOver) {
		t.Fatalf("a late answer: %v", err)
	}
	h.lines(2)
	h.caused("AgentFlow", errcode.Cause{Code: turns.CauseStopped, Params: map[string]string{turns.KeyBy: "Aiko"}})
	if _, err := h.turns.Stop("dev", "Aiko"); err != nil { // nothing is under way, so there is nothing to tell
		t.Fatal(err)
	}
	h.quiet()

	h.post("human", "@Ann again")
	a.mine()
	if s, err := h.turns.Pause(t.Context(), "dev"); err != nil || s.State != turns.Paused {
		t.Fatalf("%+v, %v", s, err)
	}
	if turn := a.turn(); turn != nil {
		t.Fatalf("a turn in the pause: %+v", turn)
	}
	h.post("human", "@Ben you, too")
	if s := h.until("waiting", func(s turns.Status) bool { return s.Agents[0].Queued && s.Agents[1].Queued }); s.Agents[0].TurnID != "" {
		t.Fatalf("%+v", s)
	}
	if _, err := h.turns.Resume(t.Context(), "dev"); err != nil {
		t.Fatal(err)
	}
	a.answer("after the pause")
	b.mine()
	if _, err := h.turns.WrapUp("dev", "Ann", "Aiko"); err != nil {
		t.Fatal(err)
	}
	last := a.mine()
	if !last.WrapUp {
		t.Fatalf("the last word is %+v", last)
	}
	a.end(last, turns.End{Outcome: turns.Answered, Text: "to sum up"})
	if s := h.until("wrapped up", func(s turns.Status) bool { return s.Halt == turns.HaltWrapped }); s.State != turns.Halted {
		t.Fatalf("%+v", s)
	}
	want(t, h.said(), "human: Hello", "AgentFlow: Aiko stopped the agents.", "human: @Ann again", "human: @Ben you, too", "Ann: after the pause",
		"AgentFlow: Aiko stopped the agents to wrap up.", "Ann: to sum up")
	if its.ID == "" {
		t.Error("Ben had no turn")
	}
	_, err := h.rooms.Post(t.Context(), room.Draft{Room: "dev", Sender: "human", Text: "/pause", Type: room.Command})
	if err != nil {
		t.Fatal(err)
	}
	h.until("paused by a command", func(s turns.Status) bool { return s.State == turns.Paused })
}

// CH-5: an answer grows in the room before it is stored; a reader who joins midway sees
// all of it, and the message is there before its turn ends.
func TestCH5_AnAnswerIsSeenToGrow(t *testing.T) {
	h := open(t, t.TempDir())
	a := h.sit("Ann")
	h.post("human", "Hello")
	turn := a.mine()
	tell := func(n turns.Update) {
		t.Helper()
		n.TurnID = turn.ID
		if err := a.chair.Report(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	tell(turns.Update{State: room.Answering, Text: "Hel"})
	var seen []string
	ended := make(chan turns.Live, 1)
	stop := h.turns.Watch("dev", func(l turns.Live) bool {
		switch l.Type {
		case turns.KindPartial:
			seen = append(seen, fmt.Sprintf("%s %s %q %v", l.Agent, l.TurnID, l.Text, l.Whole))
		case turns.KindEnd:
			ended <- l
		}
		return true
	})
	defer stop()
	tell(turns.Update{Text: "lo"})
	if list := h.said(); len(list) != 1 {
		t.Fatalf("a piece was stored: %q", list)
	}
	h.until("answering", func(s turns.Status) bool { return s.Agents[0].State == room.Answering })
	tell(turns.Update{End: &turns.End{Outcome: turns.Answered, Text: "Hello"}})
	end := <-ended
	list, err := h.rooms.List(t.Context(), room.Range{Room: "dev", Limit: 1})
	if err != nil || len(list) != 1 || list[0].ID != end.MessageID || list[0].ClientID != turn.ID || list[0].Text != "Hello" {
		t.Fatalf("%+v ended in %+v, %v", end, list, err)
	}
	want(t, seen, "Ann "+turn.ID+` "Hel" true`, "Ann "+turn.ID+` "lo" false`)
}

// A failure shows in the room, as a system message that nobody answers.
func TestCH6_AFailureIsToldInTheRoom(t *testing.T) {
	h := open(t, t.TempDir())
	a := h.sit("Ann")
	h.sit("Ben")
	h.post("human", "@Ann Hello")
	a.end(a.mine(), turns.End{Outcome: turns.Failed, Text: "the provider failed", Cause: &errcode.Cause{Code: "failed", Params: map[string]string{"status": "500"}}})
	s := h.until("failed", func(s turns.Status) bool { return s.Agents[0].State == room.Failed })
	if s.Agents[0].Error != "the provider failed" {
		t.Errorf("%+v", s.Agents[0])
	}
	h.quiet()
	want(t, h.said(), "human: @Ann Hello", "Ann: Ann could not answer: the provider failed")
	h.caused("Ann", errcode.Cause{Code: turns.CauseUnanswered, Params: map[string]string{turns.KeyAgent: "Ann", turns.KeyWhy: "failed", "status": "500"}})
	h.post("human", "@Ann again")
	a.answer("now")
	h.until("well", func(s turns.Status) bool { return s.Agents[0].State == room.Online && s.Agents[0].Error == "" })
}

// CH-5: a name is in a room once; the same instance may come back by another connection,
// and has its turn still.
func TestCH5_OneInstanceANameAndRoom(t *testing.T) {
	h := open(t, t.TempDir())
	a := h.sit("Ann")
	if _, err := h.trySit("Ann", "another"); !errcode.HasReason(err, turns.ReasonTaken) {
		t.Fatalf("a second Ann: %v", err)
	}
	h.post("human", "Hello")
	turn := a.mine()
	back, err := h.trySit("Ann", "Ann-1")
	if err != nil {
		t.Fatal(err)
	}
	<-a.gone
	if same := back.mine(); same.ID != turn.ID {
		t.Fatalf("the turn is %+v, was %+v", same, turn)
	}
	if err := a.chair.Report(t.Context(), turns.Update{TurnID: turn.ID, Text: "x"}); !errcode.HasReason(err, turns.ReasonTurnOver) {
		t.Errorf("the connection that is lost speaks: %v", err)
	}
	back.end(turn, turns.End{Outcome: turns.Answered, Text: "here"})
	back.chair.Leave()
	h.until("away", func(s turns.Status) bool { return s.Agents[0].State == room.Offline })
	if _, err := h.trySit("Ann", "another"); err != nil {
		t.Errorf("a seat that is free: %v", err)
	}
}

// CH-5: what was said while an agent, or the hub, was away is answered once: not never,
// and not twice.
func TestCH5_ARestartLosesNoTurnAndAnswersNoneTwice(t *testing.T) {
	dir := t.TempDir()
	h := open(t, dir)
	a, b := h.sit("Ann"), h.sit("Ben")
	h.policy(func(p *turns.Policy) { p.ToAgents = turns.ToNone })
	h.post("human", "one")
	a.answer("1")
	turn := b.mine() // and in the middle of it the hub ends
	h.stop()

	h = open(t, dir)
	h.post("human", "two")
	b, err := h.trySit("Ben", "Ben-1")
	if err != nil {
		t.Fatal(err)
	}
	again := b.mine()
	if again.UpTo <= turn.UpTo {
		t.Fatalf("the turn is %+v", again)
	}
	b.end(again, turns.End{Outcome: turns.Answered, Text: "one and two", TokensIn: 20, TokensOut: 2})
	a, err = h.trySit("Ann", "Ann-2")
	if err != nil {
		t.Fatal(err)
	}
	a.answer("2")
	h.quiet()
	want(t, h.said(), "human: one", "Ann: 1", "human: two", "Ben: one and two", "Ann: 2")
	if s, err := h.turns.Status("dev"); err != nil || s.Policy.ToAgents != turns.ToNone || s.Tokens != 44 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A room that is deleted takes its agents' turns along, and a new one of its name has none.
func TestCH1_ADeletedRoomTakesItsFloorAlong(t *testing.T) {
	h := open(t, t.TempDir())
	a := h.sit("Ann")
	h.policy(func(p *turns.Policy) { p.MaxAgentTurns = 3 })
	h.post("human", "Hello")
	a.mine()
	if err := h.rooms.Delete(t.Context(), "dev"); err != nil {
		t.Fatal(err)
	}
	<-a.gone
	if _, err := h.turns.Status("dev"); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("the state of a deleted room: %v", err)
	}
	h.stop()
	h = open(t, h.dir)
	h.post("human", "anew")
	if s, err := h.turns.Status("dev"); err != nil || len(s.Agents) != 0 || s.Policy.MaxAgentTurns == 3 {
		t.Errorf("the new room is %+v, %v", s, err)
	}
}

func TestPolicyIsChecked(t *testing.T) {
	good := turns.DefaultPolicy(false)
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for field, spoil := range map[string]func(p *turns.Policy){
		"order":          func(p *turns.Policy) { p.Order = "x" },
		"toPeople":       func(p *turns.Policy) { p.ToPeople = "connected" },
		"toAgents":       func(p *turns.Policy) { p.ToAgents = "" },
		"maxAgentTurns":  func(p *turns.Policy) { p.MaxAgentTurns = 0 },
		"turnsPerMinute": func(p *turns.Policy) { p.TurnsPerMinute = 1001 },
		"maxTokens":      func(p *turns.Policy) { p.MaxTokens = -1 },
	} {
		p := good
		spoil(&p)
		if e := errcode.From(p.Check()); e.Code != errcode.Validation || e.Details[errcode.KeyField] != field {
			t.Errorf("%s: %v", field, e)
		}
	}
}
