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
