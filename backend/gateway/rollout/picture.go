package rollout

import (
	"context"
	"maps"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// Picture is the config of a snapshot as a team, beside that of another one.
type Picture struct {
	A       *topology.Topology `json:"a,omitempty" doc:"Team of the other snapshot. Absent without with, and if its config can't be read."`
	B       topology.Topology  `json:"b" doc:"Team of the snapshot. It has the layout of the gateway's team, and what only that team has."`
	Changes topology.ChangeSet `json:"changes" doc:"Changes from a to b, without layout, groups and notes."`
	Others  []string           `json:"others" doc:"Paths of other settings that differ between a and b, without values."`
	Unread  bool               `json:"unread,omitempty" doc:"The config of the other snapshot can't be read, so nothing is compared."`
}

// PictureOf says which snapshot of which gateway is shown, beside which other one, and whose layout it has.
type PictureOf struct {
	Gateway  string
	Snapshot library.SnapshotID
	With     library.SnapshotID // "": it isn't compared
	Team     library.ID         // "": the team that was last read from the gateway or applied to it
}

// PictureOfSnapshot reads the config of a snapshot as a team. It needs no connection to the gateway.
func PictureOfSnapshot(ctx context.Context, m *Machine, of PictureOf) (Picture, error) {
	target, err := m.gateways.Target(of.Gateway)
	if err != nil {
		return Picture{}, err
	}
	_, now, err := m.keptConfig(ctx, of.Gateway, of.Snapshot)
	if err != nil {
		return Picture{}, err
	}
	seen, err := now.Shown()
	if err != nil {
		return Picture{}, err
	}
	like, err := m.drawnFor(ctx, of.Gateway, of.Team)
	if err != nil {
		return Picture{}, err
	}
	limits := target.Gateway.Capabilities().Limits
	out := Picture{Changes: topology.ChangeSet{}, Others: []string{}}
	if of.With == "" {
		out.B = *alike(seen, like, limits)
		return out, nil
	}
	_, was, err := m.keptConfig(ctx, of.Gateway, of.With)
	if err != nil {
		return Picture{}, err
	}
	before, err := was.Shown()
	if err != nil {
		out.Unread, out.B = true, *alike(seen, like, limits)
		return out, nil //nolint:nilerr // the snapshot itself can be shown
	}
	like = placed(like, limits, seen, before)
	out.A, out.B = alike(before, like, limits), *alike(seen, like, limits)
	for _, c := range topology.Diff(out.A, &out.B) {
		switch c.Subject {
		case topology.SubjectLayout, topology.SubjectGroup, topology.SubjectNote: // no gateway has them
		default:
			out.Changes = append(out.Changes, c)
		}
	}
	others, err := openclaw.Outside(was, now)
	out.Others = append(out.Others, others...)
	return out, err
}

// drawnFor returns the draft of a team, or of the team that was last read from the gateway or applied to it; an empty
// one if there is none.
func (m *Machine) drawnFor(ctx context.Context, gateway string, id library.ID) (*topology.Topology, error) {
	if id == "" {
		all, err := m.library.List(ctx)
		if err != nil {
			return nil, err
		}
		var newest library.Base
		for _, d := range all {
			if b, known := d.Base(gateway); known && (id == "" || b.ReadAt.After(newest.ReadAt)) {
				id, newest = d.ID, b
			}
		}
		if id == "" {
			return &topology.Topology{}, nil
		}
	}
	_, head, err := m.library.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return head.Topology, nil
}

// alike returns the team of a config as an import would, with what only the draft has. What a config has comes from the
// config alone: the draft counts as what was last read, so that its unapplied changes aren't kept on top.
func alike(r openclaw.Reading, like *topology.Topology, limits openclaw.Limits) *topology.Topology {
	t := openclaw.Adopt(r, like, like, limits)
	there := map[topology.AgentID]bool{}
	for i := range t.Agents {
		t.Agents[i].Files = nil // they are in no config
		there[t.Agents[i].ID] = true
	}
	maps.DeleteFunc(t.Layout, func(id topology.AgentID, _ topology.Point) bool { return !there[id] })
	return t
}

// placed returns the draft with a place for every agent of the configs, so that each has the same in all of them.
func placed(like *topology.Topology, limits openclaw.Limits, configs ...openclaw.Reading) *topology.Topology {
	all := openclaw.Reading{Shape: configs[0].Shape}
	there := map[topology.AgentID]bool{}
	for _, r := range configs {
		for _, a := range r.Topology.Agents {
			if !there[a.ID] {
				there[a.ID] = true
				all.Topology.Agents = append(all.Topology.Agents, a)
			}
		}
	}
	out := like.Clone()
	out.Layout = openclaw.Adopt(all, like, like, limits).Layout
	return out
}
