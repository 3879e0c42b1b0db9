package eligibility

import (
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/gatewayagent"
)

// namesGateway reports whether an ID is that of an agent of an added gateway. An agent of the applied team takes
// precedence.
func (c *Checker) namesGateway(id topology.AgentID) bool {
	if _, there := c.team.Agent(id); there || c.added == nil {
		return false
	}
	_, _, is := gatewayagent.Split(id)
	return is
}

// atGateway returns the agent of an added gateway with this ID. While the gateway isn't connected and its agents
// weren't read, every agent can be there.
func (c *Checker) atGateway(id topology.AgentID) (topology.Agent, bool) {
	if !c.namesGateway(id) || c.missing(id) != nil {
		return topology.Agent{}, false
	}
	for _, a := range c.added.Agents() {
		if a.Key() == id {
			return a.Topology(), true
		}
	}
	gateway, agent, _ := gatewayagent.Split(id)
	a := gatewayagent.Agent{Gateway: gateway, ID: agent}
	return a.Topology(), true
}

// Agent returns an agent of the applied team or of an added gateway.
func (c *Checker) Agent(id topology.AgentID) (topology.Agent, bool) {
	if a, there := c.team.Agent(id); there {
		return a, true
	}
	return c.atGateway(id)
}

// missing returns why there is no such agent at a gateway, or nil if it can be there.
func (c *Checker) missing(id topology.AgentID) *errcode.Error {
	gateway, _, _ := gatewayagent.Split(id)
	if _, err := c.added.Link(gateway); err != nil {
		return gatewayagent.Unknown(id)
	}
	known := false
	for _, a := range c.added.Agents() {
		if a.Key() == id {
			return nil
		}
		known = known || a.Gateway == gateway
	}
	if known {
		return gatewayagent.Unknown(id)
	}
	return nil
}

// Gateway returns the worker of an agent of an added gateway.
func (c *Checker) Gateway(who *topology.Agent) (*gatewayagent.Worker, error) {
	gateway, agent, _ := gatewayagent.Split(who.ID)
	if c.added == nil {
		return nil, gatewayagent.Unknown(who.ID)
	}
	link, err := c.added.Link(gateway)
	if err != nil {
		return nil, gatewayagent.Unknown(who.ID)
	}
	return &gatewayagent.Worker{Link: link, Gateway: gateway, Agent: agent}, nil
}
