package httpapi

import (
	"context"
	"slices"

	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// compared returns what the changes of a draft count from: the base or, while the first apply is
// undone in the team, what the gateway then runs of the draft's agents. Its other agents are not
// the team's to delete, and folders that the draft does not name are the gateway's. It is empty
// where the gateway was never read.
func (s *Server) compared(ctx context.Context, d library.Team, draft *topology.Topology) (*topology.Topology, error) {
	b, known := d.Bases[d.Gateway]
	if !known {
		return &topology.Topology{}, nil
	}
	v, err := s.Library.Version(ctx, d.ID, b.Version)
	if err != nil || !b.Lifted {
		return v.Topology, err
	}
	out := v.Topology.Clone()
	out.Agents = slices.DeleteFunc(out.Agents, func(a topology.Agent) bool {
		_, drawn := draft.Agent(a.ID)
		return !drawn
	})
	out.Bindings = out.Bindings.Among(draft.Bindings)
	out.Broadcast = out.Broadcast.Among(draft.Broadcast)
	out.Defaults = out.Defaults.Among(draft.Defaults)
	out.Messages = out.Messages.Among(draft.Messages)
	for i := range out.Agents {
		a := &out.Agents[i]
		a.Connections = slices.DeleteFunc(a.Connections, func(c topology.Connection) bool {
			_, stays := out.Agent(c.TargetID)
			return !stays
		})
		if drawn, _ := draft.Agent(a.ID); drawn.Workspace == "" {
			a.Workspace = ""
		}
	}
	return out, nil
}

// wentBack reports whether the gateway no longer runs what an apply brought: it was read since, and not by
// a later apply, and has something else.
func (s *Server) wentBack(ctx context.Context, d library.Team, step library.Version) bool {
	b, known := d.Bases[step.Gateway]
	if known && b.Snapshot == step.Snapshot {
		return false
	}
	if known {
		read, err := s.Library.Version(ctx, d.ID, b.Version)
		if err == nil && (read.Cause == library.Applied || read.Cause == library.MergedIn) {
			return false
		}
	}
	d.Gateway = step.Gateway
	changes, staying := s.changes(ctx, d, step)
	return len(changes) > len(staying)
}
