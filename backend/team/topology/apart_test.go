package topology

import (
	"reflect"
	"testing"
)

func TestApart_LeavesNoIDThatTheGatewayHas(t *testing.T) {
	team := &Topology{
		Agents: []Agent{
			{ID: "agent-1", Connections: []Connection{{TargetID: "agent-2", Type: Command}}}, {ID: "agent-2"}, {ID: "lead"},
		},
		Layout: map[AgentID]Point{"agent-1": {X: 1}, "lead": {X: 3}},
		Groups: []Group{{ID: "g", Members: []AgentID{"agent-1", "lead"}}},
	}
	Apart(team, []AgentID{"agent-1", "agent-2", "agent-3"})
	want := &Topology{
		Agents: []Agent{
			{ID: "agent-4", Connections: []Connection{{TargetID: "agent-5", Type: Command}}}, {ID: "agent-5"}, {ID: "lead"},
		},
		Layout: map[AgentID]Point{"agent-4": {X: 1}, "lead": {X: 3}},
		Groups: []Group{{ID: "g", Members: []AgentID{"agent-4", "lead"}}},
	}
	if !reflect.DeepEqual(team, want) {
		t.Errorf("got %+v", team)
	}
}
