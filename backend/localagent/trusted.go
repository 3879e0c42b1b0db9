package localagent

import (
	"log/slog"

	"agentflow/backend/topology"
)

// Trusted looks again which drawn agents can be started. The process of one that no longer can
// is ended; one that waited for the owner is started.
func (m *Machine) Trusted() {
	m.mu.Lock()
	var start []topology.AgentID
	for id, k := range m.all {
		if k.Source != Drawn {
			continue
		}
		err := m.untrusted(id)
		switch {
		case err != nil && k.done != nil && k.state != Stopping:
			k.state = Stopping
			k.stop(errWait)
		case err == nil && k.waits && k.done == nil:
			start = append(start, id)
		}
	}
	m.mu.Unlock()
	for _, id := range start {
		if err := m.launch(id); err != nil {
			m.o.Logger.Warn("an agent could not be started", slog.String("agent", string(id)), slog.Any("error", err))
		}
	}
	m.tell()
}

// untrusted says why the drawn agent can't be started until the owner has allowed what it asks
// for, or nil.
func (m *Machine) untrusted(id topology.AgentID) error {
	if a, there := m.o.Roster.Applied().Agent(id); there {
		return m.o.Trusts(a)
	}
	return nil
}

// autostart starts an agent with the hub, or has it wait for the owner.
func (m *Machine) autostart(id topology.AgentID) error {
	err := m.launch(id)
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.all[id]; k != nil && k.Source == Drawn && k.done == nil && m.untrusted(id) != nil {
		k.waits = true
	}
	return err
}
