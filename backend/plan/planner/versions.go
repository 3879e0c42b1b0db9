package planner

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
)

// maxName limits a plan's name, in characters.
const maxName = 120

// Create creates a plan from p, or an empty one if p is nil.
func (m *Machine) Create(ctx context.Context, name string, p *plan.Plan) (Summary, error) {
	k, err := m.create(ctx, Record{Name: name}, p)
	if err != nil {
		return Summary{}, err
	}
	return m.Plan(k)
}

// CreateFor returns the plan of a coordinator's task; it creates an empty one if there is none.
func (m *Machine) CreateFor(ctx context.Context, task, goal string) (Summary, error) {
	m.making.Lock()
	defer m.making.Unlock()
	for _, p := range m.Plans() {
		if p.For == task {
			return p, nil
		}
	}
	id, err := m.create(ctx, Record{Name: goal, Goal: goal, For: task}, nil)
	if err != nil {
		return Summary{}, err
	}
	return m.Plan(id)
}

// create creates a plan with the name, goal and task of r.
func (m *Machine) create(ctx context.Context, r Record, p *plan.Plan) (ID, error) {
	cause := CauseImport
	if p == nil {
		p, cause = plan.New(), CauseCreate
	}
	if len(p.Tasks) > MaxTasks {
		return "", errcode.New(errcode.Validation, "a plan holds %d tasks at most, not %d", MaxTasks, len(p.Tasks)).
			With(errcode.KeyField, "plan")
	}
	name := short(r.Name)
	if name == "" {
		return "", errcode.New(errcode.Validation, "a plan needs a name").With(errcode.KeyField, "name")
	}
	at := now()
	k := &kept{
		record: Record{
			ID:        ID(newID()),
			Name:      name,
			Goal:      r.Goal,
			For:       r.For,
			Head:      1,
			Last:      1,
			CreatedAt: at,
			UpdatedAt: at,
		},
	}
	k.record.counted(p)
	k.mu.Lock()
	defer k.mu.Unlock()
	m.mu.Lock()
	m.plans[k.record.ID] = k
	m.mu.Unlock()
	err := m.put(
		ctx,
		k,
		Written{
			Record:  k.record,
			Version: &Version{Number: 1, At: at, Cause: cause, Author: m.o.Author, Added: len(p.Tasks), Plan: p},
		},
	)
	if err != nil {
		m.mu.Lock()
		delete(m.plans, k.record.ID)
		m.mu.Unlock()
		return "", err
	}
	return k.record.ID, nil
}

// short returns the first line of a text, shortened to a name.
func short(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	letters := []rune(strings.TrimSpace(text))
	if len(letters) > maxName {
		return string(letters[:maxName-1]) + "…"
	}
	return string(letters)
}

// Rename renames a plan.
func (m *Machine) Rename(ctx context.Context, id ID, name string) (Summary, error) {
	k, err := m.hold(id)
	if err != nil {
		return Summary{}, err
	}
	defer k.mu.Unlock()
	r := k.record
	if r.Name = short(name); r.Name == "" {
		return Summary{}, errcode.New(errcode.Validation, "a plan needs a name").With(errcode.KeyField, "name")
	}
	err = m.put(ctx, k, Written{Record: r})
	return k.summary(), err
}

// Delete marks a plan as deleted; Recover restores it.
func (m *Machine) Delete(ctx context.Context, id ID) error {
	k, err := m.hold(id)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	if k.asking != nil {
		k.asking.cancel(errCanceled)
	}
	r := k.record
	r.DeletedAt = now()
	return m.put(ctx, k, Written{Record: r})
}

// Recover restores a deleted plan.
func (m *Machine) Recover(ctx context.Context, id ID) (Summary, error) {
	k, err := m.find(id)
	if err != nil {
		return Summary{}, err
	}
	defer k.mu.Unlock()
	r := k.record
	r.DeletedAt = time.Time{}
	err = m.put(ctx, k, Written{Record: r})
	return k.summary(), err
}

// at returns a CONFLICT unless version is the current one.
func (m *Machine) at(ctx context.Context, k *kept, version int64) error {
	if version == k.record.Head {
		return nil
	}
	e := errcode.New(errcode.Conflict,
		"the plan has changed meanwhile: it is at version %d, not %d", k.record.Head, version).
		With(errcode.KeyReason, ReasonStale).
		With("head", k.record.Head)
	if v, err := m.o.Store.PlanVersion(ctx, k.record.ID, k.record.Head); err == nil {
		e = e.With("by", map[string]any{"cause": v.Cause, "label": v.Label, "author": v.Author, "at": v.At})
	}
	return e
}

// next makes p the current version, and clears the versions to redo.
func (m *Machine) next(ctx context.Context, k *kept, from, p *plan.Plan, v Version, w Written) error {
	if len(p.Tasks) > MaxTasks {
		return errcode.New(errcode.Validation, "a plan holds %d tasks at most, not %d", MaxTasks, len(p.Tasks))
	}
	r := k.record
	v.Number, v.Parent, v.At, v.Author, v.Plan = r.Last+1, r.Head, now(), m.o.Author, p
	for _, c := range from.Diff(p) {
		switch {
		case c.Added:
			v.Added++
		case c.Removed:
			v.Removed++
		default:
			v.Changed++
		}
	}
	r.Head, r.Last, r.Redo, r.UpdatedAt = v.Number, v.Number, nil, v.At
	r.counted(over(p, k.progress))
	w.Record, w.Version, w.Drop = r, &v, max(0, v.Number-KeepVersions)
	return m.put(ctx, k, w)
}

// Edit applies a person's patch to the version that they saw.
func (m *Machine) Edit(
	ctx context.Context,
	id ID,
	version int64,
	patch *plan.Patch,
	label string,
) (*plan.Applied, error) {
	k, from, err := m.holdAt(ctx, id, version)
	if err != nil {
		return nil, err
	}
	defer k.mu.Unlock()
	done, err := from.Apply(patch, func() plan.ID { return plan.ID(newID()) })
	if err != nil {
		return nil, err
	}
	if err := k.spares(from, done.Plan); err != nil {
		return nil, err
	}
	return done, m.next(ctx, k, from, done.Plan, Version{Cause: CauseEdit, Label: short(label)}, Written{})
}

// asked are the fields of a task that its worker is asked for.
var asked = []string{"title", "description", "acceptance_criteria", "suggested_impl"}

// spares returns a CONFLICT if an edit changes what the worker of a running task was asked for: the worker wouldn't
// learn of it, and the task would be shown as done with a text that nobody worked on.
func (k *kept) spares(from, to *plan.Plan) error {
	if w := k.record.Work; w == nil || w.State != Working {
		return nil
	}
	for _, c := range from.Diff(to) {
		t, ok := from.Task(c.ID)
		if !ok || c.Removed || !t.Status.Runs() {
			continue
		}
		if slices.ContainsFunc(c.Fields, func(f plan.Field) bool { return slices.Contains(asked, f.Name) }) {
			return errcode.New(errcode.Conflict,
				"the task %q is running. Pause the plan to change what it is about", t.Title).
				With(errcode.KeyReason, ReasonTaskRuns).With("task", string(c.ID))
		}
	}
	return nil
}

// byHand are the statuses that a person can set.
var byHand = []plan.Status{plan.Pending, plan.Blocked, plan.Complete}

// SetStatus sets the status of a task that has no reported status.
func (m *Machine) SetStatus(
	ctx context.Context,
	id ID,
	version int64,
	task plan.ID,
	status plan.Status,
	label string,
) error {
	if !slices.Contains(byHand, status) {
		return errcode.New(errcode.Validation,
			"a person gives a task the status PENDING, BLOCKED or COMPLETE, not %q", status).
			With(errcode.KeyField, "status")
	}
	k, from, err := m.holdAt(ctx, id, version)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	if _, ok := k.progress[task]; ok {
		return errcode.New(errcode.Conflict, "the status of task %s is what was reported of it", task).
			With(errcode.KeyReason, ReasonReported)
	}
	p := *from
	p.Tasks = slices.Clone(from.Tasks)
	t, ok := p.Task(task)
	if !ok {
		return errcode.New(errcode.NotFound, "there is no task %s in the plan", task)
	}
	t.Status = status
	return m.next(ctx, k, from, &p, Version{Cause: CauseStatus, Label: short(label)}, Written{})
}

// Undo makes the parent of the current version current again; Redo reverts that.
func (m *Machine) Undo(ctx context.Context, id ID, version int64) error {
	return m.step(ctx, id, version, func(k *kept) (int64, []int64) {
		if !k.canUndo() {
			return 0, nil
		}
		return k.version.Parent, append(slices.Clone(k.record.Redo), k.record.Head)
	})
}

// Redo makes the last undone version current again.
func (m *Machine) Redo(ctx context.Context, id ID, version int64) error {
	return m.step(ctx, id, version, func(k *kept) (int64, []int64) {
		n := len(k.record.Redo)
		if n == 0 {
			return 0, nil
		}
		return k.record.Redo[n-1], slices.Clone(k.record.Redo[:n-1])
	})
}

func (m *Machine) step(ctx context.Context, id ID, version int64, where func(k *kept) (int64, []int64)) error {
	k, err := m.hold(id)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	if err := m.at(ctx, k, version); err != nil {
		return err
	}
	if _, err := m.read(ctx, k); err != nil {
		return err
	}
	to, redo := where(k)
	if to == 0 {
		return errcode.New(errcode.Conflict, "there is nothing left to undo or to redo").
			With(errcode.KeyReason, ReasonNothing)
	}
	v, err := m.o.Store.PlanVersion(ctx, id, to)
	if err != nil {
		return err
	}
	if err := k.spares(over(k.version.Plan, k.progress), over(v.Plan, k.progress)); err != nil {
		return err
	}
	r := k.record
	r.Head, r.Redo, r.UpdatedAt = to, redo, now()
	r.counted(over(v.Plan, k.progress))
	if err := m.put(ctx, k, Written{Record: r}); err != nil {
		return err
	}
	k.version = v
	return nil
}

// Report replaces the reported progress of a task.
func (m *Machine) Report(ctx context.Context, id ID, task plan.ID, p Progress) error {
	k, err := m.hold(id)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	head, err := m.read(ctx, k)
	if err != nil {
		return err
	}
	if _, ok := head.Task(task); !ok {
		return errcode.New(errcode.NotFound, "there is no task %s in the plan", task)
	}
	p.UpdatedAt = now()
	all := make(map[plan.ID]Progress, len(k.progress)+1)
	for t, was := range k.progress {
		all[t] = was
	}
	all[task] = p
	r := k.record
	r.UpdatedAt = p.UpdatedAt
	r.counted(over(head, all))
	if err := m.put(ctx, k, Written{Record: r, Task: task, Progress: &p}); err != nil {
		return err
	}
	k.progress = all
	return nil
}
