package lint

import (
	"strings"

	"agentflow/backend/team/topology"
)

// DuplicateName is the code of a problem, like those beside Check.
const DuplicateName = "duplicate_name"

// firstNamed returns the first agent of each name.
func firstNamed(agents []topology.Agent) map[string]int {
	named := make(map[string]int, len(agents))
	for i := range agents {
		name := nameKey(&agents[i])
		if _, taken := named[name]; !taken && name != "" {
			named[name] = i
		}
	}
	return named
}

func nameKey(a *topology.Agent) string { return strings.TrimSpace(a.Name) }

// sameName reports an agent with the name of one before it.
func (c *checker) sameName(i int, a *topology.Agent) {
	first, named := c.byName[nameKey(a)]
	if !named || first == i {
		return
	}
	if other := c.t.Agents[first].ID; other != a.ID {
		c.at(a, topology.SeverityWarning, DuplicateName, "name", "id", string(a.ID), "other", string(other))
	}
}
