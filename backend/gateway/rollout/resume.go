package rollout

import (
	"context"
	"slices"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// resume records an apply whose end nobody saw, since the hub was killed or the link was lost after it was sent: the
// config that was kept last is the one before it, and now the gateway has everything that is drawn. It returns false
// where something is missing there or more was changed; then the config counts as changed by somebody else.
func (m *Machine) resume(ctx context.Context, before library.Snapshot, now openclaw.Snapshot) (bool, error) {
	in, err := m.intend(ctx, before.Team, Decisions{})
	if err != nil {
		return false, err
	}
	known, ok := in.team.Base(before.Gateway)
	if !ok || in.team.Gateway != before.Gateway || in.preview.BaseHash != now.Hash {
		return false, nil
	}
	base, err := m.library.BaseTopology(ctx, in.team)
	if err != nil || base == nil || known.Hash != before.Hash {
		return false, err
	}
	open := slices.ContainsFunc(in.preview.Changes, func(c openclaw.PreviewChange) bool {
		return c.Impact != openclaw.ImpactLocal
	})
	if with := in.preview.Merge; open || with != nil && len(with.Conflicts)+len(with.Dropped) > 0 {
		return false, nil
	}
	// The gateway's part of the merge has to be what was drawn, and nothing else.
	if len(topology.Diff(in.head.Topology, in.whole)) > 0 {
		return false, nil
	}
	reading, err := now.Reading()
	if err != nil {
		return false, err
	}
	in.base = base
	sent, err := in.show(now)
	if err != nil {
		return false, err
	}
	in.preview = Preview{Preview: sent}
	j := &job{apply: Apply{Snapshot: before.ID, StartedAt: before.At}}
	result := openclaw.Result{Hash: now.Hash, Snapshot: now, Topology: reading.Topology, Shape: reading.Shape}
	return true, m.settle(ctx, j, in, result)
}
