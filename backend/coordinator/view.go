package coordinator

import (
	"slices"
	"strings"
	"time"

	"agentflow/backend/task"
	"agentflow/backend/topology"
)

// Work is what the agents are at.
type Work struct {
	Running int         `json:"running"` // tasks that an agent works on
	Waiting int         `json:"waiting"` // tasks that wait for one
	Agents  []AgentWork `json:"agents"`  // those that have, had or are to get a task since the hub started
}

// AgentState is how an agent stands to its task.
type AgentState string

// States of an agent at work.
const (
	AgentRuns   AgentState = "running"
	AgentWaits  AgentState = "waiting" // a task waits for this agent and no other
	AgentDone   AgentState = "done"
	AgentFailed AgentState = "failed"
)

// AgentWork is what one agent is at, or was at last.
type AgentWork struct {
	Agent topology.AgentID `json:"agent"`
	State AgentState       `json:"state" enum:"running,waiting,done,failed"`
	Task  task.ID          `json:"task"`
	Title string           `json:"title"`
	Since time.Time        `json:"since"`
	From  topology.AgentID `json:"from,omitempty"` // the Coordinator whose command connection the task runs along
	Why   string           `json:"why,omitempty"`  // of a failure
	Cause *task.Cause      `json:"cause,omitempty"`
}

// Work returns what the agents are at.
func (m *Machine) Work() Work {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := Work{Running: len(m.running), Waiting: len(m.queue.items), Agents: make([]AgentWork, 0, len(m.work))}
	waits := map[topology.AgentID]task.ID{}
	for _, q := range m.queue.items {
		if id := q.agent; id != "" && waits[id] == "" {
			waits[id] = q.id
		}
	}
	for id, a := range m.work {
		if t := waits[id]; t == a.Task && a.State == AgentFailed {
			a.State = AgentWaits // it is tried again
		}
		delete(waits, id)
		w.Agents = append(w.Agents, a)
	}
	for id, t := range waits {
		w.Agents = append(w.Agents, AgentWork{Agent: id, State: AgentWaits, Task: t})
	}
	slices.SortFunc(w.Agents, func(a, b AgentWork) int { return strings.Compare(string(a.Agent), string(b.Agent)) })
	return w
}

// began notes that an agent has begun with a task.
func (m *Machine) began(a *attempt, t *task.Task) {
	s := t.Summary()
	w := AgentWork{Agent: a.agent, State: AgentRuns, Task: t.ID, Title: s.Title, Since: time.Now().UTC(), From: m.commander(a.agent)}
	m.mu.Lock()
	m.work[a.agent] = w
	m.mu.Unlock()
	m.tellViews(nil)
}

// ended notes what became of an attempt.
func (m *Machine) ended(a *attempt, t *task.Task) {
	m.mu.Lock()
	w := m.work[a.agent]
	if w.Task == a.id {
		w.State, w.Since = AgentDone, time.Now().UTC()
		if t.Status != task.Completed {
			w.State = AgentFailed
			if n := len(t.Attempts); n > 0 {
				w.Why, w.Cause = t.Attempts[n-1].Error, t.Attempts[n-1].Cause
			}
		}
		m.work[a.agent] = w
		if w.State == AgentFailed && w.Why == "" { // it did not take the task, or the hub stopped
			delete(m.work, a.agent)
		}
	}
	m.mu.Unlock()
	m.tellViews(nil)
}

// commander returns the Coordinator along whose connection the hub gives an agent tasks.
func (m *Machine) commander(to topology.AgentID) topology.AgentID {
	for _, from := range coordinators(m.o.Roster.Team().Topology) {
		if m.o.Roster.MayCommand(from, to) {
			return from
		}
	}
	return ""
}

// View collects which tasks have changed, for somebody who shows all of them. However slow
// its reader is, it holds each task only once, and never more than mostChanged.
type View struct {
	machine *Machine
	tasks   map[task.ID]task.Summary
	many    bool
	ready   chan struct{}
}

// mostChanged is how many changed tasks a View holds; who missed more reads the list anew.
const mostChanged = 200

// View starts collecting. Close it.
func (m *Machine) View() *View {
	v := &View{machine: m, tasks: map[task.ID]task.Summary{}, ready: make(chan struct{}, 1)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.views[v] = struct{}{}
	return v
}

// Ready receives when there is something to Take.
func (v *View) Ready() <-chan struct{} { return v.ready }

// Take returns the tasks that have changed since the last call, newest first; many means
// that there were too many to tell.
func (v *View) Take() (changed []task.Summary, many bool) {
	v.machine.mu.Lock()
	defer v.machine.mu.Unlock()
	for _, s := range v.tasks {
		changed = append(changed, s)
	}
	slices.SortFunc(changed, func(a, b task.Summary) int { return b.CreatedAt.Compare(a.CreatedAt) })
	many = v.many
	v.tasks, v.many = map[task.ID]task.Summary{}, false
	return changed, many
}

// Close ends the View.
func (v *View) Close() {
	v.machine.mu.Lock()
	defer v.machine.mu.Unlock()
	delete(v.machine.views, v)
}

// tellViews says that a task has changed; nil: that who works at what has.
func (m *Machine) tellViews(t *task.Task) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for v := range m.views {
		switch {
		case t == nil || v.many:
		case len(v.tasks) >= mostChanged:
			v.many = true
			clear(v.tasks)
		default:
			v.tasks[t.ID] = t.Summary()
		}
		select {
		case v.ready <- struct{}{}:
		default:
		}
	}
}
