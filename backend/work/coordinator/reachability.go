package coordinator

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator/internal/queue"
	"agentflow/backend/work/task"
)

// reachability is the state of a remote agent since the hub started. An agent that isn't running or can't be reached costs
// no task an attempt. The hub retries it with a backoff, and its tasks wait.
type reachability struct {
	up   bool          // it took a task or reported on one, and nothing has failed since
	why  error         // the error of the last failed contact
	next time.Time     // no contact before
	wait time.Duration // the pause after the next failed contact
}

// Bounds of the pause between two contacts with an agent.
const (
	firstRetry   = time.Second
	longestRetry = 10 * time.Second
)

// reachabilities are the remote agents that were contacted, by ID.
type reachabilities map[topology.AgentID]*reachability

// reached notes that an agent was reached.
func (c reachabilities) reached(id topology.AgentID) { c[id] = &reachability{up: true} }

// missed notes that an agent couldn't be reached.
func (c reachabilities) missed(id topology.AgentID, why error, now time.Time) {
	wait := firstRetry
	if before := c[id]; before != nil && !before.up {
		wait = min(2*before.wait, longestRetry)
	}
	c[id] = &reachability{why: why, next: now.Add(wait), wait: wait}
}

// away returns why an agent isn't contacted yet, or nil.
func (c reachabilities) away(id topology.AgentID, now time.Time) error {
	if k := c[id]; k != nil && k.next.After(now) {
		return c.down(id)
	}
	return nil
}

// up reports whether the last contact with an agent succeeded.
func (c reachabilities) up(id topology.AgentID) bool { return c[id] != nil && c[id].up }

// down returns why the last contact with an agent failed, or nil.
func (c reachabilities) down(id topology.AgentID) error {
	if k := c[id]; k != nil && !k.up {
		return k.why
	}
	return nil
}

// next returns the time until the earliest contact that may be retried, or false if there is none.
func (c reachabilities) next(now time.Time) (time.Duration, bool) {
	soonest, found := time.Duration(0), false
	for _, k := range c {
		if wait := k.next.Sub(now); !k.up && wait > 0 && (!found || wait < soonest) {
			soonest, found = wait, true
		}
	}
	return soonest, found
}

// onTeamChanged clears the contacts of remote agents, because their addresses may have changed. It also cancels attempts of
// local processes that have ended or moved, so their tasks are queued again without waiting for a lease.
func (m *Machine) onTeamChanged() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.contacts)
	for _, a := range m.running {
		if at, is := m.o.Roster.Place(a.agent); a.here && (!is || at.Gone || at.URL != a.who.URL) {
			a.cancel(errGone)
		}
	}
	for _, a := range m.o.Roster.Team().Topology.Agents {
		if at, is := m.o.Roster.Place(a.ID); is && at.Gone {
			m.contacts.missed(a.ID, errGone, time.Now())
		}
	}
}

// endStranded ends the waiting subtasks that no agent can take any more: their agent has left the team, or the Delegate
// connection to it is gone. The agent that waits for a subtask gets the error as its tool's answer and continues.
func (m *Machine) endStranded(ctx context.Context) {
	m.delegating.Lock() // a delegation that was checked against the team before is in the queue
	defer m.delegating.Unlock()
	if len(m.o.Roster.Team().Topology.Agents) == 0 {
		return // no team is applied yet
	}
	type part struct {
		place queue.Waiting
		why   error
	}
	var parts []part
	m.mu.Lock()
	for _, id := range m.queue.Matching(func(k queue.Kind) bool { return m.stranded(k) != nil }) {
		if place, there := m.queue.Remove(id); there {
			parts = append(parts, part{place, m.stranded(place.Kind)})
		}
	}
	m.mu.Unlock()
	for _, p := range parts {
		m.end(ctx, p.place, p.why)
	}
}

// stranded returns why no agent can take a subtask, or nil. Other tasks can wait for an agent that comes later.
func (m *Machine) stranded(k queue.Kind) error {
	if k.Giver == "" || k.Agent == "" || k.Review || k.Attach {
		return nil
	}
	if _, there := m.o.Roster.Agent(k.Agent); !there {
		return task.NotInTeam(string(k.Agent))
	}
	if !m.o.Roster.MayCommand(k.Giver, k.Agent) {
		return task.Unconnected([]string{string(k.Giver)}, string(k.Agent))
	}
	return nil
}

// errGone ends the attempt of an agent whose process has ended.
var errGone = errcode.New(errcode.Unavailable, "the agent's process on this computer has ended").
	With(errcode.KeyCause, "agent_silent")

// noteReachability notes that a remote agent was reached (nil) or why it wasn't.
func (m *Machine) noteReachability(id topology.AgentID, why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if why == nil {
		m.contacts.reached(id)
		return
	}
	m.contacts.missed(id, why, time.Now())
}

// known reports whether the attempt needs no first contact: its agent is in the hub, has the task already, or was
// reached before.
func (m *Machine) known(a *attempt) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return a.who.URL == "" || a.attach || m.contacts.up(a.agent)
}

// nextDeadline returns the time until the earliest queued task or contact is due, at most an hour. The caller holds mu.
func (m *Machine) nextDeadline(now time.Time) time.Duration {
	wait := time.Hour
	if due, some := m.queue.Next(now); some {
		wait = min(wait, due)
	}
	if try, some := m.contacts.next(now); some && m.queue.Len() > 0 {
		wait = min(wait, try)
	}
	return wait
}
