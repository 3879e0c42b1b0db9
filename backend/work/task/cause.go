package task

import (
	"strings"

	"agentflow/backend/base/errcode"
)

// Keys of the details of a Cause.
const (
	KeyAgent = "agent"
	KeyFrom  = "from"
	KeyTo    = "to"
	KeySaid  = "said" // the agent's message
	KeyCount = "n"

	KeyVariable = "variable"
)

// Causes that no other package defines.
const (
	CauseCancelled  = "cancelled"
	CauseDeadline   = "deadline"
	CauseParent     = "parent"      // the parent task no longer waits for it
	CauseHubStopped = "hub_stopped" // the hub stopped during the attempt
	CauseNotSaved   = "not_saved"   // the store couldn't save the attempt's end
	CauseUnpriced   = "unpriced"    // it has a budget in US dollars, but its model has no price
	CausePriceThere = "price_there" // as CauseUnpriced, of an agent that has its prices on another computer
	CauseReviewed   = "reviewed"    // its result was rejected too often
	CauseUnknown    = "unknown_agent"
	CauseLeads      = "coordinator" // the requested agent delegates tasks and takes none
	CauseNoTool     = "no_tool"
	CauseNoSecret   = "no_secret"    // a remote agent names none
	CauseUnset      = "secret_unset" // the variable that it names has no value
)

// ReasonNoConnection marks a rejection because a Delegate connection is missing.
const ReasonNoConnection = "no_connection"

// Unconnected returns the rejection of a task that the team's connections allow no agent, or not the requested one,
// to take.
func Unconnected(from []string, to string) *errcode.Error {
	by := strings.Join(from, " or ")
	e := errcode.New(errcode.Conflict, "%s has no Delegate connection to any agent. Add one and apply it.", by)
	if to != "" {
		e = errcode.New(errcode.Conflict, "%s has no Delegate connection to %s. Add one and apply it.", by, to).
			With(KeyTo, to)
	}
	return e.With(errcode.KeyReason, ReasonNoConnection).With(KeyFrom, from)
}

// Leads returns the rejection of a task for a Coordinator, to which no other Coordinator has a Delegate connection.
func Leads(agent string) *errcode.Error {
	return errcode.New(errcode.Conflict, "%s is a coordinator. It delegates tasks and takes none, unless another "+
		"coordinator has a Delegate connection to it. Submit the task to another agent or to the whole team.", agent).
		With(errcode.KeyReason, ReasonNoConnection).With(errcode.KeyCause, CauseLeads).With(KeyAgent, agent)
}

// RefusedWork returns the failure of a task whose result was rejected too often.
func RefusedWork(n int, reviewer, remarks string) *errcode.Error {
	return errcode.New(errcode.Conflict, "the work was refused %d times. %s says: %s", n, reviewer, remarks).
		With(errcode.KeyCause, CauseReviewed).With(KeyCount, n).With(KeyAgent, reviewer).With(KeySaid, remarks)
}
