package coordinator

import (
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/gatewayagent"
	"agentflow/backend/work/task"
)

// LookAgain checks again what waiting tasks wait for: a gateway was connected or lost, or runs other agents, or the
// model providers have changed.
func (m *Machine) LookAgain() {
	m.mu.Lock()
	for id := range m.contacts {
		if _, _, is := gatewayagent.Split(id); is {
			delete(m.contacts, id)
		}
	}
	m.mu.Unlock()
	m.board.Tell(nil)
	m.nudge()
}

// freeAtGateways counts the idle agents of gateways that waiting tasks name. The caller holds mu.
func (m *Machine) freeAtGateways() int {
	if m.o.Gateways == nil {
		return 0
	}
	free := map[topology.AgentID]bool{}
	for _, w := range m.queue.Heads() {
		id := w.Agent
		if w.Attach {
			id = w.Last
		}
		if _, _, is := gatewayagent.Split(id); is && m.busy[id] < perAgent {
			free[id] = true
		}
	}
	return len(free)
}

func (m *Machine) gatewayAgents() []gatewayagent.Agent {
	if m.o.Gateways == nil {
		return nil
	}
	return m.o.Gateways.Agents()
}

// atGateways lists the agents of the added gateways as candidates. The caller holds mu.
func (m *Machine) atGateways() []Candidate {
	var out []Candidate
	for _, a := range m.gatewayAgents() {
		c := Candidate{
			ID: a.Key(), Gateway: a.Gateway, Name: a.Name, Role: a.Role, May: true, Can: []task.Type{},
			Task: m.workOf(a.Key()),
		}
		who := a.Topology()
		for _, info := range task.Types {
			if a.Answers && m.eligibility.Eligible(&who, info.Type) {
				c.Can = append(c.Can, info.Type)
			} else if c.Why == "" {
				why := a.Hindered
				if a.Answers {
					why = m.eligibility.Ineligible(&who, info.Type)
				}
				c.Why, c.Cause = errcode.From(why).Message, errcode.CauseOf(why)
			}
		}
		out = append(out, c)
	}
	return out
}
