package coordinator

import (
	"time"

	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator/internal/queue"
	"agentflow/backend/work/task"
)

func (m *Machine) enqueue(t task.Task, due time.Time, attach bool) {
	next := m.waiting(&t, due, attach)
	m.mu.Lock()
	m.queue.Add(next)
	m.mu.Unlock()
	m.nudge()
}

// waiting is a task as it waits in the queue.
func (m *Machine) waiting(t *task.Task, due time.Time, attach bool) queue.Waiting {
	w, _ := t.Options() // Submit has checked them
	next := queue.Waiting{ID: t.ID, Priority: w.Priority, Due: due, Kind: queue.Kind{
		Type:   t.Type,
		Agent:  m.eligibility.Wanted(t),
		Giver:  topology.AgentID(t.Giver()),
		Review: t.Reviewed(),
		Attach: attach,
		Last:   lastAgent(*t),
	}}
	if next.Review {
		next.Type = task.Chat // whatever the work was, looking at it is talk
	}
	return next
}

func lastAgent(t task.Task) topology.AgentID {
	if n := len(t.Attempts); n > 0 {
		return topology.AgentID(t.Attempts[n-1].Agent)
	}
	return ""
}

func (m *Machine) nudge() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}
