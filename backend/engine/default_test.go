package engine_test

import (
	"encoding/json"
	"slices"
	"testing"

	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// handWritten names its default agent as configs did before 2026.8. A gateway that is
// newer reads it, and writes the mark in another form with the first change.
const handWritten = `{"defaults": {"model": {"primary": "fake/fake-1"}}, "entries": {
	"lead": {"default": true, "name": "Lead", "subagents": {"allowAgents": ["research"]}}, "research": {"name": "Research"}}}`

// TestGW10_TheFirstApplyToARealGatewayWithDefault is the first change of a team whose config
// was written by hand, on the real gateway.
func TestGW10_TheFirstApplyToARealGatewayWithDefault(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.StartRealWith(t, gatewaytest.RealVersions[0], handWritten)
	firstApply(t, peer.URL, peer.Token)
}

// TestAPP3_TheFirstApplyToAConfigWithDefault is the same on the simulated one.
func TestAPP3_TheFirstApplyToAConfigWithDefault(t *testing.T) {
	t.Parallel()
	config := map[string]any{}
	if err := json.Unmarshal([]byte(`{"agents": `+handWritten+`}`), &config); err != nil {
		t.Fatal(err)
	}
	peer := gatewaytest.Start(t, gatewaytest.Options{Config: config})
	firstApply(t, peer.URL, peer.Token)
}

// firstApply changes one name. The gateway moves the mark of its default agent with it,
// which is not a difference, not a drift, and nothing to send again.
func firstApply(t *testing.T, url, token string) {
	h := startHub(t, withGateway(t, url, token))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	id := string(d.ID)
	marked := func(a topology.Agent) bool { _, is := a.Extra.Get("default"); return is }
	if !slices.ContainsFunc(d.Topology.Agents, marked) {
		t.Fatalf("no agent is marked as the default: %+v", d.Topology.Agents)
	}
	h.rename(id, "Chief")
	if a := h.apply(id, h.preview(id, nil), nil, false); len(a.Differences) > 0 {
		t.Errorf("told as different: %+v", a.Differences)
	}
	now := h.team(id)
	if now.Unsent != 0 || slices.ContainsFunc(now.Topology.Agents, marked) {
		t.Errorf("%d changes are unsent: %+v, %+v", now.Unsent, now.Changes, now.Topology.Agents)
	}
	if g := h.gateway("studio"); g.Drift {
		t.Error("the gateway is shown as changed")
	}
	if next := h.preview(id, nil); next.Sends || next.Stale || next.Sent != 0 {
		t.Errorf("the next review: sends %v, stale %v, %+v", next.Sends, next.Stale, next.Changes)
	}

	h.edit(id, func(team *topology.Topology) { // as an undo or a paste of the agent of before would
		i := slices.IndexFunc(team.Agents, func(a topology.Agent) bool { return a.ID == "lead" })
		team.Agents[i].Extra = append(team.Agents[i].Extra, topology.Field{Key: "default", Value: []byte("true")})
	})
	h.rename(id, "Lead again")
	next := h.preview(id, nil)
	if !slices.ContainsFunc(next.Losses, func(l openclaw.Loss) bool { return l.Field == "default" }) {
		t.Errorf("the losses do not name the mark: %+v", next.Losses)
	}
	h.apply(id, next, nil, false)
}

func (h *hub) rename(id, name string) {
	h.t.Helper()
	h.edit(id, func(team *topology.Topology) {
		i := slices.IndexFunc(team.Agents, func(a topology.Agent) bool { return a.ID == "lead" })
		team.Agents[i].Name = name
	})
}
