package rollout

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/teamblock"
	"agentflow/backend/team/topology"
)

// Imported is a team after an import.
type Imported struct {
	Team     library.Team
	Version  library.Version
	Changes  topology.ChangeSet
	Warnings []openclaw.Finding
}

// Import loads the gateway's current config into the team. Positions, groups, notes and
// everything else the gateway can't store stay; changes that were drawn but not applied are
// kept on top. The import is a separate version and can be undone. An empty gateway means
// the team's own.
func (m *Machine) Import(ctx context.Context, id library.ID, gateway string) (Imported, error) {
	d, _, err := m.library.Get(ctx, id)
	if err != nil {
		return Imported{}, err
	}
	if gateway == "" {
		gateway = d.Gateway
	}
	target, err := m.gateways.Target(gateway)
	if err != nil {
		return Imported{}, err
	}
	if gateway != d.Gateway {
		if _, err := m.library.Retarget(ctx, id, gateway); err != nil {
			return Imported{}, err
		}
	}
	return m.adopt(ctx, id, target, library.Imported)
}

func (m *Machine) adopt(ctx context.Context, id library.ID, target Target, cause library.Cause) (Imported, error) {
	at, err := m.readFrom(ctx, target)
	if err != nil {
		return Imported{}, err
	}
	d, head, err := m.library.Get(ctx, id)
	if err != nil {
		return Imported{}, err
	}
	snapshot, err := m.keepSnapshot(ctx, target.Name, causeRead, id, at.snap)
	if err != nil {
		return Imported{}, err
	}
	base, err := m.library.BaseTopology(ctx, d)
	if err != nil {
		return Imported{}, err
	}
	files, err := at.files(ctx, head.Topology, base)
	if err != nil {
		return Imported{}, err
	}
	read := files.Into(openclaw.Adopt(at.reading, head.Topology, base, target.Gateway.Capabilities().Limits))
	if read.Name == "" {
		read.Name = d.Name
	}
	place(read)
	_, v, _, err := m.library.Save(ctx, id, d.Head, library.Step{
		Topology: read,
		Cause:    cause,
		Label:    string(cause) + "|" + target.Name,
		Gateway:  target.Name,
		Snapshot: snapshot,
		Base:     &library.Base{Snapshot: snapshot, Hash: at.snap.Hash, ReadAt: time.Now()},
	})
	if err != nil {
		return Imported{}, err
	}
	if base != nil && cause == library.Imported && len(topology.Diff(base, head.Topology)) > 0 {
		both := topology.Merge(teamblock.Aside(base), teamblock.Aside(head.Topology), teamblock.Aside(read), nil)
		place(&both.Topology)
		merged := teamblock.Follow(&both.Topology)
		if len(topology.Diff(read, merged)) > 0 {
			step := library.Step{Topology: merged, Cause: library.MergedIn, Label: "merge|" + target.Name}
			if _, v, _, err = m.library.Save(ctx, id, v.ID, step); err != nil {
				return Imported{}, err
			}
		}
	}
	d, _, err = m.library.Get(ctx, id)
	return Imported{
		Team:     d,
		Version:  v,
		Changes:  topology.Diff(head.Topology, v.Topology),
		Warnings: at.reading.Warnings,
	}, err
}

// Draw starts a team of what the gateway holds. What the gateway cannot hold comes
// from over, and so does the name.
func (m *Machine) Draw(
	ctx context.Context,
	gateway string,
	over *topology.Topology,
) (library.Team, library.Version, error) {
	at, err := m.read(ctx, gateway)
	if err != nil {
		return library.Team{}, library.Version{}, err
	}
	target, snap := at.target, at.snap
	snapshot, err := m.keepSnapshot(ctx, target.Name, causeRead, "", snap)
	if err != nil {
		return library.Team{}, library.Version{}, err
	}
	t := openclaw.Adopt(at.reading, over, nil, target.Gateway.Capabilities().Limits)
	place(t)
	return m.library.Create(ctx, library.Step{
		Topology: t, Cause: library.Imported, Label: "import|" + target.Name, Gateway: target.Name, Snapshot: snapshot,
		Base: &library.Base{Snapshot: snapshot, Hash: snap.Hash, ReadAt: time.Now()},
	})
}

// Discard takes the team back to its base. It can be undone. A team without a base is a Conflict.
func (m *Machine) Discard(ctx context.Context, id library.ID) (library.Team, library.Version, error) {
	d, head, err := m.library.Get(ctx, id)
	if err != nil {
		return d, head, err
	}
	base, err := m.library.BaseTopology(ctx, d)
	if err != nil {
		return d, head, err
	}
	if base == nil {
		return d, head, errcode.New(errcode.Conflict,
			"%s was never applied to this team's gateway or read from it: there is nothing to go back to", d.Name)
	}
	d, v, _, err := m.library.Save(ctx, id, d.Head,
		library.Step{Topology: base, Cause: library.Discarded, Label: "discard"})
	return d, v, err
}
