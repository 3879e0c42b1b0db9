package localagent

import (
	"log/slog"

	"agentflow/backend/team/topology"
)

// Trusted checks again which agents of the team can be started. It stops the processes of those that no longer can,
// and starts those that waited for the owner.
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
			m.o.Logger.Warn("couldn't start an agent", slog.String("agent", string(id)), slog.Any("error", err))
		}
	}
	m.tell()
}

// untrusted returns why the agent can't be started until the owner has approved it, or nil.
func (m *Machine) untrusted(id topology.AgentID) error {
	if a, there := m.o.Roster.Applied().Agent(id); there {
		return m.o.Trusts(a)
	}
	return nil
}
