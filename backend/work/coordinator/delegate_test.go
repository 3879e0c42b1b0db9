package coordinator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

func leads(id topology.AgentID, to ...topology.AgentID) topology.Agent {
	a := dev(id)
	a.Connections = commands(to...)
	return a
}

// holding makes agents run until their attempts are canceled; each attempt reports its start on began.
func holding(b *bench) (began chan llm.Request) {
	began = make(chan llm.Request, 16)
	b.models.answer = waits(began)
	return began
}

func (b *bench) delegate(by topology.AgentID, parent task.ID, to, prompt string) (accepted task.ID, refused string) {
	b.t.Helper()
	got, err := b.Delegate(b.t.Context(), by, parent, worker.DelegationRequest{Agent: to, Prompt: prompt})
	if err != nil {
		b.t.Fatal(err)
	}
	if got.Rejected != "" {
		return "", got.Reason + ": " + got.Rejected
	}
	return got.Task.ID, ""
}

func TestCO3_WhatIsGivenOnIsBounded(t *testing.T) {
	b := newBench(t, pm("a"), leads("a", "b", "c"), leads("b", "a"), dev("c"), dev("d"))
	began := holding(b)
	id := b.submit(task.Chat, "p", "").ID
	<-began
	if _, err := b.Delegate(t.Context(), "b", id, worker.DelegationRequest{Agent: "a", Prompt: "x"}); !errcode.Is(err, errcode.Forbidden) {
		t.Errorf("an agent that doesn't run the task: %v", err)
	}
	if _, no := b.delegate("a", id, "d", "x"); !strings.HasPrefix(no, "no_connection: ") || !strings.Contains(no, "a → d") {
		t.Errorf("%q", no)
	}
	if _, no := b.delegate("a", id, "a", "x"); !strings.HasPrefix(no, "loop: ") {
		t.Errorf("%q", no)
	}
	for range task.MaxAlike {
		if _, no := b.delegate("a", id, "c", "the same"); no != "" {
			t.Fatal(no)
		}
	}
	if _, no := b.delegate("a", id, "c", "the same"); !strings.HasPrefix(no, "repetition: ") {
		t.Errorf("%q", no)
	}
	for i := task.MaxAlike; i < task.MaxGiven; i++ {
		if _, no := b.delegate("a", id, "c", fmt.Sprint(i)); no != "" {
			t.Fatal(no)
		}
	}
	if _, no := b.delegate("a", id, "c", "one more"); !strings.HasPrefix(no, "many: ") {
		t.Errorf("%q", no)
	}
	if err := b.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	list, err := b.Tasks(t.Context(), queryAll)
	if err != nil || len(list) != 1+task.MaxGiven {
		t.Fatalf("%d tasks, %v", len(list), err)
	}
	for _, sub := range list { // with the task that they are parts of
		if got := b.ended(sub.ID); got.Status != task.Canceled {
			t.Errorf("%+v", got)
		}
	}
}

// A chain that never returns to an agent ends at its maximum length, and the error shows all of it.
func TestCO3_AChainIsNoLongerThanItMay(t *testing.T) {
	agents := []topology.Agent{pm("a1")}
	name := func(i int) topology.AgentID { return topology.AgentID(fmt.Sprintf("a%d", i)) }
	for i := 1; i <= task.MaxChain+1; i++ {
		agents = append(agents, leads(name(i), name(i+1)))
	}
	b := newBench(t, agents...)
	began := holding(b)
	id, chain := b.submit(task.Chat, "p", "").ID, "a1"
	for i := 1; i < task.MaxChain; i++ {
		<-began
		next, no := b.delegate(name(i), id, string(name(i+1)), "go on")
		if no != "" {
			t.Fatalf("after %s: %s", chain, no)
		}
		id, chain = next, chain+" → "+string(name(i+1))
	}
	<-began
	if _, no := b.delegate(name(task.MaxChain), id, string(name(task.MaxChain+1)), "go on"); !strings.HasPrefix(no, "depth: ") || !strings.Contains(no, chain+" → "+string(name(task.MaxChain+1))) {
		t.Errorf("%q", no)
	}
}

// A task has a maximum number of descendants, however they are spread over agents.
func TestCO3_ATaskGrowsNoLargerThanItMay(t *testing.T) {
	b := newBench(t, pm("a"), leads("a", "b"), leads("b", "c"), dev("c"))
	began := make(chan llm.Request, task.MaxTree)
	b.models.answer = waits(began)
	root, made := b.submit(task.Chat, "p", "").ID, 0
	<-began
	var parts []task.ID
	for i := range task.MaxGiven {
		id, no := b.delegate("a", root, "b", fmt.Sprint("part ", i))
		if no != "" {
			t.Fatal(no)
		}
		parts, made = append(parts, id), made+1
	}
	for _, part := range parts {
		for r := range began { // c is running too
			if strings.HasPrefix(r.Messages[0].Text, "part ") {
				break
			}
		}
		for i := range task.MaxGiven {
			_, no := b.delegate("b", part, "c", fmt.Sprint("piece ", i))
			if no == "" {
				made++
				continue
			}
			if made != task.MaxTree || !strings.HasPrefix(no, "many: ") || !strings.Contains(no, fmt.Sprint(task.MaxTree)) {
				t.Errorf("after %d tasks: %q", made, no)
			}
			return
		}
		if err := b.Cancel(t.Context(), part); err != nil {
			t.Fatal(err)
		}
	}
	t.Errorf("%d descendants of one task", made)
}

// Of two chains that would wait for each other, the second is rejected and the first continues.
func TestCO3_ChainsThatWouldWaitForEachOtherAreRefused(t *testing.T) {
	b := newBench(t, pm("a", "b"), leads("a", "b"), leads("b", "a"))
	began := holding(b)
	one, two := b.submit(task.Chat, "one", `{"agent":"a"}`).ID, b.submit(task.Chat, "two", `{"agent":"b"}`).ID
	<-began
	<-began
	if _, no := b.delegate("a", one, "b", "x"); no != "" {
		t.Fatal(no)
	}
	if _, no := b.delegate("b", two, "a", "y"); !strings.HasPrefix(no, "deadlock: ") || !strings.Contains(no, "b → a") {
		t.Errorf("%q", no)
	}
}

func TestCO3_AnAgentOfTheHubGivesOnWithItsTool(t *testing.T) {
	b := newBench(t, pm("a"), leads("a", "b"), dev("b"))
	b.models.calls = func(r llm.Request) []llm.Call {
		if r.System != "I am a" || len(r.Messages) > 1 {
			return nil
		}
		if len(r.Tools) != 1 || r.Tools[0].Name != worker.Delegate || !strings.Contains(string(r.Tools[0].Schema), `"b"`) {
			t.Errorf("%+v", r.Tools)
		}
		return []llm.Call{{ID: "1", Name: worker.Delegate, Arguments: `{"agent":"b","task":"count"}`}}
	}
	b.models.answer = func(_ context.Context, r llm.Request, _ func(string) error) (string, error) {
		return r.System + " says " + r.Messages[len(r.Messages)-1].Text, nil
	}
	got := b.ended(b.submit(task.Chat, "p", "").ID)
	if got.Status != task.Completed || !strings.Contains(string(got.Result), "I am a says I am b says count") || len(got.Given) != 1 {
		t.Errorf("%+v %s", got, got.Result)
	}
	sub := b.ended(got.Given[0])
	if sub.Trace == nil || sub.Trace.Parent != got.ID || sub.Trace.Chain[0] != "a" || sub.Attempts[0].Agent != "b" {
		t.Errorf("%+v", sub)
	}
}
