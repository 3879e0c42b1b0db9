// Package a2aclient runs jobs on remote A2A agents. A job is sent as a message; the stream becomes news, questions go to a
// person, and the end is the job's result. The hub connects only to the configured address.
package a2aclient

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
	"agentflow/backend/work/worker"
)

// scheme is the URL prefix of an agent that speaks A2A: a2a+https://host/path.
const scheme = "a2a+"

// Speaks reports whether an agent's URL is that of an A2A agent.
func Speaks(address string) bool { return strings.HasPrefix(address, scheme) }

// Address returns an A2A agent's URL without the prefix.
func Address(address string) string { return strings.TrimPrefix(address, scheme) }

// Peer is the client of one A2A agent.
type Peer struct {
	HTTP   *http.Client
	URL    string        // a2a+https://host/path, the base of its card; plain http only on loopback
	Secret string        // "" is none
	Asker  tool.Asker    // passes its questions to a person; nil: questions fail
	Attach bool          // it may already have the job: look for it there
	Lease  time.Duration // maximum silence before it is asked; 0 is worker.DefaultLease
	Leave  error         // the cause that leaves the job with the agent; any other cause cancels the job there
}

var _ worker.Worker = (*Peer)(nil)

// cancelWithin is the timeout of canceling a job at its agent.
const cancelWithin = 800 * time.Millisecond

// Run implements worker.Worker.
func (p *Peer) Run(ctx context.Context, job worker.Job, tell func(worker.Update) error) (json.RawMessage, error) {
	if err := worker.CheckURL(Address(p.URL)); err != nil {
		return nil, err
	}
	l, err := p.reach(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Destroy() }()
	t := &exchange{peer: p, line: l, job: job, tell: tell}
	if p.Attach {
		err = t.find(ctx)
	} else {
		t.next = first(job)
	}
	var result json.RawMessage
	if err == nil {
		result, err = t.run(ctx)
	}
	if err != nil && !t.state.Terminal() && !errors.Is(context.Cause(ctx), p.leave()) {
		t.cancel(ctx)
	}
	return result, err
}

// Ping fetches the agent's card. The reason of an error is worker.ReasonUnreachable if the connection failed.
func (p *Peer) Ping(ctx context.Context) error {
	if err := worker.CheckURL(Address(p.URL)); err != nil {
		return err
	}
	l, err := p.reach(ctx)
	if err == nil {
		err = l.Destroy()
	}
	return err
}

// leave returns Leave, or a cause that never occurs.
func (p *Peer) leave() error {
	if p.Leave == nil {
		return errNever
	}
	return p.Leave
}

var errNever = errors.New("never")

// first returns the message that starts the job. The task's type and context are sent as metadata, which other agents
// ignore.
func first(job worker.Job) *a2a.Message {
	m := a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(job.Prompt))
	m.ContextID = job.TaskID
	more := map[string]any{"taskType": job.Type}
	if given := forAgent(job.Context); len(given) > 0 {
		more["context"] = given
	}
	m.SetMeta(worker.EnvelopeKey, more)
	return m
}

// forAgent returns a job's context without the keys for this coordinator.
func forAgent(context json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(context, &fields) // it is an object or empty
	for _, key := range []string{"agent", "priority", "timeoutSec", "budget", worker.EnvelopeKey} {
		delete(fields, key)
	}
	return fields
}

// find looks for the agent's task from before the hub was restarted.
func (t *exchange) find(ctx context.Context) error {
	ctx, done := context.WithTimeout(ctx, callWithin)
	defer done()
	list, err := t.line.ListTasks(ctx, &a2a.ListTasksRequest{ContextID: t.job.TaskID, PageSize: 20})
	if err != nil {
		if said, ok := errors.AsType[*a2a.Error](err); ok {
			return errcode.Wrap(errcode.Unavailable, said, "the agent at %s had the task when the hub ended, and cannot be asked what became of it", Address(t.peer.URL)).
				With(errcode.KeyCause, causeLost)
		}
		return t.peer.unreached(ctx, err)
	}
	var newest *a2a.Task
	for _, is := range list.Tasks {
		if is.ContextID == t.job.TaskID && (newest == nil || later(is, newest)) {
			newest = is
		}
	}
	if newest == nil {
		return givenUp(t.peer.URL)
	}
	t.id, t.context = newest.ID, newest.ContextID
	return nil
}

const (
	causeLost    = "a2a_lost"
	causeGivenUp = "given_up"
)

func later(a, b *a2a.Task) bool {
	if a.Status.State.Terminal() != b.Status.State.Terminal() {
		return b.Status.State.Terminal()
	}
	return a.Status.Timestamp != nil && (b.Status.Timestamp == nil || a.Status.Timestamp.After(*b.Status.Timestamp))
}

func givenUp(address string) error {
	return errcode.New(errcode.Unavailable, "the agent at %s has given the task up", Address(address)).
		With(errcode.KeyCause, causeGivenUp)
}

// cancel cancels the job at the agent and ignores the answer.
func (t *exchange) cancel(ctx context.Context) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelWithin)
	defer done()
	if t.id == "" && t.find(ctx) != nil {
		return
	}
	_, _ = t.line.CancelTask(ctx, &a2a.CancelTaskRequest{ID: t.id}) // it may have ended, or be gone
}
