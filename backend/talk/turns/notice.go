package turns

import "agentflow/backend/base/errcode"

// Causes of the system messages about turns. A room that has reached a limit says
// limit_turns or limit_tokens.
const (
	CauseUnanswered = "unanswered"  // a turn ended without an answer; KeyWhy has the cause of that
	CauseStopped    = "stopped"     // a person ended all turns
	CauseWrapUp     = "wrap_up"     // a person ended all turns for the last word
	CauseRemoved    = "removed"     // a person mentioned an agent that was removed
	CauseSilent     = "turn_silent" // a turn was ended, for nothing was heard of it
)

// Params of these causes, beside those that the cause of a failure has itself.
const (
	KeyAgent = "agent"
	KeyWhy   = "why"
	KeyCount = "n"
	KeyBy    = "by" // of CauseStopped and CauseWrapUp
)

// unanswered is the cause of a failed turn; why is that of the failure, nil where an agent
// does not say.
func unanswered(agent string, why *errcode.Cause) *errcode.Cause {
	c := &errcode.Cause{Code: CauseUnanswered}
	if why != nil {
		c = why.About(KeyWhy, why.Code)
		c.Code = CauseUnanswered
	}
	return c.About(KeyAgent, agent)
}
