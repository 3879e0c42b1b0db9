package rollout

import (
	"slices"

	"agentflow/backend/team/topology"
)

// keptDeleted bounds the IDs of deleted agents that are kept for each gateway.
const keptDeleted = 500

// deletedIDs keeps the IDs of the agents that were deleted on each gateway, the last one last. It is guarded by
// Machine.mu.
type deletedIDs struct{ jsonFile[[]topology.AgentID] }

func (k *deletedIDs) add(gateway string, ids ...topology.AgentID) error {
	if len(ids) == 0 {
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(k.of[gateway]), func(id topology.AgentID) bool {
		return slices.Contains(ids, id)
	})
	kept = append(kept, ids...)
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

// noteGone keeps the IDs of the agents that a config no longer has. If the file can't be written, this hub still knows
// them.
func (m *Machine) noteGone(gateway string, before, after *topology.Topology) {
	gone := missing(before, after)
	m.mu.Lock()
	defer m.mu.Unlock()
	_ = m.deleted.add(gateway, gone...)
}

// recreated returns the agents that now doesn't have and next brings back under the ID of a deleted one, where the
// gateway itself deletes agents: OpenClaw 2026.9.6 restarts then.
func (m *Machine) recreated(target Target, now, next *topology.Topology) []topology.AgentID {
	if !target.Gateway.Capabilities().RosterGuard {
		return nil
	}
	deleted := Deleted(m, target.Name)
	return slices.DeleteFunc(missing(next, now), func(id topology.AgentID) bool {
		return !slices.Contains(deleted, id)
	})
}

// missing returns the agents of a that b doesn't have.
func missing(a, b *topology.Topology) []topology.AgentID {
	var out []topology.AgentID
	for i := range a.Agents {
		if _, there := b.Agent(a.Agents[i].ID); !there {
			out = append(out, a.Agents[i].ID)
		}
	}
	return out
}
