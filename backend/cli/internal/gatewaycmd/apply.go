package gatewaycmd

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// consent is what the person agreed to on the command line.
type consent struct {
	yes, deletes, trust bool
	note                string
	file                string // where the config is saved, instead of changing the gateway

	first bool // the team file was never read from a gateway or applied to one, so its team and the gateway's can be one
}

func (c *consent) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.yes, "yes", false, "skip confirmation prompts")
	cmd.Flags().BoolVar(&c.deletes, "delete-agents", false, "allow agents to be removed from the gateway")
	cmd.Flags().StringVar(&c.file, "save-config", "", "save the resulting config to this file and change nothing")
	cmd.Flags().StringVar(&c.note, "note", "", "note for the gateway and the snapshot")
}

// applied is what gateway apply and rollback say with --json.
type applied struct {
	Gateway  string `json:"gateway"`
	File     string `json:"file,omitempty"`
	Merged   bool   `json:"merged"`
	Snapshot string `json:"snapshot,omitempty"` // what rollback --to takes back
	openclaw.Result
}

func (p program) applyCommand(f *gatewayFlags) *cobra.Command {
	var agreed consent
	var merge bool
	cmd := &cobra.Command{
		Use:   "apply FILE",
		Short: "Apply a team file to the gateway",
		Args:  shell.Args(cobra.ExactArgs(1)),
		Long: `Apply a team file to the gateway. This shows the changes, asks for confirmation, saves a
snapshot, applies the changes once and waits for the gateway. Then it reads the gateway
again, verifies the result and writes the new base to the file.

Without a terminal, use --yes. To remove agents, also use --delete-agents. Commands, secrets
and folders that agents need on the built-in gateway's computer stay blocked until you allow
them, for example with --trust.

If the gateway has changed since the file was read, nothing is written and the exit code
is 5. With --merge, both sides are merged and applied, unless they conflict.

With --save-config, the resulting config is saved to a file and nothing is sent. Use it for a
gateway whose config another program manages, or that can't write its config file. Secrets
are shown as the gateway shows them.

A file that was never read from a gateway or applied to one replaces the gateway's team: use
--delete-agents. To keep the gateway's agents and add them to the file, use --merge.`,
		Example: "  agentflow gateway apply team.agentflow.yaml\n  agentflow gateway apply team.agentflow.yaml --merge --yes --note \"more reviewers\"",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			src, err := p.ReadTeam(given[0])
			if err != nil {
				return err
			}
			return p.connect(cmd.Context(), f, func(ctx context.Context, c connection) error {
				q, err := c.compare(ctx, src)
				if err != nil {
					return err
				}
				agreed.first = src.File.Base == nil
				if err := p.settle(q, merge); err != nil {
					return err
				}
				if !agreed.trust {
					return p.apply(ctx, q, agreed)
				}
				return p.applyTrusting(ctx, f, q, agreed)
			})
		}),
	}
	agreed.flags(cmd)
	cmd.Flags().BoolVar(&agreed.trust, "trust", false, "allow what the team asks for on the built-in gateway's computer")
	cmd.Flags().BoolVar(&merge, "merge", false, "merge with changes on the gateway, or with its team")
	return cmd
}

// settle merges a stale file, or says why that cannot be.
func (p program) settle(q *pending, merge bool) error {
	if !q.stale {
		if !merge || q.src.File.Base != nil {
			return nil
		}
		q.join()
		return p.collisions(q)
	}
	if !merge {
		p.tellSides(q)
		return q.staleError(i18n.T("Check both sides, then use --merge, or read the gateway again with gateway get."))
	}
	if q.wasAt == nil {
		p.tellSides(q)
		return q.staleError(i18n.T("It can't be merged, because its base isn't saved on this computer. Read the gateway into another file with gateway get -o and compare."))
	}
	q.mergeNow()
	return p.collisions(q)
}

// collisions is the end of an apply whose merge has conflicts.
func (p program) collisions(q *pending) error {
	if len(q.merge.Conflicts) > 0 {
		return p.Collides(*q.merge,
			i18n.T("Edit the file to resolve the conflicts, or read the gateway again with gateway get."))
	}
	p.TellDropped(q.merge.Dropped)
	return nil
}

// agree shows what would be done and returns nil if the user agrees.
func (p program) agree(ctx context.Context, v openclaw.Preview, agreed consent, question i18n.Text) error {
	p.tellPreview(v)
	if err := refused(v.ReadOnly); err != nil {
		return err
	}
	if len(v.Deletions) > 0 && !agreed.deletes {
		ids := make([]string, len(v.Deletions))
		for i, d := range v.Deletions {
			ids[i] = string(d.Agent)
		}
		message := "this removes %s from the gateway. Use --delete-agents to allow it. Nothing was written."
		if agreed.first {
			message = "this removes %s from the gateway. Use --delete-agents to replace its team, or " +
				"--merge to add these agents to the file. Nothing was written."
		}
		return errcode.New(errcode.Validation, message, strings.Join(ids, ", ")).
			With(errcode.KeyReason, openclaw.ReasonDeletesNotAllowed).With("agents", ids)
	}
	if agreed.yes || !v.Sends {
		return nil
	}
	if !p.Screen.CanAsk() {
		return errcode.New(errcode.Validation,
			"no terminal for confirmation. Use --yes to apply without asking. Nothing was written.").
			With(errcode.KeyField, "yes")
	}
	yes, err := p.Screen.Ask(ctx, question)
	if err == nil && !yes {
		err = errDeclined
	}
	return err
}

func (p program) apply(ctx context.Context, q *pending, agreed consent) error {
	preview, err := q.preview(ctx)
	if err != nil {
		return err
	}
	if agreed.file != "" {
		return p.saveConfig(q.connection, preview, agreed.file)
	}
	p.tellModels(q.models(ctx))
	if err := p.agree(ctx, preview, agreed, i18n.T("Apply this to %s?", q.url)); err != nil {
		return err
	}
	base := q.base.Clone()
	base.Layout = q.draft.Layout
	recreated, unread := q.recreated()
	if unread != nil {
		p.Screen.Note("some snapshots couldn't be read. A new agent with the ID of a deleted one might not work: %s",
			errcode.From(unread).Message)
	}
	version := ""
	result, pushed := openclaw.Push(ctx, q.Link, openclaw.PushInput{
		BaseHash: q.snap.Hash, Base: base, Draft: q.draft, AllowDelete: agreed.deletes,
		Recreated: recreated, UnreadJobs: preview.UnreadJobs(), Note: agreed.note,
		Files:        openclaw.FileWrites(q.files, &q.now.Topology, q.draft, q.caps),
		KeepSnapshot: q.keeper(agreed.note, &version), Progress: p.pushProgress,
	})
	if err := q.changed(version, result); err != nil && pushed == nil {
		pushed = err
	}
	if pushed != nil && !errcode.HasReason(pushed, openclaw.ReasonVerifyMismatch) && !errcode.HasReason(pushed, openclaw.ReasonNotActive) {
		p.tellWayBack(q.connection, version, result, pushed)
		return p.pushFailed(q, pushed)
	}
	if err := q.keepNew(ctx, result); err != nil {
		return err
	}
	if err := p.writeBase(q, result.Hash); err != nil {
		return err
	}
	if pushed != nil {
		p.tellDifferences(result)
		return pushed
	}
	p.tellResult(q.connection, &q.now.Topology, result, version)
	return p.Screen.Object(applied{q.url, q.src.Path, q.merge != nil, version, result})
}

// recreated returns the new agents of the draft that the gateway had in a kept snapshot: it may have deleted them. The
// error is about snapshots that couldn't be read.
func (q *pending) recreated() (ids []topology.AgentID, _ error) {
	added := openclaw.Missing(q.draft, &q.now.Topology)
	if len(added) == 0 {
		return nil, nil
	}
	versions, unread := q.store.Versions(q.url)
	for _, v := range versions {
		var r openclaw.Reading
		s, err := q.store.Version(q.url, v.ID)
		if err == nil {
			r, err = s.Reading()
		}
		unread = errors.Join(unread, err)
		for _, id := range added {
			if _, had := r.Topology.Agent(id); had && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, unread
}

// errDeclined is a question that was answered with no.
var errDeclined = errcode.New(errcode.Internal, "canceled. Nothing was written.")

func (c connection) keeper(note string, id *string) func(context.Context, openclaw.Snapshot) error {
	return func(_ context.Context, s openclaw.Snapshot) error {
		v, err := c.store.PutVersion(c.url, s, note)
		*id = v.ID
		return err
	}
}

// changed records what a change left. The default of a rollback needs it.
func (c connection) changed(version string, r openclaw.Result) error {
	if version == "" || r.Hash == "" {
		return nil
	}
	return c.store.Applied(c.url, version, r.Hash)
}

// tellWayBack names the snapshot of a change that failed after the gateway may have changed.
func (p program) tellWayBack(c connection, version string, r openclaw.Result, err error) {
	if version == "" || len(r.Deleted) == 0 && !errcode.HasReason(err, errcode.ReasonUnknown) {
		return
	}
	p.Screen.Note("the config from before is saved. To return to it: agentflow gateway rollback --to %s%s", version,
		c.flags)
}

// pushFailed shows the sides when the gateway changed between the question and the apply.
func (p program) pushFailed(q *pending, err error) error {
	if errcode.HasReason(err, errcode.ReasonStaleBase) && !p.Screen.JSON {
		p.Screen.Note("the gateway's config just changed. See the changes with gateway diff.")
	}
	return withRemedy(err)
}

// keepNew keeps the gateway's new config as the base of the next merge. Into the draft it
// takes what the gateway filled in on apply, or had before if the team was never read and
// doesn't mention it: with a base, leaving it out would mean deleting it.
func (q *pending) keepNew(ctx context.Context, result openclaw.Result) error {
	snap, err := q.Read(ctx)
	if err != nil {
		return err
	}
	if snap.Hash != result.Hash {
		return nil // somebody changed it since; what was there at the hash is gone
	}
	if result.Verified {
		reading, err := snap.Reading()
		if err != nil {
			return err
		}
		q.draft = openclaw.Adopt(reading, q.draft, q.base, q.caps.Limits)
	}
	snap.Files = filesOf(q.draft)
	return q.store.PutBase(q.url, snap)
}

// writeBase writes the new base, and the merged team, into the file. What a person wrote
// into it meanwhile stays.
func (p program) writeBase(q *pending, hash string) error {
	if q.src.Path == shell.Stdin || q.src.File.Format != teamfile.AgentFlow {
		p.Screen.Note("%s can't store the new base %s", shell.Shown(q.src.Path), hash)
		return nil
	}
	src, team := q.src, q.draft
	if !src.Unchanged() {
		now, err := p.ReadTeam(src.Path)
		if err != nil || q.merge != nil {
			return errcode.New(errcode.Internal, "the config was applied, but %s changed in the meantime and wasn't updated. Read the gateway again with gateway get.", src.Path).
				With(errcode.KeyFile, src.Path)
		}
		src, team = now, &now.File.Team
	}
	data, _, err := teamfile.Write(src.Data, team, &teamfile.Base{Hash: hash, Gateway: q.url})
	if err == nil && !bytes.Equal(data, src.Data) {
		err = atomicfile.Write(src.Path, data, shell.TeamMode)
	}
	if err != nil {
		return errcode.Wrap(errcode.From(err).Code, err,
			"the config was applied, but the new base %s couldn't be written to %s", hash, src.Path).
			With(errcode.KeyFile, src.Path)
	}
	return nil
}

// tellResult tells what became of a change, and how to undo it. before is what the gateway had.
func (p program) tellResult(c connection, before *topology.Topology, r openclaw.Result, version string) {
	if r.Outcome == openclaw.OutcomeUnchanged {
		p.Screen.Print("unchanged: the gateway already has this team, base %s\n", r.Hash)
		return
	}
	for _, id := range r.Deleted {
		p.Screen.Print("removed agent %s\n", id)
	}
	if len(r.Jobs) > 0 {
		p.Screen.Print("added scheduled jobs again: %s\n", term.OneLine(strings.Join(r.Jobs, ", "), 500))
	}
	if r.Restarted {
		p.Screen.Print("applied and verified, base %s, gateway restarted\n", r.Hash)
	} else {
		p.Screen.Print("applied and verified, base %s\n", r.Hash)
	}
	if version != "" {
		flags := c.flags
		if len(openclaw.Missing(&r.Topology, before)) > 0 {
			flags += " --delete-agents"
		}
		p.Screen.Print("to roll back: agentflow gateway rollback --to %s%s\n", version, flags)
	}
}

func (p program) tellDifferences(r openclaw.Result) {
	if p.Screen.JSON {
		return
	}
	for _, d := range r.Differences {
		p.Screen.Note("different from what was sent: %s: sent %s, got %s",
			strings.TrimSpace(string(d.Agent)+" "+d.Field), d.Want, d.Got)
	}
}

// steps are the words for the steps of a push.
var steps = map[openclaw.Step]i18n.Text{
	openclaw.StepCheck:    i18n.T("checking"),
	openclaw.StepSnapshot: i18n.T("saving a snapshot"),
	openclaw.StepFiles:    i18n.T("writing workspace files"),
	openclaw.StepDelete:   i18n.T("removing agents"),
	openclaw.StepApply:    i18n.T("applying"),
	openclaw.StepWait:     i18n.T("waiting for the gateway"),
	openclaw.StepVerify:   i18n.T("verifying the result"),
	openclaw.StepNewFiles: i18n.T("writing workspace files of new agents"),
	openclaw.StepJobs:     i18n.T("adding scheduled jobs again"),
}

func (p program) pushProgress(f openclaw.Progress) {
	switch {
	case f.State == openclaw.ProgressWaiting:
		p.Screen.Progress("the gateway is limiting changes, waiting %d s", (f.RetryAfterMs+999)/1000)
	case f.State == openclaw.ProgressStarted && f.Agent != "" && f.Step != openclaw.StepDelete:
		p.Screen.Progress("writing %s of %s …", f.Message, f.Agent)
	case f.State == openclaw.ProgressStarted && f.Agent != "":
		p.Screen.Progress("removing agent %s …", f.Agent)
	case f.State == openclaw.ProgressStarted:
		p.Screen.Progress("%s …", steps[f.Step])
	}
}
