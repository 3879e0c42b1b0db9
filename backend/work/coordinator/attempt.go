package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/model/tool"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/a2aclient"
	"agentflow/backend/work/coordinator/internal/queue"
	"agentflow/backend/work/gatewayagent"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// attempt is one run of a task by one agent.
type attempt struct {
	id      task.ID
	place   queue.Waiting // the task's place in the queue before this attempt
	unmet   bool          // the agent couldn't be reached; the task returns to its place in the queue
	agent   topology.AgentID
	who     topology.Agent
	here    bool // run by a local process
	attach  bool
	ctx     context.Context
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed once the outcome is saved
	reports chan worker.Report

	telling atomic.Pointer[progressWriter] // set while the attempt runs
	number  atomic.Int64                   // number among the task's attempts; 0 until the attempt is saved
}

// say passes news of the attempt to its teller.
func (a *attempt) say(n worker.Update) error {
	l := a.telling.Load()
	if l == nil {
		return errOver
	}
	return l.tell(n)
}

// mailbox limits the number of unread reports per attempt.
const mailbox = 64

func newMailbox() chan worker.Report { return make(chan worker.Report, mailbox) }

// attempt runs the task once. again reports whether to retry it, not before due.
func (m *Machine) attempt(ctx context.Context, a *attempt, t *task.Task) (again bool, due time.Time, err error) {
	if t.Reviewed() && m.eligibility.Reviewer(t) != a.agent {
		if m.eligibility.Reviewer(t) != "" { // the team has changed
			return true, due, nil
		}
		return false, due, m.step(ctx, t, task.Step{Result: t.Review.Result})
	}
	if m.eligibility.Trusted(&a.who) != nil { // the owner revoked the permission a moment ago
		return m.unmet(ctx, a, t)
	}
	if !m.known(a) {
		if err := m.meet(a); err != nil {
			return m.unmet(ctx, a, t)
		}
	}
	if err := m.began(ctx, a, t); err != nil {
		return false, due, err
	}
	a.number.Store(int64(len(t.Attempts)))
	m.board.Began(a.agent, t, m.eligibility.Commander(a.agent))
	defer m.limitTime(a, t)()
	l := &progressWriter{machine: m, ctx: ctx, task: t, attempt: a}
	a.telling.Store(l)
	result, failure := safego.Value(ctx, m.o.Logger, "an attempt",
		func() (json.RawMessage, error) { return m.do(a, *t, l.tell) })
	if errcode.HasReason(failure, worker.ReasonUnreachable) || errcode.HasReason(failure, worker.ReasonSilent) {
		m.noteReachability(a.agent, failure)
	}
	if failure == nil {
		failure = l.paid(result)
	}
	if err := l.end(); err != nil {
		return false, due, err
	}
	if isSaveError(failure) {
		return false, due, failure
	}
	if !errors.Is(failure, ErrStopped) {
		m.abandon(ctx, t.ID)
	}
	if failure == nil && len(result) == 0 {
		result = json.RawMessage(`{}`)
	}
	if failure == nil {
		if again, failure = m.handleResult(ctx, a, t, result); failure == nil || isSaveError(failure) {
			return again, due, failure
		}
	}
	return m.failed(ctx, t, failure)
}

// limitTime cancels the attempt when the task's time limit or its budget of time is over, until stop is called.
func (m *Machine) limitTime(a *attempt, t *task.Task) (stop func()) {
	var timers []*time.Timer
	after := func(most time.Duration, cause error) {
		timers = append(timers, time.AfterFunc(most-m.stopwatch.elapsed(t), func() { a.cancel(cause) }))
	}
	if most := t.TimeLimit(); most > 0 {
		after(most, ErrDeadline)
	}
	if b := t.Budget; b.Seconds > 0 {
		all := time.Duration(b.Seconds) * time.Second
		after(all, b.Over(task.Spent{}, all+time.Second))
	}
	return func() {
		for _, timer := range timers {
			timer.Stop()
		}
	}
}

// began saves that the attempt begins, unless it goes on from before a restart.
func (m *Machine) began(ctx context.Context, a *attempt, t *task.Task) error {
	if a.attach {
		return nil
	}
	if t.Open() { // its end couldn't be saved
		notSaved := task.Step{Failed: task.NotSaved, Cause: &errcode.Cause{Code: task.CauseNotSaved}}
		if err := m.step(ctx, t, notSaved); err != nil {
			return err
		}
	}
	return m.step(ctx, t, task.Step{Start: string(a.agent)})
}

// unmet puts the task back in the queue because its agent can't be reached. If the attempt was canceled meanwhile,
// the task ends with that cause.
func (m *Machine) unmet(ctx context.Context, a *attempt, t *task.Task) (again bool, due time.Time, err error) {
	if cause := context.Cause(a.ctx); cause != nil && !errors.Is(cause, errGone) && !errors.Is(cause, errUntrusted) {
		return m.failed(ctx, t, cause)
	}
	a.unmet = true
	return false, due, nil
}

// failed saves a failed attempt and decides whether to retry the task.
func (m *Machine) failed(ctx context.Context, t *task.Task, failure error) (again bool, due time.Time, err error) {
	switch {
	case errors.Is(failure, ErrStopped):
		return false, due, ErrStopped
	case errors.Is(failure, ErrCancelled), errors.Is(failure, ErrDeadline), errors.Is(failure, ErrParent):
		return false, due, m.step(ctx, t, ending(failure))
	}
	if errcode.HasReason(failure, worker.ReasonUnreachable) {
		return true, due, m.step(ctx, t,
			task.Step{Refused: true, Log: errcode.From(failure).Message, Cause: errcode.CauseOf(failure)})
	}
	if errors.Is(failure, errUntrusted) {
		why, cause := errcode.From(failure).Message, errcode.CauseOf(failure)
		return true, due, m.step(ctx, t, task.Step{Failed: why, Log: why, Cause: cause})
	}
	if errcode.HasReason(failure, worker.ReasonRefused) { // the agent is busy, which isn't a failure
		m.mu.Lock()
		pause, told := m.rejected.note(t.ID, lastAgent(*t), failure)
		m.mu.Unlock()
		s := task.Step{Refused: true}
		if !told {
			s.Log, s.Cause = errcode.From(failure).Message, errcode.CauseOf(failure)
		}
		return true, time.Now().Add(pause), m.step(ctx, t, s)
	}
	m.mu.Lock()
	delete(m.rejected, t.ID)
	m.mu.Unlock()
	why := errcode.From(failure).Message
	n := t.Tries()
	if n >= m.o.Attempts && t.Reviewed() && errcode.HasReason(failure, task.ReasonNoVerdict) { // the result itself is good
		reviewer := string(lastAgent(*t))
		s := task.Step{
			Failed: why,
			Log:    reviewer + " gave no verdict: the result counts without its review",
			Cause:  errcode.CauseOf(failure),
		}
		again, err = m.handOn(ctx, t, t.Review.Skip(reviewer), s)
		return again, due, err
	}
	if n >= m.o.Attempts || permanent(failure) {
		return false, due, m.step(ctx, t,
			task.Step{Failed: why, Error: t.Reasons(why), Cause: errcode.CauseOf(failure)})
	}
	wait := m.o.Backoff << min(n-1, 10)
	if err := m.step(ctx, t, task.Step{Failed: why, Log: fmt.Sprintf("attempt %d failed: %s", len(t.Attempts), why), Cause: errcode.CauseOf(failure)}); err != nil {
		return false, due, err
	}
	return true, time.Now().Add(wait), nil
}

// permanent reports whether a retry can't help.
func permanent(err error) bool {
	return errcode.Is(err, errcode.Validation) || errcode.Is(err, errcode.Unauthorized) ||
		errcode.Is(err, errcode.Forbidden) || errcode.Is(err, errcode.NotFound) ||
		errcode.HasReason(err, worker.ReasonSent)
}

// meetWithin is the timeout of the first contact with a remote agent.
const meetWithin = 3 * time.Second

// meet checks that a remote agent can be reached before it gets its first task.
func (m *Machine) meet(a *attempt) error {
	within, cancel := context.WithTimeout(a.ctx, meetWithin)
	defer cancel()
	err := m.eligibility.Ping(within, &a.who)
	if !errcode.HasReason(err, worker.ReasonUnreachable) {
		err = nil // the agent answered; the attempt itself reports any other error
	}
	if a.ctx.Err() == nil {
		m.noteReachability(a.agent, err)
	}
	return err
}

func (m *Machine) do(a *attempt, t task.Task, tell func(worker.Update) error) (json.RawMessage, error) {
	terms := m.terms(a, &t)
	w, err := m.worker(a, &t, terms)
	if err != nil {
		return nil, err
	}
	job := worker.Job{TaskID: string(t.ID), Type: string(t.Type), Prompt: t.Asks(), Context: t.Context, Envelope: terms}
	if t.Reviewed() {
		job.Type, job.Context = string(task.Chat), nil
	}
	return w.Run(a.ctx, job, tell)
}

// terms returns what the agent receives besides the task itself.
func (m *Machine) terms(a *attempt, t *task.Task) worker.JobEnvelope {
	out := worker.JobEnvelope{Attempt: len(t.Attempts)}
	if t.Trace != nil {
		out.Chain = t.Trace.Chain
	}
	if !t.Reviewed() {
		out.Team = m.eligibility.Peers(a.agent)
	}
	out.Budget, out.Spent, out.Took = t.Budget, t.Spent, int(m.stopwatch.elapsed(t).Seconds())
	return out
}

func (m *Machine) worker(a *attempt, t *task.Task, terms worker.JobEnvelope) (worker.Worker, error) {
	who := &a.who
	if err := m.eligibility.Trusted(who); err != nil {
		return nil, err
	}
	if gatewayagent.Speaks(who.URL) {
		w, err := m.eligibility.Gateway(who)
		if err == nil {
			w.Attach, w.Leave = a.attach, ErrStopped
		}
		return w, err
	}
	if who.URL == "" {
		w, err := m.eligibility.Local(who)
		if err != nil {
			return nil, err
		}
		if t.Reviewed() {
			w.Servers = nil
		}
		if len(terms.Team) > 0 {
			w.Others = []tool.Tool{worker.DelegateTool(terms.Team, m.give(a))}
		}
		if m.o.Asker != nil {
			w.Asker = m.o.Asker(string(who.ID), string(a.id))
		}
		if t.Type == task.ComplexTask && !t.Reviewed() && m.o.Plans != nil {
			return m.o.Plans(*who, string(t.ID), w), nil
		}
		return w, nil
	}
	if a2aclient.Speaks(who.URL) {
		w, err := m.eligibility.Peer(who)
		if err != nil {
			return nil, err
		}
		w.Attach, w.Lease, w.Leave = a.attach, m.o.Lease, ErrStopped
		if m.o.Asker != nil {
			w.Asker = m.o.Asker(string(who.ID), string(a.id))
		}
		return w, nil
	}
	w, err := m.eligibility.Remote(who)
	if err != nil {
		return nil, err
	}
	w.Reports, w.Attach, w.Lease, w.Leave = a.reports, a.attach, m.o.Lease, ErrStopped
	return w, nil
}
