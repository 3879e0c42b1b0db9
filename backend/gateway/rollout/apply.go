package rollout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"slices"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/selection"
	"agentflow/backend/team/teamblock"
	"agentflow/backend/team/topology"
)

// intent is what an apply would bring, worked out from a fresh read.
type intent struct {
	team    library.Team
	head    library.Version
	target  Target
	base    *topology.Topology // what the gateway holds, with what only the team holds
	whole   *topology.Topology // what is drawn, merged with what the gateway holds
	draft   *topology.Topology // what to apply: whole, without what was left out
	left    topology.ChangeSet // what was left out
	preview Preview
	files   openclaw.Files     // as the gateway has them
	there   *topology.Topology // the gateway's config, without what only the team holds
}

// Preview reads the team's gateway afresh and says what an apply would do. If the
// gateway has moved since it was last read, both are merged three-way; choices answer
// the conflicts. Without a base the gateway's agents are taken in, or deleted with w.Replace.
// Changes that are left out are listed too; text, restart and deletions are those of the
// others.
func (m *Machine) Preview(ctx context.Context, id library.ID, w Decisions) (Preview, error) {
	in, err := m.intend(ctx, id, w)
	if in.preview.ReadOnly != "" {
		m.offer(id)
	}
	return in.preview, err
}

func (m *Machine) intend(ctx context.Context, id library.ID, w Decisions) (intent, error) {
	d, head, err := m.library.Get(ctx, id)
	if err != nil {
		return intent{}, err
	}
	at, err := m.read(ctx, d.Gateway)
	if err != nil {
		return intent{}, err
	}
	base, err := m.library.BaseTopology(ctx, d)
	if err != nil {
		return intent{}, err
	}
	files, err := at.files(ctx, head.Topology, base)
	if err != nil {
		return intent{}, err
	}
	in := intent{team: d, head: head, target: at.target, base: base, whole: head.Topology, files: files,
		there: &at.reading.Topology}
	var merge *Merge
	if known, ok := d.Base(d.Gateway); !ok || known.Hash != at.snap.Hash || files.Moved(base) {
		replaced, err := m.replacedSince(ctx, d, base, in.there)
		if err != nil {
			return intent{}, err
		}
		if replaced { // what the team was before is no base for what another team is
			known, ok, base = library.Base{}, false, at.untouched(base, files)
		}
		merge = at.mergeWith(base, head.Topology, files, w.Choices, !ok)
		merge.BaseAt, merge.First = known.ReadAt, !ok
		in.base, in.whole = &merge.Theirs, &merge.Merged
		if merge.First {
			merge.meet(head.Topology, at, files, w.Replace)
		}
		if merge.Replace {
			in.base = unplaced(merge.Theirs, head.Topology)
		}
	}
	if err := in.choose(w.LeaveOut); err != nil {
		return intent{}, err
	}
	p, err := in.show(at.snap)
	if err != nil {
		return intent{}, err
	}
	openclaw.NameJobs(ctx, in.target.Gateway, &p)
	in.preview = Preview{
		Preview:  p,
		Gateway:  d.Gateway,
		Problems: lint.Check(in.draft, at.rules(in.base)),
		Draft:    in.draft,
	}
	in.preview.Restart.Recreated = m.recreated(at.target, in.there, in.draft)
	in.preview.Sent = len(in.sent())
	if merge != nil && len(merge.Conflicts)+len(merge.FromTheirs)+len(merge.Dropped) > 0 {
		in.preview.Stale, in.preview.Merge = true, merge
	}
	if merge != nil && merge.Replace {
		in.preview.Merge = merge
	}
	in.preview.Seen = seen(in.preview)
	return in, nil
}

// choose leaves changes out of the draft.
func (in *intent) choose(leaveOut []string) (err error) {
	in.draft = in.whole
	if len(leaveOut) == 0 {
		return nil
	}
	all := topology.Diff(in.base, in.whole)
	part := selection.Of(all, leaveOut)
	if in.left = part.Left; len(part.Left) > 0 {
		in.draft, err = topology.Apply(in.base, part.Chosen)
	}
	return err
}

// show previews the draft, with the changes that were left out among the others.
func (in *intent) show(snap openclaw.Snapshot) (openclaw.Preview, error) {
	input := openclaw.PreviewInput{
		Snapshot:     snap,
		BaseHash:     snap.Hash,
		Base:         in.base,
		Draft:        in.draft,
		Capabilities: in.target.Gateway.Capabilities(),
		Files:        in.files,
	}
	p, err := openclaw.MakePreview(input)
	if err != nil {
		return p, err
	}
	if len(in.left) > 0 {
		input.Draft = in.whole
		all, err := openclaw.MakePreview(input)
		if err != nil {
			return p, err
		}
		p.Changes = all.Changes
	}
	left := make(map[string]bool, len(in.left))
	for _, c := range in.left {
		left[c.ID] = true
	}
	needs := selection.Needs(topology.Diff(in.base, in.whole))
	for i := range p.Changes {
		c := &p.Changes[i]
		c.LeftOut, c.Needs = left[c.ID], needs[c.ID]
	}
	return p, nil
}

// seen names what a person sees of a preview: what would be sent, and what goes with it.
func seen(p Preview) string {
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	_ = enc.Encode([]any{p.BaseHash, p.After, p.Deletions, p.Restart, p.Files}) // plain values into a hash
	for _, c := range p.Changes {
		if c.Impact != openclaw.ImpactLocal {
			_ = enc.Encode(c)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// mergeWith merges a team with its gateway: its config, and the workspace files that either side names.
func (at stand) mergeWith(
	base, mine *topology.Topology,
	files openclaw.Files,
	choices map[string]topology.Choice,
	first bool,
) *Merge {
	base = topologyOrEmpty(base)
	theirs := files.Into(openclaw.Adopt(at.reading, base, base, at.target.Gateway.Capabilities().Limits))
	if first || len(base.Agents) == 0 {
		theirs.Layout, theirs.Groups, theirs.Notes, theirs.Name, theirs.Extra = base.Layout, base.Groups, base.Notes, base.Name, base.Extra
	}
	got := topology.Merge(base, mine, theirs, choices)
	merge := &Merge{
		Base: *base, Theirs: *theirs, Merged: *teamblock.Follow(&got.Topology), Conflicts: got.Conflicts,
		FromMine: got.FromMine, FromTheirs: got.FromTheirs, Dropped: got.Dropped,
		Moved: got.Moved,
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
	rules := lint.Rules{Models: target.Models, RosterGuard: caps.RosterGuard, Trust: target.Trust}
	rules.Providers, rules.Offered, rules.DefaultProvider = target.Providers, target.Offered, target.DefaultProvider
	if caps.IDPattern != "" {
		rules.IDPattern, _ = regexp.Compile(caps.IDPattern)
	}
	if reading.Shape == openclaw.ShapeMap {
		rules.KnownKeys = []string{} // none besides those the team has
	} else {
		// Real gateways fill in agents.defaults.model for agents that name none.
		rules.DefaultModel, rules.Schema, rules.OpenClaw = "default", target.Schema, true
	}
	rules.OptInMessages = caps.Roster == openclaw.ShapeList
	for _, a := range reading.Topology.Agents {
		rules.BaseAgents = append(rules.BaseAgents, a.ID)
	}
	return rules
}

// rules are those for a gateway whose config was read, and a team that was last read from it as base.
func (at stand) rules(base *topology.Topology) lint.Rules {
	rules := Rules(at.target, at.reading)
	if base != nil {
		rules.BaseMessages = base.Messages
	}
	if doc, err := at.snap.Document(); err == nil {
		rules.Config = doc.JSON()
	}
	return rules
}

// Start begins an apply of what a Preview showed. It refuses what has moved since
// (CONFLICT stale_base), what is undecided, and what lint calls an error.
func (m *Machine) Start(ctx context.Context, id library.ID, req Request) (Apply, error) {
	in, err := m.intend(ctx, id, req.Decisions)
	if err != nil {
		return Apply{}, err
	}
	if err := check(in, req); err != nil {
		return Apply{}, err
	}
	if err := openclaw.Refused(in.preview.ReadOnly); err != nil {
		return Apply{}, err
	}
	a := Apply{Team: id, Gateway: in.team.Gateway, Kind: KindApply, Sent: in.preview.Sent, Left: in.leftToSend()}
	return m.start(ctx, a, &begun{Writes: planned(in.writes())}, openclaw.Steps(in.writes(), nil),
		func(ctx context.Context, j *job) error { return m.push(ctx, j, in, req) })
}

func (in *intent) leftToSend() (n int) {
	for _, c := range in.preview.Changes {
		if c.LeftOut && c.Impact != openclaw.ImpactLocal {
			n++
		}
	}
	return n
}

func check(in intent, req Request) error {
	p := in.preview
	if req.Hash != p.BaseHash {
		return errcode.New(errcode.Conflict, "the gateway's config has changed since it was reviewed: review it again").
			With(errcode.KeyReason, errcode.ReasonStaleBase).
			With(errcode.KeySnapshot, map[string]any{"baseHash": p.BaseHash})
	}
	if req.Seen != "" && req.Seen != p.Seen {
		return errcode.New(errcode.Conflict,
			"what would be applied is not what was reviewed any more: review it again").
			With(errcode.KeyReason, ReasonNotSeen)
	}
	if n := p.Merge.Undecided(); n > 0 {
		return errcode.New(errcode.Conflict, "%d conflicts are not decided yet", n).
			With(errcode.KeyReason, ReasonUndecided)
	}
	for _, problem := range p.Problems {
		if problem.Severity == topology.SeverityError {
			return errcode.New(errcode.Validation, "the team has errors: %s", problem.Message).
				With(errcode.KeyReason, ReasonProblems)
		}
	}
	return nil
}

func (m *Machine) push(ctx context.Context, j *job, in intent, req Request) error {
	gateway := in.team.Gateway
	result, err := openclaw.Push(ctx, in.target.Gateway, openclaw.PushInput{
		BaseHash: req.Hash, Base: in.base, Draft: in.draft, Files: in.writes(), AllowDelete: req.DeleteAgents,
		Recreated: in.preview.Restart.Recreated, UnreadJobs: in.preview.UnreadJobs(), Note: req.Note,
		KeepSnapshot: m.keep(j, gateway, causeBefore, in.team.ID), Progress: m.progress(j),
	})
	m.update(j, func(a *Apply) { a.note(result) })
	unkept := m.keepWritten(context.WithoutCancel(ctx), j, in.writes(), result, err)
	if !openclaw.Arrived(err) {
		return err
	}
	m.noteGone(in.team.Gateway, in.there, &result.Topology)
	in.leaveFiles(result.Files)
	return errors.Join(m.settle(context.WithoutCancel(ctx), j, in, result), unkept, err)
}

// writes lists the workspace files that the apply writes.
func (in *intent) writes() []openclaw.FileWrite {
	return openclaw.FileWrites(in.files, in.there, in.draft, in.target.Gateway.Capabilities())
}

// leaveFiles leaves out what the gateway didn't take of the files, as if nobody had chosen them. They stay drawn.
func (in *intent) leaveFiles(written []openclaw.FileRef) {
	for _, w := range in.writes() {
		if slices.Contains(written, openclaw.FileRef{Agent: w.Agent, Name: w.Name}) {
			continue
		}
		in.draft = in.draft.Clone()
		if a, ok := in.draft.Agent(w.Agent); ok {
			delete(a.Files, w.Name)
		}
	}
}

// sent returns the changes of the preview that are sent.
func (in *intent) sent() topology.ChangeSet {
	out := topology.ChangeSet{}
	for i := range in.preview.Changes {
		if c := &in.preview.Changes[i]; c.Impact != openclaw.ImpactLocal && !c.LeftOut {
			out = append(out, c.Change)
		}
	}
	return out
}

// settle records that team and gateway are the same now. What was left out, and what
// was drawn while the apply ran, stays drawn on top; undo then takes back both at once.
func (m *Machine) settle(ctx context.Context, j *job, in intent, result openclaw.Result) error {
	limits := in.target.Gateway.Capabilities().Limits
	applied := openclaw.Adopt(openclaw.Reading{Topology: result.Topology, Shape: result.Shape}, in.draft, in.draft,
		limits)
	for i := range applied.Agents {
		for name, f := range applied.Agents[i].Files {
			applied.Agents[i].Files[name] = f.Applied()
		}
	}
	place(applied)
	if err := m.keepApplied(ctx, in, result.Snapshot); err != nil {
		return err
	}
	d, head, err := m.library.Get(ctx, in.team.ID)
	if err != nil {
		return err
	}
	drawn := in.whole
	if head.ID != in.head.ID {
		with := in.preview.Merge
		both := topology.Merge(with.move(in.head.Topology), with.move(head.Topology), drawn, nil)
		drawn = &both.Topology
	}
	gateway := in.team.Gateway
	if with := in.preview.Merge; with != nil && !with.First {
		// What the gateway brought is a step below the apply: undoing the apply doesn't take it out of the draft.
		merged := library.Step{Topology: drawn, Cause: library.MergedIn, Label: "merge|" + gateway, Gateway: gateway}
		if d, _, _, err = m.library.Save(ctx, d.ID, d.Head, merged); err != nil {
			return err
		}
	}
	step := library.Step{
		Topology: applied,
		Cause:    library.Applied,
		Label:    "apply|" + gateway,
		Gateway:  gateway,
		Snapshot: j.apply.Snapshot,
		Sent:     in.sent(),
		Base:     &library.Base{Snapshot: j.apply.Snapshot, Hash: result.Hash, ReadAt: j.apply.StartedAt},
		Aside:    drawn != in.draft,
	}
	_, _, _, err = m.library.Save(ctx, d.ID, d.Head, step)
	if err != nil || !step.Aside {
		return err
	}
	both := topology.Merge(in.draft, drawn, applied, nil)
	_, _, _, err = m.library.Save(ctx, d.ID, d.Head, library.Step{
		Topology: &both.Topology,
		Cause:    library.MergedIn,
		Label:    "kept|" + gateway,
		Gateway:  gateway,
		Snapshot: j.apply.Snapshot,
	})
	return err
}
