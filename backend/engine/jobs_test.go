package engine_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/topology"
)

// cronJob is a job as somebody else added it.
func cronJob(id, agent string) map[string]any {
	return map[string]any{"id": id, "name": "Job " + id, "agentId": agent, "enabled": true,
		"schedule":      map[string]any{"kind": "cron", "expr": "0 7 * * 1-5", "tz": "Asia/Tokyo"},
		"sessionTarget": "isolated", "wakeMode": "now", "delivery": map[string]any{"mode": "none"},
		"payload": map[string]any{"kind": "agentTurn", "message": "Look around"}, "state": map[string]any{}}
}

func jobsOf(p rollout.Preview) map[topology.AgentID][]string {
	out := map[topology.AgentID][]string{}
	for _, d := range p.Deletions {
		out[d.Agent] = d.Jobs
	}
	return out
}

// scheduled is a team of which dev-1 and pm-1 run at a gateway with jobs. Of those of dev-1, one is disabled, and the
// gateway added one itself.
func scheduled(t *testing.T) (*hub, *gatewaytest.Server, string) {
	t.Helper()
	h, peer, id := studio(t)
	h.applyWithout(id, h.preview(id, nil))
	own, off := cronJob("review", "dev-1"), cronJob("off", "dev-1")
	own["declarationKey"], off["enabled"] = "review:dev-1", false
	for _, j := range []map[string]any{cronJob("news", "dev-1"), own, off, cronJob("other", "pm-1")} {
		peer.Cron.Add(j)
	}
	return h, peer, id
}

func without(id topology.AgentID) func(*topology.Topology) {
	return func(t *topology.Topology) {
		t.Agents = slices.DeleteFunc(t.Agents, func(a topology.Agent) bool { return a.ID == id })
		for i := range t.Agents {
			t.Agents[i].Connections = nil
		}
	}
}

// APP-3: a review, and the question before an undo, name the jobs that the gateway deletes with an agent. What was
// added since the review is not deleted unseen.
func TestAPP3_JobsThatGoWithAnAgentAreNamed(t *testing.T) {
	t.Parallel()
	h, peer, id := scheduled(t)
	var back rollout.Preview
	h.must("POST", "/api/gateways/studio/rollback-preview",
		map[string]any{"snapshotId": h.team(id).UndoApply.SnapshotID}, &back)
	if got := jobsOf(back); !slices.Equal(got["dev-1"], []string{"Job news", "Job off"}) ||
		!slices.Equal(got["pm-1"], []string{"Job other"}) {
		t.Errorf("an undo names %v", got)
	}
	h.edit(id, without("dev-1"))
	p := h.preview(id, nil)
	if got := jobsOf(p); len(got) != 1 || !slices.Equal(got["dev-1"], []string{"Job news", "Job off"}) {
		t.Errorf("the review names %v", got)
	}
	peer.Cron.Add(cronJob("late", "dev-1"))
	body := map[string]any{"hash": p.BaseHash, "seen": p.Seen, "deleteAgents": true}
	_, err := h.call("POST", "/api/teams/"+id+"/apply", body, nil)
	if err == nil || err.Reason() != rollout.ReasonNotSeen {
		t.Errorf("an apply that deletes more than was seen: %+v", err)
	}
	if peer.Count("agents.delete") != 0 {
		t.Error("the agent was deleted")
	}
}

// APP-3: where the jobs can't be read, the review says that, and nothing is held up.
func TestAPP3_JobsThatCannotBeReadAreSaidToBeUnread(t *testing.T) {
	t.Parallel()
	h, peer, id := scheduled(t)
	h.edit(id, without("dev-1"))
	peer.SetFaults(gatewaytest.Faults{Refuse: map[string]bool{"cron.list": true}})
	p := h.preview(id, nil)
	if len(p.Deletions) != 1 || !p.Deletions[0].JobsUnread || len(p.Deletions[0].Jobs) != 0 {
		t.Errorf("%+v", p.Deletions)
	}
	if a, err := h.startApply(id, p, true); err != nil || a.State != rollout.Done {
		t.Errorf("%s %+v %v", a.State, a.Error, err)
	}
}

// APP-3: the undo of an apply that deleted an agent adds its jobs again, as they were, without those that the gateway
// adds itself. It names them before and after, and leaves the jobs of agents that stayed alone.
func TestAPP3_AnUndoBringsTheJobsBack(t *testing.T) {
	t.Parallel()
	h, peer, id := scheduled(t)
	h.edit(id, without("dev-1"))
	a, refused := h.startApply(id, h.preview(id, nil), true)
	if refused != nil || a.State != rollout.Done || len(peer.Cron.Jobs()) != 1 {
		t.Fatalf("%+v %v, jobs %v", a, refused, peer.Cron.Jobs())
	}
	preview := func() (p rollout.Preview) {
		h.must("POST", "/api/gateways/studio/rollback-preview", map[string]any{"snapshotId": a.Snapshot}, &p)
		return p
	}
	p := preview()
	want := []string{"Job news", "Job off"}
	if !slices.Equal(p.RestoredJobs, want) || len(p.Deletions) != 0 {
		t.Errorf("an undo would add %v", p.RestoredJobs)
	}
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback",
		map[string]any{"snapshotId": a.Snapshot, "team": id, "keep": true}, &out)
	back := h.finish(out.Apply)
	if last := back.Steps[len(back.Steps)-1]; back.State != rollout.Done || !slices.Equal(back.Jobs, want) ||
		last.Name != "jobs" || last.State != "done" {
		t.Fatalf("%s %+v, jobs %v, steps %+v", back.State, back.Error, back.Jobs, back.Steps)
	}
	jobs := peer.Cron.Jobs()
	if len(jobs) != 3 || jobs[1]["id"] == "news" || jobs[2]["enabled"] != false {
		t.Fatalf("%+v", jobs)
	}
	for _, key := range []string{"name", "agentId", "schedule", "payload", "sessionTarget", "wakeMode", "delivery"} {
		if was := cronJob("news", "dev-1")[key]; !reflect.DeepEqual(jobs[1][key], was) {
			t.Errorf("%s is %v, not %v", key, jobs[1][key], was)
		}
	}
	if again := preview(); again.RestoredJobs != nil {
		t.Errorf("once more, it would add %v", again.RestoredJobs)
	}
}

// APP-3: a job that the gateway doesn't take again is named, and holds up nothing else.
func TestAPP3_AJobThatIsNotTakenAgainIsNamed(t *testing.T) {
	t.Parallel()
	h, peer, id := scheduled(t)
	bad := cronJob("bad", "dev-1")
	bad["schedule"] = map[string]any{"kind": "cron", "expr": "never"}
	peer.Cron.Add(bad)
	h.edit(id, without("dev-1"))
	a, refused := h.startApply(id, h.preview(id, nil), true)
	if refused != nil || a.State != rollout.Done {
		t.Fatalf("%+v %v", a, refused)
	}
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback",
		map[string]any{"snapshotId": a.Snapshot, "team": id, "keep": true}, &out)
	back := h.finish(out.Apply)
	if back.State != rollout.Failed || back.Error.Reason() != openclaw.ReasonJobsLeft ||
		!strings.Contains(back.Error.Message, "weren't added again: Job bad") ||
		!slices.Equal(back.Jobs, []string{"Job news", "Job off"}) || len(peer.Cron.Jobs()) != 3 {
		t.Errorf("%s %+v, added %v", back.State, back.Error, back.Jobs)
	}
	if now := h.team(id); entries(peer)["dev-1"] == nil || now.UndoApply == nil && now.Unsent == 0 {
		t.Errorf("the config isn't back: %v, %d not applied", entries(peer), now.Unsent)
	}
}

// APP-3: a job whose answer is lost is looked for, and isn't added twice.
func TestAPP3_AJobWhoseAnswerIsLostIsAddedOnce(t *testing.T) {
	t.Parallel()
	h, peer, id := scheduled(t)
	h.edit(id, without("dev-1"))
	a, refused := h.startApply(id, h.preview(id, nil), true)
	if refused != nil || a.State != rollout.Done {
		t.Fatalf("%+v %v", a, refused)
	}
	peer.SetFaults(gatewaytest.Faults{CutAfter: map[string]bool{"cron.add": true}})
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback",
		map[string]any{"snapshotId": a.Snapshot, "team": id, "keep": true}, &out)
	back := h.finish(out.Apply)
	if back.State != rollout.Done || len(back.Jobs) != 2 || len(peer.Cron.Jobs()) != 3 || peer.Count("cron.add") != 2 {
		t.Errorf("%s %+v, jobs %v, asked %d times", back.State, back.Error, back.Jobs, peer.Count("cron.add"))
	}
}
