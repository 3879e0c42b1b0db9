package httpapi

import (
	"context"
	"slices"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
)

// team returns a team as the window gets it.
func (s *Server) team(ctx context.Context, id library.ID) (*Team, error) {
	d, v, err := s.Library.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.view(ctx, d, v)
}

func (s *Server) view(ctx context.Context, d library.Team, v library.Version) (*Team, error) {
	base, err := s.Library.BaseTopology(ctx, d)
	if err != nil {
		return nil, err
	}
	out := &Team{TeamState: s.state(ctx, d, v, base), Topology: filled(v.Topology)}
	if out.Taken, err = s.taken(ctx, d.Gateway); err != nil {
		return nil, err
	}
	if base != nil {
		known, _ := d.Base(d.Gateway)
		out.Base = &Base{SnapshotID: known.Snapshot, Hash: known.Hash, ReadAt: known.ReadAt, Topology: filled(base)}
	}
	return out, nil
}

// taken are the ids of the agents that a gateway is known to have, by what every team that was
// read from it or applied to it says, and of those that were deleted there.
func (s *Server) taken(ctx context.Context, gateway string) ([]topology.AgentID, error) {
	all, err := s.Library.List(ctx)
	if err != nil {
		return nil, err
	}
	out := []topology.AgentID{}
	for _, d := range all {
		d.Gateway = gateway
		base, err := s.Library.BaseTopology(ctx, d)
		if err != nil {
			return nil, err
		}
		if base == nil {
			continue
		}
		for i := range base.Agents {
			out = append(out, base.Agents[i].ID)
		}
	}
	out = append(out, rollout.Deleted(s.Rollout, gateway)...)
	slices.Sort(out)
	return slices.Compact(out), nil
}

// filled gives the window an empty list rather than null.
func filled(t *topology.Topology) topology.Topology {
	c := *t
	if c.Agents == nil {
		c.Agents = []topology.Agent{}
	}
	return c
}

func (s *Server) state(
	ctx context.Context,
	d library.Team,
	v library.Version,
	base *topology.Topology,
) TeamState {
	undo, redo := s.Library.Labels(ctx, d, v)
	changes, staying := s.changes(ctx, d, v)
	unsent := len(changes) - len(staying)
	out := TeamState{
		ID: d.ID, Name: d.Name, Gateway: d.Gateway, Head: d.Head, Revision: v.Revision(), UpdatedAt: d.UpdatedAt,
		Changes: changes, Unsent: unsent, Staying: staying, Problems: s.problems(d.Gateway, v.Topology, base),
		CanUndo: v.Parent != "", CanRedo: len(d.Redo) > 0, UndoLabel: undo, RedoLabel: redo, Collisions: d.Collisions,
	}
	if step := appliedStep(v); step != nil && v.Parent != "" {
		known, ok := d.Base(v.Gateway)
		// After a later apply was undone the gateway holds again what this one brought to it.
		if known.Snapshot == v.Snapshot || ok && v.Gateway == d.Gateway && unsent == 0 {
			out.UndoApply = step
		}
	}
	if n := len(d.Redo); n > 0 {
		next, err := s.Library.Version(ctx, d.ID, d.Redo[n-1])
		if step := appliedStep(next); err == nil && step != nil && s.wentBack(ctx, d, next) {
			out.RedoApply = step
		}
	}
	return out
}

// appliedStep returns how a version reached its gateway, or nil.
func appliedStep(v library.Version) *AppliedStep {
	if v.Snapshot == "" || v.Cause != library.Applied && v.Cause != library.MergedIn {
		return nil
	}
	return &AppliedStep{Gateway: v.Gateway, SnapshotID: v.Snapshot}
}

// changes returns what differs from what the gateway runs, as far as that is known, and the positions of
// what an apply wouldn't send.
func (s *Server) changes(ctx context.Context, d library.Team, v library.Version) (topology.ChangeSet, []int) {
	base, err := s.compared(ctx, d, v.Topology)
	if err != nil {
		base = &topology.Topology{}
	}
	changes := topology.Diff(base, v.Topology)
	var limits openclaw.Limits
	if target, err := s.Fleet.Target(d.Gateway); err == nil {
		limits = target.Gateway.Capabilities().Limits
	}
	var staying []int
	for i, c := range changes {
		if !limits.Sends(c) {
			staying = append(staying, i)
		}
	}
	if changes == nil {
		changes = topology.ChangeSet{}
	}
	return changes, staying
}

func (s *Server) problems(gateway string, t, base *topology.Topology) []topology.Problem {
	rules := lint.Rules{}
	if target, err := s.Fleet.Target(gateway); err == nil {
		reading := openclaw.Reading{Shape: target.Gateway.Capabilities().Roster}
		if base != nil {
			reading.Topology = *base
		}
		rules = rollout.Rules(target, reading)
	}
	if found := lint.Check(t, rules); found != nil {
		return found
	}
	return []topology.Problem{}
}

func versionView(v library.Version, head library.VersionID) Version {
	return Version{
		ID: v.ID, ParentID: v.Parent, At: v.At, Cause: v.Cause, Label: v.Label, Author: v.Author, Name: v.Name,
		Counts: v.Counts, Current: v.ID == head, Gateway: v.Gateway, SnapshotID: v.Snapshot,
	}
}
