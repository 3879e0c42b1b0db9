package a2aclient

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// exchange is one job at one agent.
type exchange struct {
	peer *Peer
	line *line
	job  worker.Job
	tell func(worker.Update) error
	next *a2a.Message // to be sent; nil: poll the task instead

	id      a2a.TaskID // the agent's ID of the task
	context string
	state   a2a.TaskState
	word    string   // of the last status
	asked   question // its latest question
	stale   bool     // asked has been answered
	heard   received
	told    error // of tell
	silent  int   // consecutive unanswered polls
}

// Polling of a job whose agent doesn't report.
const (
	lookAgain  = time.Second
	mostSilent = 2
)

var errSilent = errors.New("the agent says nothing")

// run runs the job until it ends.
func (t *exchange) run(ctx context.Context) (json.RawMessage, error) {
	for {
		var err error
		if t.next != nil || !t.settled() {
			err = t.listen(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case t.told != nil:
			return nil, t.told
		case t.state.Terminal():
			return t.end()
		case t.state == a2a.TaskStateAuthRequired:
			return nil, errcode.New(errcode.Forbidden, "the agent at %s wants somebody to log in first: %s", Address(t.peer.URL), orText(t.word, "it does not say where")).
				With(errcode.KeyCause, causeLogin).
				With(task.KeySaid, t.word)
		case t.state == a2a.TaskStateInputRequired:
			if err := t.ask(ctx); err != nil {
				return nil, err
			}
		case t.id == "": // it never accepted the job
			if err == nil {
				err = errcode.New(errcode.Unavailable,
					"the agent at %s ended the conversation before it began", Address(t.peer.URL)).
					With(errcode.KeyCause, "no_agent").
					With(keyURL, Address(t.peer.URL))
			}
			return nil, t.peer.unreached(ctx, err)
		default:
			if err := t.look(ctx, err); err != nil {
				return nil, err
			}
		}
	}
}

const causeLogin = "a2a_login"

// settled reports whether the agent does nothing more without input.
func (t *exchange) settled() bool {
	return t.state.Terminal() || t.state == a2a.TaskStateInputRequired || t.state == a2a.TaskStateAuthRequired
}

// listen takes events until the stream ends, nothing comes for a lease, or the task is settled.
func (t *exchange) listen(ctx context.Context) error {
	lease := t.peer.Lease
	if lease <= 0 {
		lease = worker.DefaultLease
	}
	ctx, done := context.WithCancelCause(ctx)
	defer done(nil)
	timer := time.AfterFunc(lease, func() { done(errSilent) })
	defer timer.Stop()
	for e, err := range t.events(ctx) {
		if err != nil {
			if errors.Is(context.Cause(ctx), errSilent) {
				return errSilent
			}
			return err
		}
		timer.Reset(lease)
		t.silent = 0
		if t.told = t.take(e); t.told != nil || t.settled() {
			return nil
		}
	}
	t.stale = t.stale && !t.line.streams // a streaming agent that has sent everything and still asks, asks again
	return nil
}

// events returns the agent's answers to the next message, or its events if there is none.
func (t *exchange) events(ctx context.Context) iter.Seq2[a2a.Event, error] {
	m := t.next
	t.next = nil
	if m == nil && t.line.streams {
		return t.line.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: t.id})
	}
	if m == nil {
		return func(func(a2a.Event, error) bool) {}
	}
	t.state = a2a.TaskStateUnspecified // its question is answered
	req := &a2a.SendMessageRequest{
		Message: m,
		Config: &a2a.SendMessageConfig{
			AcceptedOutputModes: []string{"text/plain", "text/markdown", "application/json"},
		},
	}
	if t.line.streams {
		return t.line.SendStreamingMessage(ctx, req)
	}
	req.Config.ReturnImmediately = true
	return func(yield func(a2a.Event, error) bool) { yield(t.line.SendMessage(ctx, req)) }
}

// look polls the job. why is why the stream ended.
func (t *exchange) look(ctx context.Context, why error) error {
	if errors.Is(why, errTooMuch) {
		return tooMuch()
	}
	if !errors.Is(why, errSilent) {
		pause := time.NewTimer(lookAgain)
		defer pause.Stop()
		select {
		case <-pause.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	asking, done := context.WithTimeout(ctx, callWithin)
	defer done()
	is, err := t.line.GetTask(asking, &a2a.GetTaskRequest{ID: t.id})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, a2a.ErrTaskNotFound):
		return givenUp(t.peer.URL)
	case err != nil:
		if t.silent++; t.silent >= mostSilent {
			return errcode.Wrap(errcode.Unavailable, err,
				"the agent at %s does not answer any more", Address(t.peer.URL)).
				With(errcode.KeyCause, "agent_silent")
		}
		return nil
	}
	t.silent = 0
	t.told = t.take(is)
	return t.told
}

// take processes an event. It ignores events of other tasks.
func (t *exchange) take(e a2a.Event) error {
	about := e.TaskInfo()
	if t.id != "" && about.TaskID != "" && about.TaskID != t.id {
		return nil
	}
	if about.TaskID != "" {
		t.id, t.context = about.TaskID, about.ContextID
	}
	switch e := e.(type) {
	case *a2a.Message:
		t.state = a2a.TaskStateCompleted
		return t.piece(&a2a.Artifact{ID: a2a.ArtifactID(e.ID), Parts: e.Parts}, false)
	case *a2a.Task:
		for _, a := range e.Artifacts {
			if err := t.piece(a, false); err != nil {
				return err
			}
		}
		return t.status(e.Status, e.Metadata)
	case *a2a.TaskArtifactUpdateEvent:
		return t.piece(e.Artifact, e.Append)
	case *a2a.TaskStatusUpdateEvent:
		return t.status(e.Status, e.Metadata)
	}
	return nil
}

// piece adds a part of the answer and reports the new text.
func (t *exchange) piece(a *a2a.Artifact, more bool) error {
	if a == nil {
		return nil
	}
	text, err := t.heard.add(a, more)
	if err != nil || text == "" {
		return err
	}
	return t.tell(worker.Update{Text: text})
}

// status records the job's state and reports its message and progress.
func (t *exchange) status(s a2a.TaskStatus, more map[string]any) error {
	said := ""
	if s.Message != nil {
		if said = textOf(s.Message.Parts); len(said) > maxSaid {
			return tooMuch()
		}
	}
	news := worker.Update{}
	if done, ok := more["progress"].(float64); ok {
		news.Progress = min(max(done, 0), 100)
	}
	if s.State == a2a.TaskStateWorking && said != "" && said != t.word {
		news.Log = oneLine(said)
	}
	t.state, t.word = s.State, said
	if s.State == a2a.TaskStateInputRequired {
		if q := questionOf(s); t.stale && q == t.asked && q != (question{}) {
			t.state = a2a.TaskStateWorking // it has the answer, and repeats its earlier state
		} else {
			t.asked, t.stale = q, false
		}
	}
	if news == (worker.Update{}) {
		return nil
	}
	return t.tell(news)
}

// question identifies one question of an agent.
type question struct {
	id string
	at time.Time
}

func questionOf(s a2a.TaskStatus) (q question) {
	if s.Message != nil {
		q.id = s.Message.ID
	}
	if s.Timestamp != nil {
		q.at = s.Timestamp.UTC()
	}
	return q
}

// ask passes the agent's question to a person and sends the answer back.
func (t *exchange) ask(ctx context.Context) error {
	if t.peer.Asker == nil {
		return errcode.New(errcode.Unavailable, "the agent at %s has a question, and nobody can be asked",
			Address(t.peer.URL))
	}
	v, err := t.peer.Asker.Ask(
		ctx,
		tool.Question{
			From: From,
			Text: orText(t.word, "The agent needs something from you, and does not say what."),
			Said: strings.TrimSpace(t.heard.lastText()),
		},
	)
	if err != nil {
		return err
	}
	word := strings.TrimSpace(v.Word)
	if word == "" && v.Allow {
		word = "yes"
	}
	if word == "" {
		word = "no"
	}
	t.next = a2a.NewMessageForTask(a2a.MessageRoleUser, a2a.TaskInfo{TaskID: t.id, ContextID: t.context},
		a2a.NewTextPart(word))
	t.stale = true
	return nil
}

// From is the source of an A2A agent's questions.
const From = "a2a"

// end returns the result of the job.
func (t *exchange) end() (json.RawMessage, error) {
	switch t.state {
	case a2a.TaskStateCompleted:
		return t.heard.result(t.word, t.id, t.context)
	case a2a.TaskStateRejected:
		return nil, errcode.New(errcode.Forbidden,
			"the agent at %s rejected the task: %s", Address(t.peer.URL), orText(t.word, "no reason given")).
			With(errcode.KeyCause, causeRejected).
			With(task.KeySaid, t.word)
	case a2a.TaskStateCanceled:
		return nil, errcode.New(errcode.Unavailable,
			"the agent at %s cancelled the task: %s", Address(t.peer.URL), orText(t.word, "no reason given")).
			With(errcode.KeyCause, causeGivenUp)
	}
	return nil, errcode.New(errcode.Unavailable, "%s", orText(t.word, "the agent failed without a reason")).
		With(errcode.KeyCause, "agent_failed").
		With(task.KeySaid, t.word)
}

const causeRejected = "a2a_rejected"

// refused converts an A2A error. A retry is possible unless the request itself is wrong.
func refused(said *a2a.Error) error {
	code := errcode.Unavailable
	for _, lasting := range []error{a2a.ErrInvalidParams, a2a.ErrInvalidRequest, a2a.ErrMethodNotFound, a2a.ErrUnsupportedOperation, a2a.ErrUnsupportedContentType, a2a.ErrExtensionSupportRequired, a2a.ErrVersionNotSupported} {
		if errors.Is(said, lasting) {
			code = errcode.Validation
		}
	}
	if errors.Is(said, a2a.ErrUnauthenticated) || errors.Is(said, a2a.ErrUnauthorized) {
		return errcode.New(errcode.Unauthorized, "the agent refused the hub: %s", oneLine(said.Error())).
			With(errcode.KeyCause, causeRejected).
			With(task.KeySaid, oneLine(said.Error()))
	}
	return errcode.New(code, "the agent answered: %s", oneLine(said.Error())).
		With(errcode.KeyCause, causeRejected).
		With(task.KeySaid, oneLine(said.Error()))
}
