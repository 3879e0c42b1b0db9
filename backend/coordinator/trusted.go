package coordinator

import (
	"agentflow/backend/errcode"
	"agentflow/backend/trust"
	"agentflow/backend/worker"
)

// errUntrusted ends the attempt of an agent whose leave was taken back: its task waits again.
var errUntrusted = errcode.New(errcode.Unavailable, "what the agent asks of this computer is no longer allowed").
	With(errcode.KeyReason, worker.ReasonRefused).With(errcode.KeyCause, trust.ReasonWaits)

// Trusted looks again who can be used. What runs with an agent that no longer can is ended, and
// its task waits.
func (m *Machine) Trusted() {
	m.mu.Lock()
	for _, a := range m.running {
		if m.crew.Trusted(&a.who) != nil {
			a.cancel(errUntrusted)
		}
	}
	m.mu.Unlock()
	m.board.Tell(nil)
	m.nudge()
}
