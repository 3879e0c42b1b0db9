package task

import (
	"encoding/json"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
)

// Step is an event in the life of a task.
type Step struct {
	At       time.Time
	Start    string          // the agent that starts an attempt
	Review   *Review         // the running attempt succeeded; this is the new state of the review
	Failed   string          // why the running attempt failed; the task hasn't ended
	Refused  bool            // the agent rejected the task: the attempt is removed
	Progress float64         // of the running attempt; ignored unless it has grown
	Text     string          // a piece of the answer
	Log      string          // a line about the work
	Given    ID              // a subtask that was delegated
	Spent    *Spent          // total so far by the running attempt's agent
	Charged  Spent           // by a subtask
	Result   json.RawMessage // completes the task
	Error    string          // ends the task as failed, or as canceled
	Canceled bool            // with Error: a person ends the task
	Cause    *errcode.Cause  // of Failed, Error or Log
}

// Advance returns the task after the step, and the resulting events. It is the only place where the status changes.
// If the task has ended, it returns CONFLICT.
func Advance(t Task, s Step) (Task, []Event, error) {
	if t.Status.Ended() {
		return t, nil, errcode.New(errcode.Conflict, "the task %s has ended as %s", t.ID, t.Status).
			With(errcode.KeyReason, "ended")
	}
	if len(s.Result) > 0 && !isObject(s.Result) {
		return t, nil, errcode.New(errcode.Validation, "result must be an object").With(errcode.KeyField, "result")
	}
	var events []Event
	add := func(e Event) {
		t.Seq++
		e.TaskID, e.Seq, e.At = t.ID, t.Seq, s.At
		events = append(events, e)
	}
	t.UpdatedAt = s.At
	t.Attempts = append([]Attempt(nil), t.Attempts...)
	if s.Start != "" {
		t.Attempts = append(t.Attempts, Attempt{Agent: s.Start, StartedAt: s.At, Review: t.Reviewed()})
		t.Status = InProgress
		add(Event{
			Type: EventStatus, Status: t.Status, Progress: progress(t),
			Agent: s.Start, Attempt: len(t.Attempts), Review: t.Reviewed(),
		})
	}
	if n := len(t.Attempts); s.Refused && n > 0 {
		t.Attempts = t.Attempts[:n-1]
	}
	if n := len(t.Attempts); s.Spent != nil && n > 0 {
		a := &t.Attempts[n-1]
		more := s.Spent.Since(a.Spent)
		a.Spent, t.Spent = a.Spent.Plus(more), t.Spent.Plus(more)
	}
	t.Spent = t.Spent.Plus(s.Charged)
	if s.Given != "" {
		t.Given = append(slices.Clone(t.Given), s.Given)
	}
	if s.Log != "" {
		add(Event{Type: EventLog, Text: s.Log, Cause: s.Cause})
	}
	if s.Text != "" {
		add(Event{Type: EventDelta, Text: s.Text})
	}
	if s.Progress > t.Progress {
		t.Progress = min(s.Progress, 100)
		add(Event{Type: EventStatus, Status: t.Status, Progress: progress(t)})
	}
	if s.Failed != "" {
		t.end(s.At, s.Failed, s.Cause)
	}
	if s.Review != nil {
		t.end(s.At, "", nil)
		t.Review = s.Review
	}
	switch {
	case s.Error != "":
		t.end(s.At, s.Error, s.Cause)
		t.Status, t.ErrorMessage, t.Cause = Failed, s.Error, s.Cause
		if s.Canceled {
			t.Status = Canceled
		}
		add(Event{Type: EventEnd, Status: t.Status, Progress: progress(t), ErrorMessage: s.Error, Cause: s.Cause})
	case len(s.Result) > 0:
		t.end(s.At, "", nil)
		t.Status, t.Progress, t.Result = Completed, 100, s.Result
		add(Event{Type: EventEnd, Status: Completed, Progress: progress(t), Result: s.Result})
	}
	return t, events, nil
}

// end closes the running attempt, if there is one.
func (t *Task) end(at time.Time, why string, cause *errcode.Cause) {
	if n := len(t.Attempts); n > 0 && t.Attempts[n-1].EndedAt.IsZero() {
		a := &t.Attempts[n-1]
		a.EndedAt, a.Error, a.Cause = at, why, cause
	}
}

func progress(t Task) *float64 {
	p := t.Progress
	return &p
}

// Accepted returns a new task in its first state.
func Accepted(t Task) Task {
	t.Status, t.Seq = Pending, 1
	return t
}

// First returns a task's first event: that it was accepted. It is derived from the task, so stores don't save it.
func (t *Task) First() Event {
	return Event{TaskID: t.ID, Seq: 1, Type: EventStatus, At: t.CreatedAt, Status: Pending, Progress: new(float64)}
}
