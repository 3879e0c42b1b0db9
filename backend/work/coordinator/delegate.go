package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator/internal/queue"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Delegate accepts a subtask from the agent that runs the parent task. The Delegate connections of the applied team
// decide which agents it can choose. Delegate rejects a chain that returns to an agent, is too long or too wide,
// repeats itself, or would deadlock, and logs that in each task of the chain. It returns FORBIDDEN unless the agent
// runs the parent task.
func (m *Machine) Delegate(
	ctx context.Context,
	by topology.AgentID,
	parent task.ID,
	g worker.DelegationRequest,
) (Submitted, error) {
	m.delegating.Lock()
	defer m.delegating.Unlock()
	t, a, err := m.held(ctx, by, parent)
	if err != nil {
		return Submitted{}, err
	}
	if g.Agent == "" {
		return Submitted{}, errcode.New(errcode.Validation, "name the agent that the task is for").
			With(errcode.KeyField, "agent")
	}
	trace, err := m.chained(ctx, t, by, g)
	if err != nil {
		e := errcode.From(err)
		if e.Code != errcode.Conflict {
			return Submitted{}, err
		}
		chain, _ := e.Details[task.KeyChain].([]string)
		m.tellChain(ctx, t, worker.Update{Log: e.Message, Cause: errcode.CauseOf(e)})
		return Submitted{Rejected: e.Message, Reason: e.Reason(), Chain: chain}, nil
	}
	child, err := m.delegated(t, g)
	if err != nil {
		return Submitted{}, err
	}
	child.Trace = &trace
	key := ""
	if g.Key != "" {
		key = string(parent) + "/" + g.Key
	}
	got, err := m.accept(ctx, child, key)
	if err != nil || got.Again {
		return got, err
	}
	return got, a.say(worker.Update{
		Delegated: string(got.Task.ID),
		Log:       "gave " + g.Agent + " the task " + string(got.Task.ID),
		Cause:     &errcode.Cause{Code: task.CauseGave, Params: map[string]string{task.KeyAgent: g.Agent}},
	})
}

// delegated returns the subtask that the agent of t delegates.
func (m *Machine) delegated(t task.Task, g worker.DelegationRequest) (task.Task, error) {
	if g.TaskType == "" {
		g.TaskType = string(task.Chat)
	}
	w, _ := t.Options() // already validated by Submit
	extra, err := json.Marshal(map[string]any{
		"agent":    g.Agent,
		"priority": w.Priority,
		"budget":   t.Budget.Left(t.Spent, m.stopwatch.elapsed(&t)),
	})
	if err != nil {
		return task.Task{}, errcode.Wrap(errcode.Internal, err, "the task cannot be written")
	}
	return task.Task{
		SessionID: t.SessionID,
		Caller:    t.Caller,
		Type:      task.Type(g.TaskType),
		Prompt:    g.Prompt,
		Context:   extra,
	}, nil
}

// held returns the task and its running attempt, if the agent runs it.
func (m *Machine) held(ctx context.Context, by topology.AgentID, id task.ID) (task.Task, *attempt, error) {
	m.mu.Lock()
	a := m.running[id]
	m.mu.Unlock()
	t, err := m.o.Store.Task(ctx, id)
	switch {
	case err != nil:
		return t, nil, err
	case a != nil && a.agent == by && !t.Status.Ended():
		return t, a, nil
	case a == nil && !t.Status.Ended() && lastAgent(t) == by && t.Attempts[len(t.Attempts)-1].EndedAt.IsZero():
		return t, nil, errcode.New(errcode.Unavailable,
			"the hub was started anew and has not taken the task %s up yet: try again", id)
	}
	return t, nil, errcode.New(errcode.Forbidden, "%s does not work on the task %s", by, id)
}

// chained checks a delegation against the connections and all limits, and returns the subtask's trace.
func (m *Machine) chained(
	ctx context.Context,
	t task.Task,
	by topology.AgentID,
	g worker.DelegationRequest,
) (task.Trace, error) {
	trace, err := t.GiveOn(string(by), g.Agent)
	whole := append(slices.Clone(trace.Chain), g.Agent)
	if err != nil {
		return trace, err
	}
	if !m.o.Roster.MayCommand(by, topology.AgentID(g.Agent)) {
		return trace, task.Stopped(task.ReasonNoConnection, whole, "%s has no Delegate connection to %s", by, g.Agent).
			With(task.KeyFrom, string(by))
	}
	if len(t.Given) >= task.MaxGiven {
		return trace, task.Stopped(task.ReasonMany, whole, "%d tasks were given on for this one already", len(t.Given)).
			With(task.KeyCount, len(t.Given))
	}
	alike := 0
	for _, id := range t.Given {
		c, err := m.o.Store.Task(ctx, id)
		if err != nil {
			return trace, err
		}
		if c.Prompt == g.Prompt && asked(c) == g.Agent {
			alike++
		}
	}
	if alike >= task.MaxAlike {
		return trace, task.Stopped(task.ReasonRepetition, whole, "%s was asked the same %d times", g.Agent, alike).
			With(task.KeyCount, alike)
	}
	n, err := m.tree(ctx, trace.Root)
	if err != nil {
		return trace, err
	}
	if n >= task.MaxTree {
		return trace, task.Stopped(task.ReasonMany, whole, "%d tasks came out of one already", n).With(task.KeyCount, n)
	}
	if m.waitsForever(trace.Chain, topology.AgentID(g.Agent)) {
		return trace, task.Stopped(task.ReasonDeadlock, whole,
			"%s works on something that waits for this chain: neither would ever go on", g.Agent)
	}
	return trace, nil
}

func asked(t task.Task) string {
	w, _ := t.Options() // already validated by Submit
	return w.Agent
}

// tree counts the subtasks below a root task, up to task.MaxTree.
func (m *Machine) tree(ctx context.Context, root task.ID) (int, error) {
	n := 0
	for open := []task.ID{root}; len(open) > 0 && n < task.MaxTree; open = open[1:] {
		t, err := m.o.Store.Task(ctx, open[0])
		if err != nil {
			return n, err
		}
		n += len(t.Given)
		open = append(open, t.Given...)
	}
	return n, nil
}

// waitsForever reports whether the agent works, directly or through its subtasks, on something that waits for an
// agent of the chain.
func (m *Machine) waitsForever(chain []string, agent topology.AgentID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := map[topology.AgentID]bool{}
	for open := []topology.AgentID{agent}; len(open) > 0; open = open[1:] {
		if slices.Contains(chain, string(open[0])) {
			return true
		}
		if seen[open[0]] {
			continue
		}
		seen[open[0]] = true
		for _, a := range m.running {
			if a.agent != open[0] {
				continue
			}
			for _, to := range m.children[a.id] {
				open = append(open, to)
			}
		}
	}
	return false
}

// tellChain writes a log line into the task and its ancestors.
func (m *Machine) tellChain(ctx context.Context, t task.Task, line worker.Update) {
	for range task.MaxChain + 1 {
		m.mu.Lock()
		a := m.running[t.ID]
		m.mu.Unlock()
		if a != nil {
			_ = a.say(line) // an attempt that has ended takes no more news
		}
		if t.Trace == nil {
			return
		}
		parent, err := m.o.Store.Task(ctx, t.Trace.Parent)
		if err != nil {
			return
		}
		t = parent
	}
}

// Await returns a task once it has ended, or in its current state after the wait.
func (m *Machine) Await(ctx context.Context, id task.ID, wait time.Duration) (task.Task, error) {
	t, err := m.o.Store.Task(ctx, id)
	if err != nil || t.Status.Ended() || wait <= 0 {
		return t, err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if err := m.Watch(waiting, id, t.Seq, nothing); err != nil && waiting.Err() == nil {
		return t, err
	}
	return m.o.Store.Task(ctx, id)
}

// DelegatedBy returns a subtask that the agent delegated for parent, once it has ended or after the wait. For any
// other agent it returns NOT_FOUND.
func (m *Machine) DelegatedBy(
	ctx context.Context,
	by topology.AgentID,
	parent, id task.ID,
	wait time.Duration,
) (task.Task, error) {
	t, err := m.o.Store.Task(ctx, id)
	if err != nil {
		return t, err
	}
	if t.Trace == nil || t.Trace.Parent != parent || t.Trace.Chain[len(t.Trace.Chain)-1] != string(by) {
		return t, errcode.New(errcode.NotFound, "%s gave no task %s on for %s", by, id, parent)
	}
	return m.Await(ctx, id, wait)
}

func nothing([]task.Event) error { return nil }

// give returns the delegate tool of an agent in the hub: it delegates a subtask and waits for the result.
func (m *Machine) give(a *attempt) func(context.Context, worker.DelegationRequest) (json.RawMessage, error) {
	return func(ctx context.Context, g worker.DelegationRequest) (json.RawMessage, error) {
		got, err := m.Delegate(ctx, a.agent, a.id, g)
		if err != nil {
			return nil, err
		}
		if got.Rejected != "" {
			return nil, errcode.New(errcode.Conflict, "%s", got.Rejected)
		}
		if err := m.Watch(ctx, got.Task.ID, 0, nothing); err != nil {
			return nil, err
		}
		t, err := m.o.Store.Task(ctx, got.Task.ID)
		switch {
		case err != nil:
			return nil, err
		case t.Status == task.Completed:
			return t.Result, nil
		}
		return nil, errcode.New(errcode.Unavailable, "%s did not do it: %s", g.Agent, t.ErrorMessage)
	}
}

// ErrParent ends a subtask whose parent task no longer waits for it.
var ErrParent = errcode.New(errcode.Conflict, "the task that it was given for does not wait for it any more").
	With(errcode.KeyCause, task.CauseParent)

// adopt registers a subtask with its parent.
func (m *Machine) adopt(t *task.Task) {
	if t.Trace == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.children[t.Trace.Parent] == nil {
		m.children[t.Trace.Parent] = map[task.ID]topology.AgentID{}
	}
	m.children[t.Trace.Parent][t.ID] = topology.AgentID(asked(*t))
}

// settled cleans up after a task has ended: its parent no longer waits for it, and its open subtasks are ended.
func (m *Machine) settled(ctx context.Context, t *task.Task) {
	m.mu.Lock()
	delete(m.rejected, t.ID)
	if t.Trace != nil {
		if delete(m.children[t.Trace.Parent], t.ID); len(m.children[t.Trace.Parent]) == 0 {
			delete(m.children, t.Trace.Parent)
		}
	}
	m.mu.Unlock()
	m.abandon(ctx, t.ID)
	m.stopwatch.forget(t.ID)
}

// abandon ends the unfinished subtasks of a task. It doesn't wait for their attempts.
func (m *Machine) abandon(ctx context.Context, parent task.ID) {
	m.mu.Lock()
	var waiting []queue.Waiting
	for id := range m.children[parent] {
		if a := m.running[id]; a != nil {
			a.cancel(ErrParent)
		} else if place, there := m.queue.Remove(id); there {
			waiting = append(waiting, place)
		}
	}
	m.mu.Unlock()
	for _, place := range waiting {
		m.end(ctx, place, ErrParent)
	}
}

// end ends a task that was taken out of the queue. If that can't be saved, the task returns to its place.
func (m *Machine) end(ctx context.Context, place queue.Waiting, why error) {
	t, err := m.o.Store.Task(ctx, place.ID)
	if err == nil && !t.Status.Ended() {
		err = m.step(ctx, &t, ending(why))
	}
	if err != nil {
		m.putBack(place)
	}
}

// isCanceled reports whether a task has not failed: a person canceled it, or the task that it was a part of has ended.
func isCanceled(why error) bool { return errors.Is(why, ErrCancelled) || errors.Is(why, ErrParent) }

// ending returns the step that ends a task for a reason outside of its attempt.
func ending(why error) task.Step {
	return task.Step{Error: why.Error(), Cause: errcode.CauseOf(why), Canceled: isCanceled(why)}
}
