// Package logincmd holds the commands of agentflow login and agentflow token: how the owner comes
// into a hub, for those who have no window beside it.
package logincmd

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/store"
)

type program struct {
	*shell.Shell
	hub *hubflags.Flags
}

const (
	loginsPath = "/api/logins"
	day        = "2006-01-02 15:04"
)

// login is one as the hub lists it.
type login struct {
	ID        string    `json:"id"`
	Browser   string    `json:"browser"`
	Address   string    `json:"address"`
	CreatedAt time.Time `json:"createdAt"`
	SeenAt    time.Time `json:"seenAt"`
}

// Login returns the command group agentflow login.
func Login(s *shell.Shell) *cobra.Command {
	p := program{s, new(hubflags.Flags)}
	cmd := &cobra.Command{
		Use:     "login",
		Short:   "Sign a browser in to a running hub, and manage logins",
		Args:    shell.Args(cobra.NoArgs),
		Long:    "Print a one-time link that signs a browser in to a running hub. The link works once,\nwithin 10 minutes. A login ends after 30 days, or when you end it.",
		Example: "  agentflow login\n  agentflow login list\n  agentflow login end --all",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error { return p.link(cmd.Context(), c) })
		}),
	}
	cmd.AddCommand(p.listCommand(), p.endCommand())
	p.hub.AddTo(s, cmd)
	return cmd
}

func (p program) link(ctx context.Context, c *hubclient.Client) error {
	var link struct{ Path string }
	if err := c.Call(ctx, http.MethodPost, "/api/links", nil, &link); err != nil {
		return err
	}
	p.Screen.Print("open %s\n", c.URL()+link.Path)
	return p.Screen.Object(map[string]string{"open": c.URL() + link.Path})
}

func (p program) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List signed-in browsers", Args: shell.Args(cobra.NoArgs),
		Example: "  agentflow login list",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				var got struct{ Logins []login }
				if err := c.Call(cmd.Context(), http.MethodGet, loginsPath, nil, &got); err != nil {
					return err
				}
				for _, l := range got.Logins {
					p.Screen.Print("%s  %s  signed in %s, last used %s from %s\n", l.ID, term.OneLine(l.Browser, 80),
						l.CreatedAt.Local().Format(day), l.SeenAt.Local().Format(day), l.Address)
				}
				if len(got.Logins) == 0 {
					p.Screen.Note("No browser is signed in.")
				}
				return p.Screen.Object(map[string]any{"logins": shell.OrNone(got.Logins)})
			})
		}),
	}
}

func (p program) endCommand() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use: "end [ID]", Short: "Sign a browser out", Args: shell.Args(cobra.MaximumNArgs(1)),
		Example: "  agentflow login end 01J8ZQ5T6Y7K\n  agentflow login end --all",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if all == (len(given) == 1) {
				return shell.Usage(cmd, "name a login by its ID, or use --all")
			}
			path := loginsPath
			if len(given) == 1 {
				path += "/" + url.PathEscape(given[0])
			}
			return p.hub.Ask(func(c *hubclient.Client) error {
				var left struct{ Logins []login }
				if err := c.Call(cmd.Context(), http.MethodDelete, path, nil, &left); err != nil {
					return err
				}
				p.Screen.Print("signed out\n")
				return p.Screen.Object(map[string]any{"logins": shell.OrNone(left.Logins)})
			})
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "sign all browsers out")
	return cmd
}

// Token returns the command group agentflow token.
func Token(s *shell.Shell) *cobra.Command {
	p := program{s, new(hubflags.Flags)}
	cmd := p.Group("token", "Manage the owner's token", "  agentflow token rotate", p.rotateCommand())
	p.hub.AddTo(s, cmd)
	return cmd
}

func (p program) rotateCommand() *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:     "rotate",
		Short:   "Replace the owner's token and end all logins",
		Args:    shell.Args(cobra.NoArgs),
		Long:    "Replace the owner's token and end all logins. A running hub accepts the new token at once and\nrejects the old one. API tokens and the secrets of agents don't change.",
		Example: "  agentflow token rotate --yes",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			if !yes && !p.Screen.CanAsk() {
				return shell.Usage(cmd, "no terminal for confirmation. Use --yes to skip it.")
			}
			if !yes {
				ok, err := p.Screen.Ask(cmd.Context(),
					i18n.T("Replace the owner's token? Every browser and program that uses it is signed out."))
				if err != nil || !ok {
					return err
				}
			}
			return p.rotate(cmd.Context())
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "skip confirmation prompts")
	return cmd
}

// rotate asks the running hub, which ends what the old token opened. Where none runs on the data
// folder, it writes the new token there.
func (p program) rotate(ctx context.Context) error {
	var made struct{ Token string }
	local := false
	err := p.hub.Ask(func(c *hubclient.Client) error {
		local = c.Local()
		return c.Call(ctx, http.MethodPost, "/api/token/rotate", nil, &made)
	})
	dir, derr := config.DataDir(p.DataDir)
	if derr != nil {
		return derr
	}
	if errcode.Is(err, errcode.Unavailable) && local && !store.InUse(dir) {
		if _, err = config.RotateOwnerToken(dir); err == nil {
			err = config.DropLogins(dir)
		}
	}
	if err != nil {
		return err
	}
	if kept, err := config.OwnerToken(dir, false); made.Token != "" && (err != nil || kept != made.Token) { // of a hub elsewhere
		p.Screen.Note("This token is shown once:")
		p.Screen.Print("%s\n", made.Token)
		return p.Screen.Object(map[string]string{"token": made.Token})
	}
	p.Screen.Print("the owner's token was replaced, and all logins ended\n")
	return p.Screen.Object(map[string]bool{"rotated": true})
}
