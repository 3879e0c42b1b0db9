package rollout

import (
	"context"
	"encoding/json"

	"agentflow/backend/team/library"
	"agentflow/backend/team/routes"
)

// Routes returns which agents of a team answer the messages of its gateway's channels. The channels are those of the
// last config that was seen, so that they are there without a connection, too.
func (m *Machine) Routes(ctx context.Context, id library.ID) (routes.Table, error) {
	team, head, err := m.library.Get(ctx, id)
	if err != nil {
		return routes.Table{}, err
	}
	config, err := m.lastConfig(ctx, team.Gateway)
	if err != nil {
		return routes.Table{}, err
	}
	table := routes.Read(head.Topology, config)
	base, err := m.library.BaseTopology(ctx, team)
	if err != nil {
		return routes.Table{}, err
	}
	table.Missing = table.Missing && base != nil && len(base.Bindings) == 0
	if target, err := m.gateways.Target(team.Gateway); err == nil {
		table.Supported = !target.Gateway.Capabilities().FullAgents
	}
	return table, nil
}

// lastConfig returns the newest config that was kept of a gateway, as JSON, or nil.
func (m *Machine) lastConfig(ctx context.Context, gateway string) (json.RawMessage, error) {
	kept, err := m.library.Snapshots(ctx, gateway, 1)
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	snap, err := m.kept(ctx, gateway, kept[0].ID)
	if err != nil {
		return nil, err
	}
	doc, err := snap.Document()
	if err != nil {
		return nil, nil //nolint:nilerr // a config that can't be read has no channels
	}
	return doc.JSON(), nil
}
