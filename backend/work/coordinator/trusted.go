package coordinator

import (
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/worker"
)

// errUntrusted ends the attempt of an agent whose approval was revoked. Its task waits again.
var errUntrusted = errcode.New(errcode.Unavailable, "what the agent asks of this computer is no longer allowed").
	With(errcode.KeyReason, worker.ReasonRefused).With(errcode.KeyCause, trust.ReasonWaits)

// Trusted checks again which agents can be used. It cancels the attempts of those that no longer can, and their tasks
// wait.
func (m *Machine) Trusted() {
	m.mu.Lock()
	for _, a := range m.running {
		if m.eligibility.Trusted(&a.who) != nil {
			a.cancel(errUntrusted)
		}
	}
	m.mu.Unlock()
	m.board.Tell(nil)
	m.nudge()
}
