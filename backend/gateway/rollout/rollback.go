package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// PreviewRollback reads the gateway afresh and says what going back to a kept config
// would do. Nothing is sent.
func (m *Machine) PreviewRollback(ctx context.Context, gateway string, to library.SnapshotID) (Preview, error) {
	old, err := m.kept(ctx, gateway, to)
	if err != nil {
		return Preview{}, err
	}
	at, err := m.read(ctx, gateway)
	if err != nil {
		return Preview{}, err
	}
	files, err := at.keptFiles(ctx, old)
	if err != nil {
		return Preview{}, err
	}
	p, err := openclaw.PreviewRollback(at.snap, old, at.target.Gateway.Capabilities(), files)
	openclaw.NameJobs(ctx, at.target.Gateway, &p)
	out := Preview{Preview: p, Gateway: gateway, Problems: []topology.Problem{}}
	if reading, unread := old.Reading(); unread == nil {
		out.Draft = &reading.Topology
		out.Restart.Recreated = m.recreated(at.target, &at.reading.Topology, out.Draft)
	}
	out.Sent, out.Seen = len(p.Changes), seen(out)
	return out, err
}

// kept returns a config that was kept of exactly this gateway. It has the workspace files that were replaced since then
// as they were.
func (m *Machine) kept(ctx context.Context, gateway string, id library.SnapshotID) (openclaw.Snapshot, error) {
	kept, old, err := m.keptConfig(ctx, gateway, id)
	if err != nil {
		return openclaw.Snapshot{}, err
	}
	err = m.addReplacedFiles(ctx, kept, &old)
	return old, err
}

// keptConfig returns a config that was kept of exactly this gateway, as it was kept.
func (m *Machine) keptConfig(ctx context.Context, gateway string, id library.SnapshotID) (library.Snapshot,
	openclaw.Snapshot, error) {
	var old openclaw.Snapshot
	kept, err := m.library.Snapshot(ctx, id)
	if err != nil {
		return kept, old, err
	}
	if kept.Gateway != gateway {
		return kept, old, errcode.New(errcode.Validation,
			"the snapshot was taken from %s, not from %s", kept.Gateway, gateway).
			With(errcode.KeyField, "snapshotId")
	}
	if err := json.Unmarshal(kept.Config, &old); err != nil {
		return kept, old, errDamaged(err)
	}
	return kept, old, nil
}

func errDamaged(err error) error {
	return errcode.Wrap(errcode.Internal, err, "the kept config is damaged")
}

// addReplacedFiles adds the workspace files that later changes replaced, as they were before.
func (m *Machine) addReplacedFiles(ctx context.Context, since library.Snapshot, old *openclaw.Snapshot) error {
	newestFirst, err := m.library.Snapshots(ctx, since.Gateway, library.EverySnapshot)
	if err != nil {
		return err
	}
	for _, s := range slices.Backward(newestFirst) {
		if s.ID <= since.ID || s.Cause != causeBefore && s.Cause != causeRollback {
			continue
		}
		if s, err = m.library.Snapshot(ctx, s.ID); err != nil {
			return err
		}
		var later openclaw.Snapshot
		if err := json.Unmarshal(s.Config, &later); err != nil {
			return errDamaged(err)
		}
		old.AddReplaced(later)
	}
	return nil
}

// Rollback restores a snapshot of a gateway's config. req.Keep says what happens to the
// named team, if any; it can be undone.
func (m *Machine) Rollback(ctx context.Context, req RollbackRequest) (Apply, error) {
	old, err := m.kept(ctx, req.Gateway, req.To)
	if err != nil {
		return Apply{}, err
	}
	at, err := m.read(ctx, req.Gateway)
	if err != nil {
		return Apply{}, err
	}
	if req.Hash != "" && req.Hash != at.snap.Hash {
		return Apply{}, errcode.New(errcode.Conflict,
			"the gateway's config has changed since it was reviewed: review it again").
			With(errcode.KeyReason, errcode.ReasonStaleBase).
			With(errcode.KeySnapshot, map[string]any{"baseHash": at.snap.Hash})
	}
	files, err := at.keptFiles(ctx, old)
	if err != nil {
		return Apply{}, err
	}
	writes, err := openclaw.RollbackFiles(at.snap, old, at.target.Gateway.Capabilities(), files)
	if err != nil {
		return Apply{}, err
	}
	p, err := openclaw.PreviewRollback(at.snap, old, at.target.Gateway.Capabilities(), files)
	if err == nil {
		err = openclaw.Refused(p.ReadOnly)
	}
	if err != nil {
		return Apply{}, err
	}
	a := Apply{Team: req.Team, Gateway: req.Gateway, Kind: KindRollback, To: req.To, Keep: req.Keep}
	b, steps := &begun{Writes: planned(writes)}, openclaw.Steps(writes, p.RestoredJobs)
	return m.start(ctx, a, b, steps, func(ctx context.Context, j *job) error {
		result, err := openclaw.Rollback(ctx, at.target.Gateway, openclaw.RollbackInput{
			BaseHash: at.snap.Hash, To: old, Files: writes, Secrets: req.Secrets,
			AllowDelete: req.DeleteAgents, Note: "AgentFlow rollback",
			KeepSnapshot: m.keep(j, req.Gateway, causeRollback, req.Team), Progress: m.progress(j),
		})
		m.update(j, func(a *Apply) { a.note(result) })
		unkept := m.keepWritten(context.WithoutCancel(ctx), j, writes, result, err)
		if !openclaw.Arrived(err) {
			return err
		}
		m.noteGone(req.Gateway, &at.reading.Topology, &result.Topology)
		return errors.Join(m.rolledBack(context.WithoutCancel(ctx), req, at.target, old), unkept, err)
	})
}

// rolledBack records that the gateway is back to a kept config.
func (m *Machine) rolledBack(ctx context.Context, req RollbackRequest, target Target, old openclaw.Snapshot) error {
	if req.Team == "" {
		return m.keepNow(ctx, target)
	}
	if req.Keep {
		return m.stepBack(ctx, req, target, old)
	}
	_, err := m.adopt(ctx, req.Team, target, library.RolledBack)
	return err
}

// keepNow keeps the config that the gateway holds after a rollback that no team follows.
func (m *Machine) keepNow(ctx context.Context, target Target) error {
	at, err := m.readFrom(ctx, target)
	if err == nil {
		_, err = m.keepSnapshot(ctx, target.Name, causeRead, "", at.snap)
	}
	return err
}

// keptFiles reads the workspace files that a snapshot keeps, as they are now.
func (at stand) keptFiles(ctx context.Context, old openclaw.Snapshot) (openclaw.Files, error) {
	team, err := old.Team()
	if err != nil {
		return nil, err
	}
	return at.files(ctx, team)
}

// stepBack records that the gateway is back to its config from before an apply, and takes
// the team back to that point, if nothing was drawn since.
func (m *Machine) stepBack(ctx context.Context, req RollbackRequest, target Target, old openclaw.Snapshot) error {
	was, err := old.Reading()
	if err != nil {
		return err
	}
	d, head, err := m.library.Get(ctx, req.Team)
	if err == nil && head.Snapshot == req.To && head.Parent != "" {
		d, _, err = m.library.Undo(ctx, req.Team)
	}
	if err != nil {
		return err
	}
	// Before its first apply the team had no base, and it has none again.
	first := d.Bases[target.Name]
	none := first.Lifted && first.First == req.To
	err = m.rebase(ctx, req.Team, target, library.RolledBack, none, &was.Topology)
	if err != nil || none {
		return err
	}
	return m.takeBindings(ctx, req.Team, target.Name, &was.Topology)
}

// takeBindings merges the bindings that the gateway added when it wrote the config into the draft. Without them, the
// draft would remove them. was is what the gateway held before the apply.
func (m *Machine) takeBindings(ctx context.Context, id library.ID, gateway string, was *topology.Topology) error {
	d, head, err := m.library.Get(ctx, id)
	if err != nil || d.Gateway != gateway {
		return err // the team is for another gateway by now
	}
	held, err := m.library.BaseTopology(ctx, d)
	if err != nil || held == nil || held.Bindings.Equal(was.Bindings) {
		return err
	}
	theirs := was.Clone()
	theirs.Bindings = held.Bindings
	next := head.Topology.Clone()
	next.Bindings = topology.Merge(was, head.Topology, theirs, nil).Topology.Bindings
	if next.Bindings.Equal(head.Topology.Bindings) {
		return nil
	}
	_, _, _, err = m.library.Save(ctx, id, d.Head,
		library.Step{Topology: next, Cause: library.MergedIn, Label: "merge|" + gateway})
	return err
}

// rebase takes what the gateway holds now for the state from which changes are counted;
// what is drawn stays as it is. With none, it only records what the gateway holds. Folders
// of agents that neither was, what the gateway held before, nor the team names are the
// gateway's own: the next apply leaves them.
func (m *Machine) rebase(ctx context.Context, id library.ID, target Target, cause library.Cause, none bool, was *topology.Topology) error {
	at, err := m.readFrom(ctx, target)
	if err != nil {
		return err
	}
	d, head, err := m.library.Get(ctx, id)
	if err != nil {
		return err
	}
	base, err := m.library.BaseTopology(ctx, d)
	if err != nil {
		return err
	}
	snapshot, err := m.keepSnapshot(ctx, target.Name, causeRead, id, at.snap)
	if err != nil {
		return err
	}
	files, err := at.files(ctx, head.Topology, base)
	if err != nil {
		return err
	}
	held := files.Into(openclaw.Adopt(at.reading, head.Topology, base, target.Gateway.Capabilities().Limits))
	for i := range held.Agents {
		a := &held.Agents[i]
		before, known := topologyOrEmpty(was).Agent(a.ID)
		if drawn, ok := head.Topology.Agent(a.ID); ok && known && drawn.Workspace == "" && before.Workspace == "" {
			a.Workspace = ""
		}
	}
	place(held)
	step := library.Step{
		Topology: held,
		Cause:    cause,
		Label:    "seen|" + target.Name,
		Gateway:  target.Name,
		Snapshot: snapshot,
		Aside:    true,
		NoBase:   none,
	}
	if !none {
		step.Base = &library.Base{Snapshot: snapshot, Hash: at.snap.Hash, ReadAt: time.Now()}
	}
	_, _, _, err = m.library.Save(ctx, id, d.Head, step)
	return err
}
