// Package activity tracks the agents' current work and the changed tasks, for views that show all of them (requirement
// APP-4).
package activity

import (
	"slices"
	"strings"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
)

// Work is the current work of the agents.
type Work struct {
	Running int         `json:"running" doc:"Number of running tasks."`
	Waiting int         `json:"waiting" doc:"Number of tasks that wait for an agent."`
	Agents  []AgentWork `json:"agents" doc:"Agents that had, have or will get a task since the hub started."`
}

// AgentState is the state of an agent's current or last task.
type AgentState string

// States of an agent at work.
const (
	AgentRuns   AgentState = "running"
	AgentWaits  AgentState = "waiting" // a task waits for this agent and no other
	AgentDone   AgentState = "done"
	AgentFailed AgentState = "failed"

	AgentCanceled AgentState = "canceled" // a person canceled the task
)

// AgentWork is the current or last work of one agent.
type AgentWork struct {
	Agent topology.AgentID `json:"agent"`
	State AgentState       `json:"state" enum:"running,waiting,done,failed,canceled"`
	Task  task.ID          `json:"task" doc:"ID of the task."`
	Title string           `json:"title"`
	Since time.Time        `json:"since" doc:"Start of this state."`
	From  topology.AgentID `json:"from,omitempty" doc:"Coordinator that delegated the task."`
	Why   string           `json:"why,omitempty" doc:"Reason of a failure or a cancellation."`
	Cause *errcode.Cause   `json:"cause,omitempty" doc:"Reason of a failure, for programs."`

	Review bool `json:"review,omitempty" doc:"The agent reviews the result of another agent."`
	Before bool `json:"before,omitempty" doc:"This was the state when the hub stopped. The agent did nothing since."`
}

// Board is the current or last work of each agent. Create it with New.
type Board struct {
	mu    sync.Mutex
	at    map[topology.AgentID]AgentWork
	views map[*View]struct{}
}

// New returns an empty Board.
func New() *Board {
	return &Board{at: map[topology.AgentID]AgentWork{}, views: map[*View]struct{}{}}
}

// Agents lists the work of the agents. waits maps each agent that a task waits for exclusively to the first such
// task.
func (b *Board) Agents(waits map[topology.AgentID]task.ID) []AgentWork {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]AgentWork, 0, len(b.at))
	for id, a := range b.at {
		if t := waits[id]; t == a.Task && a.State == AgentFailed {
			a.State = AgentWaits // the task is retried
		}
		out = append(out, a)
	}
	for id, t := range waits {
		if _, known := b.at[id]; !known {
			out = append(out, AgentWork{Agent: id, State: AgentWaits, Task: t})
		}
	}
	slices.SortFunc(out, func(a, b AgentWork) int { return strings.Compare(string(a.Agent), string(b.Agent)) })
	return out
}

// Recall fills in the results of attempts from before the hub started. It doesn't change agents that have worked
// since.
func (b *Board) Recall(tasks []task.Task, commander func(topology.AgentID) topology.AgentID) {
	b.mu.Lock()
	for i := range tasks {
		t := &tasks[i]
		for j := range t.Attempts {
			a := &t.Attempts[j]
			agent := topology.AgentID(a.Agent)
			known, there := b.at[agent]
			if a.EndedAt.IsZero() || a.Withdrawn() || there && (!known.Before || known.Since.After(a.EndedAt)) {
				continue
			}
			w := AgentWork{
				Agent:  agent,
				State:  AgentDone,
				Task:   t.ID,
				Title:  t.Summary().Title,
				Since:  a.EndedAt,
				From:   commander(agent),
				Review: a.Review,
				Before: true,
			}
			if a.Error != "" {
				w.State, w.Why, w.Cause = AgentFailed, a.Error, a.Cause
				if t.Status == task.Canceled && a.Cause != nil && a.Cause.Code == task.CauseCancelled {
					w.State = AgentCanceled
				}
			}
			b.at[agent] = w
		}
	}
	b.mu.Unlock()
	b.Tell(nil)
}

// Began notes that an agent has started a task; from is the delegating Coordinator, or empty.
func (b *Board) Began(agent topology.AgentID, t *task.Task, from topology.AgentID) {
	w := AgentWork{
		Agent:  agent,
		State:  AgentRuns,
		Task:   t.ID,
		Title:  t.Summary().Title,
		Since:  time.Now().UTC(),
		From:   from,
		Review: t.Reviewed(),
	}
	b.mu.Lock()
	b.at[agent] = w
	b.mu.Unlock()
	b.Tell(nil)
}

// Ended notes the result of an agent's attempt. An attempt without an error is done, also where the task goes on to a
// review.
func (b *Board) Ended(agent topology.AgentID, id task.ID, t *task.Task) {
	b.mu.Lock()
	if w := b.at[agent]; w.Task == id {
		w.State, w.Since = AgentDone, time.Now().UTC()
		var last task.Attempt
		if n := len(t.Attempts); n > 0 {
			last = t.Attempts[n-1]
		}
		mine := last.Agent == string(agent)
		worked := mine && !last.EndedAt.IsZero() && last.Error == ""
		failed := mine && last.Error != "" // also of a completed task: a reviewer without a verdict
		if failed || t.Status != task.Completed && (!worked || t.Status == task.Canceled) {
			w.State = AgentFailed
			if t.Status == task.Canceled {
				w.State = AgentCanceled
			}
			if !last.Withdrawn() {
				w.Why, w.Cause = last.Error, last.Cause
			}
		}
		b.at[agent] = w
		if w.State != AgentDone && w.Why == "" { // it didn't take the task, or the hub stopped
			delete(b.at, agent)
		}
	}
	b.mu.Unlock()
	b.Tell(nil)
}

// View collects which tasks have changed, for a reader that shows all of them. However slow the reader is, a View
// stores each task once, and at most mostChanged tasks.
type View struct {
	board *Board
	tasks map[task.ID]task.Summary
	many  bool
	ready chan struct{}
}

// mostChanged limits the changed tasks in a View; a reader that missed more reads the list again.
const mostChanged = 200

// View starts collecting. The caller closes it.
func (b *Board) View() *View {
	v := &View{board: b, tasks: map[task.ID]task.Summary{}, ready: make(chan struct{}, 1)}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.views[v] = struct{}{}
	return v
}

// Ready receives when Take has something to return.
func (v *View) Ready() <-chan struct{} { return v.ready }

// Take returns the tasks that have changed since the last call, newest first. many reports that there were too many
// to list.
func (v *View) Take() (changed []task.Summary, many bool) {
	v.board.mu.Lock()
	defer v.board.mu.Unlock()
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
	v.board.mu.Lock()
	defer v.board.mu.Unlock()
	delete(v.board.views, v)
}

// Tell notifies the views that a task has changed, or, with nil, that the agents' work has.
func (b *Board) Tell(t *task.Task) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for v := range b.views {
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
