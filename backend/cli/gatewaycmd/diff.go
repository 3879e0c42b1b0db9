package gatewaycmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/cli/shell"
	"agentflow/backend/cli/term"
	"agentflow/backend/openclaw"
)

// compared is what gateway diff says with --json.
type compared struct {
	Equal bool   `json:"equal"`
	Stale bool   `json:"stale"` // the gateway has changed since the file was read
	File  string `json:"file"`
	URL   string `json:"gateway"`
	openclaw.Preview
}

func (p program) diffCommand(f *gatewayFlags) *cobra.Command {
	return &cobra.Command{
		Use: "diff FILE", Short: "Show what applying a team file would change; exit 1 if anything", Args: shell.Args(cobra.ExactArgs(1)),
		Long:    "Show what applying a team file would change on the gateway as it is now. Nothing is\nsent. The exit code is 0 when there is nothing to change, else 1.",
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
				return p.diff(q)
			})
		}),
	}
}

func (p program) diff(q *pending) error {
	preview, err := q.preview()
	if err != nil {
		return err
	}
	if q.stale && !p.Screen.JSON {
		p.Screen.Note("the gateway's config has changed since %s was read: apply needs --merge", shell.Name(q.src.Path))
	}
	p.tellPreview(preview)
	err = p.Screen.Object(compared{!preview.Sends, q.stale, q.src.Path, q.url, preview})
	if err == nil && preview.Sends {
		return term.ExitError(term.Failed)
	}
	return err
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
			p.Change(c.Change, "deleted by the gateway")
		default:
			p.Change(c.Change, "")
		}
	}
	if !v.Sends {
		p.Screen.Print("nothing to change on the gateway\n")
	}
	for _, d := range v.Deletions {
		p.Screen.Print("%s\n", p.Screen.Paint(term.Red, "removes "+deletion(d)))
	}
	if v.Sends && v.Restart.Needed {
		p.Screen.Print("the gateway restarts: %s\n", term.OneLine(v.Restart.Reason, 300))
	}
	if v.CommentsLost {
		p.Screen.Note("the comments in the gateway's config file will be lost")
	}
	for _, w := range v.Warnings {
		p.Screen.Note("warning: %s: %s", w.Path, term.OneLine(w.Message, 300))
	}
	p.TellLosses("the gateway", v.Losses)
}

// deletion names an agent that goes, with what goes with it.
func deletion(d openclaw.Deletion) string {
	text := "agent " + string(d.Agent)
	if d.Name != "" && d.Name != string(d.Agent) {
		text += fmt.Sprintf(" (%s)", d.Name)
	}
	var with []string
	if n := len(d.Connections); n > 0 {
		with = append(with, shell.Plural(n, "connection"))
	}
	if d.Bindings > 0 {
		with = append(with, shell.Plural(d.Bindings, "channel binding"))
	}
	if len(with) > 0 {
		text += " with " + strings.Join(with, " and ")
	}
	if d.Files == "trash" {
		text += "; its files go to the gateway's trash"
	} else {
		text += "; its files stay"
	}
	if !d.Possible {
		text += "; not possible: " + d.Reason
	}
	return term.OneLine(text, 500)
}
