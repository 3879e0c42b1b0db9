package planner

import (
	"context"
	"slices"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
)

// Proposals gives access to the proposals for a Machine's plans.
type Proposals struct{ machine *Machine }

// Proposals returns the access to the proposals.
func (m *Machine) Proposals() Proposals { return Proposals{m} }

// Shown is a proposal with its effect on the current plan.
type Shown struct {
	Proposal
	Changes []plan.Change  `json:"changes" doc:"What accepting it would change."`
	Touches []Touch        `json:"touches,omitempty" doc:"Changed tasks that are running or have ended."`
	Misfit  *errcode.Error `json:"misfit,omitempty" doc:"Why the plan can't take it any more."`
	After   *plan.Plan     `json:"after,omitempty" doc:"Plan after accepting it. Only for a waiting proposal."`
}

// Touch is a running or ended task that a proposal changes.
type Touch struct {
	ID     plan.ID     `json:"id"`
	Title  string      `json:"title"`
	Status plan.Status `json:"status" enum:"PLANNING,RUNNING,VALIDATING,COMPLETE,FAILED"`
	Runs   bool        `json:"runs" doc:"The task is running."`
}

// Whole is a plan with everything that the page shows.
type Whole struct {
	Summary
	Plan      *plan.Plan           `json:"plan"`
	Progress  map[plan.ID]Progress `json:"progress" doc:"Progress of the plan tasks, by ID."`
	Proposals []Shown              `json:"proposals" doc:"All proposals, the oldest first."`
	UndoLabel string               `json:"undoLabel,omitempty"`
	CanUndo   bool                 `json:"canUndo"`
	CanRedo   bool                 `json:"canRedo"`
}

// Get returns a plan with everything that the page shows.
func (m *Machine) Get(ctx context.Context, id ID) (Whole, error) {
	k, err := m.hold(id)
	if err != nil {
		return Whole{}, err
	}
	defer k.mu.Unlock()
	head, err := m.read(ctx, k)
	if err != nil {
		return Whole{}, err
	}
	out := Whole{
		Summary: k.summary(), Plan: head, Progress: k.progress, Proposals: make([]Shown, 0, len(k.proposals)),
		UndoLabel: k.version.Label, CanUndo: k.canUndo(), CanRedo: len(k.record.Redo) > 0,
	}
	for _, p := range k.proposals {
		out.Proposals = append(out.Proposals, show(head, p))
	}
	return out, nil
}

// show computes the effect of a proposal on the plan.
func show(head *plan.Plan, p Proposal) Shown {
	s := Shown{Proposal: p, Changes: []plan.Change{}}
	if p.State != Waiting {
		return s
	}
	done, err := apply(head, p)
	if err != nil {
		s.Misfit = errcode.From(err)
		return s
	}
	s.After, s.Changes = done.Plan, head.Diff(done.Plan)
	for _, c := range s.Changes {
		t, ok := head.Task(c.ID)
		if !ok {
			continue
		}
		if t.Status.Runs() || t.Status == plan.Complete || t.Status == plan.Failed {
			s.Touches = append(s.Touches, Touch{c.ID, t.Title, t.Status, t.Status.Runs()})
		}
	}
	return s
}

func apply(head *plan.Plan, p Proposal) (*plan.Applied, error) {
	next := 0
	return head.Apply(p.Patch, func() plan.ID { next++; return p.IDs[next-1] })
}

// Propose saves a submitted patch as a proposal.
func (s Proposals) Propose(ctx context.Context, id ID, version int64, patch *plan.Patch) (Shown, error) {
	m := s.machine
	k, head, err := m.holdAt(ctx, id, version)
	if err != nil {
		return Shown{}, err
	}
	defer k.mu.Unlock()
	p := Proposal{
		ID:       ProposalID(newID()),
		State:    Waiting,
		Protocol: meta.PlanPatch,
		Patch:    patch,
		IDs:      ids(patch),
		At:       now(),
	}
	if _, err := apply(head, p); err != nil {
		return Shown{}, err
	}
	if err := m.put(ctx, k, Written{Record: k.record, Proposal: &p}); err != nil {
		return Shown{}, err
	}
	return show(head, p), nil
}

// waiting returns a proposal that waits for a person, or an error.
func (k *kept) waiting(id ProposalID) (Proposal, error) {
	i := slices.IndexFunc(k.proposals, func(p Proposal) bool { return p.ID == id })
	if i < 0 {
		return Proposal{}, errcode.New(errcode.NotFound, "there is no proposal %s", id)
	}
	p := k.proposals[i]
	if p.State != Waiting {
		return p, errcode.New(errcode.Conflict, "the proposal is %s: nothing can become of it any more", p.State).
			With(errcode.KeyReason, ReasonEnded).With("state", p.State)
	}
	return p, nil
}

// Accept applies a proposal to the version that the person saw. If it touches running tasks, running must confirm
// that.
func (s Proposals) Accept(ctx context.Context, id ID, of ProposalID, version int64, running bool) error {
	m := s.machine
	k, err := m.hold(id)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	p, err := k.waiting(of)
	if err != nil {
		return err
	}
	if err := m.at(ctx, k, version); err != nil {
		return err
	}
	head, err := m.read(ctx, k)
	if err != nil {
		return err
	}
	shown := show(head, p)
	if shown.Misfit != nil {
		return errcode.New(errcode.Conflict, "the plan cannot take the proposal any more: %s", shown.Misfit.Message).
			With(errcode.KeyReason, ReasonStale)
	}
	var runs []plan.ID
	for _, t := range shown.Touches {
		if t.Runs {
			runs = append(runs, t.ID)
		}
	}
	if len(runs) > 0 && !running {
		return errcode.New(errcode.Conflict, "the proposal changes %d running tasks", len(runs)).
			With(errcode.KeyReason, ReasonRuns).
			With("tasks", runs)
	}
	p.State, p.EndedAt, p.Made = Accepted, now(), k.record.Last+1
	label := p.Request
	if label == "" {
		label = p.Patch.Payload.Understanding
	}
	return m.next(ctx, k, head, shown.After, Version{Cause: CauseAccept, Label: short(label), Proposal: p.ID},
		Written{Proposal: &p})
}

// Refuse rejects a proposal.
func (s Proposals) Refuse(ctx context.Context, id ID, of ProposalID) error {
	m := s.machine
	k, err := m.hold(id)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	p, err := k.waiting(of)
	if err != nil {
		return err
	}
	p.State, p.EndedAt = Refused, now()
	return m.put(ctx, k, Written{Record: k.record, Proposal: &p})
}

// Cancel cancels a running request to the planner and drops its partial answer.
func (s Proposals) Cancel(ctx context.Context, id ID, of ProposalID) error {
	m := s.machine
	k, err := m.hold(id)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	if k.asking == nil || k.asking.id != of {
		return errcode.New(errcode.Conflict, "the planner no longer works on that request").
			With(errcode.KeyReason, ReasonEnded)
	}
	k.asking.cancel(errCanceled)
	return nil
}

// Calls lists the planner's calls and answers for one proposal, or, if of is empty, for all.
func (s Proposals) Calls(ctx context.Context, id ID, of ProposalID) ([]meta.Call, error) {
	m := s.machine
	k, err := m.hold(id)
	if err != nil {
		return nil, err
	}
	defer k.mu.Unlock()
	return m.o.Store.PlanCalls(ctx, id, of)
}

// KeepCall saves a call about a task of the plan with the Calls.
func (s Proposals) KeepCall(ctx context.Context, id ID, c meta.Call) error {
	m := s.machine
	k, err := m.hold(id)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	return m.put(ctx, k, Written{Record: k.record, Call: &c})
}
