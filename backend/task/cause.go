package task

import (
	"fmt"
	"strings"

	"agentflow/backend/errcode"
)

// Cause says in a word why something did not come about, so that a page can tell it in any
// language. The English text beside it says the same, and more.
type Cause struct {
	Code   string            `json:"code"`             // new ones may come: who does not know one shows the text
	Params map[string]string `json:"params,omitempty"` // what it is about; of several agents, their ids with commas between
}

// maxParam bounds a param, in characters.
const maxParam = 300

// CauseOf reads a cause from an error: its details.cause, or else its reason, or else its code
// in small letters, with all other details that can be said. nil of nil.
func CauseOf(err error) *Cause {
	e := errcode.From(err)
	if e == nil {
		return nil
	}
	c := &Cause{Code: strings.ToLower(string(e.Code))}
	if r := e.Reason(); r != "" {
		c.Code = r
	}
	if w, _ := e.Details[errcode.KeyCause].(string); w != "" {
		c.Code = w
	}
	for key, value := range e.Details {
		if key == errcode.KeyCause || key == errcode.KeyReason {
			continue
		}
		text := ""
		switch v := value.(type) {
		case []string:
			text = strings.Join(v, ",")
		case string, int, int64, float64:
			text = fmt.Sprint(v)
		}
		if text == "" {
			continue
		}
		if c.Params == nil {
			c.Params = map[string]string{}
		}
		c.Params[key] = cut(text, maxParam)
	}
	return c
}

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
	CauseUnpriced   = "unpriced"    // it has a budget in money, and its model no price
	CauseReviewed   = "reviewed"    // its result was refused once too often
	CauseUnknown    = "unknown_agent"
	CauseNoTool     = "no_tool"
	CauseNoSecret   = "no_secret"
)

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
