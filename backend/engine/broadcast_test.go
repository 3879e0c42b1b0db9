package engine_test

import (
	"encoding/json"
	"slices"
	"testing"

	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/routes"
	"agentflow/backend/team/topology"
)

// OC-3: broadcast groups go the whole way on a gateway that is simulated.
func TestOC3_BroadcastGroupsOfAGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Config: map[string]any{
		"agents": map[string]any{"ownership": "explicit",
			"entries": map[string]any{"main": map[string]any{"name": "Main"}, "ops": map[string]any{"name": "Ops"}}},
		"channels":  map[string]any{"telegram": map[string]any{}},
		"broadcast": map[string]any{"telegram:-7": map[string]any{"agents": []any{"ops"}, "maxRounds": 2}},
	}})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	id := h.groupsThereAndBack()
	var answer routes.Answer
	from := map[string]any{"channel": "telegram", "peer": map[string]any{"kind": "group", "id": "-7"}}
	h.must("POST", "/api/teams/"+id+"/routes/answer", from, &answer)
	if !slices.Equal(answer.Broadcast, []topology.AgentID{"ops"}) {
		t.Errorf("%+v", answer)
	}
	h.edit(id, func(t *topology.Topology) { t.Broadcast = nil })
	answer = routes.Answer{}
	h.must("POST", "/api/teams/"+id+"/routes/answer", from, &answer)
	if len(answer.Broadcast) > 0 {
		t.Errorf("the draft has no groups, and %+v answer", answer)
	}
}

// TestOC3_BroadcastGroupsOfRealGateways does the same on real OpenClaw gateways, which check each group's agents.
func TestOC3_BroadcastGroupsOfRealGateways(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			h.groupsThereAndBack()
		})
	}
}

// The built-in gateway has no channels, and groups that are drawn for it stay in the team.
func TestOC3_TheBuiltInGatewayHasNoBroadcastGroups(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"name": "Here", "gateway": "local"}, &created)
	state := h.edit(string(created.ID), func(t *topology.Topology) {
		t.Agents = []topology.Agent{{ID: "a", Name: "A", Model: "demo/echo"}}
		t.Broadcast = topology.Extra{{Key: "telegram:-7", Value: json.RawMessage(`["a"]`)}}
	})
	if !slices.Contains(state.Staying, 1) {
		t.Errorf("staying %v of %+v", state.Staying, state.Changes)
	}
}

// groupsThereAndBack: import, draw a group, review, apply, read back, delete one of its agents, roll back.
func (h *hub) groupsThereAndBack() (team string) {
	h.t.Helper()
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &created)
	id, had := string(created.ID), created.Topology.Broadcast
	const room = "120363403215116621@g.us"
	h.edit(id, func(t *topology.Topology) {
		for _, agent := range []topology.AgentID{"cast-1", "cast-2"} {
			t.Agents = append(t.Agents, topology.Agent{ID: agent, Name: string(agent)})
		}
		t.Broadcast = t.Broadcast.With(room, json.RawMessage(`["cast-1","cast-2"]`)).
			With(topology.BroadcastStrategy, json.RawMessage(`"sequential"`))
	})
	p, groups := h.preview(id, nil), 0
	for _, c := range p.Changes {
		if c.Subject == topology.SubjectBroadcast && c.Op == topology.Added && c.Impact != openclaw.ImpactLocal {
			groups++
		}
	}
	if groups != 2 {
		h.t.Fatalf("the review shows %+v", p.Changes)
	}
	first := h.apply(id, p, nil, false)
	var other httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Other"}, &other)
	if d := h.team(id); d.Unsent != 0 || !other.Topology.Broadcast.Equal(d.Topology.Broadcast) ||
		string(other.Topology.Broadcast.Value(room)) != `["cast-1","cast-2"]` {
		h.t.Fatalf("%d unsent, read back: %s", d.Unsent, other.Topology.Broadcast)
	}
	h.edit(id, func(t *topology.Topology) {
		t.Agents = slices.DeleteFunc(t.Agents, func(a topology.Agent) bool { return a.ID == "cast-2" })
		t.Broadcast = topology.WithoutBroadcast(t.Broadcast, []topology.AgentID{"cast-2"})
	})
	if p = h.preview(id, nil); len(p.Deletions) != 1 || p.Deletions[0].Broadcast != 1 {
		h.t.Fatalf("the review of the deletion: %+v", p.Deletions)
	}
	h.apply(id, p, nil, true)
	if d := h.team(id); d.Unsent != 0 || string(d.Topology.Broadcast.Value(room)) != `["cast-1"]` {
		h.t.Errorf("after the deletion: %d unsent, %s", d.Unsent, d.Topology.Broadcast)
	}
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback", map[string]any{
		"snapshotId": first.Snapshot, "team": id, "deleteAgents": true}, &out)
	if a := h.finish(out.Apply); a.State != rollout.Done {
		h.t.Fatalf("rollback %s: %+v", a.State, a.Error)
	}
	var last httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Last"}, &last)
	if !last.Topology.Broadcast.Equal(had) {
		h.t.Errorf("after the rollback the gateway has %s", last.Topology.Broadcast)
	}
	h.must("POST", "/api/teams/"+id+"/import", map[string]any{}, nil)
	return id
}
