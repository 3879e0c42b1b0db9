// Package coordinator accepts tasks and assigns them to the agents of the applied team, in the hub or remote
// (requirements CO-3 to CO-5, AG-1, AG-2, AG-6). A task is durable once it is accepted, and an event is durable
// before it is published.
package coordinator

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/tool"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator/activity"
	"agentflow/backend/work/coordinator/internal/eligibility"
	"agentflow/backend/work/coordinator/internal/queue"
	"agentflow/backend/work/coordinator/internal/taskevents"
	"agentflow/backend/work/gatewayagent"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Store saves tasks and their events. When a method returns without an error, its effect is durable.
type Store interface {
	// AddTask saves a new task. If a task with the same ID, or the same non-empty idempotency key, exists, AddTask
	// returns that task and saves nothing.
	AddTask(ctx context.Context, t task.Task, idempotencyKey string) (stored task.Task, fresh bool, err error)
	// SaveTask saves a step of a task. If the stored task has changed since it was read, SaveTask saves
	// nothing and returns CONFLICT with ReasonChanged.
	SaveTask(ctx context.Context, t task.Task, events []task.Event) error
	// Task returns a task, or NOT_FOUND.
	Task(ctx context.Context, id task.ID) (task.Task, error)
	// Tasks lists tasks, newest first. It ignores the query's agent and search words.
	Tasks(ctx context.Context, q Query) ([]task.Task, error)
	// CountTasks counts the tasks with a status.
	CountTasks(ctx context.Context, status task.Status) (int64, error)
	// Recent lists tasks, most recently changed first.
	Recent(ctx context.Context, q Recent) ([]task.Task, error)
	// CountRecent counts what Recent would list from the beginning and without a limit.
	CountRecent(ctx context.Context, q Recent) (int, error)
	// Unfinished lists the tasks that haven't ended, oldest first, after the given one.
	Unfinished(ctx context.Context, after task.ID, limit int) ([]task.Task, error)
	// TaskEvents lists a task's events after seq, in order, beginning with the oldest event that is still stored.
	TaskEvents(ctx context.Context, id task.ID, after int64, limit int) ([]task.Event, error)
}

// ReasonChanged is the reason of a CONFLICT for a step of a task that has changed since it was read.
const ReasonChanged = "task_changed"

// Options configure a Machine.
type Options struct {
	Store   Store
	Roster  *roster.Roster
	Models  eligibility.Models
	Getenv  func(string) string // reads the secrets of remote agents
	HTTP    *http.Client        // client for remote agents
	Logger  *slog.Logger
	Sandbox sandbox.Settings // for commands of agents in the hub
	// Gateways are the added gateways. nil: none. Call GatewaysChanged after a change.
	Gateways gatewayagent.Gateways

	// Budget returns the default budget of a task for the requested agent, or of the whole team for "". nil: no
	// default.
	Budget func(agent topology.AgentID) task.Budget

	// Trusts returns why an agent can't be used until the owner has approved its access to this computer. nil: all
	// agents can be used. Call Trusted after a change.
	Trusts func(agent *topology.Agent) error

	// Asker passes questions of agents in the hub to a person; nil: agents can't ask.
	Asker func(agent, task string) tool.Asker

	// Plans wraps an agent in the hub so that a complex task is run as a plan; nil: the agent runs it alone.
	Plans func(who topology.Agent, task string, alone worker.Worker) worker.Worker

	Attempts int           // attempts per task; 0 is 3
	Backoff  time.Duration // pause before the second attempt, doubled each time; 0 is 1 s
	Rescue   time.Duration // pause before a task is queued again whose attempt couldn't be saved, doubled each time; 0 is 1 s
	Lease    time.Duration // of remote agents; 0 is worker.DefaultLease
	Join     time.Duration // pieces of an answer within this time become one event; 0 is 16 ms
}

// Causes with which the context of an attempt is canceled.
var (
	ErrStopped   = worker.ErrStopped
	ErrCancelled = errcode.New(errcode.Conflict, "canceled by a person").With(errcode.KeyCause, task.CauseCancelled)
	ErrDeadline  = errcode.New(errcode.Timeout, "the task's time is over").With(errcode.KeyCause, task.CauseDeadline)
)

// Machine is the coordinator. Create it with New; Run assigns the tasks.
type Machine struct {
	o    Options
	wake chan struct{} // buffered, capacity 1

	eligibility *eligibility.Checker
	streams     *taskevents.Streams
	board       *activity.Board
	stopwatch   stopwatch

	mu       sync.Mutex
	queue    *queue.Queue
	running  map[task.ID]*attempt
	busy     map[topology.AgentID]int
	given    map[topology.AgentID]uint64 // the number of the last attempt of each agent
	attempts uint64                      // number of attempts started so far
	unsaved  map[task.ID]int             // consecutive attempts that couldn't be saved
	restored map[task.ID]task.Status     // unfinished tasks of a restored backup, until a person resumes them
	contacts reachabilities
	rejected rejections

	resumedAll chan struct{} // closed once Run has read the unfinished tasks

	children   map[task.ID]map[task.ID]topology.AgentID // subtasks of waiting tasks, with their agents
	delegating sync.Mutex                               // serializes Delegate and Resume
	retries    sync.Mutex                               // serializes linkRetry
}

// New returns a Machine. Until Run is called, accepted tasks wait.
func New(o Options) *Machine {
	if o.Attempts <= 0 {
		o.Attempts = 3
	}
	if o.Backoff <= 0 {
		o.Backoff = time.Second
	}
	if o.Rescue <= 0 {
		o.Rescue = time.Second
	}
	if o.Join <= 0 {
		o.Join = 16 * time.Millisecond
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return &Machine{
		o: o, wake: make(chan struct{}, 1), queue: queue.New(), running: map[task.ID]*attempt{}, busy: map[topology.AgentID]int{}, given: map[topology.AgentID]uint64{}, contacts: reachabilities{}, unsaved: map[task.ID]int{}, restored: map[task.ID]task.Status{}, rejected: rejections{},
		eligibility: eligibility.New(o.Roster, o.Models, o.Getenv, o.HTTP, o.Sandbox).
			Trusting(o.Trusts).With(o.Gateways),
		streams: taskevents.New(o.Store), board: activity.New(), stopwatch: stopwatch{since: map[task.ID]start{}},
		children: map[task.ID]map[task.ID]topology.AgentID{}, resumedAll: make(chan struct{}),
	}
}

// Submitted is the result of a submission.
type Submitted struct {
	Task     task.Task
	Rejected string // why the task can never run; it wasn't saved
	Cause    *errcode.Cause
	Again    bool // the same task had been submitted before

	Reason string   // the reason code of a rejected delegation
	Chain  []string // the rejected chain: the delegating agents, then the requested one
}

// Submit accepts a task. A task that no agent can run yet is accepted and waits. A task that the team's connections
// forbid is rejected, and the rejection names the missing connection. Submitting the same ID or idempotency key twice
// creates one task. The task that RetryOf names gets a link to the new one.
func (m *Machine) Submit(ctx context.Context, t task.Task, idempotencyKey string) (Submitted, error) {
	if err := t.Validate(); err != nil {
		return Submitted{}, err
	}
	if e := m.eligibility.Forbidden(t); e != nil {
		return Submitted{Task: t, Rejected: e.Message, Cause: errcode.CauseOf(e)}, nil
	}
	return m.accept(ctx, t, idempotencyKey)
}

// accept saves a task that has passed the checks, and queues it.
func (m *Machine) accept(ctx context.Context, t task.Task, idempotencyKey string) (Submitted, error) {
	if t.ID == "" {
		t.ID = task.ID(ulid.Make().String())
	}
	if err := t.Validate(); err != nil {
		return Submitted{}, err
	}
	w, _ := t.Options() // already validated
	t.Budget = w.Budget
	if m.o.Budget != nil {
		t.Budget = t.Budget.Or(m.o.Budget(topology.AgentID(w.Agent)))
	}
	t.CreatedAt = time.Now().UTC()
	t.UpdatedAt = t.CreatedAt
	ctx = context.WithoutCancel(ctx) // a saved task must be queued even if the client has disconnected
	stored, fresh, err := m.o.Store.AddTask(ctx, task.Accepted(t), idempotencyKey)
	if err != nil {
		return Submitted{}, err
	}
	if fresh {
		m.adopt(&stored)
		m.linkRetry(ctx, &stored)
		m.enqueue(stored, time.Time{}, false)
		m.board.Tell(&stored)
	}
	return Submitted{Task: stored, Again: !fresh}, nil
}

// linkRetry notes in a task that it was retried. The retry itself has the link back, so a link that can't be saved is
// only logged.
func (m *Machine) linkRetry(ctx context.Context, retry *task.Task) {
	if retry.RetryOf == "" {
		return
	}
	m.retries.Lock()
	defer m.retries.Unlock()
	old, err := m.o.Store.Task(ctx, retry.RetryOf)
	if err == nil {
		old.RetriedAs = append(old.RetriedAs, retry.ID)
		err = m.o.Store.SaveTask(ctx, old, nil)
	}
	if err != nil {
		m.o.Logger.WarnContext(ctx, "the link to a retry isn't saved", slog.String("task", string(retry.RetryOf)),
			slog.Any("error", err))
		return
	}
	m.board.Tell(&old)
}

// Task returns a task in its current state, or NOT_FOUND.
func (m *Machine) Task(ctx context.Context, id task.ID) (task.Task, error) {
	return m.o.Store.Task(ctx, id)
}

// Cancel ends a task as canceled. If it has already ended, Cancel returns CONFLICT.
func (m *Machine) Cancel(ctx context.Context, id task.ID) error {
	ended := false // this cancel has ended an attempt
	for {
		m.mu.Lock()
		a := m.running[id]
		var place queue.Waiting
		waiting := false
		if a == nil {
			place, waiting = m.queue.Remove(id)
		}
		m.mu.Unlock()
		if a == nil {
			// The task is in no queue now: finish the cancel even if the client disconnects.
			err := m.cancelWaiting(context.WithoutCancel(ctx), id, place, waiting, ended)
			if isChanged(err) && ctx.Err() == nil { // it is being taken up, or ended with its parent
				continue
			}
			return err
		}
		a.cancel(ErrCancelled)
		select {
		case <-a.done: // the next attempt, for example a review, may already have started
			ended = true
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// cancelWaiting ends a task that has no running attempt. If that can't be saved, the task returns to its place in the
// queue.
func (m *Machine) cancelWaiting(ctx context.Context, id task.ID, place queue.Waiting, waiting, ended bool) error {
	t, err := m.o.Store.Task(ctx, id)
	if err == nil && ended && t.Status.Ended() && t.Status != task.Completed {
		return nil
	}
	if err == nil {
		err = m.step(ctx, &t, ending(ErrCancelled))
	}
	if err != nil && waiting && !t.Status.Ended() {
		m.putBack(place)
	}
	return err
}

// putBack returns a task to its place in the queue and wakes Run.
func (m *Machine) putBack(place queue.Waiting) {
	m.mu.Lock()
	m.queue.Requeue(place)
	m.mu.Unlock()
	m.nudge()
}

// Report takes a report of a remote agent about its task (AG-2). It returns FORBIDDEN unless the agent runs the task.
// It returns once a reported end is saved. false means that the task has ended differently, and the agent should
// stop.
func (m *Machine) Report(ctx context.Context, agent topology.AgentID, id task.ID, r worker.Report) (bool, error) {
	m.mu.Lock()
	a := m.running[id]
	m.mu.Unlock()
	if a != nil && a.agent == agent && a.fences(r) {
		return false, nil
	}
	if a == nil || a.agent != agent {
		return m.lateReport(ctx, agent, id, r)
	}
	select {
	case a.reports <- r:
	case <-a.done:
		return m.lateReport(ctx, agent, id, r)
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	m.noteReachability(agent, nil)
	if r.Status == worker.ReportInProgress {
		return true, nil
	}
	select {
	case <-a.done:
		return m.lateReport(ctx, agent, id, r)
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// fences reports whether the report is about an earlier attempt. Until the attempt is saved, no report can be about
// it, unless the agent already has the task.
func (a *attempt) fences(r worker.Report) bool {
	n := a.number.Load()
	if n == 0 {
		return !a.attach
	}
	return r.Attempt > 0 && int64(r.Attempt) != n
}

// lateReport answers a report that arrives after the attempt has ended, including a repeated one.
func (m *Machine) lateReport(ctx context.Context, agent topology.AgentID, id task.ID, r worker.Report) (bool, error) {
	t, err := m.o.Store.Task(ctx, id)
	if err != nil {
		return false, err
	}
	n := len(t.Attempts) - 1
	last := n >= 0 && t.Attempts[n].Agent == string(agent)
	if t.Review != nil && !last { // the task is now with a reviewer, or back with the agent that did the work
		for n--; n >= 0 && t.Attempts[n].Agent != string(agent); n-- {
		}
	}
	switch {
	case n < 0 || t.Attempts[n].Agent != string(agent):
		return false, errcode.New(errcode.Forbidden, "%s does not hold the task %s", agent, id)
	case last && !t.Status.Ended() && t.Attempts[n].EndedAt.IsZero():
		return r.Status == worker.ReportInProgress, m.untaken(&t, r)
	case r.Status == worker.ReportCompleted:
		return t.Status == task.Completed ||
			t.Review != nil && !t.Attempts[n].EndedAt.IsZero() && t.Attempts[n].Error == "", nil
	case r.Status == worker.ReportFailed:
		return t.Status != task.Completed, nil
	}
	return last && !t.Status.Ended(), nil
}

// untaken returns UNAVAILABLE for a reported end that can't be saved yet, because the hub hasn't resumed the task
// after a restart. The agent keeps the end and sends it again.
func (m *Machine) untaken(t *task.Task, r worker.Report) error {
	if r.Status == worker.ReportInProgress {
		return nil
	}
	return errcode.New(errcode.Unavailable, "the hub was started anew and has not taken the task %s up yet: try again",
		t.ID)
}

// saveError marks an error of the store, as opposed to a failure of the attempt.
type saveError struct{ error }

// Unwrap returns the store's error.
func (e *saveError) Unwrap() error { return e.error }

// isChanged reports whether a step couldn't be saved because the stored task has changed.
func isChanged(err error) bool { return errcode.HasReason(err, ReasonChanged) }

func isSaveError(err error) bool {
	_, is := errors.AsType[*saveError](err)
	return is
}

// step advances a task, saves it, and only then publishes the events.
func (m *Machine) step(ctx context.Context, t *task.Task, s task.Step) error {
	s.At = time.Now().UTC()
	next, events, err := task.Advance(*t, s)
	if err != nil {
		return err
	}
	if err := m.o.Store.SaveTask(ctx, next, events); err != nil {
		return &saveError{err}
	}
	*t = next
	m.streams.Publish(events)
	if t.Status.Ended() {
		m.mu.Lock()
		delete(m.restored, t.ID)
		m.mu.Unlock()
		m.settled(ctx, t)
	}
	if s.Text == "" || len(events) > 1 { // only watchers of the task need pieces of an answer
		m.board.Tell(t)
	}
	return nil
}
