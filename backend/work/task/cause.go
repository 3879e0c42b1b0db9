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
	CauseNoTool     = "no_tool"
	CauseNoSecret   = "no_secret"    // a remote agent names none
	CauseUnset      = "secret_unset" // the variable that it names has no value
)

// Causes of log lines that report a step of the work, not a failure.
const (
	CauseGave        = "gave_task"     // KeyAgent has got a subtask
	CauseAccepted    = "accepted_work" // by the reviewer KeyAgent, of the agent KeyFrom
	CauseNotAccepted = "rejected_work" // as CauseAccepted, with the remarks as KeySaid
)

// ReasonNoConnection marks a rejection because a Delegate connection is missing.
const ReasonNoConnection = "no_connection"

// NotInTeam returns the rejection of a task for an agent that the applied team doesn't have.
func NotInTeam(agent string) *errcode.Error {
	return errcode.New(errcode.NotFound, "there is no agent %s in the applied team", agent).
		With(errcode.KeyCause, CauseUnknown).With(KeyAgent, agent)
}

// Unconnected returns the rejection of a task for an agent to which no Coordinator can delegate.
func Unconnected(from []string, to string) *errcode.Error {
	by := strings.Join(from, " or ")
	return errcode.New(errcode.Conflict, "%s has no Delegate connection to %s. Add one and apply it.", by, to).
		With(KeyTo, to).With(errcode.KeyReason, ReasonNoConnection).With(KeyFrom, from)
}

// RefusedWork returns the failure of a task whose result was rejected too often.
func RefusedWork(n int, reviewer, remarks string) *errcode.Error {
	return errcode.New(errcode.Conflict, "the work was refused %d times. %s says: %s", n, reviewer, remarks).
		With(errcode.KeyCause, CauseReviewed).With(KeyCount, n).With(KeyAgent, reviewer).With(KeySaid, remarks)
}

// Verdict returns the cause of a log line about a review. The remarks are whole, however long.
func Verdict(accepted bool, reviewer, by, remarks string) *errcode.Cause {
	c := &errcode.Cause{Code: CauseAccepted, Params: map[string]string{KeyAgent: reviewer, KeyFrom: by}}
	if !accepted {
		c.Code, c.Params[KeySaid] = CauseNotAccepted, remarks
	}
	return c
}
