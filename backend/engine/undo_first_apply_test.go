package engine_test

import (
	"slices"
	"testing"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// APP-5: a new team is applied to a gateway that has another team. Undoing that gives back
// the new team as it was: its own changes, and nothing of the other team deleted.
func TestAPP5_UndoOfAFirstApplyDeletesNothingOfTheGateway(t *testing.T) {
	t.Parallel()
	for name, some := range map[string]bool{"all changes": false, "some changes": true} {
		t.Run(name, func(t *testing.T) { undoFirst(t, some) })
	}
}

func undoFirst(t *testing.T, some bool) {
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"gateway": "local", "name": "New"}, &created)
	id := string(created.ID)
	h.edit(id, func(d *topology.Topology) {
		for _, a := range []topology.AgentID{"first", "second", "third"} {
			d.Agents = append(d.Agents, topology.Agent{ID: a, Model: "demo/echo"})
		}
		d.Agents[0].Connections = []topology.Connection{{TargetID: "second", Type: topology.Command},
			{TargetID: "third", Type: topology.Command}}
		d.Agents[1].Connections = []topology.Connection{{TargetID: "third", Type: topology.Communication}}
	})
	var leaveOut []string
	if some {
		leaveOut = []string{"agent:third"}
	}
	before, reviewed := h.team(id), h.preview(id, nil)
	// The second round starts from the team that the first undo left.
	for round := range 2 {
		a := h.applyWithout(id, h.previewWithout(id, leaveOut...), leaveOut...)
		if (a.Left > 0) != some {
			t.Fatalf("%d changes were left out", a.Left)
		}
		h.undoApply(id)

		now := h.team(id)
		if now.Head != before.Head || now.Base != nil || !slices.Equal(ids(now.Changes), ids(before.Changes)) {
			t.Errorf("round %d: after the undo head %s, base %v, changes %v; before the apply head %s, changes %v",
				round, now.Head, now.Base, ids(now.Changes), before.Head, ids(before.Changes))
		}
		p := h.preview(id, nil)
		if len(p.Deletions) > 0 || p.After != reviewed.After || p.Sent != reviewed.Sent {
			t.Fatalf("round %d: the review deletes %v and sends %d changes, before the apply %d", round, p.Deletions,
				p.Sent, reviewed.Sent)
		}
	}
	var redone httpapi.TeamState
	h.must("POST", "/api/teams/"+id+"/redo", nil, &redone)
	p := h.preview(id, nil)
	if len(p.Deletions) > 0 {
		t.Fatalf("after the redo the review deletes %v", p.Deletions)
	}
	h.apply(id, p, nil, false)
	if now := h.team(id); now.Unsent != 0 {
		t.Errorf("redone and applied, %d changes are not applied", now.Unsent)
	}
}

// fresh is a new team on a gateway that already has a team.
func fresh(t *testing.T) (*hub, string) {
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"gateway": "local", "name": "New"}, &created)
	id := string(created.ID)
	h.adds(id, "first")
	return h, id
}

func (h *hub) adds(id string, agent topology.AgentID) {
	h.t.Helper()
	h.edit(id,
		func(d *topology.Topology) { d.Agents = append(d.Agents, topology.Agent{ID: agent, Model: "demo/echo"}) })
}

func (h *hub) undo(id string) {
	h.t.Helper()
	var now httpapi.TeamState
	h.must("POST", "/api/teams/"+id+"/undo", nil, &now)
}

func (h *hub) deletesNothing(id, when string) {
	h.t.Helper()
	if p := h.preview(id, nil); len(p.Deletions) > 0 {
		h.t.Fatalf("%s the review deletes %v", when, p.Deletions)
	}
}

// APP-5: an apply that is undone in the team alone, by /undo, leaves the gateway's team in the
// review, and so does undoing it on the gateway after that. A redo is as if nothing had been undone.
func TestAPP5_PlainUndoOfAFirstApplyDeletesNothingOfTheGateway(t *testing.T) {
	t.Parallel()
	h, id := fresh(t)
	h.apply(id, h.preview(id, nil), nil, false)
	done := h.team(id)
	h.undo(id)
	h.deletesNothing(id, "after the undo")
	var redone httpapi.TeamState
	h.must("POST", "/api/teams/"+id+"/redo", nil, &redone)
	if now := h.team(id); now.Unsent != 0 || now.Base == nil || now.Base.Hash != done.Base.Hash || now.UndoApply == nil {
		t.Errorf("after the redo %d changes are not applied, base %v, apply to undo %v", now.Unsent, now.Base, now.UndoApply)
	}
	h.undo(id)
	h.rollBackTo(id, done.UndoApply)
	h.deletesNothing(id, "after the undo on the gateway, too,")
	if now := h.team(id); now.Base != nil {
		t.Errorf("the base is %+v", now.Base)
	}
}

// APP-5: two applies are undone one after the other; what was drawn between them is undone between.
func TestAPP5_UndoOfTwoAppliesDeletesNothingOfTheGateway(t *testing.T) {
	t.Parallel()
	h, id := fresh(t)
	before := h.team(id)
	h.apply(id, h.preview(id, nil), nil, false)
	h.adds(id, "second")
	h.apply(id, h.preview(id, nil), nil, false)
	h.undoApply(id)
	h.deletesNothing(id, "after one undo")
	h.undo(id)
	h.undoApply(id)
	h.deletesNothing(id, "after both")
	now := h.team(id)
	if now.Head != before.Head || now.Base != nil || !slices.Equal(ids(now.Changes), ids(before.Changes)) {
		t.Errorf("head %s, base %v, changes %v; before %s, %v", now.Head, now.Base, ids(now.Changes), before.Head,
			ids(before.Changes))
	}
}

// undoApply takes the last apply back on the gateway and in the team.
func (h *hub) undoApply(id string) {
	h.t.Helper()
	step := h.team(id).UndoApply
	if step == nil {
		h.t.Fatal("there is no apply to undo")
	}
	h.rollBackTo(id, step)
}

func (h *hub) rollBackTo(id string, step *httpapi.AppliedStep) {
	h.t.Helper()
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/"+step.Gateway+"/rollback",
		map[string]any{"snapshotId": step.SnapshotID, "team": id, "keep": true, "deleteAgents": true}, &out)
	if a := h.finish(out.Apply); a.State != rollout.Done {
		h.t.Fatalf("the undo is %s: %+v", a.State, a.Error)
	}
}

func ids(changes topology.ChangeSet) (out []string) {
	for _, c := range changes {
		out = append(out, c.ID)
	}
	return out
}
