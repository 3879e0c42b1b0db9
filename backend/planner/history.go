package planner

import (
	"context"

	"agentflow/backend/plan"
)

// History is what is kept of the plans of a Machine.
type History struct{ machine *Machine }

// History returns the versions of the plans.
func (m *Machine) History() History { return History{m} }

// List returns what is kept, newest first.
func (h History) List(ctx context.Context, id ID) ([]Version, error) {
	m := h.machine
	k, err := m.hold(id)
	if err != nil {
		return nil, err
	}
	defer k.mu.Unlock()
	return m.o.Store.PlanVersions(ctx, id)
}

// Compared is a version beside the one that counts.
type Compared struct {
	Version
	Plan    *plan.Plan    `json:"plan" doc:"Plan after a restore."`
	Changes []plan.Change `json:"changes" doc:"What a restore would change."`
}

// Compare returns a version and what restoring it would change. How tasks stand that were
// worked is as it is now: that belongs to the task and not to a version.
func (h History) Compare(ctx context.Context, id ID, number int64) (Compared, error) {
	m := h.machine
	k, err := m.hold(id)
	if err != nil {
		return Compared{}, err
	}
	defer k.mu.Unlock()
	head, err := m.read(ctx, k)
	if err != nil {
		return Compared{}, err
	}
	v, err := m.o.Store.PlanVersion(ctx, id, number)
	if err != nil {
		return Compared{}, err
	}
	then := over(v.Plan, k.progress)
	return Compared{Version: v, Plan: then, Changes: append([]plan.Change{}, head.Diff(then)...)}, nil
}

// Restore makes an earlier version the next one.
func (h History) Restore(ctx context.Context, id ID, version, number int64) error {
	m := h.machine
	k, from, err := m.holdAt(ctx, id, version)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	v, err := m.o.Store.PlanVersion(ctx, id, number)
	if err != nil {
		return err
	}
	return m.next(ctx, k, from, v.Plan, Version{Cause: CauseRestore, Label: v.Label}, Written{})
}
