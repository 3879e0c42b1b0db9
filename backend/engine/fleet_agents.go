package engine

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"

	"agentflow/backend/gateway/client"
	"agentflow/backend/work/gatewayagent"
)

var _ gatewayagent.Gateways = (*Fleet)(nil)

// learnAgents reads which agents a gateway runs, and reports whether it could. What was known stays otherwise.
func (f *Fleet) learnAgents(ctx context.Context, m *member) bool {
	team, err := agentsOf(ctx, m)
	if err == nil {
		f.mu.Lock()
		m.agents = team
		f.mu.Unlock()
	} else if ctx.Err() == nil {
		f.log.WarnContext(ctx, "the gateway's agents could not be read",
			slog.String("gateway", m.conf.Name), slog.Any("error", err))
	}
	return err == nil
}

// agentsOf lists the agents of a gateway's config.
func agentsOf(ctx context.Context, m *member) ([]gatewayagent.Agent, error) {
	snap, err := m.link.Read(ctx)
	if err != nil {
		return nil, err
	}
	r, err := snap.Reading()
	if err != nil {
		return nil, err
	}
	out := make([]gatewayagent.Agent, 0, len(r.Topology.Agents))
	for i := range r.Topology.Agents {
		a := &r.Topology.Agents[i]
		if strings.Contains(string(a.ID), "@") {
			continue // tasks couldn't name it
		}
		out = append(out, gatewayagent.Agent{
			Gateway: m.conf.Name, ID: string(a.ID), Name: a.Name, Role: a.Role, Model: a.Model,
		})
	}
	return out, nil
}

// Agents implements gatewayagent.Gateways. Those of a gateway that isn't connected stay in the list, and don't answer.
func (f *Fleet) Agents() []gatewayagent.Agent {
	f.mu.Lock()
	defer f.mu.Unlock()
	members := make([]*member, 0, len(f.members))
	for _, m := range f.members {
		members = append(members, m)
	}
	slices.SortFunc(members, func(a, b *member) int { return cmp.Compare(a.conf.Name, b.conf.Name) })
	var out []gatewayagent.Agent
	for _, m := range members {
		up := m.client.Status().State == client.StateConnected
		for _, a := range m.agents {
			if a.Answers = up; !up {
				a.Hindered = gatewayagent.Down(m.conf.Name)
			}
			out = append(out, a)
		}
	}
	return out
}

// Link implements gatewayagent.Gateways.
func (f *Fleet) Link(name string) (gatewayagent.Link, error) {
	m, err := f.member(name)
	if err != nil {
		return nil, err
	}
	return m.client, nil
}
