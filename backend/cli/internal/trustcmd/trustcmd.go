// Package trustcmd holds the commands of agentflow trust: what teams ask of the hub's computer,
// and what its owner allows.
package trustcmd

import (
	"context"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
)

type program struct {
	*shell.Shell
	hub *hubflags.Flags
}

// Command returns the command group.
func Command(s *shell.Shell) *cobra.Command {
	p := program{s, new(hubflags.Flags)}
	cmd := p.Group("trust", "Manage what teams can use on this computer",
		"  agentflow trust list\n  agentflow trust show team.agentflow.yaml",
		p.listCommand(), p.showCommand(), p.allowCommand(), p.revokeCommand())
	p.hub.AddTo(s, cmd)
	return cmd
}

func (p program) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List what teams ask for and what you allowed", Args: shell.Args(cobra.NoArgs),
		Example: "  agentflow trust list --json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				teams, err := all(cmd.Context(), c)
				if err != nil {
					return err
				}
				if len(teams) == 0 {
					p.Screen.Note("No team asks for a permission yet.")
				}
				for _, t := range teams {
					for _, a := range t.Agents {
						p.Screen.Print("%s  %s  %s  %s\n", term.OneLine(t.Team, 40), term.OneLine(t.Name, 60),
							term.OneLine(a.Agent, 100), stateWord(a.State))
					}
					for _, f := range t.unused() {
						p.Screen.Print("%s  %s  %s  %s\n", term.OneLine(t.Team, 40), term.OneLine(t.Name, 60),
							term.OneLine(f.Agent, 100), unusedWord())
					}
				}
				return p.Screen.Object(map[string]any{"teams": teams})
			})
		}),
	}
}

func all(ctx context.Context, c *hubclient.Client) ([]team, error) {
	var got struct{ Teams []team }
	err := c.Call(ctx, http.MethodGet, "/api/trust", nil, &got)
	return shell.OrNone(got.Teams), err
}

// find returns the team of that id or name, or the one of a file.
func (p program) find(ctx context.Context, c *hubclient.Client, name string) (Target, error) {
	if info, err := os.Stat(name); name == shell.Stdin || err == nil && !info.IsDir() {
		data, err := p.ReadBytes(name)
		if err != nil {
			return Target{}, err
		}
		return OfFile(ctx, c, shell.Name(name), data)
	}
	teams, err := all(ctx, c)
	if err != nil {
		return Target{}, err
	}
	i := slices.IndexFunc(teams, func(t team) bool { return t.Team == name })
	if i < 0 {
		i = slices.IndexFunc(teams, func(t team) bool { return t.Name == name })
	}
	if i < 0 && (filepath.Ext(name) != "" || filepath.Base(name) != name) { // nobody calls a team like that
		return Target{}, shell.Unreadable(name, fs.ErrNotExist)
	}
	if i < 0 {
		return Target{}, errcode.New(errcode.NotFound,
			"no team or file %s asks for anything. Run agentflow trust list.", name)
	}
	return Target{teams[i], nil}, nil
}

func (p program) showCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show TEAM|FILE", Short: "Show everything a team asks for", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow trust show local\n  agentflow trust show team.agentflow.yaml",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				t, err := p.find(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				t.Tell(p.Shell)
				return p.Screen.Object(t.team)
			})
		}),
	}
}

func (p program) allowCommand() *cobra.Command {
	var agents []string
	yes := false
	cmd := &cobra.Command{
		Use: "allow TEAM|FILE", Short: "Allow what a team asks for", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow trust allow team.agentflow.yaml\n  agentflow trust allow local --agent worker --yes",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				t, err := p.find(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				return p.allow(cmd.Context(), c, t, agents, yes)
			})
		}),
	}
	cmd.Flags().StringSliceVar(&agents, "agent", nil, "only this agent; repeatable")
	cmd.Flags().BoolVar(&yes, "yes", false, "skip confirmation prompts")
	return cmd
}

func (p program) allow(ctx context.Context, c *hubclient.Client, t Target, agents []string, yes bool) error {
	if err := t.asks(agents); err != nil {
		return err
	}
	if t = t.Open(agents); len(t.Agents) == 0 {
		p.Screen.Note("Nothing is waiting for permission.")
		return p.Screen.Object(t.team)
	}
	t.Tell(p.Shell)
	if !yes && !p.Screen.CanAsk() {
		return errcode.New(errcode.Validation,
			"no terminal for confirmation. Use --yes to allow it. Nothing was allowed.").
			With(errcode.KeyField, "yes")
	}
	if !yes {
		if ok, err := p.Screen.Ask(ctx, i18n.T("Allow this?")); err != nil || !ok {
			return err
		}
	}
	if err := t.Allow(ctx, p.Shell, c); err != nil {
		return err
	}
	return p.Screen.Object(t.team)
}

func (p program) revokeCommand() *cobra.Command {
	var agents []string
	yes := false
	cmd := &cobra.Command{
		Use: "revoke TEAM", Short: "Revoke a team's permissions", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow trust revoke local --agent worker --yes",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				t, err := p.find(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				return p.revoke(cmd.Context(), c, t, agents, yes)
			})
		}),
	}
	cmd.Flags().StringSliceVar(&agents, "agent", nil, "only this agent; repeatable")
	cmd.Flags().BoolVar(&yes, "yes", false, "skip confirmation prompts")
	return cmd
}

func (p program) revoke(ctx context.Context, c *hubclient.Client, t Target, agents []string, yes bool) error {
	if err := t.knows(agents); err != nil {
		return err
	}
	if !yes && !p.Screen.CanAsk() {
		return errcode.New(errcode.Validation,
			"no terminal for confirmation. Use --yes to revoke without asking. Nothing was revoked.").
			With(errcode.KeyField, "yes")
	}
	if !yes {
		ok, err := p.Screen.Ask(ctx, i18n.T("Revoke the permissions of %s? Local processes that use them stop.", t.subject(agents)))
		if err != nil || !ok {
			return err
		}
	}
	var now team
	path := "/api/trust/" + url.PathEscape(t.Team) + "/revoke"
	if err := c.Call(ctx, http.MethodPost, path, map[string]any{"agents": shell.OrNone(agents)}, &now); err != nil {
		return err
	}
	p.Screen.Print("revoked\n")
	return p.Screen.Object(now)
}
