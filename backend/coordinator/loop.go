package coordinator

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"agentflow/backend/coordinator/queue"
	"agentflow/backend/errcode"
	"agentflow/backend/safego"
	"agentflow/backend/task"
	"agentflow/backend/topology"
)

const page = 500

// Run gives tasks to agents until ctx ends; then the attempts end with ErrStopped, and
// their tasks go on at the next start. Tasks that had not ended when the hub last did are
// taken up first.
func (m *Machine) Run(ctx context.Context) error {
	err := m.resume(ctx)
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
	var attempts sync.WaitGroup
	defer attempts.Wait()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		for _, a := range m.assign(ctx) {
			attempts.Go(func() { m.run(a) })
		}
		m.mu.Lock()
		wait := m.soonest(time.Now())
		m.mu.Unlock()
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			m.stop()
			return nil
		case <-m.wake:
		case <-timer.C:
		case _, ok := <-team.C():
			if !ok { // it lagged; what counts is the team as it is now
				team = m.o.Roster.Changes(1)
			}
			m.moved()
			m.board.Tell(nil) // what tasks wait for may be another now
		}
	}
}

// recall shows the agents as they were known last: what they did is seen at once, and not only
// once they do something again.
func (m *Machine) recall(ctx context.Context) error {
	list, err := m.o.Store.Tasks(ctx, Query{Limit: page})
	if err != nil {
		return err
	}
	m.board.Recall(list, m.crew.Commander)
	return nil
}

// resume queues what had not ended. A task whose last attempt was with an agent elsewhere
// may be done there still: its agent is asked before it is given anew.
func (m *Machine) resume(ctx context.Context) error {
	anew := map[task.ID]bool{} // tasks of agents within the hub that ended: what they gave on, nobody waits for
	for after := task.ID(""); ; {
		list, err := m.o.Store.Unfinished(ctx, after, page)
		if err != nil {
			return err
		}
		for _, t := range list {
			after = t.ID
			m.mu.Lock()
			known := m.queue.Has(t.ID)
			m.mu.Unlock()
			if known || t.Held {
				continue // submitted just now, or it begins when a person resumes it
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

// resumed takes a task up that was found unfinished. A person may have canceled it meanwhile.
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

// takeUp queues a task that had not ended, unless nobody waits for it any more.
func (m *Machine) takeUp(ctx context.Context, t task.Task, anew map[task.ID]bool) error {
	if t.Trace != nil && anew[t.Trace.Parent] {
		return m.step(ctx, &t, task.Step{Error: ErrParent.Error(), Cause: errcode.CauseOf(ErrParent)})
	}
	m.adopt(&t)
	open := t.Open()
	a, there := m.o.Roster.Agent(lastAgent(t))
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

// Resume queues a task that a restored backup brought. CONFLICT if it is not held.
func (m *Machine) Resume(ctx context.Context, id task.ID) error {
	m.delegating.Lock() // one at a time, so that none is queued twice
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
	return m.takeUp(ctx, t, map[task.ID]bool{})
}

// assign makes an attempt of everything that waits and that a free agent may take.
func (m *Machine) assign(ctx context.Context) []*attempt {
	may := m.crew.May()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queue.Wake(time.Now())
	var out []*attempt
	free := 0
	for team, i := m.o.Roster.Team().Topology.Agents, 0; i < len(team); i++ {
		if m.busy[team[i].ID] < perAgent {
			free++
		}
	}
	stuck := map[queue.Kind]bool{} // nobody who is free can take it
	for free > len(out) {
		w, agent := m.match(may, stuck)
		if w == nil {
			break
		}
		out = append(out, m.start(ctx, agent, w))
	}
	return out
}

// match returns the next task and who is to do it, or nil. The caller holds mu.
func (m *Machine) match(may []topology.Agent, stuck map[queue.Kind]bool) (*queue.Waiting, topology.Agent) {
	for _, w := range m.queue.First() {
		if stuck[w.Kind] {
			continue
		}
		if agent, ok := m.pick(m.crew.Takers(may, w.Agent, w.Giver, w.Review), w); ok {
			return w, agent
		}
		stuck[w.Kind] = true
	}
	return nil, topology.Agent{}
}

// start makes an attempt of a task that waits. The caller holds mu.
func (m *Machine) start(ctx context.Context, agent topology.Agent, w *queue.Waiting) *attempt {
	m.queue.Take(w.ID)
	m.busy[agent.ID]++
	m.attempts++
	m.given[agent.ID] = m.attempts
	actx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	at, here := m.o.Roster.Place(agent.ID)
	here = here && !at.Gone && at.URL == agent.URL
	a := &attempt{id: w.ID, place: *w, agent: agent.ID, who: agent, here: here, attach: w.Attach, ctx: actx, cancel: cancel, done: make(chan struct{}), reports: newMailbox()}
	m.running[w.ID] = a
	return a
}

// perAgent is how many tasks one agent does at a time.
const perAgent = 1

// pick chooses a free agent: the one that is asked for; who has the task already; else one
// that is known to be there and did not just fail at it, if there is one. Among those it is who
// was given nothing for longest.
func (m *Machine) pick(may []topology.Agent, w *queue.Waiting) (topology.Agent, bool) {
	var best *topology.Agent
	least, now := 0, time.Now()
	for i := range may {
		a := &may[i]
		if m.busy[a.ID] >= perAgent || w.Agent != "" && a.ID != w.Agent && !w.Review || w.Attach && a.ID != w.Last || !m.crew.Able(a, w.Type) || m.contacts.away(a.ID, now) != nil || m.crew.Trusted(a) != nil {
			continue
		}
		doubts := m.doubts(a, w)
		if best == nil || doubts < least || doubts == least && m.given[a.ID] < m.given[best.ID] {
			best, least = a, doubts
		}
	}
	if best == nil {
		return topology.Agent{}, false
	}
	return *best, true
}

// doubts is how much speaks against giving an agent a task that it may have.
func (m *Machine) doubts(a *topology.Agent, w *queue.Waiting) (n int) {
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

// stop ends all attempts.
func (m *Machine) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.running {
		a.cancel(ErrStopped)
	}
}

// run makes one attempt and decides what becomes of the task. If the store fails, the task is
// queued again after a pause.
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
		put = func() { m.queue.Back(a.place) }
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

// maxRescue bounds the pause before a task is queued again whose attempt could not be saved.
const maxRescue = 30 * time.Second

// rescue returns how to queue a task whose attempt could not be read or saved; the caller of that
// holds mu. An agent elsewhere may still work on it and is asked first; any other attempt is closed
// and made again.
func (m *Machine) rescue(a *attempt, t task.Task) (put func()) {
	m.mu.Lock()
	pause := min(m.o.Rescue<<min(m.unsaved[a.id], 10), maxRescue)
	m.unsaved[a.id]++
	m.mu.Unlock()
	due := time.Now().Add(pause)
	if t.ID == "" { // it could not be read
		place := a.place
		place.Due = due
		return func() { m.queue.Back(place) }
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
	if err == nil && !t.Status.Ended() { // it may have been cancelled between two attempts
		err = safego.Call(ctx, m.o.Logger, "an attempt", func() (err error) {
			again, due, err = m.attempt(ctx, a, &t)
			return err
		})
	}
	if safego.Is(err) { // in the coordinator itself: the next try would panic again
		err = m.step(ctx, &t, task.Step{Error: errcode.From(err).Message, Cause: errcode.CauseOf(err)})
	}
	if err != nil && !errors.Is(err, ErrStopped) {
		m.o.Logger.ErrorContext(ctx, "an attempt could not be saved", slog.String("task", string(a.id)), slog.Any("error", err))
	}
	return again, due, t, err
}
