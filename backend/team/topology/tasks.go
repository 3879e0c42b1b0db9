package topology

import "strings"

// CoordinatorRole is the role of agents that receive tasks and delegate them. Upper and lower case don't matter.
const CoordinatorRole = "Coordinator"

// Coordinators lists the agents with the role Coordinator.
func Coordinators(t *Topology) []AgentID {
	var out []AgentID
	for i := range t.Agents {
		if strings.EqualFold(t.Agents[i].Role, CoordinatorRole) {
			out = append(out, t.Agents[i].ID)
		}
	}
	return out
}

// Assignable returns the agents that the hub can assign tasks to, in the team's order: those that a Coordinator can
// delegate to. Without a Coordinator, or with Coordinators only, that is the whole team.
func Assignable(t *Topology) []Agent {
	coordinators := Coordinators(t)
	if len(coordinators) == 0 || len(coordinators) == len(t.Agents) {
		return t.Agents
	}
	by := map[AgentID]int{} // how many Coordinators can delegate to it
	toAll := 0              // how many can delegate to every other agent
	for _, id := range coordinators {
		from, _ := t.Agent(id)
		if from.AllowAny {
			toAll++
			by[id]-- // but not to itself
			continue
		}
		for _, c := range from.Connections {
			if c.TargetID != id && KindOf(c.Type).Delegates {
				by[c.TargetID]++
			}
		}
	}
	var out []Agent
	for i := range t.Agents {
		if by[t.Agents[i].ID]+toAll > 0 {
			out = append(out, t.Agents[i])
		}
	}
	return out
}
