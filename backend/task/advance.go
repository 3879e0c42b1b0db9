package task

import (
	"encoding/json"
	"slices"
	"time"

	"agentflow/backend/errcode"
)

// Step is something that happens to a task.
type Step struct {
	At       time.Time
	Start    string          // the agent that begins an attempt
	Review   *Review         // the running attempt ended well, and this is where the task stands
	Failed   string          // why the running attempt ended without an end of the task
	Refused  bool            // the agent did not take it: there was no attempt
	Progress float64         // of the running attempt; taken if it is more than before
	Text     string          // a piece of the answer
	Log      string          // a line about the work
	Given    ID              // a task that its agent gave on
	Spent    *Spent          // by the running attempt's agent until now, all together
	Charged  Spent           // by somebody to whom a part was given
	Result   json.RawMessage // completes the task
	Error    string          // fails the task
	Cause    *errcode.Cause  // of Failed, of Error, or of what Log tells
}

// Advance returns the task after the step, and the events that tell of it. It is the only
// place where a status changes. A task that has ended takes no step: CONFLICT.
func Advance(t Task, s Step) (Task, []Event, error) {
	if t.Status.Ended() {
		return t, nil, errcode.New(errcode.Conflict, "the task %s has ended as %s", t.ID, t.Status).With(errcode.KeyReason, "ended")
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
		add(Event{Type: EventStatus, Status: t.Status, Progress: progress(t), Agent: s.Start, Review: t.Reviewed()})
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
		add(Event{Type: EventEnd, Status: Failed, Progress: progress(t), ErrorMessage: s.Error, Cause: s.Cause})
	case len(s.Result) > 0:
		t.end(s.At, "", nil)
		t.Status, t.Progress, t.Result = Completed, 100, s.Result
		add(Event{Type: EventEnd, Status: Completed, Progress: progress(t), Result: s.Result})
	}
	return t, events, nil
}

// end closes the attempt that runs, if one does.
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

// Accepted is a new task as it stands once it was taken.
func Accepted(t Task) Task {
	t.Status, t.Seq = Pending, 1
	return t
}

// First is a task's first event, which tells that it was accepted. It follows from the task, so
// that no store has to keep it.
func (t *Task) First() Event {
	return Event{TaskID: t.ID, Seq: 1, Type: EventStatus, At: t.CreatedAt, Status: Pending, Progress: new(float64)}
}
