package engine

import (
	"context"
	"log/slog"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/team/topology"
)

// AgentTools implements httpapi.Fleet. What a gateway can't be asked about is left out, because the names of tools can
// be typed without it.
func (f *Fleet) AgentTools(ctx context.Context, name string, agent topology.AgentID) (client.AgentTools, error) {
	if name == config.LocalGateway {
		return client.AgentTools{}, nil
	}
	m, err := f.member(name)
	if err != nil {
		return client.AgentTools{}, err
	}
	if m.client.Status().State != client.StateConnected {
		return client.AgentTools{}, nil
	}
	found, err := m.client.AgentTools(ctx, string(agent))
	if gone := ctx.Err(); gone != nil {
		return client.AgentTools{}, errcode.From(gone)
	}
	if err != nil {
		f.log.DebugContext(ctx, "tools or skills not read", slog.String("gateway", name), slog.Any("error", err))
	}
	return found, nil
}
