package lint

import (
	"fmt"
	"strings"
	"testing"

	"agentflow/backend/team/topology"
)

// A large circle is named by its first agents.
func TestDelegationCycle_NamesFewAgents(t *testing.T) {
	const n = 1000
	team := &topology.Topology{}
	for i := range n {
		team.Agents = append(team.Agents, agent(fmt.Sprintf("a%d", i), "", "", command(fmt.Sprintf("a%d", (i+1)%n))))
	}
	for _, p := range Check(team, Rules{}) {
		if p.Code == DelegationCycle {
			if len(p.Message) > 300 || !strings.Contains(p.Message, "a9 → … (+990) → a0") {
				t.Errorf("%d bytes: %.300s", len(p.Message), p.Message)
			}
			return
		}
	}
	t.Error("the circle wasn't found")
}
