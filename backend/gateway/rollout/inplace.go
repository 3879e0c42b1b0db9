package rollout

import (
	"context"
	"errors"
	"slices"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// offers are teams whose config was offered as a file.
type offers map[library.ID]struct{}

// offer notes that a review offered the config as a file, because the gateway doesn't accept it.
func (m *Machine) offer(id library.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.offered[id] = struct{}{}
}

// meetInPlace records that a gateway has what a team would have applied, if somebody put the file there that a review
// offered. Without that, the hub would tell of changes by somebody else, and of changes to apply that aren't any.
func (m *Machine) meetInPlace(ctx context.Context, gateway string) error {
	m.mu.Lock()
	teams := make([]library.ID, 0, len(m.offered))
	for id := range m.offered {
		teams = append(teams, id)
	}
	m.mu.Unlock()
	var failed error
	for _, id := range teams {
		met, err := m.meetOne(ctx, id, gateway)
		if met || errcode.Is(err, errcode.NotFound) { // the team can be deleted
			m.mu.Lock()
			delete(m.offered, id)
			m.mu.Unlock()
			continue
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

func (m *Machine) meetOne(ctx context.Context, id library.ID, gateway string) (met bool, err error) {
	d, _, err := m.library.Get(ctx, id)
	if err != nil || d.Gateway != gateway {
		return false, err
	}
	target, err := m.gateways.Target(gateway)
	if err != nil {
		return false, err
	}
	drift, err := m.Drift(ctx, id, "")
	if err != nil || !drift.Known || drift.Conflicts > 0 || drift.Drifted == 0 {
		return false, err
	}
	limits := target.Gateway.Capabilities().Limits
	if slices.ContainsFunc(drift.Changes, func(c Drifted) bool {
		_, isFile := topology.FileOf(c.Field) // files aren't in the config, and can still be applied
		return limits.Sends(c.Change) && !isFile
	}) {
		return false, nil
	}
	return true, m.KeepMine(ctx, id)
}
