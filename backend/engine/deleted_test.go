package engine_test

import (
	"slices"
	"testing"

	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// A new agent must not get the ID of a deleted one: it would inherit that one's folder.
func TestTheIDOfADeletedAgentStaysTaken(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "local", "name": "Demo"}, &created)
	id := string(created.ID)
	h.adds(id, "agent-1")
	h.apply(id, h.preview(id, nil), nil, false)
	h.edit(id, func(t *topology.Topology) {
		t.Agents = slices.DeleteFunc(t.Agents, func(a topology.Agent) bool { return a.ID == "agent-1" })
	})
	h.apply(id, h.preview(id, nil), nil, true)
	if now := h.team(id); !slices.Contains(now.Taken, "agent-1") {
		t.Errorf("taken: %v", now.Taken)
	}
}
