package coordinator

import (
	"context"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator/internal/queue"
	"agentflow/backend/work/task"
)

// Reason is why a task waits.
type Reason string

// Reasons to wait.
const (
	WaitsForTeam       Reason = "no_team"       // no team is applied
	WaitsForAgent      Reason = "unknown_agent" // the requested agent isn't in the applied team
	WaitsForConnection Reason = "no_connection" // the team's connections allow no agent, or not the requested one
	WaitsForAbility    Reason = "unable"        // the allowed agents can't do that type of work
	WaitsForRetry      Reason = "retry"         // the last attempt failed, or a remote agent rejected the task for now; the next attempt comes later
	WaitsForFree       Reason = "busy"          // all allowed agents are running other tasks
	WaitsForContact    Reason = "away"          // the allowed agents are remote and can't be reached
	WaitsForTrust      Reason = "trust"         // the owner hasn't approved the access of the allowed agents to this computer
	WaitsForTurn       Reason = "next"          // it is about to be assigned
	WaitsForResume     Reason = "restored"      // it comes from a restored backup and hasn't been resumed
)

// Waits says why a task waits, and for which agents.
type Waits struct {
	Reason Reason             `json:"reason" enum:"no_team,unknown_agent,no_connection,unable,retry,busy,away,trust,next,restored" doc:"Why the task hasn't started."`
	Agents []WaitsFor         `json:"agents,omitempty" doc:"Agents that could run it, and why they don't."`
	From   []topology.AgentID `json:"from,omitempty" doc:"Agents that need a Delegate connection."`
	Until  time.Time          `json:"until,omitzero" doc:"Time of the next attempt."`
	Ahead  int                `json:"ahead,omitempty" doc:"Number of tasks before it for the same agents."`
}

// WaitsFor is an agent that could take the task, and what prevents it.
type WaitsFor struct {
	Agent topology.AgentID `json:"agent"`
	Task  task.ID          `json:"task,omitempty" doc:"Task that it runs."`
	Why   string           `json:"why,omitempty" doc:"Why it can't take the task."`
	Cause *errcode.Cause   `json:"cause,omitempty"`
}

// Detail is a task, and why it waits.
type Detail struct {
	task.Task
	Waits *Waits `json:"waits,omitempty" doc:"Why the task hasn't started."`
}

// Detail returns the task with the reason why it waits.
func (m *Machine) Detail(t task.Task) Detail { return Detail{t, m.Waits(t)} }

// Waits returns why the task waits, or nil if it is running or has ended.
func (m *Machine) Waits(t task.Task) *Waits {
	if t.Status.Ended() {
		return nil
	}
	if t.Held {
		return &Waits{Reason: WaitsForResume}
	}
	team := m.o.Roster.Team().Topology
	wanted := m.eligibility.Wanted(&t)
	may := m.eligibility.May()
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.running[t.ID]; a != nil && (a.number.Load() > 0 || m.contacts.down(a.agent) == nil) {
		return nil
	}
	ahead := m.queue.Ahead(t.ID, m.compete(may))
	if _, there := m.eligibility.Agent(wanted); !there && len(team.Agents) == 0 {
		return &Waits{Reason: WaitsForTeam, Ahead: ahead}
	}
	typ := t.Type
	if t.Reviewed() {
		typ = task.Chat
	}
	if wanted != "" {
		if _, there := m.eligibility.Agent(wanted); !there {
			return &Waits{Reason: WaitsForAgent, Agents: []WaitsFor{{Agent: wanted}}}
		}
	}
	may = m.eligibility.Candidates(may, wanted, topology.AgentID(t.Giver()), t.Reviewed(), typ)
	if wanted != "" {
		may = slices.DeleteFunc(slices.Clone(may), func(a topology.Agent) bool { return a.ID != wanted })
	}
	if len(may) == 0 {
		out := &Waits{Reason: WaitsForConnection, From: m.eligibility.Coordinators()}
		if by := topology.AgentID(t.Giver()); by != "" {
			out.From = []topology.AgentID{by}
		}
		if wanted != "" {
			out.Agents = []WaitsFor{{Agent: wanted}}
		}
		return out
	}
	out := m.hindered(may, typ)
	out.Ahead = ahead
	if due := m.queue.Due(t.ID); due.After(time.Now()) && out.Reason != WaitsForAbility && out.Reason != WaitsForTrust {
		return &Waits{Reason: WaitsForRetry, Until: due, Ahead: ahead, Agents: m.rejected.of(t.ID)}
	}
	return out
}

// compete returns a function that reports whether an agent could take tasks of both kinds. may are the agents that the
// hub can assign tasks to. The caller holds mu.
func (m *Machine) compete(may []topology.Agent) func(mine, other queue.Kind) bool {
	takers := map[task.Type]map[topology.AgentID]bool{}
	takersOf := func(k queue.Kind) map[topology.AgentID]bool {
		switch {
		case k.Attach:
			return map[topology.AgentID]bool{k.Last: true}
		case k.Agent != "":
			return map[topology.AgentID]bool{k.Agent: true}
		}
		if takers[k.Type] == nil {
			takers[k.Type] = map[topology.AgentID]bool{}
			receivers := m.eligibility.Candidates(may, "", "", false, k.Type)
			for i := range receivers {
				if m.eligibility.Eligible(&receivers[i], k.Type) {
					takers[k.Type][receivers[i].ID] = true
				}
			}
		}
		return takers[k.Type]
	}
	return func(mine, other queue.Kind) bool {
		few, many := takersOf(mine), takersOf(other)
		if len(few) > len(many) {
			few, many = many, few
		}
		for id := range few {
			if many[id] {
				return true
			}
		}
		return false
	}
}

// hindered returns what prevents the allowed agents from taking a task. The caller holds mu.
func (m *Machine) hindered(may []topology.Agent, typ task.Type) *Waits {
	var unable, busy, away, untrusted []WaitsFor
	for i := range may {
		a := &may[i]
		switch {
		case m.eligibility.Trusted(a) != nil:
			why := m.eligibility.Trusted(a)
			untrusted = append(untrusted,
				WaitsFor{Agent: a.ID, Why: errcode.From(why).Message, Cause: errcode.CauseOf(why)})
		case !m.eligibility.Eligible(a, typ):
			why := m.eligibility.Ineligible(a, typ)
			unable = append(unable, WaitsFor{Agent: a.ID, Why: why.Error(), Cause: errcode.CauseOf(why)})
		case m.contacts.down(a.ID) != nil:
			why := m.contacts.down(a.ID)
			away = append(away, WaitsFor{Agent: a.ID, Why: errcode.From(why).Message, Cause: errcode.CauseOf(why)})
		case m.busy[a.ID] >= capacity(a):
			busy = append(busy, WaitsFor{Agent: a.ID, Task: m.workOf(a.ID)})
		default:
			return &Waits{Reason: WaitsForTurn, Agents: []WaitsFor{{Agent: a.ID}}}
		}
	}
	if len(busy) > 0 {
		return &Waits{Reason: WaitsForFree, Agents: busy}
	}
	if len(untrusted) > 0 {
		return &Waits{Reason: WaitsForTrust, Agents: untrusted}
	}
	if len(away) > 0 {
		return &Waits{Reason: WaitsForContact, Agents: away}
	}
	return &Waits{Reason: WaitsForAbility, Agents: unable}
}

// workOf returns the task that an agent is running. The caller holds mu.
func (m *Machine) workOf(id topology.AgentID) task.ID {
	for _, a := range m.running {
		if a.agent == id {
			return a.id
		}
	}
	return ""
}

// Candidate is an agent of the applied team or of an added gateway, as shown to a person who submits a task.
type Candidate struct {
	ID      topology.AgentID   `json:"id" doc:"ID of the agent; of an agent of an added gateway, agent@gateway."`
	Gateway string             `json:"gateway,omitempty" doc:"Added gateway that runs it. Absent: the built-in one."`
	Name    string             `json:"name,omitempty"`
	Role    string             `json:"role,omitempty"`
	May     bool               `json:"may" doc:"The hub can delegate to this agent."`
	Missing []topology.AgentID `json:"missing,omitempty" doc:"Agents that need a Delegate connection to this one."`
	Can     []task.Type        `json:"can" doc:"Types of tasks that the agent can do."`
	Why     string             `json:"why,omitempty" doc:"Why it can't do some types of tasks."`
	Cause   *errcode.Cause     `json:"cause,omitempty" doc:"Why it can't do some types of tasks, for programs."`
	Task    task.ID            `json:"task,omitempty" doc:"ID of the task that it runs now."`
}

// Candidates lists the agents of the applied team, in its order, and then those of the added gateways.
func (m *Machine) Candidates(context.Context) []Candidate {
	team := m.o.Roster.Team().Topology
	from := m.eligibility.Coordinators()
	may := m.eligibility.May()
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]Candidate, 0, len(team.Agents))
	for i := range team.Agents {
		a := &team.Agents[i]
		c := Candidate{ID: a.ID, Name: a.Name, Role: a.Role, Can: []task.Type{}, Task: m.workOf(a.ID)}
		c.May = slices.ContainsFunc(may, func(x topology.Agent) bool { return x.ID == a.ID })
		if !c.May {
			c.Missing = slices.Clone(from)
		}
		for _, info := range task.Types {
			typ := info.Type
			if m.eligibility.Eligible(a, typ) {
				c.Can = append(c.Can, typ)
			} else if c.Why == "" {
				why := m.eligibility.Ineligible(a, typ)
				c.Why, c.Cause = why.Error(), errcode.CauseOf(why)
			}
		}
		out = append(out, c)
	}
	return append(out, m.atGateways()...)
}
