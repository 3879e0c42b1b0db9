package rollout

import (
	"context"
	"maps"
	"slices"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/example"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// meet completes the merge of a team with a gateway that it was never applied to or read from. The gateway's other
// agents join the team, or they go if replace is set.
func (m *Merge) meet(mine *topology.Topology, at stand, files openclaw.Files, replace bool) {
	for _, a := range at.reading.Topology.Agents {
		if _, has := mine.Agent(a.ID); !has {
			m.Others = append(m.Others, a.ID)
		}
	}
	m.Example = example.Untouched(&at.reading.Topology)
	limits := at.target.Gateway.Capabilities().Limits
	if replace {
		m.replace(mine, at.reading, limits, files)
		return
	}
	if len(m.Others) > 0 && limits.FullAgents {
		m.Coordinators = topology.Coordinators(&m.Merged)
		m.Unassigned = unassigned(&m.Merged, mine, &m.Theirs)
	}
}

// replacedSince reports whether another team was applied to the team's gateway since the team and the gateway were the
// same, and agents of the team went by that, or others came. A merge would then delete the ones from the drawing and
// add the others to it, although nobody meant that.
func (m *Machine) replacedSince(
	ctx context.Context,
	d library.Team,
	base *topology.Topology,
	now *topology.Topology,
) (bool, error) {
	if base == nil || sameAgents(base, now) {
		return false, nil
	}
	known, _ := d.Base(d.Gateway)
	newestFirst, err := m.library.Snapshots(ctx, d.Gateway, library.EverySnapshot)
	if err != nil {
		return false, err
	}
	for _, s := range newestFirst {
		if s.Cause == causeApplied {
			return s.Team != "" && s.Team != d.ID && s.At.After(known.ReadAt), nil
		}
	}
	return false, nil
}

func sameAgents(a, b *topology.Topology) bool {
	return len(a.Agents) == len(b.Agents) && !slices.ContainsFunc(a.Agents, func(x topology.Agent) bool {
		_, there := b.Agent(x.ID)
		return !there
	})
}

// untouched returns the agents of base that the gateway still has as they were, although another team was applied to
// it. What the draft changes of them is no conflict.
func (at stand) untouched(base *topology.Topology, files openclaw.Files) *topology.Topology {
	theirs := files.Into(openclaw.Adopt(at.reading, base, base, at.target.Gateway.Capabilities().Limits))
	alone := func(a topology.Agent) *topology.Topology {
		return &topology.Topology{Agents: []topology.Agent{a}}
	}
	out := &topology.Topology{}
	for _, a := range base.Agents {
		if now, ok := theirs.Agent(a.ID); ok && len(topology.Diff(alone(a), alone(*now))) == 0 {
			out.Agents = append(out.Agents, a)
		}
	}
	return out
}

// replace makes the team what the gateway runs afterwards. What the gateway's agents inherit stays if the team says
// nothing about it. The layout of the merged team stays, so that a review shows the agents that are deleted beside the
// new ones.
func (m *Merge) replace(mine *topology.Topology, reading openclaw.Reading, limits openclaw.Limits,
	files openclaw.Files) {
	// The draft counts as what was last read: what it has and the gateway lacks is a change, and is sent.
	theirs := files.Into(openclaw.Adopt(reading, mine, mine, limits))
	theirs.Layout = maps.Clone(m.Merged.Layout)
	m.Replace, m.Theirs, m.Merged = true, *theirs, *mine.Clone()
	if len(mine.Defaults) == 0 {
		m.Merged.Defaults = theirs.Defaults
	}
	m.FromMine = topology.Diff(unplaced(m.Theirs, mine), &m.Merged)
	m.FromTheirs, m.Dropped = topology.ChangeSet{}, topology.ChangeSet{}
	m.Conflicts = []topology.Conflict{}
}

// unplaced returns the gateway's team with the layout of the draft: it has no positions that could be removed.
func unplaced(theirs topology.Topology, mine *topology.Topology) *topology.Topology {
	theirs.Layout = mine.Layout
	return &theirs
}

// unassigned lists the agents that get tasks in one of the teams, but not in the merged one.
func unassigned(merged *topology.Topology, teams ...*topology.Topology) []topology.AgentID {
	now := topology.Assignable(merged)
	var out []topology.AgentID
	for _, t := range teams {
		for _, a := range topology.Assignable(t) {
			same := func(b topology.Agent) bool { return a.ID == b.ID }
			if !slices.ContainsFunc(now, same) && !slices.Contains(out, a.ID) {
				out = append(out, a.ID)
			}
		}
	}
	return out
}
