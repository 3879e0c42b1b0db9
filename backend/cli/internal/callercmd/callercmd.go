// Package callercmd holds the commands of agentflow caller: who beside the owner may call a
// hub, for those who have no window beside it.
package callercmd

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/atomicfile"
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
	cmd := p.Group("caller", "Manage API tokens for other people and programs",
		"  agentflow caller add \"build box\" --role tasks -o build-box.token\n  agentflow caller list",
		p.addCommand(), p.listCommand(), p.changeCommand(), p.rotateCommand(), p.revokeCommand())
	cmd.Long = "Manage API tokens, which let other people and programs use the hub. Each token has a name\nand a role: reader can list tasks and agents, tasks can also submit, cancel and retry tasks,\nand rooms can talk in certain rooms under one name. Only the owner's token can manage\nAPI tokens.\n\nA token is shown once, on standard output or in a file. The hub doesn't store it."
	p.hub.AddTo(s, cmd)
	return cmd
}

const callersPath = "/api/security/callers"

// caller is one as the hub tells of them; the token only where it was just made.
type caller struct {
	ID     string     `json:"id"`
	Name   string     `json:"name"`
	Role   string     `json:"role"`
	Rooms  []string   `json:"rooms,omitempty"`
	As     string     `json:"as,omitempty"`
	MadeAt time.Time  `json:"madeAt"`
	SeenAt *time.Time `json:"seenAt,omitempty"`
	Token  string     `json:"token,omitempty"`
}

const (
	roleReader = "reader"
	roleTasks  = "tasks"
	roleRooms  = "rooms"
)

func (p program) addCommand() *cobra.Command {
	role, out, as := roleReader, "", ""
	var rooms []string
	cmd := &cobra.Command{
		Use:     "add NAME",
		Short:   "Create an API token",
		Args:    shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow caller add \"build box\" --role tasks\n  agentflow caller add laptop --role rooms --room dev --as Planner -o planner.token",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				var made caller
				if err := c.Call(cmd.Context(), http.MethodPost, callersPath, caller{Name: given[0], Role: role, Rooms: rooms, As: as}.edit(), &made); err != nil {
					return err
				}
				return p.tell(made, out)
			})
		}),
	}
	roleFlag(cmd, &role)
	cmd.Flags().StringArrayVar(&rooms, "room", nil, "room that the role rooms can use; repeatable")
	cmd.Flags().StringVar(&as, "as", "", "name to use in the rooms")
	tokenFlag(cmd, &out)
	return cmd
}

// edit is what the hub is asked to keep of a caller.
func (c caller) edit() map[string]any {
	body := map[string]any{"name": c.Name, "role": c.Role}
	if c.Role == roleRooms || len(c.Rooms) > 0 || c.As != "" {
		body["rooms"], body["as"] = shell.OrNone(c.Rooms), c.As
	}
	return body
}

func roleFlag(cmd *cobra.Command, role *string) {
	cmd.Flags().StringVar(role, "role", *role, "role: reader, tasks or rooms")
}

func tokenFlag(cmd *cobra.Command, out *string) {
	shell.OutFlag(cmd, out, "file for the token, readable only by you (default: standard output)")
}

// tell hands over a token that was just made.
func (p program) tell(made caller, out string) error {
	if out == "" || out == shell.Stdin {
		p.Screen.Note("This token is shown once and isn't stored:")
		p.Screen.Print("%s\n", made.Token)
		return p.Screen.Object(made)
	}
	if err := keep(out, made.Token); err != nil {
		return errcode.Wrap(errcode.From(err).Code, err,
			"couldn't save the token to %s, so it is lost. Create another with agentflow caller rotate", out).
			With(errcode.KeyFile, out)
	}
	made.Token = ""
	p.Screen.Print("saved the token %s to %s\n", term.Clean(made.Name), out)
	return p.Screen.Object(made)
}

const tokenMode = 0o600

// keep writes a token where only the person can read it, also over a file that others could.
func keep(path, token string) error {
	if _, err := os.Stat(path); err == nil {
		if err := os.Chmod(path, tokenMode); err != nil {
			return errcode.Wrap(errcode.Unavailable, err, "others can read %s", path)
		}
	}
	return atomicfile.Write(path, []byte(token+"\n"), tokenMode)
}

func (p program) all(ctx context.Context, c *hubclient.Client) ([]caller, error) {
	var got struct{ Callers []caller }
	err := c.Call(ctx, http.MethodGet, "/api/security", nil, &got)
	return shell.OrNone(got.Callers), err
}

// one finds a caller by name or id.
func (p program) one(ctx context.Context, c *hubclient.Client, name string) (caller, error) {
	all, err := p.all(ctx, c)
	if err != nil {
		return caller{}, err
	}
	for _, who := range all {
		if who.Name == name || who.ID == name {
			return who, nil
		}
	}
	return caller{}, errcode.New(errcode.NotFound, "API token %s not found. List them with agentflow caller list.",
		name)
}

func (p program) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List API tokens", Args: shell.Args(cobra.NoArgs),
		Example: "  agentflow caller list",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				all, err := p.all(cmd.Context(), c)
				if err != nil {
					return err
				}
				for _, who := range all {
					p.show(who)
				}
				if len(all) == 0 {
					p.Screen.Note("No API tokens yet. Create one with agentflow caller add.")
				}
				return p.Screen.Object(map[string]any{"callers": all})
			})
		}),
	}
}

func (p program) show(who caller) {
	const day = "2006-01-02 15:04"
	seen := p.Screen.Say("never used")
	if who.SeenAt != nil {
		seen = p.Screen.Say("last used %s", who.SeenAt.Local().Format(day))
	}
	p.Screen.Print("%s  %s  created %s, %s\n", term.OneLine(who.Name, 100), who.Role, who.MadeAt.Local().Format(day),
		seen)
}

func (p program) changeCommand() *cobra.Command {
	role, name := "", ""
	cmd := &cobra.Command{
		Use:     "change NAME",
		Short:   "Change the role or name of an API token",
		Args:    shell.Args(cobra.ExactArgs(1)),
		Long:    "Change the role or name of an API token. The token itself stays the same. A new role ends\nthe requests that are running with it.",
		Example: "  agentflow caller change \"build box\" --role reader",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if role == "" && name == "" {
				return shell.Usage(cmd, "use --role, --name or both")
			}
			return p.hub.Ask(func(c *hubclient.Client) error {
				who, err := p.one(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				next := who
				next.Name, next.Role = cmp.Or(name, who.Name), cmp.Or(role, who.Role)
				if next.Role != roleRooms {
					next.Rooms, next.As = nil, ""
				}
				if err := c.Call(cmd.Context(), http.MethodPut, callerPath(who, ""), next.edit(), &who); err != nil {
					return err
				}
				p.show(who)
				return p.Screen.Object(who)
			})
		}),
	}
	roleFlag(cmd, &role)
	cmd.Flags().StringVar(&name, "name", "", "new name")
	return cmd
}

func callerPath(who caller, rest string) string {
	return callersPath + "/" + url.PathEscape(who.ID) + rest
}

func (p program) rotateCommand() *cobra.Command {
	out := ""
	cmd := &cobra.Command{
		Use:     "rotate NAME",
		Short:   "Replace an API token",
		Args:    shell.Args(cobra.ExactArgs(1)),
		Long:    "Replace an API token and show the new one once. The old token stops working at once, and\nrequests that are running with it end.",
		Example: "  agentflow caller rotate \"build box\" -o build-box.token",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				who, err := p.one(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				if err := c.Call(cmd.Context(), http.MethodPost, callerPath(who, "/rotate"), nil, &who); err != nil {
					return err
				}
				return p.tell(who, out)
			})
		}),
	}
	tokenFlag(cmd, &out)
	return cmd
}

func (p program) revokeCommand() *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use: "revoke NAME", Short: "Revoke an API token", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow caller revoke \"build box\" --yes",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if !yes && !p.Screen.CanAsk() {
				return shell.Usage(cmd, "no terminal for confirmation. Use --yes to skip it.")
			}
			return p.hub.Ask(func(c *hubclient.Client) error {
				who, err := p.one(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				if !yes {
					ok, err := p.Screen.Ask(cmd.Context(),
						i18n.T("Revoke %s? Requests that are running with it end.", term.OneLine(who.Name, 100)))
					if err != nil || !ok {
						return err
					}
				}
				if err := c.Call(cmd.Context(), http.MethodDelete, callerPath(who, ""), nil, nil); err != nil {
					return err
				}
				p.Screen.Print("revoked %s\n", term.OneLine(who.Name, 100))
				return p.Screen.Object(who)
			})
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "skip confirmation prompts")
	return cmd
}
