// Package coordinator takes tasks and gives them to the agents of the applied team, here
// or elsewhere (requirements CO-3 to CO-5, AG-1, AG-2, AG-6). A task that it has accepted
// is durable; so is every event before anybody is told of it.
package coordinator

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/coordinator/board"
	"agentflow/backend/coordinator/crew"
	"agentflow/backend/coordinator/queue"
	"agentflow/backend/coordinator/stream"
	"agentflow/backend/errcode"
	"agentflow/backend/roster"
	"agentflow/backend/sandbox"
	"agentflow/backend/task"
	"agentflow/backend/tool"
	"agentflow/backend/topology"
	"agentflow/backend/worker"
)

// Store keeps tasks and their events. What a method has returned without an error is
// durable.
type Store interface {
	// AddTask keeps a new task. If a task of the same id or, unless it is empty, the same
	// idempotency key is there, that one is returned and nothing kept.
	AddTask(ctx context.Context, t task.Task, idempotencyKey string) (stored task.Task, fresh bool, err error)
	// SaveTask keeps a step of a task. If it is not the one that follows what is stored, because
	// somebody else has changed the task, nothing is kept: CONFLICT with ReasonChanged.
	SaveTask(ctx context.Context, t task.Task, events []task.Event) error
	// Task returns a task; NOT_FOUND.
	Task(ctx context.Context, id task.ID) (task.Task, error)
	// Tasks lists tasks, newest first; of the query agent and words are not looked at, and
	// there may be tasks of other sessions among them.
	Tasks(ctx context.Context, q Query) ([]task.Task, error)
	// CountTasks counts the tasks that stand so.
	CountTasks(ctx context.Context, status task.Status) (int64, error)
	// Recent lists tasks, those that changed last first; there may be tasks of other sessions
	// among them.
	Recent(ctx context.Context, q Recent) ([]task.Task, error)
	// CountRecent counts what Recent would list, if it were from the beginning and without a limit.
	CountRecent(ctx context.Context, q Recent) (int, error)
	// Unfinished lists the tasks that have not ended, oldest first, after the given one.
	Unfinished(ctx context.Context, after task.ID, limit int) ([]task.Task, error)
	// TaskEvents lists a task's events after seq, in order, from its First.
	TaskEvents(ctx context.Context, id task.ID, after int64, limit int) ([]task.Event, error)
}

// ReasonChanged is why a step of a task is not kept that somebody else has changed meanwhile.
const ReasonChanged = "task_changed"

// Options are what a Machine works with.
type Options struct {
	Store   Store
	Roster  *roster.Roster
	Models  crew.Models
	Getenv  func(string) string // where secrets of agents elsewhere are found
	HTTP    *http.Client        // to agents elsewhere
	Logger  *slog.Logger
	Sandbox sandbox.Settings // for commands of agents within the hub

	// Budget is what a task may cost where it says nothing itself, by the agent that is asked
	// for, or of all with "". nil: there is no such bound.
	Budget func(agent topology.AgentID) task.Budget

	// Trusts says why an agent of the team can't be used until the owner has allowed what it asks
	// of this computer; nil: everybody can. After a change, call Trusted.
	Trusts func(agent *topology.Agent) error

	// Asker brings questions of agents within the hub to the person; nil: nobody can be asked.
	Asker func(agent, task string) tool.Asker

	// Plans makes of an agent within the hub one that has a complex task worked by a plan; nil:
	// it does that alone.
	Plans func(who topology.Agent, task string, alone worker.Worker) worker.Worker

	Attempts int           // tries of one task; 0 is 3
	Backoff  time.Duration // before the second try, doubled each time; 0 is 1 s
	Rescue   time.Duration // before a task is queued again whose attempt could not be saved, doubled each time; 0 is 1 s
	Lease    time.Duration // of agents elsewhere; 0 is worker.DefaultLease
	Join     time.Duration // pieces of an answer within it become one event; 0 is 16 ms
}

// Causes with which an attempt's context ends.
var (
	ErrStopped   = worker.ErrStopped
	ErrCancelled = errcode.New(errcode.Conflict, "cancelled by a person").With(errcode.KeyCause, task.CauseCancelled)
	ErrDeadline  = errcode.New(errcode.Timeout, "the task's time is over").With(errcode.KeyCause, task.CauseDeadline)
)

// Machine is the coordinator. Make it with New; Run does the work.
type Machine struct {
	o    Options
	wake chan struct{} // holds one

	crew    *crew.Crew
	streams *stream.Streams
	board   *board.Board
	worked  worked

	mu       sync.Mutex
	queue    *queue.Queue
	running  map[task.ID]*attempt
	busy     map[topology.AgentID]int
	given    map[topology.AgentID]uint64 // the number of the attempt that each was given last
	attempts uint64                      // that were given
	unsaved  map[task.ID]int             // attempts in a row that could not be saved
	contacts contacts
	rejected rejections

	children   map[task.ID]map[task.ID]topology.AgentID // of tasks that wait: what was given on for them, and to whom
	delegating sync.Mutex                               // one at a time, so that each sees all that was given on before
}

// New returns a Machine. Until Run is called, tasks are accepted and wait.
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
		o.HTTP = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return &Machine{
		o: o, wake: make(chan struct{}, 1), queue: queue.New(), running: map[task.ID]*attempt{}, busy: map[topology.AgentID]int{}, given: map[topology.AgentID]uint64{}, contacts: contacts{}, unsaved: map[task.ID]int{}, rejected: rejections{},
		crew: crew.New(o.Roster, o.Models, o.Getenv, o.HTTP, o.Sandbox).Trusting(o.Trusts), streams: stream.New(o.Store), board: board.New(), worked: worked{since: map[task.ID]start{}},
		children: map[task.ID]map[task.ID]topology.AgentID{},
	}
}

// Submitted is what came of a submission.
type Submitted struct {
	Task     task.Task
	Rejected string // why it can never be done; the task was not kept
	Cause    *errcode.Cause
	Again    bool // the same task had been submitted before

	Reason string   // of a refusal to give on
	Chain  []string // that was refused: who gave it on, and to whom it would have gone
}

// Submit takes a task. A task that nobody can take yet is accepted and waits; one that the
// team's connections forbid is rejected, with the connection that is missing. The same id
// or idempotency key twice is one task.
func (m *Machine) Submit(ctx context.Context, t task.Task, idempotencyKey string) (Submitted, error) {
	if err := t.Validate(); err != nil {
		return Submitted{}, err
	}
	if e := m.crew.Forbidden(t); e != nil {
		return Submitted{Task: t, Rejected: e.Message, Cause: errcode.CauseOf(e)}, nil
	}
	return m.accept(ctx, t, idempotencyKey)
}

// accept keeps a task that is allowed.
func (m *Machine) accept(ctx context.Context, t task.Task, idempotencyKey string) (Submitted, error) {
	if t.ID == "" {
		t.ID = task.ID(ulid.Make().String())
	}
	if err := t.Validate(); err != nil {
		return Submitted{}, err
	}
	w, _ := t.Wishes() // they have just been checked
	t.Budget = w.Budget
	if m.o.Budget != nil {
		t.Budget = t.Budget.Or(m.o.Budget(topology.AgentID(w.Agent)))
	}
	t.CreatedAt = time.Now().UTC()
	t.UpdatedAt = t.CreatedAt
	ctx = context.WithoutCancel(ctx) // a task that is kept has to be queued, whoever has left meanwhile
	stored, fresh, err := m.o.Store.AddTask(ctx, task.Accepted(t), idempotencyKey)
	if err != nil {
		return Submitted{}, err
	}
	if fresh {
		m.adopt(&stored)
		m.enqueue(stored, time.Time{}, false)
		m.board.Tell(&stored)
	}
	return Submitted{Task: stored, Again: !fresh}, nil
}

// Task returns a task as it stands; NOT_FOUND.
func (m *Machine) Task(ctx context.Context, id task.ID) (task.Task, error) {
	return m.o.Store.Task(ctx, id)
}

// Cancel ends a task as failed. A task that has ended: CONFLICT.
func (m *Machine) Cancel(ctx context.Context, id task.ID) error {
	ended := false // an attempt was ended for this cancel
	for {
		m.mu.Lock()
		a := m.running[id]
		var place queue.Waiting
		waiting := false
		if a == nil {
			place, waiting = m.queue.Take(id)
		}
		m.mu.Unlock()
		if a == nil {
			// It is in no queue now: the task must not be left so if the caller goes away.
			err := m.cancelWaiting(context.WithoutCancel(ctx), id, place, waiting, ended)
			if isChanged(err) && ctx.Err() == nil { // it is being taken up, or ended with its parent
				continue
			}
			return err
		}
		a.cancel(ErrCancelled)
		select {
		case <-a.done: // the next attempt may have started meanwhile, for example a review
			ended = true
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// cancelWaiting ends a task that no attempt runs for. If that cannot be saved, the task goes
// back to its place.
func (m *Machine) cancelWaiting(ctx context.Context, id task.ID, place queue.Waiting, waiting, ended bool) error {
	t, err := m.o.Store.Task(ctx, id)
	if err == nil && ended && t.Status == task.Failed {
		return nil
	}
	if err == nil {
		err = m.step(ctx, &t, task.Step{Error: ErrCancelled.Error(), Cause: errcode.CauseOf(ErrCancelled)})
	}
	if err != nil && waiting && !t.Status.Ended() {
		m.putBack(place)
	}
	return err
}

// putBack returns a task to its place in the queue.
func (m *Machine) putBack(place queue.Waiting) {
	m.mu.Lock()
	m.queue.Back(place)
	m.mu.Unlock()
	m.nudge()
}

// Report takes what an agent elsewhere says of its task (AG-2). Only the agent that holds
// the task may; FORBIDDEN for every other. It returns once an end that is reported is kept;
// false means that the task has ended another way, and that the agent should stop.
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
	m.noteContact(agent, nil)
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

// fences reports whether the report is about an attempt that came before. Before the agent is
// given the task, nothing can be about this one.
func (a *attempt) fences(r worker.Report) bool {
	n := a.number.Load()
	if n == 0 {
		return !a.attach
	}
	return r.Attempt > 0 && int64(r.Attempt) != n
}

// lateReport answers a report after the attempt's end, the same report twice included.
func (m *Machine) lateReport(ctx context.Context, agent topology.AgentID, id task.ID, r worker.Report) (bool, error) {
	t, err := m.o.Store.Task(ctx, id)
	if err != nil {
		return false, err
	}
	n := len(t.Attempts) - 1
	last := n >= 0 && t.Attempts[n].Agent == string(agent)
	if t.Review != nil && !last { // it is with a reviewer, or with who did the work
		for n--; n >= 0 && t.Attempts[n].Agent != string(agent); n-- {
		}
	}
	switch {
	case n < 0 || t.Attempts[n].Agent != string(agent):
		return false, errcode.New(errcode.Forbidden, "%s does not hold the task %s", agent, id)
	case last && !t.Status.Ended() && t.Attempts[n].EndedAt.IsZero():
		return r.Status == worker.ReportInProgress, m.untaken(&t, r)
	case r.Status == worker.ReportCompleted:
		return t.Status == task.Completed || t.Review != nil && !t.Attempts[n].EndedAt.IsZero() && t.Attempts[n].Error == "", nil
	case r.Status == worker.ReportFailed:
		return t.Status != task.Completed, nil
	}
	return last && !t.Status.Ended(), nil
}

// untaken says that an end cannot be kept yet: after a restart the hub first has to take the
// task up. Whoever reports keeps the end and sends it again.
func (m *Machine) untaken(t *task.Task, r worker.Report) error {
	if r.Status == worker.ReportInProgress {
		return nil
	}
	return errcode.New(errcode.Unavailable, "the hub was started anew and has not taken the task %s up yet: try again", t.ID)
}

// Busy returns the tasks that agents work on now.
func (m *Machine) Busy() []task.ID {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := make([]task.ID, 0, len(m.running))
	for id := range m.running {
		ids = append(ids, id)
	}
	return ids
}

// saveError says that the store failed, which is no failure of the attempt.
type saveError struct{ error }

// Unwrap returns what the store said.
func (e *saveError) Unwrap() error { return e.error }

// isChanged reports whether somebody else has changed the task that could not be saved.
func isChanged(err error) bool { return errcode.HasReason(err, ReasonChanged) }

func isSaveError(err error) bool {
	_, is := errors.AsType[*saveError](err)
	return is
}

// step advances a task, keeps it, and only then tells of it.
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
		m.settled(ctx, t)
	}
	if s.Text == "" || len(events) > 1 { // a piece of an answer is for those who watch the task
		m.board.Tell(t)
	}
	return nil
}
