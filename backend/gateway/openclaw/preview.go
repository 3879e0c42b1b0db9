package openclaw

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/teamblock"
	"agentflow/backend/team/topology"
)

// MakePreview says what applying in.Draft would do. Nothing is sent. A snapshot that
// is not the one base was read at is a CONFLICT with reason stale_base.
func MakePreview(in PreviewInput) (Preview, error) {
	if in.BaseHash != "" && in.BaseHash != in.Snapshot.Hash {
		return Preview{}, stale(in.Snapshot, staleMessage)
	}
	now, err := understand(in.Snapshot)
	if err != nil {
		return Preview{}, err
	}
	p, err := drawn(in.Base, in.Draft)(now, in.Capabilities)
	if err != nil {
		return Preview{}, err
	}
	base := in.Base
	if base == nil {
		base = Adopt(now.reading, in.Draft, nil, in.Capabilities.Limits)
		base.Layout = in.Draft.Layout // nothing was ever placed but by the draft
	}
	blocked := blockedFiles(in.Files, in.Draft)
	p.losses = append(untold(p.losses, blocked, in.Draft, in.Capabilities), blocked...)
	p.files = FileWrites(in.Files, &now.reading.Topology, in.Draft, in.Capabilities)
	return preview(now, p, base, in.Draft, in.Capabilities, in.Files)
}

// PreviewRollback says what going back to a kept snapshot would do. Files are those that the snapshot keeps, as the
// gateway has them now.
func PreviewRollback(current, to Snapshot, c Capabilities, files Files) (Preview, error) {
	now, err := understand(current)
	if err != nil {
		return Preview{}, err
	}
	old, err := understand(to)
	if err != nil {
		return Preview{}, err
	}
	back, _, err := comingBack(old, now, c)
	if err != nil {
		return Preview{}, err
	}
	p, err := kept(old, nil)(now, c)
	if err != nil {
		return Preview{}, err
	}
	draft := keptInto(&back.reading.Topology, to.Files, files)
	p.losses = append(p.losses, blockedFiles(files, draft)...)
	p.files = FileWrites(files, &now.reading.Topology, draft, c)
	out, err := preview(now, p, files.Into(&now.reading.Topology), draft, c, files)
	out.RestoredJobs = jobNames(comeBack(&now.reading.Topology, &old.reading.Topology, to.Jobs))
	return out, err
}

func preview(now state, p plan, base, draft *topology.Topology, c Capabilities, files Files) (Preview, error) {
	out := Preview{BaseHash: now.snap.Hash, Language: c.ApplyFormat, Losses: orEmpty(p.losses), Warnings: now.reading.Warnings,
		Changes: []PreviewChange{}, Deletions: []Deletion{}}
	changed := !docedit.Equal(now.doc.Root(), p.target.Root())
	out.Files = previewFiles(p.files, files)
	out.Sends = changed || len(p.first) > 0 || len(p.files) > 0
	if changed || len(p.first) > 0 {
		out.ReadOnly = c.ReadOnly
	}
	var err error
	if out.Before, err = shown(now.doc, c.ApplyFormat); err != nil {
		return Preview{}, err
	}
	if out.After, err = shown(p.target, c.ApplyFormat); err != nil {
		return Preview{}, err
	}
	im := newImpacts(now, p.first, c)
	im.files = p.files
	for _, ch := range topology.Diff(moved(base, now), moved(draft, now)) {
		change := PreviewChange{Change: ch, Impact: im.of(ch)}
		if change.Impact == ImpactLocal && ch.Subject == topology.SubjectAgent {
			change.File = im.toldIn(draft, ch)
		}
		out.Changes = append(out.Changes, change)
	}
	if changed && !c.HotApply {
		out.Restart = Restart{
			Needed:  true,
			Seconds: c.RestartSeconds,
			Reason:  "this gateway restarts with every applied config: answers in progress stop, sessions stay",
		}
	}
	out.CommentsLost = changed && commentsLost(now, c)
	for _, id := range p.removed {
		out.Deletions = append(out.Deletions, deletion(now, p, c, id))
	}
	return out, nil
}

func orEmpty(l []Loss) []Loss {
	if l == nil {
		return []Loss{}
	}
	return l
}

// shown is the text of a config for people: in the gateway's language, no secrets.
func shown(doc *docedit.Document, format string) (string, error) {
	m, err := masked(doc)
	if err != nil {
		return "", err
	}
	return encode(m, format)
}

// commentsLost reports whether the gateway's stored text has comments that an apply
// does not keep.
func commentsLost(now state, c Capabilities) bool {
	if now.doc.Language() == docedit.YAML && c.KeepsText {
		return false
	}
	if now.doc.Language() == docedit.YAML {
		return now.doc.HasComments()
	}
	if now.snap.RawFormat == "yaml" {
		raw, err := docedit.Parse([]byte(now.snap.Raw), gatewayConfig)
		return err == nil && raw.HasComments()
	}
	raw, err := docedit.FromJSON5([]byte(now.snap.Raw), gatewayConfig)
	return err == nil && raw.HasComments()
}

// impacts collects the effects of a change.
type impacts struct {
	now   state
	first []topology.AgentID
	c     Capabilities
	nodes map[topology.AgentID]*yaml.Node // the agents in the config
	files []FileWrite
}

func newImpacts(now state, first []topology.AgentID, c Capabilities) impacts {
	im := impacts{now: now, first: first, c: c, nodes: map[topology.AgentID]*yaml.Node{}}
	for _, p := range gatewayconfig.Places(now.doc) {
		im.nodes[p.ID] = p.Node
	}
	return im
}

func (im impacts) of(ch topology.Change) Impact {
	sent := ImpactRestart
	if im.c.HotApply {
		sent = ImpactHot
	}
	switch ch.Subject {
	case topology.SubjectAgent:
		if name, isFile := topology.FileOf(ch.Field); isFile {
			return im.ofFile(ch.Agent, name)
		}
		if ch.Op == topology.Removed && slices.Contains(im.first, ch.Agent) {
			return ImpactDelete
		}
		if ch.Field == "" || strings.HasPrefix(ch.Field, "extra.") || ch.Op != topology.Moved && im.holds(ch.Agent, ch.Field) {
			return sent
		}
	case topology.SubjectBinding, topology.SubjectBroadcast, topology.SubjectDefaults, topology.SubjectMessages:
		if !im.c.FullAgents {
			return sent
		}
	case topology.SubjectConnection:
		label := ch.Field != ""
		if !label && ch.Kind == topology.Command || im.holds(ch.Agent, "connections") {
			if slices.Contains(im.first, ch.Agent) || slices.Contains(im.first, ch.Target) {
				return ImpactDelete
			}
			return sent
		}
	}
	return ImpactLocal
}

// ofFile returns the effect of a workspace file: no gateway restarts for one.
func (im impacts) ofFile(agent topology.AgentID, name string) Impact {
	for _, w := range im.files {
		if w.Agent == agent && w.Name == name {
			return ImpactHot
		}
	}
	return ImpactLocal
}

// toldIn returns the file that is sent and tells the agent of a change that the config can't store, or "".
func (im impacts) toldIn(draft *topology.Topology, ch topology.Change) string {
	a := gatewayconfig.ByID(draft.Agents)[ch.Agent]
	if a == nil {
		return ""
	}
	if name := teamblock.FileOf(a, ch.Field); name != "" && im.ofFile(a.ID, name) == ImpactHot {
		return name
	}
	return ""
}

// untold returns the losses without what a workspace file tells the agents.
func untold(losses, blocked []Loss, draft *topology.Topology, c Capabilities) []Loss {
	if !c.Files {
		return losses
	}
	agents := gatewayconfig.ByID(draft.Agents)
	return slices.DeleteFunc(losses, func(l Loss) bool {
		a := agents[l.Agent]
		if a == nil || l.Reason != LossNoPlace {
			return false
		}
		name := teamblock.FileOf(a, l.Field)
		return name != "" && !slices.ContainsFunc(blocked, func(b Loss) bool {
			return b.Agent == l.Agent && b.Field == topology.FileField(name)
		})
	})
}

// holds reports whether the gateway has a place for a field: by its kind, or because
// the agent's entry has the key already.
func (im impacts) holds(id topology.AgentID, field string) bool {
	where := im.now.reading.Shape
	if where == ShapeNone {
		where = im.c.Roster
	}
	if im.c.Holds(where, field) {
		return true
	}
	return docedit.Get(im.nodes[id], field) != nil
}

// deletion says what goes with an agent.
func deletion(now state, p plan, c Capabilities, id topology.AgentID) Deletion {
	d := Deletion{
		Agent:       id,
		Possible:    true,
		ByGateway:   slices.Contains(p.first, id),
		Connections: []DeletedLink{},
		Files:       "stay",
	}
	agents := now.reading.Topology.Agents
	for _, a := range agents {
		if a.ID == id {
			d.Name, d.Workspace = a.Name, a.Workspace
		}
		for _, l := range a.Connections {
			if a.ID == id || l.TargetID == id {
				d.Connections = append(d.Connections, DeletedLink{From: a.ID, To: l.TargetID, Kind: l.Type})
			}
		}
	}
	for _, b := range docedit.Items(docedit.Get(now.doc.Root(), "bindings")) {
		if s, ok := docedit.Scalar(docedit.Get(b, "agentId")); ok && s == string(id) {
			d.Bindings++
		}
	}
	for _, f := range now.reading.Topology.Broadcast {
		if slices.Contains(topology.BroadcastTo(f.Key, f.Value), id) {
			d.Broadcast++
		}
	}
	switch {
	case d.ByGateway && id == c.DefaultAgent:
		d.Possible, d.Cause = false, "default_agent"
		d.Reason = "the gateway does not let its default agent be deleted. Keep it in the team"
	case d.ByGateway && !c.DeleteAgents:
		d.Possible, d.Cause = false, "not_offered"
		d.Reason = "the gateway lets agents go only by its own delete, and does not offer one. Keep the agent in the team"
	}
	return d
}
