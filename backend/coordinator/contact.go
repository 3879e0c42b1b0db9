package coordinator

import (
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/topology"
)

// contact is how it stands with an agent elsewhere since the hub started. An agent that is not
// started yet, or that cannot be reached, costs no task an attempt: it is tried anew now and
// then, and its tasks wait.
type contact struct {
	up   bool          // it took a task or told of one, and nothing has failed since
	why  error         // of the last try that failed
	next time.Time     // no try before
	wait time.Duration // before the try after it
}

// Waits between two tries to reach an agent.
const (
	firstContact = time.Second
	lastContact  = 10 * time.Second
)

// contacts are the agents elsewhere that were tried, by id.
type contacts map[topology.AgentID]*contact

// reached notes that an agent is there.
func (c contacts) reached(id topology.AgentID) { c[id] = &contact{up: true} }

// missed notes that an agent could not be reached.
func (c contacts) missed(id topology.AgentID, why error, now time.Time) {
	wait := firstContact
	if before := c[id]; before != nil && !before.up {
		wait = min(2*before.wait, lastContact)
	}
	c[id] = &contact{why: why, next: now.Add(wait), wait: wait}
}

// away returns why an agent is left alone now, or nil.
func (c contacts) away(id topology.AgentID, now time.Time) error {
	if k := c[id]; k != nil && k.next.After(now) {
		return c.down(id)
	}
	return nil
}

// up reports whether an agent is known to be there.
func (c contacts) up(id topology.AgentID) bool { return c[id] != nil && c[id].up }

// down returns why an agent could not be reached when it was tried last, or nil.
func (c contacts) down(id topology.AgentID) error {
	if k := c[id]; k != nil && !k.up {
		return k.why
	}
	return nil
}

// next is how long until an agent may be tried again, or false if there is none to try.
func (c contacts) next(now time.Time) (time.Duration, bool) {
	soonest, found := time.Duration(0), false
	for _, k := range c {
		if wait := k.next.Sub(now); !k.up && wait > 0 && (!found || wait < soonest) {
			soonest, found = wait, true
		}
	}
	return soonest, found
}

// moved forgets how it stood with the agents elsewhere, who may be at another place by now. Of
// those in processes of this computer it is known at once that one has ended: what it had is
// given anew, and nobody waits for it.
func (m *Machine) moved() {
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

// errGone ends the attempt of an agent whose process has ended.
var errGone = errcode.New(errcode.Unavailable, "the agent's process on this computer has ended").With(errcode.KeyCause, "agent_silent")

// noteContact notes whether an agent elsewhere is there: why not, or nil.
func (m *Machine) noteContact(id topology.AgentID, why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if why == nil {
		m.contacts.reached(id)
		return
	}
	m.contacts.missed(id, why, time.Now())
}

// known reports whether the agent of the attempt is there: within the hub, or reached before.
func (m *Machine) known(a *attempt) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return a.who.URL == "" || a.attach || m.contacts.up(a.agent)
}

// soonest is how long until something is to be done that nobody says. The caller holds mu.
func (m *Machine) soonest(now time.Time) time.Duration {
	wait := time.Hour
	if due, some := m.queue.Next(now); some {
		wait = min(wait, due)
	}
	if try, some := m.contacts.next(now); some && m.queue.Len() > 0 {
		wait = min(wait, try)
	}
	return wait
}
