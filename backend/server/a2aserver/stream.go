package a2aserver

import (
	"context"
	"iter"
	"strings"
	"sync"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/server/auth"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

var _ a2asrv.RequestHandler = (*Handler)(nil)

// SendMessage implements a2asrv.RequestHandler. Unless an immediate answer is requested, it answers once the task has
// ended or waits for an answer.
func (d *Handler) SendMessage(ctx context.Context, req *a2a.SendMessageRequest) (a2a.SendMessageResult, error) {
	waits := req.Config == nil || !req.Config.ReturnImmediately
	if waits {
		leave, err := d.reader(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	t, err := d.take(ctx, req)
	if err != nil {
		return nil, err
	}
	var history *int
	if req.Config != nil {
		history = req.Config.HistoryLength
	}
	if waits {
		if err := d.follow(ctx, &t, nil, func(a2a.Event) bool { return true }); err != nil {
			return nil, d.failure(err)
		}
	}
	return d.GetTask(ctx, &a2a.GetTaskRequest{ID: a2a.TaskID(t.ID), HistoryLength: history})
}

// SendStreamingMessage implements a2asrv.RequestHandler.
func (d *Handler) SendStreamingMessage(ctx context.Context, req *a2a.SendMessageRequest) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		leave, err := d.reader(ctx) // first: a task is only submitted where it can be followed
		if err != nil {
			yield(nil, err)
			return
		}
		defer leave()
		t, err := d.take(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		d.stream(ctx, &t, nil, yield)
	}
}

// SubscribeToTask implements a2asrv.RequestHandler.
func (d *Handler) SubscribeToTask(ctx context.Context, req *a2a.SubscribeToTaskRequest) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		t, err := d.task(ctx, req.ID)
		if err == nil && t.Status.Ended() {
			err = a2a.NewError(a2a.ErrUnsupportedOperation, "the task has ended: get it instead")
		}
		if err != nil {
			yield(nil, err)
			return
		}
		leave, err := d.reader(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer leave()
		d.stream(ctx, &t, d.asked(ctx, &t), yield)
	}
}

// reader counts the caller among those that follow a task.
func (d *Handler) reader(ctx context.Context) (leave func(), err error) {
	if d.Reader == nil {
		return func() {}, nil
	}
	leave, bad := d.Reader(ctx)
	if bad != nil {
		return nil, d.failure(bad)
	}
	return leave, nil
}

// stream sends the task's current state, and then its events.
func (d *Handler) stream(ctx context.Context, t *task.Task, known []inbox.Entry, yield func(a2a.Event, error) bool) {
	if !yield(d.snapshot(ctx, t, nil), nil) || t.Status.Ended() {
		return
	}
	gone := false
	err := d.follow(ctx, t, known, func(e a2a.Event) bool {
		gone = gone || !yield(e, nil)
		return !gone
	})
	if err != nil && !gone && ctx.Err() == nil {
		yield(nil, d.failure(err))
	}
}

// take converts a message to a task, or to the answer to a task's question. Sending the same message twice creates
// one task.
func (d *Handler) take(ctx context.Context, req *a2a.SendMessageRequest) (task.Task, error) {
	if err := check(req); err != nil {
		return task.Task{}, d.said(err)
	}
	if id := req.Message.TaskID; id != "" {
		t, err := d.task(ctx, id)
		if err != nil {
			return t, err
		}
		if c := req.Message.ContextID; c != "" && c != t.SessionID {
			return t, a2a.NewError(a2a.ErrInvalidParams, "the task belongs to another context")
		}
		text, _, err := content(req.Message.Parts)
		if err == nil {
			auth.Say(ctx, text)
			err = d.answer(ctx, &t, text)
		}
		if err != nil {
			return t, d.said(err)
		}
		return d.task(ctx, id)
	}
	t, key, err := read(req)
	if err != nil {
		return t, d.said(err)
	}
	auth.Say(ctx, t.Prompt)
	if err := d.Pace.Submit(ctx); err != nil {
		return t, d.said(err)
	}
	by := auth.By(ctx)
	t.Caller = task.Origin{ID: by.ID, Name: by.Name}
	got, err := d.Coordinator.Submit(ctx, t, key)
	if err == nil && got.Rejected != "" {
		err = errcode.New(errcode.Forbidden, "rejected: %s", got.Rejected)
	}
	if err != nil {
		return t, d.said(err)
	}
	return got.Task, nil
}

// said converts an error that may already be an A2A error.
func (d *Handler) said(err error) error {
	if code := a2a.ErrorReason(err); code != "INTERNAL_ERROR" {
		return err
	}
	return d.failure(err)
}

// follow shows a task's events until it has ended, a question waits that isn't in known, show returns false, or ctx
// ends.
func (d *Handler) follow(ctx context.Context, t *task.Task, known []inbox.Entry, show func(a2a.Event) bool) error {
	changes := d.Inbox.Subscribe(16)
	defer func() { changes.Close() }()
	f := &follower{door: d, task: t, show: show, known: map[inbox.ID]bool{}}
	for i := range known {
		f.known[known[i].ID] = true
	}
	if !f.questions(ctx) {
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	batches := make(chan []task.Event)
	var failed error
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(batches)
		failed = safego.Call(ctx, d.Logger, "a stream of a task", func() error {
			return d.Coordinator.Watch(ctx, t.ID, 0, func(list []task.Event) error {
				select {
				case batches <- list:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			})
		})
	})
	defer reading.Wait()
	defer stop()
	for {
		select {
		case list, ok := <-batches:
			if !ok {
				return failed
			}
			for i := range list {
				if !f.event(ctx, &list[i]) {
					return nil
				}
			}
		case _, ok := <-changes.C():
			if !ok { // the subscription lagged; only the current questions matter
				changes = d.Inbox.Subscribe(16)
			}
			if !f.questions(ctx) {
				return nil
			}
		}
	}
}

// follower watches a task. The answer so far is shown as one piece of text.
type follower struct {
	door  *Handler
	task  *task.Task
	show  func(a2a.Event) bool
	known map[inbox.ID]bool // questions it has already shown

	text   strings.Builder // of the running attempt, shown or not
	shown  bool            // some of text was shown
	review bool            // a review is running, whose text isn't the answer
}

// event shows one event. It returns false after the last event.
func (f *follower) event(ctx context.Context, e *task.Event) bool {
	past := e.Seq <= f.task.Seq
	if e.Agent != "" { // a new attempt starts a new answer
		f.review = e.Review
		if !e.Review {
			f.text.Reset()
			f.shown = false
		}
	}
	switch e.Type {
	case task.EventDelta:
		if f.review {
			break
		}
		f.text.WriteString(e.Text)
		if !past && !f.piece(e.Text) {
			return false
		}
	case task.EventLog, task.EventStatus:
		if !past && !f.progress(e) {
			return false
		}
	case task.EventEnd:
		f.end(ctx)
		return false
	}
	if e.Seq == f.task.Seq && f.text.Len() > 0 {
		return f.piece(f.text.String())
	}
	return true
}

// piece shows text of the answer. The first piece of an attempt replaces earlier text.
func (f *follower) piece(text string) bool {
	more := f.shown
	f.shown = true
	return f.show(&a2a.TaskArtifactUpdateEvent{
		TaskID:    a2a.TaskID(f.task.ID),
		ContextID: f.task.SessionID,
		Append:    more,
		Artifact:  words(text),
	})
}

func (f *follower) progress(e *task.Event) bool {
	update := a2a.NewStatusUpdateEvent(info(f.task), a2a.TaskStateWorking, nil)
	if e.Type == task.EventLog {
		update.Status.Message = says(f.task, e.Text)
	}
	if e.Status == task.Pending {
		update.Status.State = a2a.TaskStateSubmitted
	}
	at := e.At
	update.Status.Timestamp = &at
	if e.Progress != nil {
		update.SetMeta("progress", *e.Progress)
	}
	if e.Agent != "" {
		update.SetMeta("agent", e.Agent)
	}
	return f.show(update)
}

// end shows the result of the task.
func (f *follower) end(ctx context.Context) {
	t, err := f.door.Coordinator.Task(ctx, f.task.ID)
	if err != nil {
		return
	}
	for _, a := range artifacts(&t) {
		if a.ID == answerID && f.shown && a.Parts[0].Text() == f.text.String() {
			continue
		}
		if !f.show(&a2a.TaskArtifactUpdateEvent{TaskID: a2a.TaskID(t.ID), ContextID: t.SessionID, Artifact: a, LastChunk: true}) {
			return
		}
	}
	last := &a2a.TaskStatusUpdateEvent{TaskID: a2a.TaskID(t.ID), ContextID: t.SessionID, Status: f.door.status(ctx, &t)}
	last.SetMeta("progress", t.Progress)
	f.show(last)
}

// questions shows a new question, which ends the stream, or that all questions are answered.
func (f *follower) questions(ctx context.Context) bool {
	t, err := f.door.Coordinator.Task(ctx, f.task.ID)
	if err != nil || t.Status.Ended() {
		return true // its end comes as an event
	}
	waiting := f.door.asked(ctx, &t)
	now := map[inbox.ID]bool{}
	fresh := false
	for _, q := range waiting {
		now[q.ID] = true
		fresh = fresh || !f.known[q.ID]
	}
	answered := len(f.known) > 0 && len(now) == 0
	f.known = now
	update := &a2a.TaskStatusUpdateEvent{
		TaskID:    a2a.TaskID(t.ID),
		ContextID: t.SessionID,
		Status:    f.door.status(ctx, &t),
	}
	switch {
	case fresh:
		f.show(update)
		return false
	case answered:
		return f.show(update)
	}
	return true
}
