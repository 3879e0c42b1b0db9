package rollout

import (
	"context"
	"time"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// Drift is what a gateway runs beside what is drawn.
type Drift struct {
	Gateway   string            `json:"gateway"`
	Hash      string            `json:"hash" doc:"Hash of the gateway's current config."`
	Known     bool              `json:"known" doc:"The team was imported from or applied to this gateway before."`
	Replaced  bool              `json:"replaced,omitempty" doc:"Another team was applied to this gateway since, and replaced agents of this one."`
	BaseAt    time.Time         `json:"baseAt,omitzero" doc:"Time when team and gateway were last the same."`
	Drifted   int               `json:"drifted" doc:"Number of changes that were made on the gateway since."`
	Changes   []Drifted         `json:"changes" doc:"Differences from the draft to the gateway."`
	Drawn     topology.Topology `json:"drawn" doc:"Draft."`
	Held      topology.Topology `json:"held" doc:"Team that the gateway runs, with what only the draft holds."`
	Before    string            `json:"before" doc:"Config as the draft would have it, without secrets."`
	After     string            `json:"after" doc:"Config of the gateway, without secrets."`
	Language  string            `json:"language" enum:"yaml,json"`
	Conflicts int               `json:"conflicts" doc:"Number of changes that both sides made differently."`
}

// Drifted is one difference, and whose it is.
type Drifted struct {
	topology.Change
	Theirs bool `json:"theirs" doc:"The gateway changed this. Otherwise it's a change in the draft."`
}

// Drift reads a gateway afresh, the team's own if none is named, and compares it with
// what is drawn. Nothing is changed.
func (m *Machine) Drift(ctx context.Context, id library.ID, gateway string) (Drift, error) {
	d, head, err := m.library.Get(ctx, id)
	if err != nil {
		return Drift{}, err
	}
	if gateway != "" {
		d.Gateway = gateway
	}
	at, err := m.read(ctx, d.Gateway)
	if err != nil {
		return Drift{}, err
	}
	base, err := m.library.BaseTopology(ctx, d)
	if err != nil {
		return Drift{}, err
	}
	caps := at.target.Gateway.Capabilities()
	known, ok := d.Base(d.Gateway)
	out := Drift{Gateway: d.Gateway, Hash: at.snap.Hash, Known: ok, BaseAt: known.ReadAt, Changes: []Drifted{}}
	files, err := at.files(ctx, head.Topology, base)
	if err != nil {
		return Drift{}, err
	}
	held := files.Into(openclaw.Adopt(at.reading, head.Topology, base, caps.Limits))
	place(held)
	theirs := map[string]bool{}
	if ok && (known.Hash != at.snap.Hash || files.Moved(base)) {
		if out.Replaced, err = m.replacedSince(ctx, d, base, &at.reading.Topology); err != nil {
			return Drift{}, err
		}
		since := at.mergeWith(base, head.Topology, files, nil, false)
		out.Conflicts = len(since.Conflicts)
		for _, c := range topology.Diff(base, &since.Theirs) {
			if c.Subject == topology.SubjectLayout {
				continue
			}
			theirs[c.ID] = true
			if caps.Limits.Sends(c) {
				out.Drifted++
			}
		}
	}
	for _, c := range topology.Diff(head.Topology, held) {
		if c.Subject != topology.SubjectLayout {
			out.Changes = append(out.Changes, Drifted{Change: c, Theirs: theirs[c.ID]})
		}
	}
	p, err := openclaw.MakePreview(
		openclaw.PreviewInput{Snapshot: at.snap, Base: held, Draft: head.Topology, Capabilities: caps, Files: files},
	)
	out.Drawn, out.Held, out.Before, out.After, out.Language = *head.Topology, *held, p.After, p.Before, p.Language
	return out, err
}

// KeepMine leaves the team as it is although its gateway has changed: a review then
// shows everything that differs, what the gateway changed among it, to be applied or not.
func (m *Machine) KeepMine(ctx context.Context, id library.ID) error {
	d, _, err := m.library.Get(ctx, id)
	if err != nil {
		return err
	}
	target, err := m.gateways.Target(d.Gateway)
	if err != nil {
		return err
	}
	return m.rebase(ctx, id, target, library.Imported, false, nil)
}

// Held reads a gateway afresh and returns the team that it runs, whatever is drawn.
func (m *Machine) Held(ctx context.Context, gateway string) (topology.Topology, error) {
	at, err := m.read(ctx, gateway)
	if err != nil {
		return topology.Topology{}, err
	}
	return at.reading.Topology, nil
}

// stand is how a gateway stands.
type stand struct {
	m       *Machine
	target  Target
	snap    openclaw.Snapshot
	reading openclaw.Reading
}

// files reads and keeps the workspace files that one of the teams names.
func (at stand) files(ctx context.Context, teams ...*topology.Topology) (openclaw.Files, error) {
	mark := at.m.files.keptSoFar(at.target.Name)
	files, err := openclaw.ReadFiles(ctx, at.target.Gateway, &at.reading.Topology, teams...)
	if err != nil {
		return files, err
	}
	return files, at.m.seeAll(ctx, at.target.Name, mark, files)
}

func (m *Machine) read(ctx context.Context, gateway string) (stand, error) {
	target, err := m.gateways.Target(gateway)
	if err != nil {
		return stand{}, err
	}
	return m.readFrom(ctx, target)
}

func (m *Machine) readFrom(ctx context.Context, target Target) (stand, error) {
	snap, err := target.Gateway.Read(ctx)
	if err != nil {
		return stand{}, err
	}
	reading, err := snap.Reading()
	return stand{m, target, snap, reading}, err
}
