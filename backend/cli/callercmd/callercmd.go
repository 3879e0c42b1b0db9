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

	"agentflow/backend/atomicfile"
	"agentflow/backend/cli/hubflags"
	"agentflow/backend/cli/shell"
	"agentflow/backend/cli/term"
	"agentflow/backend/cli/words"
	"agentflow/backend/errcode"
	"agentflow/backend/hubclient"
)

type program struct {
	*shell.Shell
	hub *hubflags.Flags
}

// Command returns the command group.
func Command(s *shell.Shell) *cobra.Command {
	p := program{s, new(hubflags.Flags)}
	cmd := p.Group("caller", "Say who beside you may call the hub",
		"  agentflow caller add \"build box\" --role tasks -o build-box.token\n  agentflow caller list",
		p.addCommand(), p.listCommand(), p.changeCommand(), p.rotateCommand(), p.revokeCommand())
	cmd.Long = "Say who beside you may call the hub: each caller has a token of their own and a role.\nA reader looks at tasks and agents; tasks gives, cancels and repeats tasks as well; rooms\ntalks in certain rooms under one name. Only the owner's token may change this.\n\nA token is told once, on standard output or into a file, and kept nowhere."
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
		Use: "add NAME", Short: "Add a caller and print their token, once", Args: shell.Args(cobra.ExactArgs(1)),
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
	cmd.Flags().StringArrayVar(&rooms, "room", nil, "room for the role rooms; may be given several times")
	cmd.Flags().StringVar(&as, "as", "", "name of the agent or person that talks there")
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
	cmd.Flags().StringVar(role, "role", *role, "what they may do: reader, tasks or rooms")
}

func tokenFlag(cmd *cobra.Command, out *string) {
	shell.OutFlag(cmd, out, "file for the token, which only you can read; without it the token goes to standard output")
}

// tell hands over a token that was just made.
func (p program) tell(made caller, out string) error {
	if out == "" || out == shell.Stdin {
		p.Screen.Note("This token is told once and kept nowhere:")
		p.Screen.Print("%s\n", made.Token)
		return p.Screen.Object(made)
	}
	if err := keep(out, made.Token); err != nil {
		return errcode.Wrap(errcode.From(err).Code, err, "the token cannot be written to %s and is lost: make another with agentflow caller rotate", out).With(errcode.KeyFile, out)
	}
	made.Token = ""
	p.Screen.Print("the token of %s is in %s\n", term.Clean(made.Name), out)
	return p.Screen.Object(made)
}

const tokenMode = 0o600

// keep writes a token where only the person can read it, also over a file that others could.
func keep(path, token string) error {
	if _, err := os.Stat(path); err == nil {
		if err := os.Chmod(path, tokenMode); err != nil {
			return errcode.Wrap(errcode.Unavailable, err, "%s can be read by others", path)
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
	return caller{}, errcode.New(errcode.NotFound, "nobody called %s may call the hub", name)
}

func (p program) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List who may call the hub", Args: shell.Args(cobra.NoArgs),
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
					p.Screen.Note("Nobody calls the hub but you.")
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
	p.Screen.Print("%s  %s  made %s, %s\n", term.OneLine(who.Name, 100), who.Role, who.MadeAt.Local().Format(day), seen)
}

func (p program) changeCommand() *cobra.Command {
	role, name := "", ""
	cmd := &cobra.Command{
		Use: "change NAME", Short: "Give a caller another role or name", Args: shell.Args(cobra.ExactArgs(1)),
		Long:    "Give a caller another role or name; the token stays. With another role, what they are at\nis ended.",
		Example: "  agentflow caller change \"build box\" --role reader",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if role == "" && name == "" {
				return shell.Usage(cmd, "say --role, --name, or both")
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
	cmd.Flags().StringVar(&name, "name", "", "their new name")
	return cmd
}

func callerPath(who caller, rest string) string {
	return callersPath + "/" + url.PathEscape(who.ID) + rest
}

func (p program) rotateCommand() *cobra.Command {
	out := ""
	cmd := &cobra.Command{
		Use: "rotate NAME", Short: "Give a caller another token and print it, once", Args: shell.Args(cobra.ExactArgs(1)),
		Long:    "Give a caller another token. The old one is refused from now on, and what was begun with\nit is ended.",
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
		Use: "revoke NAME", Short: "Refuse a caller from now on", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow caller revoke \"build box\" --yes",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if !yes && !p.Screen.CanAsk() {
				return shell.Usage(cmd, "nobody can be asked here: say --yes")
			}
			return p.hub.Ask(func(c *hubclient.Client) error {
				who, err := p.one(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				if !yes {
					ok, err := p.Screen.Ask(cmd.Context(), words.T("Refuse %s from now on, and end what they are at?", term.OneLine(who.Name, 100)))
					if err != nil || !ok {
						return err
					}
				}
				if err := c.Call(cmd.Context(), http.MethodDelete, callerPath(who, ""), nil, nil); err != nil {
					return err
				}
				p.Screen.Print("%s is refused from now on\n", term.OneLine(who.Name, 100))
				return p.Screen.Object(who)
			})
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}
