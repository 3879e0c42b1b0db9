package rollout

import (
	"context"
	"encoding/json"
	"regexp"

	"agentflow/backend/drawing"
	"agentflow/backend/errcode"
	"agentflow/backend/openclaw"
	"agentflow/backend/topology"
	"agentflow/backend/topology/lint"
)

// intent is what an apply would bring, worked out from a fresh read.
type intent struct {
	drawing drawing.Drawing
	head    drawing.Version
	target  Target
	base    *topology.Topology // what the gateway holds, with what only the drawing holds
	draft   *topology.Topology
	preview Preview
}

// Preview reads the drawing's gateway afresh and says what an apply would do. If the
// gateway has moved since it was last read, both are merged three-way; choices answer
// the conflicts. Without a base the gateway's agents are taken in, never dropped.
func (m *Machine) Preview(ctx context.Context, id drawing.ID, choices map[string]topology.Choice) (Preview, error) {
	in, err := m.intend(ctx, id, choices)
	return in.preview, err
}

func (m *Machine) intend(ctx context.Context, id drawing.ID, choices map[string]topology.Choice) (intent, error) {
	d, head, err := m.library.Get(ctx, id)
	if err != nil {
		return intent{}, err
	}
	target, err := m.gateways.Target(d.Gateway)
	if err != nil {
		return intent{}, err
	}
	snap, err := target.Gateway.Read(ctx)
	if err != nil {
		return intent{}, err
	}
	reading, err := snap.Reading()
	if err != nil {
		return intent{}, err
	}
	base, err := m.library.BaseTopology(ctx, d)
	if err != nil {
		return intent{}, err
	}
	in := intent{drawing: d, head: head, target: target, base: base, draft: head.Topology}
	caps := target.Gateway.Capabilities()
	var merge *Merge
	if known, ok := d.Bases[d.Gateway]; !ok || known.Hash != snap.Hash {
		merge = mergeWith(base, head.Topology, reading, caps.Limits, choices)
		merge.BaseAt = known.ReadAt
		in.base, in.draft = &merge.Theirs, &merge.Merged
	}
	p, err := openclaw.MakePreview(openclaw.PreviewInput{
		Snapshot: snap, BaseHash: snap.Hash, Base: in.base, Draft: in.draft, Capabilities: caps,
	})
	if err != nil {
		return intent{}, err
	}
	in.preview = Preview{Preview: p, Gateway: d.Gateway, Problems: lint.Check(in.draft, Rules(target, reading))}
	for _, c := range p.Changes {
		if c.Impact != openclaw.ImpactLocal {
			in.preview.Sent++
		}
	}
	if merge != nil && len(merge.Conflicts)+len(merge.FromTheirs)+len(merge.Dropped) > 0 {
		in.preview.Stale, in.preview.Merge = true, merge
	}
	return in, nil
}

func mergeWith(base, mine *topology.Topology, reading openclaw.Reading, limits openclaw.Limits, choices map[string]topology.Choice) *Merge {
	base = topologyOrEmpty(base)
	theirs := openclaw.Adopt(reading, base, base, limits)
	if len(base.Agents) == 0 {
		theirs.Layout, theirs.Groups, theirs.Notes, theirs.Name, theirs.Extra = base.Layout, base.Groups, base.Notes, base.Name, base.Extra
	}
	got := topology.Merge(base, mine, theirs, choices)
	merge := &Merge{
		Base: *base, Theirs: *theirs, Merged: got.Topology, Conflicts: got.Conflicts,
		FromMine: got.FromMine, FromTheirs: got.FromTheirs, Dropped: got.Dropped,
	}
	place(&merge.Merged)
	return merge
}

// place gives agents that came from a gateway a place beside those drawn.
func place(t *topology.Topology) {
	var homeless []topology.AgentID
	for _, a := range t.Agents {
		if _, ok := t.Layout[a.ID]; !ok {
			homeless = append(homeless, a.ID)
		}
	}
	if len(homeless) == 0 {
		return
	}
	opts := topology.LayoutOptions{Only: homeless}
	if len(homeless) == len(t.Agents) {
		opts.Only = nil
	}
	t.Layout = topology.Layout(t, opts)
}

// Rules are what lint needs to know of a gateway and its config.
func Rules(target Target, reading openclaw.Reading) lint.Rules {
	caps := target.Gateway.Capabilities()
	rules := lint.Rules{Models: target.Models, RosterGuard: caps.RosterGuard}
	if caps.IDPattern != "" {
		rules.IDPattern, _ = regexp.Compile(caps.IDPattern)
	}
	if reading.Shape == openclaw.ShapeMap {
		rules.KnownKeys = []string{} // none besides those the drawing has
	} else {
		// Real gateways fill in agents.defaults.model for agents that name none. Which keys
		// they know differs by release; they name the unknown ones when they refuse them.
		rules.DefaultModel = "default"
	}
	for _, a := range reading.Topology.Agents {
		rules.BaseAgents = append(rules.BaseAgents, a.ID)
	}
	return rules
}

// Start begins an apply of what a Preview showed. It refuses what has moved since
// (CONFLICT stale_base), what is undecided, and what lint calls an error.
func (m *Machine) Start(ctx context.Context, id drawing.ID, req Request) (Apply, error) {
	in, err := m.intend(ctx, id, req.Choices)
	if err != nil {
		return Apply{}, err
	}
	if err := check(in, req); err != nil {
		return Apply{}, err
	}
	a := Apply{Drawing: id, Gateway: in.drawing.Gateway, Kind: KindApply, Sent: in.preview.Sent}
	return m.start(ctx, a, func(ctx context.Context, j *job) error { return m.push(ctx, j, in, req) })
}

func check(in intent, req Request) error {
	p := in.preview
	if req.Hash != p.BaseHash {
		return errcode.New(errcode.Conflict, "the gateway's config has changed since it was reviewed: review it again").
			With(errcode.KeyReason, errcode.ReasonStaleBase).With(errcode.KeySnapshot, map[string]any{"baseHash": p.BaseHash})
	}
	if n := p.Merge.Undecided(); n > 0 {
		return errcode.New(errcode.Conflict, "%d conflicts are not decided yet", n).With(errcode.KeyReason, ReasonUndecided)
	}
	for _, problem := range p.Problems {
		if problem.Severity == topology.SeverityError {
			return errcode.New(errcode.Validation, "the drawing has errors: %s", problem.Message).With(errcode.KeyReason, ReasonProblems)
		}
	}
	return nil
}

func (m *Machine) push(ctx context.Context, j *job, in intent, req Request) error {
	gateway := in.drawing.Gateway
	result, err := openclaw.Push(ctx, in.target.Gateway, openclaw.PushInput{
		BaseHash: req.Hash, Base: in.base, Draft: in.draft, AllowDelete: req.DeleteAgents, Note: req.Note,
		KeepSnapshot: m.keep(j, gateway, "before_apply", in.drawing.ID), Progress: m.progress(j),
	})
	m.update(j, func(a *Apply) { a.note(result) })
	if err != nil {
		return err
	}
	return m.settle(context.WithoutCancel(ctx), j, in, result)
}

func (a *Apply) note(r openclaw.Result) {
	a.Restarted, a.Differences, a.Added = r.Restarted, r.Differences, r.Added
	if len(r.Deleted) > 0 {
		a.Deleted = r.Deleted
	}
}

// settle records that drawing and gateway are the same now. What was drawn while the
// apply ran is merged on top.
func (m *Machine) settle(ctx context.Context, j *job, in intent, result openclaw.Result) error {
	limits := in.target.Gateway.Capabilities().Limits
	applied := openclaw.Adopt(openclaw.Reading{Topology: result.Topology, Shape: result.Shape}, in.draft, in.draft, limits)
	place(applied)
	d, head, err := m.library.Get(ctx, in.drawing.ID)
	if err != nil {
		return err
	}
	step := drawing.Step{
		Topology: applied, Cause: drawing.Applied, Label: "apply|" + in.drawing.Gateway, Gateway: in.drawing.Gateway, Snapshot: j.apply.Snapshot,
		Base: &drawing.Base{Snapshot: j.apply.Snapshot, Hash: result.Hash, ReadAt: j.apply.StartedAt},
	}
	_, v, _, err := m.library.Save(ctx, d.ID, d.Head, step)
	if err != nil || head.ID == in.head.ID {
		return err
	}
	both := topology.Merge(in.head.Topology, head.Topology, applied, nil)
	_, _, _, err = m.library.Save(ctx, d.ID, v.ID, drawing.Step{Topology: &both.Topology, Cause: drawing.MergedIn, Label: "merge|" + in.drawing.Gateway})
	return err
}

// Rollback brings a gateway back to a config that was kept. If a drawing is named, it
// follows; that can be undone.
func (m *Machine) Rollback(ctx context.Context, gateway string, to drawing.SnapshotID, d drawing.ID, deleteAgents bool) (Apply, error) {
	kept, err := m.library.Snapshot(ctx, to)
	if err != nil {
		return Apply{}, err
	}
	if kept.Gateway != gateway {
		return Apply{}, errcode.New(errcode.Validation, "the snapshot was taken from %s, not from %s", kept.Gateway, gateway).With(errcode.KeyField, "snapshotId")
	}
	var old openclaw.Snapshot
	if err := json.Unmarshal(kept.Config, &old); err != nil {
		return Apply{}, errcode.Wrap(errcode.Internal, err, "the kept config is damaged")
	}
	target, err := m.gateways.Target(gateway)
	if err != nil {
		return Apply{}, err
	}
	now, err := target.Gateway.Read(ctx)
	if err != nil {
		return Apply{}, err
	}
	a := Apply{Drawing: d, Gateway: gateway, Kind: KindRollback}
	return m.start(ctx, a, func(ctx context.Context, j *job) error {
		result, err := openclaw.Rollback(ctx, target.Gateway, openclaw.RollbackInput{
			BaseHash: now.Hash, To: old, AllowDelete: deleteAgents, Note: "AgentFlow rollback",
			KeepSnapshot: m.keep(j, gateway, "before_rollback", d), Progress: m.progress(j),
		})
		m.update(j, func(a *Apply) { a.note(result) })
		if err != nil || d == "" {
			return err
		}
		_, err = m.adopt(context.WithoutCancel(ctx), d, target, drawing.RolledBack)
		return err
	})
}
