// Package inboxcmd holds the commands of agentflow inbox: what agents and gateways ask a person, and the answers.
package inboxcmd

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/inbox"
)

type program struct {
	*shell.Shell
	hub *hubflags.Flags
}

// Command returns the command group.
func Command(s *shell.Shell) *cobra.Command {
	p := program{s, new(hubflags.Flags)}
	cmd := p.Group("inbox", "Answer what agents and gateways ask",
		"  agentflow inbox list\n  agentflow inbox allow 01JD8Z3M6T",
		p.listCommand(), p.showCommand(), p.allowCommand(), p.denyCommand(), p.answerCommand())
	p.hub.AddTo(s, cmd)
	return cmd
}

// mostEnded is how many ended entries the commands look at: as many as the hub sends at once.
const mostEnded = "200"

func (p program) listCommand() *cobra.Command {
	ended := false
	cmd := &cobra.Command{
		Use: "list", Short: "List what waits for an answer", Args: shell.Args(cobra.NoArgs),
		Example: "  agentflow inbox list\n  agentflow inbox list --ended --json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				entries, err := list(cmd.Context(), c, ended)
				if err != nil {
					return err
				}
				if len(entries) == 0 && !ended {
					p.Screen.Note("Nothing waits for an answer.")
				}
				for i := range entries {
					e := &entries[i]
					p.Screen.Print("%s  %s  %s  %s\n", term.OneLine(string(e.ID), 60), p.became(e),
						term.OneLine(who(e), 100), term.OneLine(what(e), 200))
				}
				return p.Screen.Object(map[string]any{"entries": entries})
			})
		}),
	}
	cmd.Flags().BoolVar(&ended, "ended", false, "what was answered or expired, newest first")
	return cmd
}

func list(ctx context.Context, c *hubclient.Client, ended bool) ([]inbox.Entry, error) {
	path := "/api/inbox?state=waiting"
	if ended {
		path = "/api/inbox?state=ended&limit=" + mostEnded
	}
	var got struct{ Entries []inbox.Entry }
	err := c.Call(ctx, http.MethodGet, path, nil, &got)
	return shell.OrNone(got.Entries), err
}

// find returns the entry of that ID. One that has ended can be shown, and answering it tells who answered before.
func find(ctx context.Context, c *hubclient.Client, id string) (inbox.Entry, error) {
	for _, ended := range []bool{false, true} {
		entries, err := list(ctx, c, ended)
		if err != nil {
			return inbox.Entry{}, err
		}
		if i := slices.IndexFunc(entries, func(e inbox.Entry) bool { return string(e.ID) == id }); i >= 0 {
			return entries[i], nil
		}
	}
	return inbox.Entry{}, errcode.New(errcode.NotFound,
		"the inbox has no request %s. Run agentflow inbox list.", id)
}

func (p program) showCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a request whole", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow inbox show 01JD8Z3M6T",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				e, err := find(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				p.tell(&e)
				return p.Screen.Object(e)
			})
		}),
	}
}

// reply is the body of an answer.
type reply struct {
	Choice   inbox.Choice        `json:"choice"`
	Word     string              `json:"word,omitempty"`
	Answers  map[string][]string `json:"answers,omitempty"`
	Standing *inbox.Standing     `json:"standing,omitempty"`
}

func (p program) send(ctx context.Context, c *hubclient.Client, id inbox.ID, r reply) error {
	var now inbox.Entry
	if err := c.Call(ctx, http.MethodPost, "/api/inbox/"+url.PathEscape(string(id))+"/answer", r, &now); err != nil {
		return err
	}
	p.Screen.Print("%s\n", p.became(&now))
	return p.Screen.Object(now)
}
