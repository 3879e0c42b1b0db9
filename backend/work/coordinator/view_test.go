package coordinator_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/coordinator/activity"
	"agentflow/backend/work/task"
)

// sees waits until the view shows what is wanted; it looks again after each change.
func sees(t *testing.T, v *activity.View, ok func() bool) {
	t.Helper()
	late := time.After(time.Minute)
	for !ok() {
		select {
		case <-v.Ready():
		case <-late:
			t.Fatal("the view never showed it")
		}
	}
}

func reason(b *bench, t task.Task) coordinator.Waits {
	if w := b.Waits(t); w != nil {
		return *w
	}
	return coordinator.Waits{}
}

func TestCO4_AWaitingTaskSaysWhatItWaitsFor(t *testing.T) {
	b := newBench(t)
	v := b.View()
	defer v.Close()
	first := b.submit(task.Chat, "one", `{"agent":"dev-1"}`)
	second := b.submit(task.Chat, "two", `{"agent":"dev-1"}`)
	shell := b.submit(task.CommandExecution, "ls", "")
	if w := reason(b, first); w.Reason != coordinator.WaitsForTeam {
		t.Errorf("no team: %+v", w)
	}
	b.roster.Apply("1", &topology.Topology{Agents: []topology.Agent{pm(), {ID: "dev-2", Model: "m/1"}}})
	if w := reason(b, first); w.Reason != coordinator.WaitsForAgent || w.Agents[0].Agent != "dev-1" {
		t.Errorf("no agent of that name: %+v", w)
	}
	b.roster.Apply("2", &topology.Topology{Agents: []topology.Agent{pm(), dev("dev-1")}})
	if w := reason(b, first); w.Reason != coordinator.WaitsForConnection || w.From[0] != "pm-1" || w.Agents[0].Agent != "dev-1" {
		t.Errorf("no connection: %+v", w)
	}
	b.roster.Apply("3", &topology.Topology{Agents: []topology.Agent{pm("dev-1"), {ID: "dev-1"}}})
	if w := reason(b, first); w.Reason != coordinator.WaitsForAbility || w.Agents[0].Why == "" {
		t.Errorf("no model: %+v", w)
	}
	began := make(chan llm.Request, 4)
	b.models.mu.Lock()
	b.models.answer = waits(began)
	b.models.mu.Unlock()
	b.roster.Apply("4", &topology.Topology{Agents: []topology.Agent{pm("dev-1"), dev("dev-1")}})
	<-began
	if w := b.Waits(first); w != nil {
		t.Errorf("a running task waits for %+v", w)
	}
	if w := reason(b, second); w.Reason != coordinator.WaitsForFree || w.Agents[0].Task != first.ID {
		t.Errorf("busy: %+v", w)
	}
	if w := reason(b, shell); w.Reason != coordinator.WaitsForAbility || w.Agents[0].Why != "dev-1 has no tool for command_execution" {
		t.Errorf("no tools: %+v", w)
	}
	if err := b.Cancel(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if w := b.Waits(b.ended(first.ID)); w != nil {
		t.Errorf("an ended task waits for %+v", w)
	}
}

// TestCO4_OnlyTasksForTheSameAgentAreAhead: the tasks of another agent don't delay it.
func TestCO4_OnlyTasksForTheSameAgentAreAhead(t *testing.T) {
	b := newBench(t, pm("dev-1", "dev-2"), dev("dev-1"), dev("dev-2"))
	began := make(chan llm.Request, 4)
	b.models.answer = waits(began)
	for _, agent := range []string{"dev-1", "dev-2"} {
		b.submit(task.Chat, "runs", `{"agent":"`+agent+`"}`)
		<-began
	}
	for i, c := range []struct {
		options string
		ahead   int
	}{
		{`{"agent":"dev-1"}`, 0},
		{`{"agent":"dev-2"}`, 0},
		{`{"agent":"dev-1"}`, 1},
		{``, 3}, // anybody could take each of the three
		{`{"agent":"dev-2"}`, 2},
	} {
		sent := b.submit(task.Chat, "waits", c.options)
		if w := reason(b, sent); w.Reason != coordinator.WaitsForFree || w.Ahead != c.ahead {
			t.Errorf("%d %s: %+v, want %d ahead", i, c.options, w, c.ahead)
		}
	}
}

func TestCO4_ATaskToBeTriedAgainSaysWhen(t *testing.T) {
	b := newBench(t)
	b.stop()
	b.opts.Backoff = time.Hour
	b.start()
	b.models.answer = func(context.Context, llm.Request, func(string) error) (string, error) {
		return "", errors.New("the line is dead")
	}
	v := b.View()
	defer v.Close()
	b.roster.Apply("1", &topology.Topology{Agents: []topology.Agent{pm("dev-1"), dev("dev-1")}})
	sent := b.submit(task.Chat, "one", "")
	sees(t, v, func() bool { return reason(b, sent).Reason == coordinator.WaitsForRetry })
	if w := reason(b, sent); time.Until(w.Until) < time.Minute {
		t.Errorf("%+v", w)
	}
	sees(t, v, func() bool {
		w := b.Work()
		return len(w.Agents) == 1 && w.Agents[0].State == activity.AgentFailed && w.Agents[0].Why != ""
	})
}

func TestAPP4_WhoWorksAtWhatIsTold(t *testing.T) {
	b := newBench(t, pm("dev-1", "dev-2"), dev("dev-1"), dev("dev-2"))
	began := make(chan llm.Request, 4)
	b.models.answer = waits(began)
	v := b.View()
	defer v.Close()
	first := b.submit(task.Chat, "  \n Write it down\nand more", `{"agent":"dev-1"}`)
	<-began
	second := b.submit(task.Chat, "next", `{"agent":"dev-1"}`)
	sees(t, v, func() bool { w := b.Work(); return w.Running == 1 && w.Waiting == 1 && len(w.Agents) == 1 })
	if w := b.Work().Agents[0]; w.Agent != "dev-1" || w.State != activity.AgentRuns || w.Task != first.ID || w.From != "pm-1" || w.Title != "Write it down" || w.Since.IsZero() {
		t.Errorf("%+v", w)
	}
	changed, many := v.Take()
	at := slices.IndexFunc(changed, func(s task.Summary) bool { return s.ID == first.ID })
	if many || at < 0 || changed[at].Status != task.InProgress || changed[at].Agent != "dev-1" || changed[at].Attempts != 1 {
		t.Errorf("%v %+v", many, changed)
	}
	if changed, _ := v.Take(); len(changed) > 0 {
		t.Errorf("reported twice: %+v", changed)
	}
	for _, id := range []task.ID{second.ID, first.ID} {
		if err := b.Cancel(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	sees(t, v, func() bool {
		w := b.Work()
		return w.Running == 0 && w.Waiting == 0 && w.Agents[0].State == activity.AgentCanceled &&
			w.Agents[0].Why == coordinator.ErrCancelled.Error()
	})
	b.models.mu.Lock()
	b.models.answer = says("done")
	b.models.mu.Unlock()
	b.ended(b.submit(task.Chat, "again", `{"agent":"dev-1"}`).ID)
	sees(t, v, func() bool { return b.Work().Agents[0].State == activity.AgentDone })
}

func TestAViewThatLagsIsToldToReadAnew(t *testing.T) {
	b := newBench(t)
	v := b.View()
	defer v.Close()
	for i := range 201 {
		b.submit(task.Chat, fmt.Sprint(i), "")
	}
	if changed, many := v.Take(); !many || len(changed) > 0 {
		t.Errorf("%v, %d tasks", many, len(changed))
	}
	b.submit(task.Chat, "one more", "")
	if changed, many := v.Take(); many || len(changed) != 1 {
		t.Errorf("%v, %d tasks", many, len(changed))
	}
}

func TestTasksAreFoundByAgentAndWords(t *testing.T) {
	b := newBench(t)
	for i := range 1100 {
		b.submit(task.Chat, fmt.Sprintf("number %d", i), "")
	}
	wanted := b.submit(task.Chat, "Größe der 請求書 prüfen", `{"agent":"dev-7"}`)
	for range 10 {
		b.submit(task.Chat, "later", `{"agent":"dev-8"}`)
	}
	for _, q := range []coordinator.Query{
		{Agent: "dev-7"}, {Search: "PRÜFEN größe"}, {Search: "請求書"}, {Search: string(wanted.ID)}, {Search: "請求書", Agent: "dev-7", Status: task.Pending},
	} {
		got, err := b.Summaries(t.Context(), q)
		if err != nil || len(got) != 1 || got[0].ID != wanted.ID || got[0].Agent != "dev-7" {
			t.Errorf("%+v: %d tasks, %v", q, len(got), err)
		}
	}
	for _, q := range []coordinator.Query{{Agent: "dev"}, {Search: "請求書 later"}, {Search: "請求書", Status: task.Failed}} {
		if got, err := b.Summaries(t.Context(), q); err != nil || len(got) > 0 {
			t.Errorf("%+v: %d tasks, %v", q, len(got), err)
		}
	}
	var all []task.Summary
	for before := task.ID(""); ; {
		page, err := b.Summaries(t.Context(), coordinator.Query{Search: "number", Limit: 300, Before: before})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page...)
		if len(page) < 300 {
			break
		}
		before = page[len(page)-1].ID
	}
	if len(all) != 1100 || all[0].Title != "number 1099" || all[1099].Title != "number 0" {
		t.Errorf("%d found by pages", len(all))
	}
	if c, err := b.Count(t.Context()); err != nil || c.ByStatus[task.Pending] != 1111 ||
		c.ByStatus[task.Completed]+c.ByStatus[task.InProgress]+c.ByStatus[task.Failed]+c.Queued+c.Held != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestAPP4_CandidatesSayWhoMayAndWhatIsMissing(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"), dev("dev-2"), topology.Agent{ID: "dev-3"})
	got := b.Candidates(t.Context())
	if len(got) != 4 || got[0].ID != "pm-1" || !got[0].May || !got[1].May ||
		got[1].Why != "dev-1 has no tool for command_execution" {
		t.Fatalf("%+v", got)
	}
	var can []task.Type // what needs no tools
	for _, info := range task.Types {
		if info.ToolKind == "" {
			can = append(can, info.Type)
		}
	}
	if !slices.Equal(got[1].Can, can) || got[2].May || !slices.Equal(got[2].Missing, []topology.AgentID{"pm-1"}) {
		t.Errorf("%+v", got)
	}
	if len(got[3].Can) > 0 || got[3].Why == "" {
		t.Errorf("%+v", got[3])
	}

	other := pm("dev-1")
	other.ID = "pm-2"
	for _, c := range newBench(t, pm("dev-1"), other, dev("dev-1")).Candidates(t.Context()) {
		if len(c.Missing) > 0 {
			t.Errorf("%s is a coordinator or may be given tasks, and misses connections from %v", c.ID, c.Missing)
		}
	}
}

// After a restart, agents are shown with their last work and its time.
func TestAPP4_WhatAgentsDidIsKnownAfterARestart(t *testing.T) {
	b := newBench(t, pm("dev-1", "dev-2"), dev("dev-1"), dev("dev-2"))
	did := b.ended(b.submit(task.Chat, "Write it down", `{"agent":"dev-1"}`).ID)
	b.models.mu.Lock()
	b.models.answer = func(context.Context, llm.Request, func(string) error) (string, error) {
		return "", errcode.New(errcode.Validation, "the model is not there")
	}
	b.models.mu.Unlock()
	failed := b.ended(b.submit(task.Chat, "And that", `{"agent":"dev-2"}`).ID)
	b.stop()
	b.start()
	v := b.View()
	defer v.Close()
	sees(t, v, func() bool { return len(b.Work().Agents) == 2 })
	w := b.Work().Agents
	if w[0].State != activity.AgentDone || w[0].Task != did.ID || w[0].Title != "Write it down" || !w[0].Before || !w[0].Since.Equal(did.Attempts[0].EndedAt) {
		t.Errorf("%+v", w[0])
	}
	if w[1].State != activity.AgentFailed || w[1].Task != failed.ID || w[1].Why != "the model is not there" || !w[1].Before || !w[1].Since.Equal(failed.Attempts[0].EndedAt) {
		t.Errorf("%+v", w[1])
	}
	b.models.mu.Lock()
	b.models.answer = says("done")
	b.models.mu.Unlock()
	again := b.submit(task.Chat, "Once more", `{"agent":"dev-2"}`)
	b.ended(again.ID)
	sees(t, v, func() bool {
		w := b.Work().Agents[1]
		return w.State == activity.AgentDone && w.Task == again.ID && !w.Before
	})
}
