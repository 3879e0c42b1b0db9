package topology

import (
	"slices"
	"strings"
)

// CoordinatorRole is the role of agents that receive the team's tasks and delegate parts of them.
const CoordinatorRole = "Coordinator"

// coordinatorRoleJA is CoordinatorRole as a person who writes Japanese enters it.
const coordinatorRoleJA = "コーディネーター"

// IsCoordinator reports whether a role is CoordinatorRole, in English or Japanese. Upper and lower case and spaces
// around it don't matter.
func IsCoordinator(role string) bool {
	role = strings.TrimSpace(role)
	return strings.EqualFold(role, CoordinatorRole) || role == coordinatorRoleJA
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
	for _, a := range coordinators(t) {
		out = append(out, a.ID)
	}
	return out
}

// Assignable returns the agents that the hub can assign tasks to, in the team's order: the Coordinators and those that
// they can delegate to. Without a Coordinator, that is the whole team.
func Assignable(t *Topology) []Agent {
	from := coordinators(t)
	if len(from) == 0 {
		return t.Agents
	}
	var out []Agent
	for i := range t.Agents {
		a := &t.Agents[i]
		mayGet := func(from *Agent) bool { return from.CanDelegate(a.ID) }
		if IsCoordinator(a.Role) || slices.ContainsFunc(from, mayGet) {
			out = append(out, *a)
		}
	}
	return out
}

func coordinators(t *Topology) []*Agent {
	var out []*Agent
	for i := range t.Agents {
		if IsCoordinator(t.Agents[i].Role) {
			out = append(out, &t.Agents[i])
		}
	}
	return out
}
