package coordinator

import (
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"strings"

	"agentflow/backend/errcode"
	"agentflow/backend/llm"
	"agentflow/backend/task"
	"agentflow/backend/topology"
)

// coordinatorRole is the role whose agents stand for the hub: whom they may command, the
// hub gives tasks to.
const coordinatorRole = "coordinator"

func isCoordinator(a *topology.Agent) bool { return strings.EqualFold(a.Role, coordinatorRole) }

// may lists the agents that the team's connections let the hub give tasks to, in the
// order of the team. A team without a Coordinator is commanded by the hub itself; a
// Coordinator who is alone does the work.
func (m *Machine) may() []topology.Agent {
	team := m.o.Roster.Team().Topology
	from := coordinators(team)
	if len(from) == 0 || len(from) == len(team.Agents) {
		return team.Agents
	}
	var out []topology.Agent
	for i := range team.Agents {
		to := team.Agents[i].ID
		if slices.ContainsFunc(from, func(from topology.AgentID) bool { return m.o.Roster.MayCommand(from, to) }) {
			out = append(out, team.Agents[i])
		}
	}
	return out
}

// forbidden says which connection is missing for the task, or nil.
func (m *Machine) forbidden(t task.Task) *errcode.Error {
	team := m.o.Roster.Team().Topology
	if len(team.Agents) == 0 {
		return nil // nobody is there yet
	}
	may := m.may()
	w, _ := t.Wishes() // Validate has read them
	wanted := topology.AgentID(w.Agent)
	if wanted == "" {
		if len(may) == 0 {
			return task.Unconnected(names(team), "")
		}
		return nil
	}
	if slices.ContainsFunc(may, func(a topology.Agent) bool { return a.ID == wanted }) {
		return nil
	}
	if _, there := team.Agent(wanted); !there {
		return errcode.New(errcode.NotFound, "there is no agent %s in the applied team", wanted).With(errcode.KeyCause, task.CauseUnknown).With(task.KeyAgent, w.Agent)
	}
	return task.Unconnected(names(team), w.Agent)
}

// names lists the team's Coordinators for a message.
func names(team *topology.Topology) []string {
	var out []string
	for _, id := range coordinators(team) {
		out = append(out, string(id))
	}
	return out
}

// able reports whether an agent can do the kind of work at all. An agent elsewhere says so
// itself when it is asked.
func (m *Machine) able(a *topology.Agent, typ task.Type) bool {
	if a.URL != "" {
		return true
	}
	if (typ == task.CommandExecution || typ == task.FileOperation) && !m.here(a).Can(string(typ)) {
		return false
	}
	return m.o.Models.Check(llm.Model(a.Model)) == nil
}

// AgentBySecret returns the agent elsewhere whose secret it is. The time it takes does not
// tell how much of a secret was right.
func (m *Machine) AgentBySecret(secret string) (string, bool) {
	given := sha256.Sum256([]byte(secret))
	found := ""
	team := m.o.Roster.Team().Topology
	for i := range team.Agents {
		a := &team.Agents[i]
		if a.SecretEnv == "" {
			continue
		}
		want := m.o.Getenv(a.SecretEnv)
		is := sha256.Sum256([]byte(want))
		if want != "" && subtle.ConstantTimeCompare(given[:], is[:]) == 1 {
			found = string(a.ID)
		}
	}
	return found, found != ""
}
