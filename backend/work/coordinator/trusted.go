package coordinator

import (
	"errors"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/worker"
)

// errUntrusted ends the attempt of an agent whose approval was revoked. Its task waits again.
var errUntrusted = errors.New("the agent isn't trusted any more")

// untrusted returns errUntrusted for an agent.
func untrusted(agent topology.AgentID) error {
	return errcode.Wrap(errcode.Unavailable, errUntrusted,
		"what the agent %s asks of this computer is no longer allowed", agent).
		With(errcode.KeyReason, worker.ReasonRefused).With(errcode.KeyCause, trust.ReasonWaits).
		With(trust.KeyAgent, string(agent))
}

// Trusted checks again which agents can be used. It cancels the attempts of those that no longer can, and their tasks
// wait.
func (m *Machine) Trusted() {
	m.mu.Lock()
	for _, a := range m.running {
		if m.eligibility.Trusted(&a.who) != nil {
			a.cancel(untrusted(a.agent))
		}
	}
	m.mu.Unlock()
	m.board.Tell(nil)
	m.nudge()
}
