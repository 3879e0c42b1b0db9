package gatewaycmd

import (
	"context"
	"slices"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// pending is a team file held against what the gateway has now.
type pending struct {
	connection
	src   shell.Source
	snap  openclaw.Snapshot
	caps  openclaw.Capabilities
	now   openclaw.Reading   // in snap
	draft *topology.Topology // the file's team, merged or not
	base  *topology.Topology // what the gateway has, with what only the team holds
	stale bool               // the file was read at another hash
	wasAt *topology.Topology // base as it was when the file was read; nil if it was not kept
	merge *topology.Merged   // nil while nothing was merged
	files openclaw.Files     // of the workspaces, as the gateway has them
}

// compare reads the gateway and holds the team file against it.
func (c connection) compare(ctx context.Context, src shell.Source) (*pending, error) {
	snap, err := c.Read(ctx)
	if err != nil {
		return nil, err
	}
	reading, err := snap.Reading()
	if err != nil {
		return nil, err
	}
	q := &pending{connection: c, src: src, snap: snap, caps: c.Capabilities(), now: reading, draft: &src.File.Team}
	if q.files, err = openclaw.ReadFiles(ctx, c.Link, &reading.Topology, q.draft); err != nil {
		return nil, err
	}
	q.base = q.withLocal(reading)
	q.draft = withRest(q.draft, q.base)
	b := src.File.Base
	switch {
	case b == nil:
		q.base = saidBy(q.draft, q.base)
	case b.Hash != snap.Hash:
		q.stale = true
		err = q.findOld(b)
	case len(q.files) > 0:
		if err = q.findOld(b); err == nil && q.wasAt != nil {
			q.stale = q.files.Moved(q.wasAt)
		}
	}
	return q, err
}

// withRest returns the team of a file. One that says nothing of bindings, broadcast groups, defaults or messages, as a
// file from before they were read, takes none away from the gateway.
func withRest(draft, base *topology.Topology) *topology.Topology {
	bindings := len(draft.Bindings) == 0 && len(base.Bindings) > 0
	broadcast := len(draft.Broadcast) == 0 && len(base.Broadcast) > 0
	defaults := len(draft.Defaults) == 0 && len(base.Defaults) > 0
	messages := len(draft.Messages) == 0 && len(base.Messages) > 0
	if !bindings && !broadcast && !defaults && !messages {
		return draft
	}
	out := draft.Clone()
	if bindings {
		out.Bindings = base.Bindings
	}
	if broadcast {
		out.Broadcast = base.Broadcast
	}
	if defaults {
		out.Defaults = base.Defaults
	}
	if messages {
		out.Messages = base.Messages
	}
	return out
}

// asKept returns the team with the workspace files as they were when the team file was written, as far as they were
// kept. The others stay as the gateway has them now.
func (q *pending) asKept(t *topology.Topology, kept []openclaw.KeptFile) *topology.Topology {
	out := t.Clone()
	for _, k := range kept {
		a, there := out.Agent(k.Agent)
		if _, named := q.files.Of(k.Agent, k.Name); !there || !named {
			continue
		}
		if a.Files == nil {
			a.Files = topology.Files{}
		}
		a.Files[k.Name] = topology.AgentFile{Content: k.Content}
	}
	return out
}

// filesOf are the workspace files of a team that was applied, to be kept with its base.
func filesOf(t *topology.Topology) (out []openclaw.KeptFile) {
	for _, a := range t.Agents {
		for _, name := range topology.FileNames() {
			if f, named := a.Files[name]; named {
				out = append(out, openclaw.KeptFile{Agent: a.ID, Name: name, Content: f.Content})
			}
		}
	}
	return out
}

// withLocal is what a reading holds, with what only the team can hold. That the
// team stands for the base, too, keeps the team's own unknown keys out.
func (q *pending) withLocal(r openclaw.Reading) *topology.Topology {
	return q.files.Into(openclaw.Adopt(r, q.draft, q.draft, q.caps.Limits))
}

// findOld looks for the config that the team file was read from.
func (q *pending) findOld(b *teamfile.Base) error {
	old, kept, err := q.store.Base(q.url, b.Hash)
	if err != nil || !kept {
		return err
	}
	reading, err := old.Reading()
	if err != nil {
		return err
	}
	q.wasAt = q.asKept(q.withLocal(reading), old.Files)
	return nil
}

// saidBy is base without what a team that was never read from the gateway is silent
// about, so that applying it takes nothing of that away.
func saidBy(draft, base *topology.Topology) *topology.Topology {
	said := base.Clone()
	said.Bindings = said.Bindings.Among(draft.Bindings)
	said.Broadcast = said.Broadcast.Among(draft.Broadcast)
	said.Defaults = said.Defaults.Among(draft.Defaults)
	said.Messages = said.Messages.Among(draft.Messages)
	for i := range said.Agents {
		b := &said.Agents[i]
		d, ok := draft.Agent(b.ID)
		if !ok {
			continue
		}
		for _, f := range []struct {
			silent bool
			value  *string
		}{{d.Name == "", &b.Name}, {d.Model == "", &b.Model}, {d.Workspace == "", &b.Workspace}, {d.Description == "", &b.Description}} {
			if f.silent {
				*f.value = ""
			}
		}
		if len(d.Fallbacks) == 0 {
			b.Fallbacks = nil
		}
		if d.Tools == nil {
			b.Tools = nil
		}
		b.Extra = b.Extra.Among(d.Extra)
	}
	return said
}

// mergeNow brings the file's team and the gateway's together.
func (q *pending) mergeNow() {
	merged := topology.Merge(q.wasAt, q.draft, q.base, nil)
	q.merge, q.draft = &merged, &merged.Topology
	q.base = q.withLocal(q.now)
}

// join adds the gateway's agents to a team that never met the gateway.
func (q *pending) join() {
	merged := topology.Merge(nil, q.draft, &topology.Topology{
		Agents: q.now.Topology.Agents, Bindings: q.now.Topology.Bindings,
		Broadcast: q.now.Topology.Broadcast, Defaults: q.now.Topology.Defaults, Messages: q.now.Topology.Messages,
	}, nil)
	q.merge, q.draft = &merged, &merged.Topology
	q.base = q.withLocal(q.now)
}

// preview says what an apply would do. A stale draft is held against what is there now.
func (q *pending) preview(ctx context.Context) (openclaw.Preview, error) {
	base := q.base.Clone()
	base.Layout = q.draft.Layout // a gateway places nobody
	p, err := openclaw.MakePreview(openclaw.PreviewInput{
		Snapshot: q.snap, BaseHash: q.snap.Hash, Base: base, Draft: q.draft, Capabilities: q.caps, Files: q.files,
	})
	openclaw.NameJobs(ctx, q.Link, &p)
	return p, err
}

// staleError is the end of an apply onto a gateway that has changed since.
func (q *pending) staleError(remedy i18n.Text) error {
	e := errcode.New(errcode.Conflict,
		"the gateway's config has changed since %s was read. Nothing was written. %s", shell.Name(q.src.Path), remedy).
		With(errcode.KeyReason, errcode.ReasonStaleBase).
		With(errcode.KeySnapshot, openclaw.Theirs{BaseHash: q.snap.Hash, Config: q.snap.Config, Topology: q.now.Topology, Shape: q.now.Shape})
	if q.wasAt != nil {
		e = e.With("mine", onGateway(topology.Diff(q.wasAt, q.draft))).
			With("theirs", onGateway(topology.Diff(q.wasAt, q.base)))
	}
	return e
}

// onGateway leaves out what only a canvas has.
func onGateway(cs topology.ChangeSet) topology.ChangeSet {
	return shell.OrNone(slices.DeleteFunc(cs, func(c topology.Change) bool {
		return c.Subject == topology.SubjectLayout || c.Subject == topology.SubjectGroup ||
			c.Subject == topology.SubjectNote
	}))
}

// tellSides shows what each side changed since the file was read, on standard error.
func (p program) tellSides(q *pending) {
	if p.Screen.JSON {
		return
	}
	tell := func(title i18n.Text, cs topology.ChangeSet) {
		p.Screen.Note("%s:", title)
		if len(cs) == 0 {
			p.Screen.Note("  nothing")
		}
		for _, c := range cs {
			p.Screen.Note("  %s %s", shell.Sign(c.Op), p.CleanChange(c))
		}
	}
	if q.wasAt == nil {
		p.Screen.Note("the base of this file isn't saved on this computer, so only the full difference is shown")
		tell(i18n.T("changes from the gateway to the file"), onGateway(topology.Diff(q.base, q.draft)))
		return
	}
	tell(i18n.T("changed in the file"), onGateway(topology.Diff(q.wasAt, q.draft)))
	tell(i18n.T("changed on the gateway"), onGateway(topology.Diff(q.wasAt, q.base)))
}
