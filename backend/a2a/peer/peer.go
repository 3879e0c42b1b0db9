// Package peer is an A2A agent elsewhere as a worker: it gets a job as a message, its stream
// becomes news, its question goes to the person, and its end is the job's. The hub speaks
// with the one address that it was given and nobody else.
package peer

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/errcode"
	"agentflow/backend/tool"
	"agentflow/backend/worker"
)

// scheme stands before the address of an agent that speaks A2A: a2a+https://host/path.
const scheme = "a2a+"

// Speaks reports whether an agent's url is the address of an A2A agent.
func Speaks(address string) bool { return strings.HasPrefix(address, scheme) }

// Address is the plain address in an A2A agent's url.
func Address(address string) string { return strings.TrimPrefix(address, scheme) }

// Peer is one A2A agent.
type Peer struct {
	HTTP   *http.Client
	URL    string        // a2a+https://host/path, below which its card is; http beyond loopback is refused
	Secret string        // "" is none
	Asker  tool.Asker    // brings its questions to the person; nil: nobody can be asked
	Attach bool          // it may have the job already: find it there
	Lease  time.Duration // how long it may say nothing before it is asked; 0 is worker.DefaultLease
	Leave  error         // a context that ends with it leaves the job with the agent; every other cause cancels it there
}

var _ worker.Worker = (*Peer)(nil)

// cancelWithin bounds what is said to an agent whose job has ended here.
const cancelWithin = 800 * time.Millisecond

// Run implements worker.Worker.
func (p *Peer) Run(ctx context.Context, job worker.Job, tell func(worker.News) error) (json.RawMessage, error) {
	if err := worker.CheckURL(Address(p.URL)); err != nil {
		return nil, err
	}
	l, err := p.reach(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Destroy() }()
	t := &talk{peer: p, line: l, job: job, tell: tell}
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

// Met asks the agent for its card. The reason of an error is worker.ReasonUnmet if nobody is there.
func (p *Peer) Met(ctx context.Context) error {
	if err := worker.CheckURL(Address(p.URL)); err != nil {
		return err
	}
	l, err := p.reach(ctx)
	if err == nil {
		err = l.Destroy()
	}
	return err
}

// leave is a cause that no context ends with where none was named.
func (p *Peer) leave() error {
	if p.Leave == nil {
		return errNever
	}
	return p.Leave
}

var errNever = errors.New("never")

// first is the message that gives the job. What the hub knows beside the text goes along as
// metadata, which an agent that does not know of it leaves alone.
func first(job worker.Job) *a2a.Message {
	m := a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(job.Prompt))
	m.ContextID = job.TaskID
	more := map[string]any{"taskType": job.Type}
	if given := forAgent(job.Context); len(given) > 0 {
		more["context"] = given
	}
	m.SetMeta(worker.TermsKey, more)
	return m
}

// forAgent is a job's context without what the coordinator here was told by it.
func forAgent(context json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(context, &fields) // it is an object, or nothing
	for _, key := range []string{"agent", "priority", "timeoutSec", "budget", worker.TermsKey} {
		delete(fields, key)
	}
	return fields
}

// find looks for the task that the agent was given before the hub was started again.
func (t *talk) find(ctx context.Context) error {
	ctx, done := context.WithTimeout(ctx, callWithin)
	defer done()
	list, err := t.line.ListTasks(ctx, &a2a.ListTasksRequest{ContextID: t.job.TaskID, PageSize: 20})
	if err != nil {
		if said, ok := errors.AsType[*a2a.Error](err); ok {
			return errcode.Wrap(errcode.Unavailable, said, "the agent at %s had the task when the hub ended, and cannot be asked what became of it", Address(t.peer.URL)).With(errcode.KeyCause, causeLost)
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
	return errcode.New(errcode.Unavailable, "the agent at %s has given the task up", Address(address)).With(errcode.KeyCause, causeGivenUp)
}

// cancel ends the job at the agent. What it answers changes nothing here.
func (t *talk) cancel(ctx context.Context) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelWithin)
	defer done()
	if t.id == "" && t.find(ctx) != nil {
		return
	}
	_, _ = t.line.CancelTask(ctx, &a2a.CancelTaskRequest{ID: t.id}) // it may have ended, or be gone
}
