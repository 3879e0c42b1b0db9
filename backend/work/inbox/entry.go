// Package inbox stores approvals and questions for a person. Agents in the hub and remote agents ask, and a person
// answers once. Questions and answers are durable before they are published. A question expires when its asker is
// gone.
package inbox

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/strictjson"
	"agentflow/backend/model/tool"
)

// ID identifies an Entry. IDs sort in the order in which the questions came.
type ID string

// State is the state of an Entry.
type State string

// The states. Waiting is the only one that changes.
const (
	Waiting  State = "waiting"
	Answered State = "answered"
	Expired  State = "expired" // the asker no longer waits: Reason says why
)

// Choice is a person's decision.
type Choice string

// The choices.
const (
	Once   Choice = "once"   // the tool can be used this time
	Always Choice = "always" // and from now on, within Standing
	Deny   Choice = "deny"
)

// Question is what an agent asks: whether it can use a tool or, if Tool is empty, Text.
type Question struct {
	Agent     string          `json:"agent" doc:"Agent that asks."`
	Task      string          `json:"task,omitempty" doc:"ID of the task that it runs."`
	Room      string          `json:"room,omitempty" doc:"Room that it takes part in."`
	Tool      string          `json:"tool,omitempty" doc:"Tool that it wants to use."`
	From      string          `json:"from,omitempty" doc:"Server that offers the tool."`
	Arguments json.RawMessage `json:"arguments,omitempty" doc:"Arguments that the tool will get."`
	Said      string          `json:"said,omitempty" doc:"What the agent said just before."`
	Text      string          `json:"text,omitempty" doc:"Question in words."`

	Effect *tool.FileEffect `json:"effect,omitempty" doc:"What the tool would do to a file, as the file was when the agent asked."`

	// Folder is where an agent in another process says it works. It counts instead of the workspace of the team.
	Folder string `json:"-"`
}

// Entry is a Question and its outcome.
type Entry struct {
	ID ID `json:"id"`
	Question
	Ground
	Offer     *StandingOffer `json:"offer,omitempty" doc:"Standing permissions that you can give. Absent: none."`
	Gateway   *AtGateway     `json:"gateway,omitempty" doc:"A gateway asks, and keeps the question. Absent: an agent of AgentFlow asks."`
	Elsewhere bool           `json:"elsewhere,omitempty" doc:"The agent runs in another process."`
	AskedAt   time.Time      `json:"askedAt"`
	State     State          `json:"state" enum:"waiting,answered,expired" doc:"expired: it ended without an answer."`
	Choice    Choice         `json:"choice,omitempty" enum:"once,always,deny" doc:"Decision of the person."`
	Word      string         `json:"word,omitempty" doc:"Note of the person to the agent."`
	ByRule    bool           `json:"byRule,omitempty" doc:"A standing permission answered it."`
	By        string         `json:"by,omitempty" doc:"Who answered: owner or page for the owner of AgentFlow, or a name that the gateway gives."`
	Reason    string         `json:"reason,omitempty" enum:"asker_gone,hub_restarted,ended,timed_out,elsewhere,unconfirmed,gateway_removed" doc:"Why it expired."`
	EndedAt   time.Time      `json:"endedAt,omitzero"`
	Key       string         `json:"-"` // the asker's name for it; the same key is the same question
}

// Reasons why an Entry expired.
const (
	ReasonGone      = "asker_gone"    // the remote agent no longer polls for the answer
	ReasonRestarted = "hub_restarted" // its asker ran in a hub that has ended
	ReasonEnded     = "ended"         // the work was canceled, timed out or lost its permission

	// Of a gateway's entry.
	ReasonTimedOut    = "timed_out"       // nobody answered in time
	ReasonElsewhere   = "elsewhere"       // it waits no more at the gateway, which doesn't say who ended it
	ReasonUnconfirmed = "unconfirmed"     // an answer was sent, and the link was lost before the gateway confirmed it
	ReasonRemoved     = "gateway_removed" // the gateway was removed from the settings
)

// Limits.
const (
	MaxWaiting = 500 // of all agents
	MaxOfAgent = 50  // of one agent, so that it can't keep the others from asking
	maxSaid    = 8 << 10
	maxText    = 32 << 10
	MaxWord    = 4 << 10
)

func (q Question) check() (Question, error) {
	if q.Agent == "" || q.Tool == "" && strings.TrimSpace(q.Text) == "" {
		return q, errcode.New(errcode.Validation, "a question needs an agent, and a tool or a text")
	}
	if len(q.Arguments) > 0 {
		args, err := strictjson.Object(q.Arguments)
		if err != nil {
			return q, errcode.New(errcode.Validation, "the arguments are not a JSON object: %s", err.Error()).
				With(errcode.KeyField, "arguments")
		}
		if err := tool.Readable(args); err != nil {
			return q, errcode.From(err).With(errcode.KeyField, "arguments")
		}
		q.Arguments = args
	}
	if len(q.Text) > maxText {
		return q, errcode.New(errcode.Validation,
			"the question has %d bytes, which nobody reads to its end: ask in at most %d", len(q.Text), maxText).
			With(errcode.KeyField, "text")
	}
	q.Said, q.Text = cut(q.Said, maxSaid), strings.ToValidUTF8(q.Text, "\uFFFD")
	return q, nil
}

func cut(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
