package filesapi

import (
	"testing"

	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// A team without a name is called as its file, without folders of any system and without endings.
func TestFileStem(t *testing.T) {
	for name, want := range map[string]string{
		"delivery.agentflow.yaml": "delivery", `C:\teams\delivery.json`: "delivery", "/srv/t/delivery": "delivery",
		".yaml": "Team", "": "Team", " 配達 .yaml": "配達", //nolint:gocritic // blanks are what is tested
	} {
		if got := fileStem(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Agents without a place get one, and the others stay where they are.
func TestPlaced_MovesNobody(t *testing.T) {
	there := topology.Point{X: 1000, Y: 2000}
	team := &topology.Topology{
		Agents: []topology.Agent{{ID: "a"}, {ID: "b"}},
		Layout: map[topology.AgentID]topology.Point{"a": there},
	}
	Placed(team)
	if at, ok := team.Layout["b"]; team.Layout["a"] != there || !ok || at == there {
		t.Errorf("%+v", team.Layout)
	}
}

// Keys that a team asks for are shown among what it asks for, and not as unknown.
func TestKept_LeavesOutWhatIsAsked(t *testing.T) {
	got := Kept([]teamfile.Unknown{{Path: "agents[0].mcpServers", Line: 3}, {Path: "agents[0].size", Line: 4}})
	if len(got) != 1 || got[0].Path != "agents[0].size" || got[0].Line != 4 {
		t.Errorf("%+v", got)
	}
}
