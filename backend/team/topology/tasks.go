package topology

import (
	"slices"
	"strings"
)

// CoordinatorRole is the role of agents that receive tasks and delegate them.
const CoordinatorRole = "Coordinator"

// IsCoordinator reports whether a role is CoordinatorRole. Upper and lower case and spaces around it don't matter.
func IsCoordinator(role string) bool {
	return strings.EqualFold(strings.TrimSpace(role), CoordinatorRole)
}

// CanDelegate reports whether the agent's connections let it delegate to another one.
func (a *Agent) CanDelegate(to AgentID) bool {
	if a.ID == to {
		return false
	}
	return a.AllowAny || slices.ContainsFunc(a.Connections, func(c Connection) bool {
		return c.TargetID == to && KindOf(c.Type).Delegates
	})
}

// Coordinators lists the agents with the role Coordinator.
func Coordinators(t *Topology) []AgentID {
	var out []AgentID
	for i := range t.Agents {
		if IsCoordinator(t.Agents[i].Role) {
			out = append(out, t.Agents[i].ID)
		}
	}
	return out
}

// Assignable returns the agents that the hub can assign tasks to, in the team's order: those that a Coordinator can
// delegate to. Without a Coordinator, or with Coordinators only, that is the whole team.
func Assignable(t *Topology) []Agent {
	var coordinators []*Agent
	for i := range t.Agents {
		if IsCoordinator(t.Agents[i].Role) {
			coordinators = append(coordinators, &t.Agents[i])
		}
	}
	if len(coordinators) == 0 || len(coordinators) == len(t.Agents) {
		return t.Agents
	}
	var out []Agent
	for i := range t.Agents {
		to := t.Agents[i].ID
		if slices.ContainsFunc(coordinators, func(from *Agent) bool { return from.CanDelegate(to) }) {
			out = append(out, t.Agents[i])
		}
	}
	return out
}
