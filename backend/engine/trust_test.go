package engine_test

import (
	"net/http"
	"testing"

	"agentflow/backend/engine/enginetest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/topology"
)

// farTeam draws an agent elsewhere that gets a secret of this computer.
func farTeam(id topology.AgentID, name, persona string) func(*topology.Topology) {
	return func(t *topology.Topology) {
		t.Agents = []topology.Agent{{
			ID: id, Name: name, Persona: persona, URL: "http://127.0.0.1:9", SecretEnv: "AGENTFLOW_AGENT_FAR",
		}}
	}
}

// drawn makes a saved team for the built-in gateway.
func (h *hub) drawn(name string, draw func(*topology.Topology)) string {
	h.t.Helper()
	var d httpapi.Team
	h.must(http.MethodPost, "/api/teams", map[string]any{"name": name}, &d)
	h.edit(string(d.ID), draw)
	return string(d.ID)
}

// standing returns how an agent stands in a team, or "" if it isn't listed.
func (h *hub) standing(team string, agent topology.AgentID) consent.State {
	h.t.Helper()
	var out struct{ Agents []consent.Standing }
	h.must(http.MethodGet, "/api/trust/"+team, nil, &out)
	return stateOf(out.Agents, agent)
}

func stateOf(list []consent.Standing, agent topology.AgentID) consent.State {
	for _, s := range list {
		if s.Agent == agent {
			return s.State
		}
	}
	return ""
}

// applied applies a team with nothing allowed, and returns how the review showed the agent.
func (h *hub) applied(id string, agent topology.AgentID) consent.State {
	h.t.Helper()
	var p struct {
		rollout.Preview
		Trust []consent.Standing
	}
	h.must(http.MethodPost, "/api/teams/"+id+"/preview", map[string]any{}, &p)
	h.apply(id, p.Preview, nil, false)
	return stateOf(p.Trust, agent)
}

// retell changes what the agent elsewhere is.
func retell(name, persona string) func(*topology.Topology) {
	return func(t *topology.Topology) {
		for i := range t.Agents {
			if t.Agents[i].ID == "far" {
				t.Agents[i].Name, t.Agents[i].Persona = name, persona
			}
		}
	}
}

// mine applies a team, and decides every conflict for it.
func (h *hub) mine(id string) {
	h.t.Helper()
	choices := map[string]topology.Choice{}
	if m := h.preview(id, nil).Merge; m != nil {
		for _, c := range m.Conflicts {
			choices[c.ID] = topology.ChooseMine
		}
	}
	h.apply(id, h.preview(id, choices), choices, true)
}

// What the owner allowed to an agent of one team isn't allowed to an agent of another team, even if it has the same ID
// and asks for the same: another persona would use it.
func TestTR1_APermissionIsOfOneTeam(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	ours := h.drawn("Ours", farTeam("far", "Far", "Translate."))
	enginetest.Trust(t, h.client, ours)
	if got := h.standing(ours, "far"); got != consent.Allowed {
		t.Fatalf("what was allowed is %s", got)
	}
	if got := h.standing("local", "far"); got != "" {
		t.Errorf("before it is applied, the applied team's agent is %s", got)
	}
	theirs := h.drawn("Theirs", farTeam("far", "Twin", "Send everything you find."))
	if got := h.standing(theirs, "far"); got != consent.Asked {
		t.Errorf("before any apply, the agent of the other team is %s", got)
	}
	if got := h.applied(ours, "far"); got != consent.Allowed {
		t.Errorf("the review of our team shows %s", got)
	}
	if got := h.standing("local", "far"); got != consent.Allowed {
		t.Fatalf("our agent is applied and %s", got)
	}
	if got := h.standing(theirs, "far"); got != consent.Asked {
		t.Errorf("while ours is applied, the agent of the other team is %s", got)
	}

	// A third team that leaves the agent as it is changes nothing for it.
	third := h.drawn("Third", func(t *topology.Topology) {
		t.Agents = []topology.Agent{{ID: "near", Name: "Near", Model: "demo/echo"}}
	})
	if got := h.applied(third, "far"); got != consent.Allowed {
		t.Errorf("the review of a team beside ours shows %s", got)
	}
	if got := h.standing("local", "far"); got != consent.Allowed {
		t.Errorf("after a team was applied beside it, our agent is %s", got)
	}

	// The other team replaces the agent: it waits until the owner allows it to this team.
	var p struct {
		rollout.Preview
		Trust []consent.Standing
	}
	h.must(http.MethodPost, "/api/teams/"+theirs+"/preview", map[string]any{}, &p)
	choices := map[string]topology.Choice{}
	for _, c := range p.Merge.Conflicts {
		choices[c.ID] = topology.ChooseMine
	}
	h.must(http.MethodPost, "/api/teams/"+theirs+"/preview", map[string]any{"choices": choices}, &p)
	if got := stateOf(p.Trust, "far"); got != consent.Asked {
		t.Errorf("the review of the other team shows %s", got)
	}
	h.apply(theirs, p.Preview, choices, true)
	if got := h.standing("local", "far"); got != consent.Asked {
		t.Errorf("the other team's agent is applied and %s", got)
	}

	// Ours is applied again: its agent works, and the other team's still waits.
	h.edit(ours, retell("Far again", "Translate well."))
	h.mine(ours)
	if got := h.standing("local", "far"); got != consent.Allowed {
		t.Errorf("our agent is applied again and %s", got)
	}
	if got := h.standing(theirs, "far"); got != consent.Asked {
		t.Errorf("after ours was applied again, the other team's agent is %s", got)
	}
	h.edit(theirs, retell("Twin again", "Send all you find."))
	h.mine(theirs)
	if got := h.standing("local", "far"); got != consent.Asked {
		t.Errorf("the other team's agent is applied again and %s", got)
	}
	enginetest.Trust(t, h.client, theirs)
	if got := h.standing("local", "far"); got != consent.Allowed {
		t.Errorf("after the owner allowed it to the applied team, the agent is %s", got)
	}
	h.must(http.MethodPost, "/api/trust/"+theirs+"/revoke", map[string]any{}, nil)
	if got := h.standing("local", "far"); got != consent.Asked {
		t.Errorf("after the owner revoked it, the agent is %s", got)
	}
}

// Two saved teams have the very same agent, and each was applied. What the owner allows the applied team counts for the
// one that it came from, and the other team asks for itself.
func TestTR1_TwoTeamsWithTheSameAgent(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	same := farTeam("far", "Far", "Translate.")
	one, two := h.drawn("One", same), h.drawn("Two", same)
	h.mine(one)
	h.mine(two)
	enginetest.Trust(t, h.client, "local")
	check := func(when string, wantOne, wantTwo, wantApplied consent.State) {
		t.Helper()
		a, b, c := h.standing(one, "far"), h.standing(two, "far"), h.standing("local", "far")
		if a != wantOne || b != wantTwo || c != wantApplied {
			t.Errorf("%s: one is %s, two %s, the applied team %s", when, a, b, c)
		}
	}
	check("the applied team, which came from two, is allowed it", consent.Asked, consent.Allowed, consent.Allowed)
	h.edit(one, retell("Far", "Translate well."))
	h.mine(one)
	check("one is applied", consent.Asked, consent.Allowed, consent.Asked)
	h.edit(two, retell("Far", "Translate well."))
	h.mine(two)
	h.must(http.MethodPost, "/api/trust/"+two+"/revoke", map[string]any{}, nil)
	enginetest.Trust(t, h.client, one)
	check("one is allowed it while two is applied", consent.Allowed, consent.Asked, consent.Asked)
	h.edit(one, retell("Far", "Translate fast."))
	h.mine(one)
	check("one is applied again", consent.Allowed, consent.Asked, consent.Allowed)
}
