package coordinator_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// An agent that waits for a part of its work hears when the part's agent leaves the team, or its connection goes.
func TestCO3_APartThatNobodyCanTakeEndsAndTheWorkContinues(t *testing.T) {
	cases := map[string]struct {
		team  []topology.Agent
		cause string
		says  string
	}{
		"the agent has left": {[]topology.Agent{pm("a"), leads("a")}, task.CauseUnknown, "there is no agent b"},
		"the connection is gone": {
			[]topology.Agent{pm("a"), leads("a"), dev("b")}, task.ReasonNoConnection, "no Delegate connection to b",
		},
		"the whole team is new": {[]topology.Agent{pm("x"), dev("x")}, task.CauseUnknown, "there is no agent b"},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, pm("a", "b"), leads("a", "b"), dev("b"))
			busy := make(chan llm.Request, 1)
			b.models.calls = func(r llm.Request) []llm.Call {
				if r.System != "I am a" || len(r.Messages) > 1 {
					return nil
				}
				return []llm.Call{{ID: "1", Name: worker.Delegate, Arguments: `{"agent":"b","task":"count"}`}}
			}
			b.models.answer = func(ctx context.Context, r llm.Request, delta func(string) error) (string, error) {
				if r.System == "I am b" {
					return waits(busy)(ctx, r, delta)
				}
				return "I heard: " + r.Messages[len(r.Messages)-1].Text, nil
			}
			before := b.submit(task.Chat, "keeps b busy", `{"agent":"b"}`).ID
			<-busy
			id := b.submit(task.Chat, "p", `{"agent":"a"}`).ID
			part := b.partOf(id)
			b.roster.Apply("2", &topology.Topology{Agents: k.team})
			if got := b.ended(part); got.Status != task.Failed || got.Cause == nil || got.Cause.Code != k.cause {
				t.Errorf("%+v %+v", got, got.Cause)
			}
			got := b.ended(id)
			if got.Status != task.Completed || !strings.Contains(string(got.Result), k.says) {
				t.Errorf("%+v %s", got, got.Result)
			}
			if running, err := b.Task(t.Context(), before); err != nil || running.Status != task.InProgress {
				t.Errorf("what b had begun: %+v %v", running, err)
			}
		})
	}
}

// A task that a person gave to an agent waits for the agent to come back, and a part waits while its agent is busy.
func TestCO3_WhatCanStillBeDoneGoesOnWaiting(t *testing.T) {
	b := newBench(t, pm("a", "b"), leads("a", "b"), dev("b"), dev("c"))
	began := holding(b)
	id := b.submit(task.Chat, "one", `{"agent":"a"}`).ID
	b.submit(task.Chat, "two", `{"agent":"b"}`)
	<-began
	<-began
	part, no := b.delegate("a", id, "b", "x")
	if no != "" {
		t.Fatal(no)
	}
	later := b.submit(task.Chat, "three", `{"agent":"b"}`).ID
	next := []topology.Agent{pm("a", "b", "d"), leads("a", "b"), dev("b"), dev("d")}
	b.roster.Apply("2", &topology.Topology{Agents: next})
	b.submit(task.Chat, "four", `{"agent":"d"}`)
	<-began // the new team works
	for _, id := range []task.ID{part, later} {
		if got, err := b.Task(t.Context(), id); err != nil || got.Status != task.Pending {
			t.Errorf("%+v %v", got, err)
		}
	}
}

// partOf waits until an agent has delegated a part of its task.
func (b *bench) partOf(id task.ID) task.ID {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	var part task.ID
	err := b.Watch(ctx, id, 0, func([]task.Event) error {
		t, err := b.Task(ctx, id)
		if err == nil && len(t.Given) > 0 {
			part = t.Given[0]
			cancel()
		}
		return err
	})
	if part == "" {
		b.t.Fatalf("no part: %v", err)
	}
	return part
}
