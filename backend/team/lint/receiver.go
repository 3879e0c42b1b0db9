package lint

import "agentflow/backend/team/topology"

// findLead returns the first agent that delegates and to which none delegates, in a team for the built-in gateway
// without a Coordinator, or -1. Roles mean nothing to other gateways.
func (c *checker) findLead() int {
	agents := c.t.Agents
	if c.keys == nil || len(topology.Coordinators(c.t)) > 0 {
		return -1
	}
	delegates, gets := make([]bool, len(agents)), make([]bool, len(agents))
	var any []int // those that delegate to all others
	for i := range agents {
		if agents[i].AllowAny && len(agents) > 1 {
			any, delegates[i] = append(any, i), true
		}
		for _, conn := range agents[i].Connections {
			if j, ok := c.first[conn.TargetID]; ok && j != i && topology.KindOf(conn.Type).Delegates {
				delegates[i], gets[j] = true, true
			}
		}
	}
	for i := range agents {
		if delegates[i] && !gets[i] && (len(any) == 0 || len(any) == 1 && any[0] == i) {
			return i
		}
	}
	return -1
}

// noReceiver reports the agent that seems to lead the team but isn't its Coordinator.
func (c *checker) noReceiver(i int, a *topology.Agent) {
	if i == c.lead {
		c.at(a, topology.SeverityWarning, NoReceiver, "role")
	}
}
