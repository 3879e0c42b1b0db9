package coordinator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"agentflow/backend/task"
	"agentflow/backend/topology"
)

// reviewer returns who of the applied team is to look at the task's result next, or "": those
// from whom a review connection leads to who did it. Who waits for the result itself will look
// at it anyway.
func (m *Machine) reviewer(t *task.Task) topology.AgentID {
	if !t.Reviewed() {
		return ""
	}
	team := m.o.Roster.Team().Topology
	for i := range team.Agents {
		a := &team.Agents[i]
		reviews := slices.ContainsFunc(a.Connections, func(c topology.Connection) bool {
			return c.Type == topology.Review && string(c.TargetID) == t.Review.By
		})
		waits := t.Trace != nil && slices.Contains(t.Trace.Chain, string(a.ID))
		if reviews && !waits && string(a.ID) != t.Review.By && !slices.Contains(t.Review.Accepted, string(a.ID)) {
			return a.ID
		}
	}
	return ""
}

// brought decides what a result comes to: the task's end, a review, or, if it is a reviewer's,
// one of these or the work once more.
func (m *Machine) brought(ctx context.Context, a *attempt, t *task.Task, result json.RawMessage) (again bool, err error) {
	next := t.Done(string(a.agent), result)
	log := ""
	if t.Reviewed() {
		accepted, remarks, err := task.ReadVerdict(result)
		if err != nil {
			return false, err
		}
		if !accepted {
			next = t.Review.Refuse(string(a.agent), remarks)
			log = fmt.Sprintf("%s did not accept the work of %s: %s", a.agent, next.By, remarks)
			if n := len(next.Refusals); n >= task.MaxRefusals {
				why := task.RefusedWork(n, string(a.agent), remarks)
				return false, m.step(ctx, t, task.Step{Review: next, Log: log, Error: why.Message, Cause: task.CauseOf(why)})
			}
			return true, m.step(ctx, t, task.Step{Review: next, Log: log})
		}
		next = t.Review.Accept(string(a.agent))
		log = fmt.Sprintf("%s accepted the work of %s", a.agent, next.By)
	}
	look := *t
	look.Review = next
	if m.reviewer(&look) == "" {
		s := task.Step{Log: log, Result: next.Result}
		if t.Review != nil {
			s.Review = next
		}
		return false, m.step(ctx, t, s)
	}
	return true, m.step(ctx, t, task.Step{Review: next, Log: log})
}

// wanted returns who shall do the task next, "" for whoever may and is free.
func (m *Machine) wanted(t *task.Task) topology.AgentID {
	switch {
	case t.Reviewed():
		return m.reviewer(t)
	case t.Review != nil:
		return topology.AgentID(t.Review.By)
	}
	w, _ := t.Wishes() // Submit has checked them
	return topology.AgentID(w.Agent)
}
