package coordinator

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator/internal/queue"
	"agentflow/backend/work/task"
)

const page = 500

// Run resumes unfinished tasks, then assigns tasks to agents until ctx ends. It then cancels the attempts with
// ErrStopped, and their tasks continue after the next start.
func (m *Machine) Run(ctx context.Context) error {
	err := m.resume(ctx)
	close(m.resumedAll)
	if err == nil {
		err = m.recall(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	team := m.o.Roster.Changes(1)
	defer func() { team.Close() }()
	m.endStranded(ctx) // the team can have changed while the hub didn't run
	var attempts sync.WaitGroup
	defer attempts.Wait()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		for _, a := range m.assign(ctx) {
			attempts.Go(func() { m.run(a) })
		}
		m.mu.Lock()
		wait := m.nextDeadline(time.Now())
		m.mu.Unlock()
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			m.stop()
			return nil
		case <-m.wake:
		case <-timer.C:
		case _, ok := <-team.C():
			if !ok { // the subscription lagged; only the current team matters
				team = m.o.Roster.Changes(1)
			}
			m.onTeamChanged()
			m.endStranded(ctx)
			m.board.Tell(nil) // the reasons why tasks wait may have changed
		}
	}
}

// recall fills the board from saved tasks, so that the agents' last work is visible right after a start.
func (m *Machine) recall(ctx context.Context) error {
	list, err := m.o.Store.Tasks(ctx, Query{Limit: page})
	if err != nil {
		return err
	}
	m.board.Recall(list, m.eligibility.Commander)
	return nil
}

// resume queues the unfinished tasks. A remote agent may still be running its last attempt, so it is asked before the
// task is started again.
func (m *Machine) resume(ctx context.Context) error {
	anew := map[task.ID]bool{} // tasks whose attempt ended with the hub; their subtasks are no longer awaited
	for after := task.ID(""); ; {
		list, err := m.o.Store.Unfinished(ctx, after, page)
		if err != nil {
			return err
		}
		for _, t := range list {
			after = t.ID
			m.mu.Lock()
			known := m.queue.Has(t.ID)
			if t.Held {
				m.restored[t.ID] = t.Status
			}
			m.mu.Unlock()
			if known || t.Held {
				continue // just submitted, or it waits until a person resumes it
			}
			if err := m.resumed(ctx, t, anew); err != nil {
				return err
			}
		}
		if len(list) < page {
			return nil
		}
	}
}

// untilResumed waits until Run has read the unfinished tasks. If ctx ends first, it returns the cause.
func (m *Machine) untilResumed(ctx context.Context) error {
	select {
	case <-m.resumedAll:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// resumed takes up an unfinished task. A person may have canceled it in the meantime.
func (m *Machine) resumed(ctx context.Context, t task.Task, anew map[task.ID]bool) error {
	for {
		err := m.takeUp(ctx, t, anew)
		if !isChanged(err) {
			return err
		}
		if t, err = m.o.Store.Task(ctx, t.ID); err != nil || t.Status.Ended() {
			return err
		}
	}
}

// takeUp queues an unfinished task, or ends it if its parent no longer waits for it.
func (m *Machine) takeUp(ctx context.Context, t task.Task, anew map[task.ID]bool) error {
	if t.Trace != nil && anew[t.Trace.Parent] {
		return m.step(ctx, &t, ending(ErrParent))
	}
	m.adopt(&t)
	open := t.Open()
	a, there := m.eligibility.Agent(lastAgent(t))
	attach := open && there && a.URL != ""
	if open && !attach {
		anew[t.ID] = true
		if err := m.step(ctx, &t, task.Step{Failed: task.StoppedMeanwhile, Cause: &errcode.Cause{Code: task.CauseHubStopped}}); err != nil {
			return err
		}
	}
	m.enqueue(t, time.Time{}, attach)
	return nil
}

// Resume queues a task from a restored backup. It returns CONFLICT if the task isn't held.
func (m *Machine) Resume(ctx context.Context, id task.ID) error {
	if err := m.untilResumed(ctx); err != nil {
		return err
	}
	m.delegating.Lock() // so that no task is queued twice
	defer m.delegating.Unlock()
	ctx = context.WithoutCancel(ctx)
	t, err := m.o.Store.Task(ctx, id)
	if err != nil {
		return err
	}
	if !t.Held || t.Status.Ended() {
		return errcode.New(errcode.Conflict, "the task %s isn't paused", id).With(errcode.KeyReason, "not_held")
	}
	t.Held = false
	if err := m.o.Store.SaveTask(ctx, t, nil); err != nil {
		return err
	}
	m.mu.Lock()
	delete(m.restored, id)
	m.mu.Unlock()
	if err := m.takeUp(ctx, t, map[task.ID]bool{}); err != nil {
		return err
	}
	m.board.Tell(&t)
	return nil
}

// assign starts an attempt of each waiting task that an idle agent can take.
func (m *Machine) assign(ctx context.Context) []*attempt {
	may := m.eligibility.May()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queue.PromoteDue(time.Now())
	var out []*attempt
	free := 0
	for team, i := m.o.Roster.Team().Topology.Agents, 0; i < len(team); i++ {
		free += max(0, capacity(&team[i])-m.busy[team[i].ID])
	}
	free += m.freeAtGateways()
	stuck := map[queue.Kind]bool{} // no idle agent can take these
	for free > len(out) {
		w, agent := m.match(may, stuck)
		if w == nil {
			break
		}
		out = append(out, m.start(ctx, agent, w))
	}
	return out
}

// match returns the next task and its agent, or nil. The caller holds mu.
func (m *Machine) match(may []topology.Agent, stuck map[queue.Kind]bool) (*queue.Waiting, topology.Agent) {
	for _, w := range m.queue.Heads() {
		if stuck[w.Kind] {
			continue
		}
		if agent, ok := m.pick(m.eligibility.Candidates(may, w.Agent, w.Giver, w.Review, w.Type), w); ok {
			return w, agent
		}
		stuck[w.Kind] = true
	}
	return nil, topology.Agent{}
}

// start creates the attempt of a waiting task. The caller holds mu.
func (m *Machine) start(ctx context.Context, agent topology.Agent, w *queue.Waiting) *attempt {
	m.queue.Remove(w.ID)
	m.busy[agent.ID]++
	m.attempts++
	m.given[agent.ID] = m.attempts
	actx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	at, here := m.o.Roster.Place(agent.ID)
	here = here && !at.Gone && at.URL == agent.URL
	a := &attempt{
		id:      w.ID,
		place:   *w,
		agent:   agent.ID,
		who:     agent,
		here:    here,
		attach:  w.Attach,
		ctx:     actx,
		cancel:  cancel,
		done:    make(chan struct{}),
		reports: newMailbox(),
	}
	m.running[w.ID] = a
	return a
}

const (
	perAgent       = 1 // tasks that one agent runs at a time
	perCoordinator = 4 // of a Coordinator in the hub, which mostly waits for the agents that it delegates to
)

// capacity returns how many tasks an agent runs at a time.
func capacity(a *topology.Agent) int {
	if topology.IsCoordinator(a.Role) && a.URL == "" {
		return perCoordinator
	}
	return perAgent
}

// pick chooses an idle agent for the task. The requested agent, or the one that already has the task, is the only
// choice. Otherwise pick prefers agents that were reached and didn't just fail this task, and among those the one
// whose last attempt is the oldest.
func (m *Machine) pick(may []topology.Agent, w *queue.Waiting) (topology.Agent, bool) {
	var best *topology.Agent
	least, now := 0, time.Now()
	for i := range may {
		a := &may[i]
		if m.busy[a.ID] >= capacity(a) || !wants(w, a.ID) || !m.eligibility.Eligible(a, w.Type) ||
			m.contacts.away(a.ID, now) != nil || m.eligibility.Trusted(a) != nil {
			continue
		}
		doubts := m.penalty(a, w)
		if best == nil || doubts < least || doubts == least && m.given[a.ID] < m.given[best.ID] {
			best, least = a, doubts
		}
	}
	if best == nil {
		return topology.Agent{}, false
	}
	return *best, true
}

// wants reports whether the task is for the agent, or for any.
func wants(w *queue.Waiting, id topology.AgentID) bool {
	return (w.Agent == "" || id == w.Agent || w.Review) && (!w.Attach || id == w.Last)
}

// penalty rates the reasons against an agent that could take the task; lower is better.
func (m *Machine) penalty(a *topology.Agent, w *queue.Waiting) (n int) {
	if a.URL != "" && !m.contacts.up(a.ID) {
		n++
	}
	if a.ID == w.Last && !w.Attach && w.Agent == "" {
		n += 2
	}
	if m.contacts.down(a.ID) != nil {
		n += 4
	}
	return n
}

// stop cancels all attempts.
func (m *Machine) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.running {
		a.cancel(ErrStopped)
	}
}

// run makes one attempt and queues the task again if needed. If the store fails, the task is queued after a pause.
func (m *Machine) run(a *attempt) {
	defer a.cancel(nil)
	var again bool
	var due time.Time
	var t task.Task
	err := safego.Call(context.WithoutCancel(a.ctx), m.o.Logger, "an attempt", func() (err error) {
		again, due, t, err = m.try(a)
		return err
	})
	put := func() {} // back into the queue
	switch {
	case a.unmet:
		put = func() { m.queue.Requeue(a.place) }
	case err != nil && !errors.Is(err, ErrStopped):
		put = m.rescue(a, t)
	case again:
		next := m.waiting(&t, due, false)
		put = func() { m.queue.Add(next) }
	}
	m.mu.Lock() // once for both: a task that goes on is always either running or queued, where Cancel finds it
	delete(m.running, a.id)
	put()
	if m.busy[a.agent]--; m.busy[a.agent] <= 0 {
		delete(m.busy, a.agent)
	}
	if err == nil {
		delete(m.unsaved, a.id)
	}
	m.mu.Unlock()
	close(a.done)
	if a.unmet || t.ID == "" {
		m.board.Tell(nil)
	} else {
		m.board.Ended(a.agent, a.id, &t)
	}
	m.nudge()
}

// maxRescue limits the pause before a task is queued again whose attempt couldn't be saved.
const maxRescue = 30 * time.Second

// rescue returns a function that queues a task whose attempt couldn't be read or saved; its caller
// must hold mu. A remote agent may still be running the task and is asked first; any other attempt
// is closed and repeated.
func (m *Machine) rescue(a *attempt, t task.Task) (put func()) {
	m.mu.Lock()
	pause := min(m.o.Rescue<<min(m.unsaved[a.id], 10), maxRescue)
	m.unsaved[a.id]++
	m.mu.Unlock()
	due := time.Now().Add(pause)
	if t.ID == "" { // it couldn't be read
		place := a.place
		place.Due = due
		return func() { m.queue.Requeue(place) }
	}
	attach := t.Open() && a.who.URL != "" && lastAgent(t) == a.agent
	if !attach {
		m.abandon(context.WithoutCancel(a.ctx), t.ID)
	}
	next := m.waiting(&t, due, attach)
	return func() { m.queue.Add(next) }
}

func (m *Machine) try(a *attempt) (again bool, due time.Time, t task.Task, err error) {
	ctx := context.WithoutCancel(a.ctx)
	t, err = m.o.Store.Task(ctx, a.id)
	if err == nil && !t.Status.Ended() { // it may have been canceled between two attempts
		err = safego.Call(ctx, m.o.Logger, "an attempt", func() (err error) {
			again, due, err = m.attempt(ctx, a, &t)
			return err
		})
	}
	if safego.Is(err) { // a panic in the coordinator itself: a retry would panic again
		err = m.step(ctx, &t, task.Step{Error: errcode.From(err).Message, Cause: errcode.CauseOf(err)})
	}
	if err != nil && !errors.Is(err, ErrStopped) {
		m.o.Logger.ErrorContext(ctx, "an attempt could not be saved", slog.String("task", string(a.id)),
			slog.Any("error", err))
	}
	return again, due, t, err
}
