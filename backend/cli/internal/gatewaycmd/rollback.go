package gatewaycmd

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/snapshotstore"
	"agentflow/backend/gateway/openclaw"
)

func (p program) rollbackCommand(f *gatewayFlags) *cobra.Command {
	var agreed consent
	var to string
	var list bool
	cmd := &cobra.Command{
		Use:   "rollback",
		Short: "Roll the gateway back to a snapshot",
		Args:  shell.Args(cobra.NoArgs),
		Long: `Roll the gateway back to a snapshot that this command line saved before one of its changes.
The default is the one before its last change, if the gateway's config is still what that
change left. Otherwise, choose a snapshot with --to. Changes made in the app have their
snapshots in its History. The current config is saved first, so you can undo a rollback
with another one.

A rollback that would remove agents changes nothing without --delete-agents. --list shows
which agents each snapshot would remove.`,
		Example: "  agentflow gateway rollback\n  agentflow gateway rollback --list\n  agentflow gateway rollback --to 20260824T101500.000Z-1a2b3c --yes --delete-agents",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.connect(cmd.Context(), f, func(ctx context.Context, c connection) error {
				if list {
					return p.listVersions(ctx, c)
				}
				return p.rollback(ctx, c, to, agreed)
			})
		}),
	}
	agreed.flags(cmd)
	cmd.Flags().StringVar(&to, "to", "",
		"snapshot to restore, or the start of its ID (default: the one before this command line's last change)")
	cmd.Flags().BoolVar(&list, "list", false, "list snapshots, newest first")
	return cmd
}

// listed is a kept version, and the agents that a rollback to it would remove.
type listed struct {
	snapshotstore.Version
	Removes []string       `json:"removes"`
	Error   *errcode.Error `json:"error,omitempty"` // why that can't be said
}

func (p program) listVersions(ctx context.Context, c connection) error {
	now, err := c.Read(ctx)
	if err != nil {
		return err
	}
	versions, err := c.store.Versions(c.url)
	if err != nil {
		return err
	}
	out := make([]listed, 0, len(versions))
	for _, v := range versions {
		removes, err := c.removes(now, v)
		out = append(out, listed{v, removes, errcode.From(err)})
		switch {
		case err != nil:
			p.Screen.Print("%s  %s\n", line(v), p.Screen.Words(errcode.From(err).Message))
		case len(removes) > 0:
			p.Screen.Print("%s  removes %s: needs --delete-agents\n", line(v), strings.Join(removes, ", "))
		default:
			p.Screen.Print("%s\n", line(v))
		}
	}
	if len(versions) == 0 {
		p.Screen.Print("this command line saved no snapshots of %s yet. Those of the app are in its History.\n", c.url)
	}
	return p.Screen.Object(map[string]any{"gateway": c.url, "versions": out})
}

// keptFiles reads the workspace files that a snapshot keeps, as they are now.
func (c connection) keptFiles(ctx context.Context, now, kept openclaw.Snapshot) (openclaw.Files, error) {
	there, err := now.Reading()
	if err != nil {
		return nil, err
	}
	team, err := kept.Team()
	if err != nil {
		return nil, err
	}
	return openclaw.ReadFiles(ctx, c.Link, &there.Topology, team)
}

// target returns the config of a version, with the workspace files that later changes replaced as they were before.
func (c connection) target(v snapshotstore.Version) (openclaw.Snapshot, error) {
	out, err := c.store.Version(c.url, v.ID)
	if err != nil {
		return out, err
	}
	newestFirst, err := c.store.Versions(c.url)
	if err != nil {
		return out, err
	}
	at := slices.IndexFunc(newestFirst, func(o snapshotstore.Version) bool { return o.ID == v.ID })
	for _, o := range slices.Backward(newestFirst[:max(at, 0)]) {
		later, err := c.store.Version(c.url, o.ID)
		if err != nil {
			return out, err
		}
		out.AddReplaced(later)
	}
	return out, nil
}

// removes are the agents that a rollback to the version would remove.
func (c connection) removes(now openclaw.Snapshot, v snapshotstore.Version) ([]string, error) {
	target, err := c.store.Version(c.url, v.ID)
	if err != nil {
		return []string{}, err
	}
	preview, err := openclaw.PreviewRollback(now, target, c.Capabilities(), nil)
	if err != nil {
		return []string{}, err
	}
	ids := make([]string, len(preview.Deletions))
	for i, d := range preview.Deletions {
		ids[i] = string(d.Agent)
	}
	return ids, nil
}

func line(v snapshotstore.Version) string {
	return strings.TrimSpace(v.ID + "  " + v.At.Local().Format(time.DateTime) + "  " + v.Note)
}

// choose finds the version that is meant.
func (c connection) choose(to, now string) (snapshotstore.Version, error) {
	versions, err := c.store.Versions(c.url)
	if err != nil {
		return snapshotstore.Version{}, err
	}
	if to == "" {
		return c.beforeLast(versions, now)
	}
	var found []snapshotstore.Version
	for _, v := range versions {
		if v.ID == to {
			return v, nil
		}
		if strings.HasPrefix(v.ID, to) {
			found = append(found, v)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	ids := idsOf(versions)
	if len(found) > 1 {
		return snapshotstore.Version{}, errcode.New(errcode.Validation,
			"--to %s matches %s. Use more of the ID.", to, shell.Plural(len(found), "snapshot")).
			With("versions", ids)
	}
	return snapshotstore.Version{}, errcode.New(errcode.NotFound,
		"no snapshot %q of %s. Available, newest first: %s", to, c.url, orNothing(ids)).
		With("versions", ids)
}

// beforeLast finds the version before the last change of this command line, if the gateway still has what that change
// left: going back then undoes that change and no other one.
func (c connection) beforeLast(versions []snapshotstore.Version, now string) (snapshotstore.Version, error) {
	for _, v := range versions {
		switch {
		case v.After == "" && v.Hash == now && !c.keepsFiles(v):
			continue // the gateway rejected that change
		case v.After == now:
			return v, nil
		case v.After == "":
			return snapshotstore.Version{}, errcode.New(errcode.Conflict,
				"it isn't recorded what the last change of this command line left on %s. Nothing was written. List the "+
					"snapshots with --list and choose one with --to. Those of the app are in its History.", c.url).
				With("versions", idsOf(versions))
		}
		return snapshotstore.Version{}, errcode.New(errcode.Conflict,
			"the config of %s has changed since the last change of this command line. Nothing was written. List the "+
				"snapshots with --list and choose one with --to. Those of the app are in its History.", c.url).
			With("versions", idsOf(versions))
	}
	return snapshotstore.Version{}, errcode.New(errcode.NotFound,
		"this command line has no earlier snapshot of %s. Those of the app are in its History.", c.url).
		With("versions", idsOf(versions))
}

func idsOf(versions []snapshotstore.Version) []string {
	ids := make([]string, len(versions))
	for i, v := range versions {
		ids[i] = v.ID
	}
	return ids
}

// keepsFiles reports whether a snapshot has workspace files. It can differ from what the gateway has now, although its
// config doesn't.
func (c connection) keepsFiles(v snapshotstore.Version) bool {
	s, err := c.store.Version(c.url, v.ID)
	return err == nil && len(s.Files) > 0
}

func orNothing(ids []string) string {
	if len(ids) == 0 {
		return "(none)"
	}
	return strings.Join(ids, " ")
}

func (p program) rollback(ctx context.Context, c connection, to string, agreed consent) error {
	now, err := c.Read(ctx)
	if err != nil {
		return err
	}
	had, err := now.Reading()
	if err != nil {
		return err
	}
	v, err := c.choose(to, now.Hash)
	if err != nil {
		return err
	}
	target, err := c.target(v)
	if err != nil {
		return err
	}
	files, err := c.keptFiles(ctx, now, target)
	if err != nil {
		return err
	}
	preview, err := openclaw.PreviewRollback(now, target, c.Capabilities(), files)
	if err != nil {
		return err
	}
	openclaw.NameJobs(ctx, c.Link, &preview)
	writes, err := openclaw.RollbackFiles(now, target, c.Capabilities(), files)
	if err != nil {
		return err
	}
	p.Screen.Print("rolling back to %s\n", line(v))
	if agreed.file != "" {
		return p.saveConfig(c, preview, agreed.file)
	}
	if err := p.agree(ctx, preview, agreed, i18n.T("Roll %s back to this?", c.url)); err != nil {
		return err
	}
	version := ""
	result, err := openclaw.Rollback(ctx, c.Link, openclaw.RollbackInput{
		BaseHash: now.Hash, To: target, Files: writes, AllowDelete: agreed.deletes, Note: agreed.note,
		KeepSnapshot: c.keeper(agreed.note, &version), Progress: p.pushProgress,
	})
	if kept := c.changed(version, result); err == nil {
		err = kept
	}
	if err != nil {
		p.tellDifferences(result)
		p.tellWayBack(c, version, result, err)
		return withRemedy(err)
	}
	p.tellResult(c, &had.Topology, result, version)
	if result.Outcome == openclaw.OutcomeApplied {
		p.Screen.Note("team files read before now are stale. Update them with gateway get -o FILE.")
	}
	return p.Screen.Object(applied{Gateway: c.url, Snapshot: version, Result: result})
}
