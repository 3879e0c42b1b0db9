package peer

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/errcode"
	"agentflow/backend/task"
	"agentflow/backend/tool"
	"agentflow/backend/worker"
)

// talk is one job at one agent.
type talk struct {
	peer *Peer
	line *line
	job  worker.Job
	tell func(worker.News) error
	next *a2a.Message // to be sent; nil: what the agent does is looked at

	id      a2a.TaskID // as the agent calls it
	context string
	state   a2a.TaskState
	word    string   // of the last status
	asked   question // what it wants to know, or wanted last
	stale   bool     // asked is answered
	heard   heard
	told    error // of tell
	silent  int   // questions in a row that were not answered
}

// Pauses between two looks at a job whose agent says nothing by itself.
const (
	lookAgain  = time.Second
	mostSilent = 2
)

var errSilent = errors.New("the agent says nothing")

// run brings the job to its end.
func (t *talk) run(ctx context.Context) (json.RawMessage, error) {
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
				With(errcode.KeyCause, causeLogin).With(task.KeySaid, t.word)
		case t.state == a2a.TaskStateInputRequired:
			if err := t.ask(ctx); err != nil {
				return nil, err
			}
		case t.id == "": // it never took the job
			if err == nil {
				err = errcode.New(errcode.Unavailable, "the agent at %s ended the conversation before it began", Address(t.peer.URL)).With(errcode.KeyCause, "no_agent").With(keyURL, Address(t.peer.URL))
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

// settled reports whether the agent does nothing more until somebody else does.
func (t *talk) settled() bool {
	return t.state.Terminal() || t.state == a2a.TaskStateInputRequired || t.state == a2a.TaskStateAuthRequired
}

// listen takes what the agent says until it stops, says nothing for a lease, or has ended.
func (t *talk) listen(ctx context.Context) error {
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
	t.stale = t.stale && !t.line.streams // an agent that has told all and still asks, asks again
	return nil
}

// events are what the agent answers to what is to be sent, or tells of its job.
func (t *talk) events(ctx context.Context) iter.Seq2[a2a.Event, error] {
	m := t.next
	t.next = nil
	if m == nil && t.line.streams {
		return t.line.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: t.id})
	}
	if m == nil {
		return func(func(a2a.Event, error) bool) {}
	}
	t.state = a2a.TaskStateUnspecified // what it wanted to know is answered
	req := &a2a.SendMessageRequest{Message: m, Config: &a2a.SendMessageConfig{AcceptedOutputModes: []string{"text/plain", "text/markdown", "application/json"}}}
	if t.line.streams {
		return t.line.SendStreamingMessage(ctx, req)
	}
	req.Config.ReturnImmediately = true
	return func(yield func(a2a.Event, error) bool) { yield(t.line.SendMessage(ctx, req)) }
}

// look asks the agent how the job stands. why is why it stopped telling.
func (t *talk) look(ctx context.Context, why error) error {
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
			return errcode.Wrap(errcode.Unavailable, err, "the agent at %s does not answer any more", Address(t.peer.URL)).With(errcode.KeyCause, "agent_silent")
		}
		return nil
	}
	t.silent = 0
	t.told = t.take(is)
	return t.told
}

// take notes what an event says. Events of other tasks are none of this job.
func (t *talk) take(e a2a.Event) error {
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

// piece adds a part of the answer, and tells what is new of it.
func (t *talk) piece(a *a2a.Artifact, more bool) error {
	if a == nil {
		return nil
	}
	text, err := t.heard.add(a, more)
	if err != nil || text == "" {
		return err
	}
	return t.tell(worker.News{Text: text})
}

// status notes where the job stands. Of how it goes on, a line is told.
func (t *talk) status(s a2a.TaskStatus, more map[string]any) error {
	said := ""
	if s.Message != nil {
		if said = textOf(s.Message.Parts); len(said) > maxSaid {
			return tooMuch()
		}
	}
	news := worker.News{}
	if done, ok := more["progress"].(float64); ok {
		news.Progress = min(max(done, 0), 100)
	}
	if s.State == a2a.TaskStateWorking && said != "" && said != t.word {
		news.Log = oneLine(said)
	}
	t.state, t.word = s.State, said
	if s.State == a2a.TaskStateInputRequired {
		if q := questionOf(s); t.stale && q == t.asked && q != (question{}) {
			t.state = a2a.TaskStateWorking // it has the answer, and shows how the task stood before
		} else {
			t.asked, t.stale = q, false
		}
	}
	if news == (worker.News{}) {
		return nil
	}
	return t.tell(news)
}

// question tells one question from the next, by what an agent says of it.
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

// ask brings the agent's question to the person, and the answer back.
func (t *talk) ask(ctx context.Context) error {
	if t.peer.Asker == nil {
		return errcode.New(errcode.Unavailable, "the agent at %s has a question, and nobody can be asked", Address(t.peer.URL))
	}
	v, err := t.peer.Asker.Ask(ctx, tool.Question{From: From, Text: orText(t.word, "The agent needs something from you, and does not say what."), Said: strings.TrimSpace(t.heard.lastText())})
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
	t.next = a2a.NewMessageForTask(a2a.MessageRoleUser, a2a.TaskInfo{TaskID: t.id, ContextID: t.context}, a2a.NewTextPart(word))
	t.stale = true
	return nil
}

// From is who offers what an A2A agent asks about.
const From = "a2a"

// end is what became of the job.
func (t *talk) end() (json.RawMessage, error) {
	switch t.state {
	case a2a.TaskStateCompleted:
		return t.heard.result(t.word, t.id, t.context)
	case a2a.TaskStateRejected:
		return nil, errcode.New(errcode.Forbidden, "the agent at %s rejected the task: %s", Address(t.peer.URL), orText(t.word, "no reason given")).With(errcode.KeyCause, causeRejected).With(task.KeySaid, t.word)
	case a2a.TaskStateCanceled:
		return nil, errcode.New(errcode.Unavailable, "the agent at %s cancelled the task: %s", Address(t.peer.URL), orText(t.word, "no reason given")).With(errcode.KeyCause, causeGivenUp)
	}
	return nil, errcode.New(errcode.Unavailable, "%s", orText(t.word, "the agent failed without a reason")).With(errcode.KeyCause, "agent_failed").With(task.KeySaid, t.word)
}

const causeRejected = "a2a_rejected"

// refused is an error of the agent's protocol. What can be said again with success is tried again.
func refused(said *a2a.Error) error {
	code := errcode.Unavailable
	for _, lasting := range []error{a2a.ErrInvalidParams, a2a.ErrInvalidRequest, a2a.ErrMethodNotFound, a2a.ErrUnsupportedOperation, a2a.ErrUnsupportedContentType, a2a.ErrExtensionSupportRequired, a2a.ErrVersionNotSupported} {
		if errors.Is(said, lasting) {
			code = errcode.Validation
		}
	}
	if errors.Is(said, a2a.ErrUnauthenticated) || errors.Is(said, a2a.ErrUnauthorized) {
		return errcode.New(errcode.Unauthorized, "the agent refused the hub: %s", oneLine(said.Error())).With(errcode.KeyCause, causeRejected).With(task.KeySaid, oneLine(said.Error()))
	}
	return errcode.New(code, "the agent answered: %s", oneLine(said.Error())).With(errcode.KeyCause, causeRejected).With(task.KeySaid, oneLine(said.Error()))
}
