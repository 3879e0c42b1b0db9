package openclaw

import (
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

// APP-3: an older snapshot has the jobs of agents that later changes deleted, as they were first. Only those of agents
// that come back are added.
func TestAPP3_AnOlderSnapshotHasTheDeletedJobs(t *testing.T) {
	s := Snapshot{Jobs: []Job{{Agent: "a", Name: "A"}}}
	s.AddReplaced(Snapshot{Jobs: []Job{{Agent: "a", Name: "Later"}, {Agent: "b", Name: "B1"},
		{Agent: "b", Name: "B2"}}})
	s.AddReplaced(Snapshot{Jobs: []Job{{Agent: "b", Name: "Later"}}})
	if got := jobNames(s.Jobs); !slices.Equal(got, []string{"A", "B1", "B2"}) {
		t.Errorf("%v", got)
	}
	now := &topology.Topology{Agents: []topology.Agent{{ID: "a"}}}
	next := &topology.Topology{Agents: []topology.Agent{{ID: "a"}, {ID: "b"}}}
	if got := jobNames(comeBack(now, next, s.Jobs)); !slices.Equal(got, []string{"B1", "B2"}) {
		t.Errorf("%v come back", got)
	}
	if got := comeBack(now, now, s.Jobs); len(got) != 0 {
		t.Errorf("%v come back to nobody", got)
	}
}
