package rollout_test

import (
	"testing"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// APP-3: where the draft and the gateway have different agents of one ID and both are kept, the agent on the gateway
// keeps its ID, by which permissions and tasks know it. The agent of the draft gets another one, and what is drawn
// while the apply runs follows it.
func TestAPP3_TheGatewaysAgentKeepsItsID(t *testing.T) {
	d := start(t)
	team, _, err := d.library.Create(t.Context(), library.Step{Gateway: office, Topology: &topology.Topology{
		Name: "Foreign",
		Agents: []topology.Agent{{ID: "dev", Name: "Clerk", Connections: []topology.Connection{
			{TargetID: "new", Type: topology.Command}}}, {ID: "new", Name: "New"}},
		Layout: map[topology.AgentID]topology.Point{"dev": {X: 440, Y: 220}, "new": {X: 880, Y: 660}},
		Groups: []topology.Group{{ID: "g", Name: "Desk", Members: []topology.AgentID{"dev", "new"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	d.team = team.ID
	d.gateway.onApply = func() error {
		d.edit(func(t *topology.Topology) {
			clerk, _ := t.Agent("dev")
			clerk.Name = "Chief clerk"
			t.Agents = append(t.Agents, topology.Agent{ID: "dev-2", Name: "Late"})
		})
		return nil
	}
	a := d.apply(d.request(rollout.Decisions{Choices: map[string]topology.Choice{"agent:dev": topology.ChooseBoth}}))
	if got := d.gateway.names(); a.State != rollout.Done || got != "dev-2=Clerk dev=Dev main=Main new=New" {
		t.Fatalf("%s %+v: the gateway has %s", a.State, a.Error, got)
	}
	draft := d.draft()
	if got := names(draft); got != "dev-2=Chief clerk dev-3=Late dev=Dev main=Main new=New" {
		t.Errorf("the draft is %s", got)
	}
	clerk, _ := draft.Agent("dev-2")
	if len(clerk.Connections) != 1 || clerk.Connections[0].TargetID != "new" {
		t.Errorf("its connections: %+v", clerk.Connections)
	}
	if g := draft.Groups; len(g) != 1 || len(g[0].Members) != 2 || g[0].Members[0] != "dev-2" {
		t.Errorf("its group: %+v", g)
	}
	if at := draft.Layout; at["dev-2"] != (topology.Point{X: 440, Y: 220}) || at["dev"] == at["dev-2"] {
		t.Errorf("places: %v", at)
	}
}
