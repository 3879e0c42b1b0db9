// Package task models one task and its attempts (requirements CO-3 to CO-5). It is pure: no I/O, no goroutines, no
// clock.
package task

import (
	"bytes"
	"encoding/json"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/trust"
)

// ID identifies a task.
type ID string

// Status is the state of a task. It only moves forward: pending, in_progress, then completed, failed or canceled, which
// are final.
type Status string

// The statuses.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Failed     Status = "failed"
	Canceled   Status = "canceled" // a person ended it
)

// Ended reports whether the status is final.
func (s Status) Ended() bool { return s == Completed || s == Failed || s == Canceled }

// Seed returns the status as CO-4 defines it for coordinators and agents, which know no canceled task: it has failed.
func (s Status) Seed() Status {
	if s == Canceled {
		return Failed
	}
	return s
}

// Task is one piece of work.
type Task struct {
	ID           ID              `json:"taskId"`
	SessionID    string          `json:"sessionId"`
	Type         Type            `json:"taskType"`
	Prompt       string          `json:"userPrompt" doc:"Text of the task."`
	Context      json.RawMessage `json:"context,omitempty" doc:"More data for the task, as it was submitted."`
	Status       Status          `json:"status" enum:"pending,in_progress,completed,failed,canceled"`
	Progress     float64         `json:"progress" doc:"Progress in percent, 0 to 100. It never falls."`
	Result       json.RawMessage `json:"result,omitempty" doc:"Result of a completed task."`
	ErrorMessage string          `json:"errorMessage,omitempty" doc:"Why the task failed or was canceled."`
	Cause        *errcode.Cause  `json:"cause,omitempty" doc:"Reason of a failure."`
	Attempts     []Attempt       `json:"attempts,omitempty"`
	Trace        *Trace          `json:"trace,omitempty" doc:"Chain of delegations that the task comes from."`
	Budget       Budget          `json:"budget,omitzero" doc:"Limit in tokens, dollars and time."`
	Spent        Spent           `json:"spent,omitzero" doc:"Tokens and cost of the task and its subtasks."`
	Review       *Review         `json:"review,omitempty" doc:"State of the review, if other agents check the result."`
	Given        []ID            `json:"given,omitempty" doc:"IDs of its subtasks."`
	RetryOf      ID              `json:"retryOf,omitempty" doc:"ID of the failed or canceled task that this one repeats."`
	RetriedAs    []ID            `json:"retriedAs,omitempty" doc:"IDs of the tasks that repeat this one, oldest first."`
	Caller       Origin          `json:"caller,omitzero" doc:"API token that submitted the task. Absent: the owner."`
	Held         bool            `json:"held,omitempty" doc:"The task comes from a restored backup and waits for a person."`
	Seq          int64           `json:"-"` // of the last event
	CreatedAt    time.Time       `json:"createdAt"`
	UpdatedAt    time.Time       `json:"updatedAt"`

	read *wishes // parsed from Context by Validate; never changed
}

// Origin is the API token that submitted a task; its subtasks inherit it.
type Origin struct {
	ID   string `json:"id" doc:"ID of the API token."`
	Name string `json:"name"`
}

// wishes caches the parsed Context, which is needed again and again.
type wishes struct {
	of json.RawMessage
	Options
}

// Attempt is one run of a task by one agent.
type Attempt struct {
	Agent     string         `json:"agent"`
	StartedAt time.Time      `json:"startedAt"`
	EndedAt   time.Time      `json:"endedAt,omitzero"`
	Error     string         `json:"error,omitempty" doc:"Why the attempt failed."`
	Cause     *errcode.Cause `json:"cause,omitempty" doc:"Reason of a failure, for programs."`
	Spent     Spent          `json:"spent,omitzero" doc:"Tokens and cost of the attempt."`
	Review    bool           `json:"review,omitempty" doc:"The attempt reviewed the result of another one."`
}

// Withdrawn reports whether the attempt ended because the owner revoked the permission of its agent. It stays in the
// list, so that attempts and output have the same numbers, but it's no failure.
func (a *Attempt) Withdrawn() bool { return a.Cause != nil && a.Cause.Code == trust.ReasonWaits }

// Began returns the start of the first attempt that wasn't withdrawn; zero: there is none.
func (t *Task) Began() time.Time {
	for i := range t.Attempts {
		if !t.Attempts[i].Withdrawn() {
			return t.Attempts[i].StartedAt
		}
	}
	return time.Time{}
}

// Options are the keys of Context that the coordinator understands.
type Options struct {
	Agent      string `json:"agent"`      // the requested agent; empty: any allowed and idle one
	Priority   int    `json:"priority"`   // higher comes first; -100 to 100
	TimeoutSec int    `json:"timeoutSec"` // from the start of the first attempt; 0: no limit
	Budget     Budget `json:"budget"`
}

// MaxPrompt and MaxContext limit a task's size in bytes.
const (
	MaxPrompt  = 512 << 10
	MaxContext = 512 << 10
	maxSession = 200
)

// Validate checks a new task and caches its Options. The error is VALIDATION_ERROR with details.field. Validate isn't
// safe for concurrent use of the task.
func (t *Task) Validate() error {
	bad := func(field, format string, a ...any) error {
		return errcode.New(errcode.Validation, format, a...).With(errcode.KeyField, field)
	}
	switch {
	case t.SessionID == "" || len(t.SessionID) > maxSession:
		return bad("sessionId", "sessionId must be 1 to %d bytes long", maxSession)
	case t.Prompt == "" || len(t.Prompt) > MaxPrompt:
		return bad("userPrompt", "userPrompt must be 1 to %d bytes long", MaxPrompt)
	case !utf8.ValidString(t.Prompt) || !utf8.ValidString(t.SessionID):
		return bad("userPrompt", "the text is not UTF-8")
	case !utf8.Valid(t.Context):
		return bad("context", "the text is not UTF-8")
	case len(t.Context) > MaxContext:
		return bad("context", "context is larger than %d bytes", MaxContext)
	}
	if _, ok := TypeOf(t.Type); !ok {
		return bad("taskType", "taskType must be %s, not %q", TypeNames(), t.Type)
	}
	return t.readWishes()
}

// readWishes checks the context.
func (t *Task) readWishes() error {
	bad := func(format string, a ...any) error {
		return errcode.New(errcode.Validation, format, a...).With(errcode.KeyField, "context")
	}
	w, err := t.Options()
	if len(t.Context) > 0 && (!bytes.HasPrefix(bytes.TrimSpace(t.Context), []byte("{")) || err != nil && !json.Valid(t.Context)) {
		return bad("context must be an object")
	}
	if err != nil {
		return bad("context: %s", err)
	}
	if err := w.Budget.Check(); err != nil {
		return bad("context: %s", errcode.From(err).Message)
	}
	if w.Priority < -100 || w.Priority > 100 || w.TimeoutSec < 0 || w.TimeoutSec > 7*24*3600 {
		return bad("context: priority must be within -100 to 100, timeoutSec within 0 to a week")
	}
	t.read = &wishes{t.Context, w}
	return nil
}

func isObject(data []byte) bool {
	return json.Valid(data) && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{"))
}

// Options returns the keys of Context that the coordinator understands.
func (t *Task) Options() (Options, error) {
	if len(t.Context) == 0 {
		return Options{}, nil
	}
	if r := t.read; r != nil && len(r.of) == len(t.Context) && &r.of[0] == &t.Context[0] {
		return r.Options, nil
	}
	var w Options
	err := json.Unmarshal(t.Context, &w)
	return w, err
}

// EventType is the kind of an Event.
type EventType string

// The kinds of events.
const (
	EventStatus EventType = "status"
	EventDelta  EventType = "delta" // a piece of the answer
	EventLog    EventType = "log"   // a line about the work
	EventEnd    EventType = "end"   // the last one
)

// Event is one event of a task. Seq counts from 1 without gaps; clients use it to resume a stream.
type Event struct {
	TaskID       ID              `json:"taskId"`
	Seq          int64           `json:"seq"`
	Type         EventType       `json:"type"`
	At           time.Time       `json:"at,omitzero"`
	Agent        string          `json:"agent,omitempty"`   // the agent that starts an attempt
	Attempt      int             `json:"attempt,omitempty"` // the number of the attempt that starts, as in the task's attempts
	Review       bool            `json:"review,omitempty"`  // the attempt reviews an earlier result
	Status       Status          `json:"status,omitempty"`
	Progress     *float64        `json:"progress,omitempty"`
	Text         string          `json:"text,omitempty"`
	Result       json.RawMessage `json:"result,omitempty"`
	ErrorMessage string          `json:"errorMessage,omitempty"`
	Cause        *errcode.Cause  `json:"cause,omitempty"` // of ErrorMessage or of Text
}
