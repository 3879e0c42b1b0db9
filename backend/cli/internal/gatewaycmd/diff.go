package gatewaycmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
)

// compared is what gateway diff says with --json.
type compared struct {
	Equal bool   `json:"equal"`
	Stale bool   `json:"stale"` // the gateway has changed since the file was read
	File  string `json:"file"`
	URL   string `json:"gateway"`
	openclaw.Preview
	Problems []topology.Problem `json:"problems"` // of the models
}

func (p program) diffCommand(f *gatewayFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "diff FILE",
		Short:   "Preview an apply (exit code 1 if anything changes)",
		Args:    shell.Args(cobra.ExactArgs(1)),
		Long:    "Show what applying a team file would change on the gateway. Nothing is sent. The exit code\nis 0 if nothing would change, otherwise 1.",
		Example: "  agentflow gateway diff team.agentflow.yaml\n  agentflow gateway diff team.agentflow.yaml --json",
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
				return p.diff(ctx, q)
			})
		}),
	}
}

func (p program) diff(ctx context.Context, q *pending) error {
	preview, err := q.preview(ctx)
	if err != nil {
		return err
	}
	if q.stale && !p.Screen.JSON {
		p.tellStale(q)
	}
	p.tellPreview(preview)
	problems := q.models(ctx)
	p.tellModels(problems)
	err = p.Screen.Object(compared{!preview.Sends, q.stale, q.src.Path, q.url, preview, problems})
	if err == nil && preview.Sends {
		return term.ExitError(term.Failed)
	}
	return err
}

// tellStale says what to do about a gateway that has changed since the file was read: a merge
// decides no conflict.
func (p program) tellStale(q *pending) {
	conflicts := 0
	if q.wasAt != nil {
		conflicts = len(topology.Merge(q.wasAt, q.draft, q.base, nil).Conflicts)
	}
	switch file := shell.Shown(q.src.Path); {
	case q.wasAt == nil:
		p.Screen.Note(
			"the gateway's config has changed since %s was read, and the base isn't saved on this computer. Read the gateway into another file with gateway get -o and compare.",
			file,
		)
	case conflicts > 0:
		p.Screen.Note(
			"the gateway's config has changed since %s was read, with %s in conflict. Change the file to what the gateway has there, then use gateway apply --merge. To choose one by one, use Review changes on AgentFlow's page.",
			file,
			shell.Plural(conflicts, "change"),
		)
	default:
		p.Screen.Note("the gateway's config has changed since %s was read. Use gateway apply --merge to apply.", file)
	}
}

// tellPreview shows a change set with what follows from it.
func (p program) tellPreview(v openclaw.Preview) {
	if p.Screen.JSON {
		return
	}
	isLocal := func(c openclaw.PreviewChange) bool { return c.Impact == openclaw.ImpactLocal }
	if v.Sends && !slices.ContainsFunc(v.Changes, func(c openclaw.PreviewChange) bool { return !isLocal(c) }) {
		isLocal = func(openclaw.PreviewChange) bool { return false } // something goes there, so nothing is left out
	}
	for _, c := range v.Changes {
		switch {
		case isLocal(c):
		case c.Impact == openclaw.ImpactDelete:
			p.Change(c.Change, p.Screen.Say("deleted by the gateway"))
		default:
			p.Change(c.Change, "")
		}
	}
	if !v.Sends {
		p.Screen.Print("nothing to change on the gateway\n")
	}
	for _, d := range v.Deletions {
		p.Screen.Print("%s\n", p.Screen.Paint(term.Red, term.OneLine(p.deletion(d), 500)))
	}
	if len(v.RestoredJobs) > 0 {
		p.Screen.Print("adds scheduled jobs again: %s\n", term.OneLine(strings.Join(v.RestoredJobs, ", "), 500))
	}
	if v.Sends && v.Restart.Needed {
		p.Screen.Print("the gateway restarts: %s\n", term.OneLine(p.Screen.Words(v.Restart.Reason), 300))
	}
	if v.CommentsLost {
		p.Screen.Note("the comments in the gateway's config file will be lost")
	}
	for _, w := range v.Warnings {
		p.Screen.Note("warning: %s: %s", w.Path, term.OneLine(p.Screen.Words(w.Message), 300))
	}
	p.TellLosses(i18n.T("the gateway"), v.Losses)
}

// deletion names an agent that goes, with what goes with it.
func (p program) deletion(d openclaw.Deletion) string {
	who := string(d.Agent)
	if d.Name != "" && d.Name != who {
		who += fmt.Sprintf(" (%s)", d.Name)
	}
	text := p.Screen.Say("removes agent %s", who)
	connections, bindings := shell.Plural(len(d.Connections), "connection"), shell.Plural(d.Bindings, "channel binding")
	switch {
	case len(d.Connections) > 0 && d.Bindings > 0:
		text += p.Screen.Say(" with %s and %s", connections, bindings)
	case len(d.Connections) > 0:
		text += p.Screen.Say(" with %s", connections)
	case d.Bindings > 0:
		text += p.Screen.Say(" with %s", bindings)
	}
	if d.Broadcast > 0 {
		text += p.Screen.Say("; it leaves %s", shell.Plural(d.Broadcast, "broadcast group"))
	}
	switch {
	case len(d.Jobs) > 0:
		text += p.Screen.Say("; the gateway deletes its scheduled jobs: %s", strings.Join(d.Jobs, ", "))
	case d.JobsUnread:
		text += p.Screen.Say("; the gateway deletes its scheduled jobs, which couldn't be read")
	}
	if d.ByGateway {
		text += p.Screen.Say("; the gateway deletes its sessions and their messages, which a rollback doesn't restore")
	}
	text += p.Screen.Say("; its files stay")
	if !d.Possible {
		text += p.Screen.Say("; not possible: %s", p.Screen.Words(d.Reason))
	}
	return text
}
