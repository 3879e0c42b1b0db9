package thumbnail

import (
	"testing"

	"agentflow/backend/team/example"
	"agentflow/backend/team/topology"
)

// An agent has the color that it has on every screen (frontend/src/topology/topology.test.ts).
func TestSVG_ColorsByID(t *testing.T) {
	for id, want := range map[topology.AgentID]uint32{"lead": 2, "researcher": 6, "writer": 1, "backend": 12, "reviewer": 3, "agent-12": 3, "調査": 6} {
		if got := agentColor(id) + 1; got != want {
			t.Errorf("%s has color %d, not %d", id, got, want)
		}
	}
	for _, l := range example.Templates("en") {
		used := map[uint32]topology.AgentID{}
		for _, a := range l.Topology.Agents {
			if other, ok := used[agentColor(a.ID)]; ok {
				t.Errorf("%s: %s and %s have one color", l.ID, a.ID, other)
			}
			used[agentColor(a.ID)] = a.ID
		}
	}
}
