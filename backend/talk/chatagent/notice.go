package chatagent

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/turn"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// Causes of the system messages that an agent has posted.
const (
	causeUsed    = "tool_used"
	causeNotUsed = "tool_failed"
	causeCutOff  = "answer_cut_off"
	causeTooLong = "answer_too_long"
)

const (
	maxArguments = errcode.MaxParam - 1 // of a tool; with the ellipsis they fit into a param
	maxShown     = 2000
)

// used says what an agent did with a tool.
func (m ToolResponder) used(u *turn.Use) Update {
	verb, code := "used", causeUsed
	if u.Failed {
		verb, code = "could not use", causeNotUsed
	}
	fence := "```"
	for strings.Contains(u.Result, fence) {
		fence += "`"
	}
	arguments := oneLine(u.Arguments, maxArguments)
	result := fmt.Sprintf("%s\n%s\n%s", fence, tool.HeadAndTail(u.Result, maxShown), fence)
	return Update{
		Notice: fmt.Sprintf("%s %s %s %s\n\n%s", m.Name, verb, u.Tool, arguments, result),
		Cause: own(
			&errcode.Cause{
				Code:   code,
				Params: map[string]string{turns.KeyAgent: m.Name, "tool": u.Tool, "arguments": arguments},
			},
			result,
		),
	}
}

func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// own marks the end of a text as no words of the hub's.
func own(c *errcode.Cause, end string) *errcode.Cause {
	return c.About(room.KeyOwn, strconv.Itoa(utf8.RuneCountInString(end)))
}

// failed is the end of a turn that came to no answer, with what had come of one.
func failed(err error, partial string) (text string, cause *errcode.Cause) {
	text, cause = errcode.From(err).Message, errcode.CauseOf(err)
	if partial == "" {
		return text, cause
	}
	const most = 2000
	if runes := []rune(partial); len(runes) > most {
		partial = string(runes[:most]) + " …"
	}
	return fmt.Sprintf("%s. This had come of its answer:\n\n%s", text, partial), own(cause, partial)
}

// cutOff says that an answer is not whole.
func cutOff(t turns.Turn, agent string) turns.Update {
	return turns.Update{
		TurnID: t.ID, Notice: "The answer of " + agent + " is cut off: it reached its largest size (max_tokens).",
		Cause: &errcode.Cause{Code: causeCutOff, Params: map[string]string{turns.KeyAgent: agent}},
	}
}
