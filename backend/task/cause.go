package task

import (
	"strings"

	"agentflow/backend/errcode"
)

// Details that a Cause is about.
const (
	KeyAgent = "agent"
	KeyFrom  = "from"
	KeyTo    = "to"
	KeySaid  = "said" // by an agent, in its own words
	KeyCount = "n"
)

// Causes that no other package has a word for.
const (
	CauseCancelled  = "cancelled"
	CauseDeadline   = "deadline"
	CauseParent     = "parent"      // the task that it was given for goes on without it
	CauseHubStopped = "hub_stopped" // while somebody was at it
	CauseNotSaved   = "not_saved"   // the attempt's end, by the store
	CauseUnpriced   = "unpriced"    // it has a budget in money, and its model no price
	CauseReviewed   = "reviewed"    // its result was refused once too often
	CauseUnknown    = "unknown_agent"
	CauseNoTool     = "no_tool"
	CauseNoSecret   = "no_secret"
)

// Cancelled reports whether the task ended because somebody did not want it any more.
func (t *Task) Cancelled() bool {
	return t.Status == Failed && t.Cause != nil && t.Cause.Code == CauseCancelled
}

// ReasonNoConnection marks a refusal for want of a command connection.
const ReasonNoConnection = "no_connection"

// Unconnected is the refusal of a task that the team's connections give to nobody, or not to
// whom it was meant for.
func Unconnected(from []string, to string) *errcode.Error {
	e := errcode.New(errcode.Conflict, "no command connection leads from %s to any agent: draw one and apply it", strings.Join(from, " or "))
	if to != "" {
		e = errcode.New(errcode.Conflict, "no command connection leads from %s to %s: draw one and apply it", strings.Join(from, " or "), to).With(KeyTo, to)
	}
	return e.With(errcode.KeyReason, ReasonNoConnection).With(KeyFrom, from)
}

// RefusedWork is why a task fails whose result was refused once too often.
func RefusedWork(n int, reviewer, remarks string) *errcode.Error {
	return errcode.New(errcode.Conflict, "the work was refused %d times. %s says: %s", n, reviewer, remarks).
		With(errcode.KeyCause, CauseReviewed).With(KeyCount, n).With(KeyAgent, reviewer).With(KeySaid, remarks)
}
