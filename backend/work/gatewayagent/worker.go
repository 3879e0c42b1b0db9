package gatewayagent

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/client"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Link is the connection to a gateway. *client.Client implements it.
type Link interface {
	Status() client.Status
	StatusEvents(buffer int) *event.Subscription[client.Status]
	Events(buffer int) *event.Subscription[client.Event]
	ChatSend(ctx context.Context, m client.ChatMessage) (client.ChatSent, error)
	ChatAbort(ctx context.Context, sessionKey, runID string) (bool, error)
	History(ctx context.Context, q client.HistoryQuery) (client.History, error)
	SessionsList(ctx context.Context, q client.SessionsQuery) ([]client.Session, error)
}

var _ Link = (*client.Client)(nil)

// Worker runs jobs on one agent of a gateway.
type Worker struct {
	Link    Link
	Gateway string // its name
	Agent   string // at the gateway
	Attach  bool   // the gateway may already have the job: look for it there
	Leave   error  // the cause that leaves the job with the gateway; any other cause stops it there

	Lost time.Duration // how long a lost gateway is waited for; 0 is DefaultLost
	Look time.Duration // between two readings of the session; 0 is DefaultLook
}

var _ worker.Worker = (*Worker)(nil)

// Defaults of a Worker.
const (
	DefaultLost = 2 * time.Minute
	DefaultLook = 3 * time.Second
)

const (
	stopWithin = 3 * time.Second
	buffer     = 512
)

// Run implements worker.Worker. The result is
// {"text","gateway","sessionKey","tokensIn"?,"tokensOut"?,"costUsd"?,"tools"?}, with the costs where the gateway
// tells them.
func (w *Worker) Run(
	ctx context.Context,
	job worker.Job,
	tell func(worker.Update) error,
) (json.RawMessage, error) {
	unwanted := false
	r := &run{
		worker: w, job: job, key: SessionKey(w.Agent, job.TaskID), shown: map[string]bool{},
		tell: func(u worker.Update) error {
			err := tell(u)
			unwanted = unwanted || err != nil
			return err
		},
	}
	r.id = "agentflow-" + job.TaskID + "-" + strconv.Itoa(job.Envelope.Attempt)
	result, err := r.do(ctx)
	cause := context.Cause(ctx)
	if r.given && !r.ended && (unwanted || cause != nil && !errors.Is(cause, w.leave())) {
		r.stop(ctx)
	}
	return result, err
}

func (w *Worker) leave() error {
	if w.Leave == nil {
		return errNever
	}
	return w.Leave
}

var errNever = errors.New("never")

// Ping returns why the gateway can't be reached, or nil.
func (w *Worker) Ping() error {
	if w.Link.Status().State != client.StateConnected {
		return Down(w.Gateway)
	}
	return nil
}

// run is one job on its way.
type run struct {
	worker *Worker
	job    worker.Job
	key    string // of the session
	id     string // of the run; gateways run it once
	tell   func(worker.Update) error

	given bool // the gateway may have the job
	ended bool // it has told the end

	text  string // of the answer so far
	shown map[string]bool
	tools []used

	unsure bool      // something may have been missed: the session must be read
	down   bool      // the link is lost
	since  time.Time // when one of both began, or the run was heard of last
}

// used is one use of a tool in a result.
type used struct {
	Tool   string `json:"tool"`
	Failed bool   `json:"failed,omitempty"`
}

// do sends the job, if it isn't there, and follows it to its end.
func (r *run) do(ctx context.Context) (json.RawMessage, error) {
	states := r.worker.Link.StatusEvents(buffer)
	defer states.Close()
	facts := r.worker.Link.Events(buffer)
	defer func() { facts.Close() }()
	if err := r.send(ctx); err != nil {
		return nil, err
	}
	look := r.worker.Look
	if look <= 0 {
		look = DefaultLook
	}
	ticks := time.NewTicker(look)
	defer ticks.Stop()
	if err := r.standing(); err != nil {
		return nil, err
	}
	for {
		done, err := r.check(ctx)
		if err != nil || done {
			return r.end(ctx, err)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case _, open := <-states.C():
			if !open {
				states = r.worker.Link.StatusEvents(buffer)
			}
			err = r.standing()
		case e, open := <-facts.C():
			if !open { // it lagged: what was missed stands in the session
				facts = r.worker.Link.Events(buffer)
				r.doubt()
				continue
			}
			done, err = r.hear(e)
		case <-ticks.C:
			if !r.unsure && !r.down {
				_, err = r.read(ctx) // shows the tools
			}
		}
		if err != nil || done {
			return r.end(ctx, err)
		}
	}
}

// send gives the gateway the job. What may have arrived isn't sent again: the session tells.
func (r *run) send(ctx context.Context) error {
	if r.worker.Attach {
		r.given = true
		r.doubt()
		return r.log(r.errorf(errcode.Unavailable, "gateway_look",
			"AgentFlow was restarted, and reads on the gateway %s the outcome of the task", r.worker.Gateway))
	}
	if err := r.worker.Ping(); err != nil {
		return err
	}
	sent, err := r.worker.Link.ChatSend(ctx,
		client.ChatMessage{SessionKey: r.key, Message: r.job.Prompt, IdempotencyKey: r.id})
	switch {
	case context.Cause(ctx) != nil:
		r.given = true
		return context.Cause(ctx)
	case errcode.HasReason(err, errcode.ReasonUnknown):
		r.given = true
		r.doubt()
		return nil
	case errcode.HasReason(err, errcode.ReasonLinkDown):
		return Down(r.worker.Gateway)
	case err != nil:
		return r.rejected(err)
	}
	r.given = true
	if sent.RunID != "" {
		r.id = sent.RunID
	}
	return nil
}

// stop ends the run at the gateway. If that fails, the task reports it.
func (r *run) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	err := error(Down(r.worker.Gateway))
	if r.worker.Link.Status().State == client.StateConnected {
		_, err = r.worker.Link.ChatAbort(ctx, r.key, "") // all of the session, which is the task's alone
	}
	if err != nil {
		_ = r.log(r.errorf(errcode.Gateway, "gateway_not_stopped", // the attempt may be over already
			"the gateway %s couldn't be asked to stop the agent, which can still be running: %s",
			r.worker.Gateway, errcode.From(err).Message).With(task.KeySaid, errcode.From(err).Message))
	}
}

// log tells news that a person must know.
func (r *run) log(e *errcode.Error) error {
	return r.tell(worker.Update{Log: e.Message, Cause: errcode.CauseOf(e)})
}

// errorf returns an error about the gateway.
func (r *run) errorf(code errcode.Code, cause, format string, a ...any) *errcode.Error {
	return errcode.New(code, format, a...).
		With(errcode.KeyCause, cause).With(keyGateway, r.worker.Gateway).
		With(task.KeyAgent, string(Key(r.worker.Gateway, r.worker.Agent)))
}
