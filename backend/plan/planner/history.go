package planner

import (
	"context"

	"agentflow/backend/plan"
)

// History gives access to the versions of a Machine's plans.
type History struct{ machine *Machine }

// History returns the versions of the plans.
func (m *Machine) History() History { return History{m} }

// List returns the stored versions, newest first.
func (h History) List(ctx context.Context, id ID) ([]Version, error) {
	m := h.machine
	k, err := m.hold(id)
	if err != nil {
		return nil, err
	}
	defer k.mu.Unlock()
	return m.o.Store.PlanVersions(ctx, id)
}

// Compared is a version compared with the current one.
type Compared struct {
	Version
	Plan    *plan.Plan    `json:"plan" doc:"Plan after a restore."`
	Changes []plan.Change `json:"changes" doc:"What a restore would change."`
}

// Compare returns a version and the changes that restoring it would make. Reported progress stays as it is now,
// because it belongs to the task and not to a version.
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

// Restore makes the content of an earlier version the next version.
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
	if err := k.spares(from, over(v.Plan, k.progress)); err != nil {
		return err
	}
	return m.next(ctx, k, from, v.Plan, Version{Cause: CauseRestore, Label: v.Label}, Written{})
}
