package engine_test

import (
	"slices"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// threeAgents is a new team for a gateway that it was never applied to.
func threeAgents(h *hub, lead string) string {
	h.t.Helper()
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"gateway": "local", "name": "Mine"}, &created)
	id := string(created.ID)
	h.edit(id, func(d *topology.Topology) {
		for _, a := range []topology.AgentID{"chief", "cook", "clerk"} {
			d.Agents = append(d.Agents, topology.Agent{ID: a, Model: "demo/echo"})
		}
		d.Agents[0].Role = lead
		d.Agents[0].Connections = []topology.Connection{{TargetID: "cook", Type: topology.Command},
			{TargetID: "clerk", Type: topology.Command}}
	})
	return id
}

func (h *hub) previewReplacing(id string) rollout.Preview {
	h.t.Helper()
	var p rollout.Preview
	h.must("POST", "/api/teams/"+id+"/preview", map[string]any{"replace": true}, &p)
	return p
}

// startApply starts an apply of what a preview showed, with replace as in the preview.
func (h *hub) startApply(id string, p rollout.Preview, deleteAgents bool) (rollout.Apply, *errcode.Error) {
	h.t.Helper()
	var out struct{ Apply rollout.Apply }
	_, err := h.call("POST", "/api/teams/"+id+"/apply", map[string]any{"hash": p.BaseHash, "seen": p.Seen,
		"replace": p.Merge != nil && p.Merge.Replace, "deleteAgents": deleteAgents}, &out)
	if err != nil {
		return out.Apply, err
	}
	return h.finish(out.Apply), nil
}

func (h *hub) roster() (out []topology.AgentID) {
	h.t.Helper()
	for _, a := range h.held().Agents {
		out = append(out, a.ID)
	}
	slices.Sort(out)
	return out
}

// held is what the built-in gateway runs, as a new team would read it.
func (h *hub) held() topology.Topology {
	h.t.Helper()
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "local"}, &d)
	return d.Topology
}

var (
	mineOnly = []topology.AgentID{"chief", "clerk", "cook"}
	its      = []topology.AgentID{"backend", "lead", "researcher", "reviewer", "writer"}
	both     = []topology.AgentID{"backend", "chief", "clerk", "cook", "lead", "researcher", "reviewer", "writer"}
)

func sorted(list []topology.AgentID) []topology.AgentID { return slices.Sorted(slices.Values(list)) }

// APP-3: a new team can replace what a gateway runs. The review names the agents that go, the apply deletes them only
// with consent, and undoing it brings them back.
func TestAPP3_ANewTeamReplacesTheGatewaysTeam(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	id := threeAgents(h, "")
	p := h.previewReplacing(id)
	var goes []topology.AgentID
	for _, d := range p.Deletions {
		goes = append(goes, d.Agent)
	}
	if m := p.Merge; m == nil || !m.First || !m.Replace || !m.Example || p.Stale ||
		!slices.Equal(sorted(m.Others), its) ||
		len(m.Conflicts) > 0 || len(m.Merged.Agents) != 3 || !slices.Equal(sorted(goes), its) {
		t.Fatalf("the preview deletes %v with %+v", goes, p.Merge)
	}
	for _, c := range p.Changes {
		if c.Impact == openclaw.ImpactLocal {
			t.Errorf("%s isn't sent", c.ID)
		}
		if c.Subject == topology.SubjectAgent && (c.Op == topology.Removed) != slices.Contains(its, c.Agent) {
			t.Errorf("%s is %s", c.Agent, c.Op)
		}
	}
	if a, err := h.startApply(id, p, false); err != nil || a.State != rollout.Failed ||
		!errcode.HasReason(a.Error, openclaw.ReasonDeletesNotAllowed) {
		t.Fatalf("without consent: %s %+v %v", a.State, a.Error, err)
	}
	if now := h.roster(); !slices.Equal(now, its) {
		t.Fatalf("without consent the gateway has %v", now)
	}
	if a, err := h.startApply(id, p, true); err != nil || a.State != rollout.Done {
		t.Fatalf("%s %+v %v", a.State, a.Error, err)
	}
	if now := h.team(id); now.Unsent != 0 || len(now.Topology.Agents) != 3 {
		t.Errorf("%d changes are left in the team %v", now.Unsent, now.Topology.Agents)
	}
	if now := h.roster(); !slices.Equal(now, mineOnly) {
		t.Errorf("the gateway has %v", now)
	}
	for _, agent := range mineOnly {
		if got := h.submit("chat", "Work", map[string]any{"agent": agent}); got.Status != "accepted" {
			t.Errorf("a task for %s is %s: %s", agent, got.Status, got.Message)
		}
	}
	if p := h.previewReplacing(id); p.Merge != nil || p.Sends {
		t.Errorf("after the apply a review would send %+v", p.Changes)
	}
	h.undoApply(id)
	if now := h.roster(); !slices.Equal(now, its) {
		t.Errorf("after the undo the gateway has %v", now)
	}
	if p := h.preview(id, nil); p.Merge == nil || !p.Merge.First || len(p.Deletions) > 0 {
		t.Errorf("after the undo the review deletes %v", p.Deletions)
	}
}

// APP-3: without replace the gateway's agents join a new team as before. The preview says which agents get no tasks
// then.
func TestAPP3_TheGatewaysAgentsJoinANewTeam(t *testing.T) {
	t.Parallel()
	for lead, c := range map[string]struct{ coordinators, unassigned []topology.AgentID }{
		"":            {[]topology.AgentID{"lead"}, mineOnly},
		"Coordinator": {[]topology.AgentID{"chief", "lead"}, nil},
	} {
		h := startHub(t, t.TempDir())
		id := threeAgents(h, lead)
		p := h.preview(id, nil)
		if m := p.Merge; m == nil || m.Replace || !m.First || !p.Stale || len(p.Deletions) > 0 ||
			len(m.FromTheirs) == 0 ||
			!slices.Equal(sorted(m.Others), its) || !slices.Equal(sorted(m.Coordinators), c.coordinators) ||
			!slices.Equal(sorted(m.Unassigned), c.unassigned) {
			t.Fatalf("%q: the preview deletes %v with %+v", lead, p.Deletions, p.Merge)
		}
		if a, err := h.startApply(id, p, false); err != nil || a.State != rollout.Done {
			t.Fatalf("%s %+v %v", a.State, a.Error, err)
		}
		if now := h.roster(); !slices.Equal(now, both) || len(h.team(id).Topology.Agents) != 8 {
			t.Errorf("the gateway has %v", now)
		}
		for _, agent := range mineOnly[1:] {
			got := h.submit("chat", "Work", map[string]any{"agent": agent})
			if (got.Status == "rejected") != slices.Contains(c.unassigned, agent) {
				t.Errorf("%q: a task for %s is %s: %s", lead, agent, got.Status, got.Message)
			}
		}
	}
}

// APP-3: the agents of a gateway without a coordinator get no tasks beside the coordinator of a new team.
func TestAPP3_AReviewSaysWhichAgentsOfTheGatewayGetNoTasks(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam("agents:\n  solo: {name: Solo, model: demo/echo}\n  aide: {name: Aide, model: demo/echo}\n")
	p := h.preview(threeAgents(h, "Coordinator"), nil)
	if m := p.Merge; m == nil || m.Example || !slices.Equal(m.Coordinators, []topology.AgentID{"chief"}) ||
		!slices.Equal(sorted(m.Unassigned), []topology.AgentID{"aide", "solo"}) {
		t.Errorf("%+v", p.Merge)
	}
}

// APP-1: the example team counts as untouched in both languages, until anything in it is changed.
func TestAPP1_OnlyTheUntouchedExampleIsOfferedForReplacement(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		h := startHubWith(t, engine.Options{DataDir: t.TempDir(), Language: lang})
		var all struct{ Teams []struct{ ID string } }
		h.must("GET", "/api/teams", nil, &all)
		example, id := all.Teams[0].ID, threeAgents(h, "")
		if m := h.preview(id, nil).Merge; m == nil || !m.Example {
			t.Fatalf("%s: %+v", lang, m)
		}
		h.edit(example, func(d *topology.Topology) { d.Agents[2].Persona += " Rhyme." })
		h.apply(example, h.preview(example, nil), nil, false)
		if m := h.preview(id, nil).Merge; m == nil || m.Example || len(m.Others) != 5 {
			t.Errorf("%s: the example was changed, and still %+v", lang, m)
		}
	}
}

// APP-3: an apply that replaces is refused if the gateway changed since its review, or if the review was without
// replace.
func TestAPP3_AReplacementOfSomethingElseThanSeenIsRefused(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	id := threeAgents(h, "")
	kept := h.preview(id, nil)
	kept.Merge.Replace = true
	if _, err := h.startApply(id, kept, true); !errcode.HasReason(err, rollout.ReasonNotSeen) {
		t.Errorf("reviewed without replace: %v", err)
	}
	p := h.previewReplacing(id)
	h.applyTeam("agents:\n  solo: {name: Solo, model: demo/echo}\n")
	if _, err := h.startApply(id, p, true); !errcode.HasReason(err, errcode.ReasonStaleBase) {
		t.Errorf("the gateway changed: %v", err)
	}
	if now := h.roster(); !slices.Equal(now, []topology.AgentID{"solo"}) {
		t.Errorf("the gateway has %v", now)
	}
}
