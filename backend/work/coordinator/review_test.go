package coordinator_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator/activity"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

func reviews(id topology.AgentID, of ...topology.AgentID) topology.Agent {
	a := dev(id)
	for _, to := range of {
		a.Connections = append(a.Connections, topology.Connection{TargetID: to, Type: topology.Review})
	}
	return a
}

// answers maps each agent to a function from the prompt to its answer.
func (m *models) answers(by map[string]func(question string) string) {
	m.answer = func(_ context.Context, r llm.Request, _ func(string) error) (string, error) {
		return by[strings.TrimPrefix(r.System, "I am ")](r.Messages[0].Text), nil
	}
}

const yes, no = `{"accepted": true}`, "```json\n{\"accepted\": false, \"remarks\": \"it lacks an end\"}\n```"

func always(text string) func(string) string { return func(string) string { return text } }

func agentsOf(t task.Task) string {
	var out []string
	for _, a := range t.Attempts {
		name := a.Agent
		if a.Review {
			name += "?"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestCO3_AResultCountsOnceItsReviewersHaveAcceptedIt(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"), reviews("rev-1", "dev-1"), reviews("rev-2", "dev-1"),
		reviews("rev-3", "rev-1"))
	b.models.answers(map[string]func(string) string{
		"dev-1": func(q string) string {
			if strings.Contains(q, "rev-1 did not accept it and says:\nit lacks an end") && strings.Contains(q, "a beginning") {
				return "a beginning and an end"
			}
			return "a beginning"
		},
		"rev-1": func(q string) string {
			if strings.Contains(q, "Write a story") && strings.Contains(q, "a beginning and an end") {
				return yes
			}
			return no
		},
		"rev-2": always(yes),
	})
	id := b.submit(task.Chat, "Write a story", "").ID
	got := b.ended(id)
	if got.Status != task.Completed || !strings.Contains(string(got.Result), "a beginning and an end") || agentsOf(got) != "dev-1 rev-1? dev-1 rev-1? rev-2?" {
		t.Errorf("%s %s: %s", got.Status, agentsOf(got), got.Result)
	}
	if r := got.Review; r == nil || len(r.Refusals) != 1 || r.Refusals[0].Remarks != "it lacks an end" || strings.Join(r.Accepted, " ") != "rev-1 rev-2" {
		t.Errorf("%+v", got.Review)
	}
	for _, a := range got.Attempts {
		if a.EndedAt.IsZero() || a.Error != "" {
			t.Errorf("%+v", a)
		}
	}
	log, causes := "", ""
	for _, e := range b.watch(id, 0) {
		log += e.Text + "\n"
		if c := e.Cause; c != nil {
			of := c.Params
			causes += c.Code + " " + of[task.KeyAgent] + " " + of[task.KeyFrom] + " " + of[task.KeySaid] + "\n"
		}
	}
	want := "rejected_work rev-1 dev-1 it lacks an end\naccepted_work rev-1 dev-1 \naccepted_work rev-2 dev-1 \n"
	if causes != want {
		t.Errorf("the causes: %q, want %q", causes, want)
	}
	if !strings.Contains(log, "rev-1 did not accept the work of dev-1: it lacks an end") || !strings.Contains(log, "rev-2 accepted the work of dev-1") {
		t.Errorf("the log: %s", log)
	}
}

func TestCO3_WorkThatIsRefusedTooOftenFails(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"), reviews("rev-1", "dev-1"))
	b.models.answers(map[string]func(string) string{"dev-1": always("x"), "rev-1": always(no)})
	got := b.ended(b.submit(task.Chat, "p", "").ID)
	if got.Status != task.Failed || got.ErrorMessage != "the work was refused 3 times. rev-1 says: it lacks an end" || len(got.Attempts) != 2*task.MaxRefusals {
		t.Errorf("%+v", got)
	}
	b.models.mu.Lock()
	b.models.answers(map[string]func(string) string{"dev-1": always("x"), "rev-1": always("nice weather")})
	b.models.mu.Unlock()
	got = b.ended(b.submit(task.Chat, "p", "").ID)
	if got.Status != task.Completed || agentsOf(got) != "dev-1 rev-1? rev-1? rev-1?" || !strings.Contains(got.Attempts[3].Error, "did not say whether") {
		t.Errorf("%s %+v", agentsOf(got), got)
	}
}

// The hub stops during a review: the result is saved, and the next hub has it reviewed. A reviewer that has left the
// team isn't awaited.
func TestCO3_AReviewGoesOnAfterARestart(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"), reviews("rev-1", "dev-1"))
	began := make(chan llm.Request, 4)
	b.models.answer = func(ctx context.Context, r llm.Request, _ func(string) error) (string, error) {
		if r.System == "I am rev-1" {
			began <- r
			<-ctx.Done()
			return "", context.Cause(ctx)
		}
		return "the work", nil
	}
	one := b.submit(task.Chat, "one", "").ID
	<-began
	b.stop()
	b.start()
	<-began
	b.stop()
	b.roster.Apply("2", &topology.Topology{Agents: []topology.Agent{pm("dev-1"), dev("dev-1")}})
	b.start()
	got := b.ended(one)
	if got.Status != task.Completed || !strings.Contains(string(got.Result), "the work") || agentsOf(got) != "dev-1 rev-1? rev-1?" {
		t.Errorf("%s %s %+v", got.Status, agentsOf(got), got)
	}
}

func TestAG2_AReviewerElsewhereIsAskedLikeEverybody(t *testing.T) {
	a, r := startAgent(t), startAgent(t)
	rev := elsewhere("rev-1", r.URL, "REV_SECRET")
	rev.Connections = reviews("", "dev-1").Connections
	b := newBench(t, pm("dev-1"), elsewhere("dev-1", a.URL, "DEV_SECRET"), rev)
	id := b.submit(task.FileOperation, "write it", `{"path":"x"}`).ID
	<-a.came
	done := worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{"file":"x"}`)}
	if ok, err := b.report("dev-1", id, done); err != nil || !ok {
		t.Fatal(ok, err)
	}
	<-r.came
	r.mu.Lock()
	job := r.given[0]
	r.mu.Unlock()
	if job["taskType"] != "chat" || !strings.Contains(job["prompt"].(string), `{"file":"x"}`) || job["context"].(map[string]any)["path"] != nil {
		t.Errorf("asked %v", job)
	}
	if ok, err := b.report("dev-1", id, done); err != nil || !ok { // the same report again
		t.Errorf("%v %v", ok, err)
	}
	if ok, err := b.report("rev-1", id, worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{"text":"{\"accepted\":true}"}`)}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got := b.ended(id); got.Status != task.Completed || string(got.Result) != `{"file":"x"}` {
		t.Errorf("%+v", got)
	}
}

// Good work doesn't fail because its reviewer gives no verdict: it counts, and the task shows that the review is
// missing.
func TestReview_AReviewerWithoutAVerdictFailsNoGoodWork(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"), reviews("rev-1", "dev-1"), reviews("rev-2", "dev-1"))
	b.models.answers(map[string]func(string) string{
		"dev-1": always("good work"),
		"rev-1": always("What a nice haiku!"),
		"rev-2": always(yes),
	})
	sent := b.submit(task.Chat, "write", "")
	events := b.watch(sent.ID, 0)
	got := b.ended(sent.ID)
	var result struct{ Text string }
	if err := json.Unmarshal(got.Result, &result); err != nil || got.Status != task.Completed || result.Text != "good work" {
		t.Fatalf("%s %s: %s", got.Status, got.ErrorMessage, got.Result)
	}
	if r := got.Review; len(r.Silent) != 1 || r.Silent[0] != "rev-1" || len(r.Accepted) != 1 || r.Accepted[0] != "rev-2" {
		t.Errorf("%+v", r)
	}
	said := false
	for _, e := range events {
		said = said ||
			e.Cause != nil && e.Cause.Code == task.ReasonNoVerdict && e.Cause.Params["agent"] == "rev-1" &&
				strings.Contains(e.Text, "without its review")
	}
	if !said {
		t.Errorf("no event says that the review is missing: %+v", events)
	}
	for _, e := range events {
		if e.Cause != nil && e.Cause.Code == task.ReasonNoVerdict && e.Cause.Params["agent"] != "rev-1" {
			t.Errorf("an attempt without a verdict doesn't name its reviewer: %+v", e)
		}
	}
}

// The task of a reviewer without a verdict is complete, but the reviewer has failed.
func TestReview_AReviewerWithoutAVerdictIsShownAsFailed(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"), reviews("rev-1", "dev-1"))
	b.models.answers(map[string]func(string) string{
		"dev-1": always("good work"),
		"rev-1": always("What a nice haiku!"),
	})
	v := b.View()
	defer v.Close()
	if got := b.ended(b.submit(task.Chat, "write", "").ID); got.Status != task.Completed {
		t.Fatalf("%+v", got)
	}
	states := map[topology.AgentID]activity.AgentState{}
	sees(t, v, func() bool {
		for _, a := range b.Work().Agents {
			states[a.Agent] = a.State
		}
		return states["rev-1"] != activity.AgentRuns && states["dev-1"] != activity.AgentRuns
	})
	if states["rev-1"] != activity.AgentFailed || states["dev-1"] != activity.AgentDone {
		t.Errorf("%v", states)
	}
}

// The demo model can review: a first team with a reviewer works without any model.
func TestReview_TheDemoModelGivesAVerdict(t *testing.T) {
	asked := task.Task{Prompt: "write", Review: &task.Review{By: "dev-1", Result: json.RawMessage(`{"text":"work"}`)}}
	demo, err := llm.NewRegistry(llm.Options{}).
		Stream(t.Context(), llm.Request{Model: "demo/echo", Messages: []llm.Message{{Role: llm.RoleUser, Text: asked.Asks()}}}, func(string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	result, err := json.Marshal(map[string]string{"text": demo.Text})
	if err != nil {
		t.Fatal(err)
	}
	if accepted, _, err := task.ReadVerdict(result); err != nil || !accepted {
		t.Errorf("%q: %v, %v", demo.Text, accepted, err)
	}
}
