package rollout

import (
	"slices"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
)

// keptDeleted bounds the IDs of deleted agents that are kept for each gateway.
const keptDeleted = 500

// deletedIDs keeps the IDs of the agents that were deleted on each gateway, the last one last. It is guarded by
// Machine.mu.
type deletedIDs struct{ jsonFile[[]topology.AgentID] }

// change adds the IDs of agents that are gone, and takes out those of agents that came.
func (k *deletedIDs) change(gateway string, gone, came []topology.AgentID) error {
	if len(gone)+len(came) == 0 {
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(k.of[gateway]), func(id topology.AgentID) bool {
		return slices.Contains(gone, id) || slices.Contains(came, id)
	})
	kept = append(kept, gone...)
	k.of[gateway] = kept[max(0, len(kept)-keptDeleted):]
	return k.write()
}

// RememberDeleted has the machine keep the IDs of deleted agents in a file. It must be called before Run.
func RememberDeleted(m *Machine, path string) error {
	file, err := openJSON[[]topology.AgentID](path, "the IDs of deleted agents")
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deleted = deletedIDs{file}
	return nil
}

// Deleted returns the IDs of the agents that were deleted on a gateway.
func Deleted(m *Machine, gateway string) []topology.AgentID {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.deleted.of[gateway])
}

// noteGone keeps the IDs of the agents that a config no longer has, without those that it brought back. If the file
// can't be written, this hub still knows them.
func (m *Machine) noteGone(gateway string, before, after *topology.Topology) {
	gone := openclaw.Missing(before, after)
	there := openclaw.Missing(after, before)
	m.mu.Lock()
	defer m.mu.Unlock()
	_ = m.deleted.change(gateway, gone, there)
}

// recreated returns the agents that now doesn't have and next brings back under the ID of a deleted one, where the
// gateway itself deletes agents: OpenClaw 2026.9.6 restarts then.
func (m *Machine) recreated(target Target, now, next *topology.Topology) []topology.AgentID {
	if !target.Gateway.Capabilities().RosterGuard {
		return nil
	}
	deleted := Deleted(m, target.Name)
	return slices.DeleteFunc(openclaw.Missing(next, now), func(id topology.AgentID) bool {
		return !slices.Contains(deleted, id)
	})
}
