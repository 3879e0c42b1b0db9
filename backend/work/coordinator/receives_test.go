package coordinator_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// lead is a Coordinator that can work itself.
func lead(to ...topology.AgentID) topology.Agent {
	a := leads("lead", to...)
	a.Role = topology.CoordinatorRole
	return a
}

// A task for the team goes to its Coordinator, which splits it along its connections and puts the parts together.
func TestCO3_TheCoordinatorReceivesTheTeamsTasks(t *testing.T) {
	b := newBench(t, dev("a"), lead("b", "c"), dev("b"), dev("c"))
	b.models.calls = func(r llm.Request) []llm.Call {
		if r.System != "I am lead" || len(r.Messages) > 1 {
			return nil
		}
		return []llm.Call{
			{ID: "1", Name: worker.Delegate, Arguments: `{"agent":"b","task":"front"}`},
			{ID: "2", Name: worker.Delegate, Arguments: `{"agent":"c","task":"back"}`},
		}
	}
	b.models.answer = func(_ context.Context, r llm.Request, _ func(string) error) (string, error) {
		var heard []string
		for _, m := range r.Messages {
			if m.Role != llm.RoleAssistant {
				heard = append(heard, m.Text)
			}
		}
		return r.System + ": " + strings.Join(heard, ", "), nil
	}
	got := b.ended(b.submit(task.Chat, "shop", "").ID)
	if got.Status != task.Completed || got.Attempts[0].Agent != "lead" || len(got.Given) != 2 ||
		!strings.Contains(string(got.Result), "I am lead: shop, I am b: front, I am c: back") {
		t.Fatalf("%+v %s", got, got.Result)
	}
	for i, agent := range []string{"b", "c"} {
		if part := b.ended(got.Given[i]); part.Attempts[0].Agent != agent || part.Trace.Chain[0] != "lead" {
			t.Errorf("%+v", part)
		}
	}
}

// Nobody takes a task for the team past a Coordinator that has no time for it.
func TestCO3_TheTeamsTasksWaitForABusyCoordinator(t *testing.T) {
	b := newBench(t, lead("a"), dev("a"))
	began := holding(b)
	b.submit(task.Chat, "one", "")
	<-began
	for range 3 { // it runs several at a time
		b.submit(task.Chat, "more", "")
		<-began
	}
	second := b.submit(task.Chat, "two", "")
	w := b.waits(second.ID)
	if w == nil || w.Reason != coordinator.WaitsForFree || w.Agents[0].Agent != "lead" || w.Agents[0].Task == "" {
		t.Fatalf("%+v", w)
	}
	asked := b.submit(task.Chat, "three", `{"agent":"a"}`) // as the person chose
	if r := <-began; r.System != "I am a" {
		t.Errorf("%s has the task %s", r.System, asked.ID)
	}
	third := b.submit(task.Chat, "four", `{"agent":"lead"}`)
	if w := b.waits(third.ID); w == nil || w.Reason != coordinator.WaitsForFree || w.Ahead != 1 {
		t.Errorf("%+v", w)
	}
}

// A Coordinator whose model no provider has: the task waits and says which model is missing. Nobody else does its work
// unasked.
func TestCO3_TheTeamsTasksWaitForTheCoordinatorsModel(t *testing.T) {
	boss := lead("a")
	boss.Model = "gone/m"
	b := newBench(t, boss, dev("a"))
	s := b.submit(task.Chat, "shop", "")
	w := b.waits(s.ID)
	if w == nil || w.Reason != coordinator.WaitsForAbility || len(w.Agents) != 1 || w.Agents[0].Agent != "lead" ||
		!strings.Contains(w.Agents[0].Why, "no provider") {
		t.Fatalf("%+v", w)
	}
}

// What a Coordinator has no tools for, it can only pass on.
func TestCO3_ACoordinatorWithoutToolsPassesCommandsOn(t *testing.T) {
	able := dev("able")
	able.Workspace, able.Tools = t.TempDir(), &topology.Tools{Allow: []string{"shell"}}
	stranger := able
	stranger.ID = "stranger"
	b := newBench(t, lead("able"), stranger, able, dev("c"))
	got := b.ended(b.submit(task.CommandExecution, "echo done", "").ID)
	var agents []string
	for _, a := range got.Attempts {
		agents = append(agents, a.Agent)
	}
	if !slices.Equal(agents, []string{"able"}) {
		t.Errorf("it went to %q", agents)
	}
}

// waits returns why a task waits.
func (b *bench) waits(id task.ID) *coordinator.Waits {
	b.t.Helper()
	t, err := b.Task(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.Waits(t)
}
