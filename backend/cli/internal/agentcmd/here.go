package agentcmd

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/localagent"
)

const agentsPath = "/api/local-agents"

func agentPath(id, rest string) string { return agentsPath + "/" + url.PathEscape(id) + rest }

func (p program) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List local agent processes", Args: shell.Args(cobra.NoArgs),
		Example: "  agentflow agent list",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				var got struct {
					Agents     []localagent.Agent     `json:"agents"`
					Candidates []localagent.Candidate `json:"candidates"`
				}
				if err := c.Call(cmd.Context(), http.MethodGet, agentsPath, nil, &got); err != nil {
					return err
				}
				for i := range got.Agents {
					p.show(&got.Agents[i])
				}
				if len(got.Agents) == 0 {
					p.Screen.Note(
						"No local agent processes yet. Start an agent of the applied team with agentflow agent start, or add one with agentflow agent add.",
					)
				}
				return p.Screen.Object(got)
			})
		}),
	}
}

// show prints one agent in a line or two.
func (p program) show(a *localagent.Agent) {
	p.Screen.Print("%s  %s  %s\n", term.Clean(string(a.ID)), i18n.T(string(a.State)),
		term.Clean(cmp.Or(a.URL, a.Model)))
	if a.Problem != nil && a.State != localagent.Running {
		p.Screen.Print("  %s\n", term.OneLine(p.Screen.Words(a.Problem.Message), 1000))
	}
	for _, v := range a.Variables {
		if v.From == "missing" {
			p.Screen.Print("  %s is not set\n", v.Name)
		}
	}
}

func (p program) addCommand() *cobra.Command {
	var file string
	var autostart bool
	cmd := &cobra.Command{
		Use:     "add [AGENT]",
		Short:   "Add a local agent process",
		Args:    shell.Args(cobra.MaximumNArgs(1)),
		Long:    "Add an agent that the hub runs as a local process: an agent of the applied team, or one from\nan agent-config.yaml, which the hub copies. The agent isn't started yet.",
		Example: "  agentflow agent add dev-1 --autostart\n  agentflow agent add --config agent-config.yaml",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			body := map[string]any{"autostart": autostart}
			switch {
			case (len(given) == 0) == (file == ""):
				return shell.Usage(cmd, "use either an agent of the applied team or --config")
			case file != "":
				data, err := p.ReadBytes(file)
				if err != nil {
					return err
				}
				body["config"] = string(data)
			default:
				body["agent"] = given[0]
			}
			err := p.hub.Ask(
				func(c *hubclient.Client) error { return p.order(cmd.Context(), c, http.MethodPost, agentsPath, body) },
			)
			return inFile(err, file)
		}),
	}
	cmd.Flags().StringVar(&file, "config", "", "the agent's agent-config.yaml")
	cmd.Flags().BoolVar(&autostart, "autostart", false, "start the agent when the hub starts")
	return cmd
}

// inFile names the given file in an error that the hub found in its text.
func inFile(err error, file string) error {
	e, is := errors.AsType[*errcode.Error](err)
	if !is || file == "" || e.Details[errcode.KeyFile] != localagent.ConfigName {
		return err
	}
	return e.With(errcode.KeyFile, shell.Name(file))
}

// order has the hub do something with one agent and shows how it stands then.
func (p program) order(ctx context.Context, c *hubclient.Client, method, path string, body any) error {
	var a localagent.Agent
	if err := c.Call(ctx, method, path, body, &a); err != nil {
		return err
	}
	p.show(&a)
	return p.Screen.Object(a)
}

// startHere has the hub start an agent, which is added if it is not yet, and waits until it
// runs or has failed.
func (p program) startHere(ctx context.Context, id string) error {
	return p.hub.Ask(func(c *hubclient.Client) error {
		err := c.Call(ctx, http.MethodPost, agentPath(id, "/start"), nil, nil)
		if errcode.Is(err, errcode.NotFound) {
			if err := c.Call(ctx, http.MethodPost, agentsPath, map[string]any{"agent": id}, nil); err != nil {
				return err
			}
			err = c.Call(ctx, http.MethodPost, agentPath(id, "/start"), nil, nil)
		}
		if err != nil {
			return err
		}
		a, err := p.settled(ctx, c, id)
		if err != nil {
			return err
		}
		p.show(a)
		if err := p.Screen.Object(a); err != nil || a.State == localagent.Running {
			return err
		}
		return term.ExitError(term.Failed)
	})
}

// settled waits until an agent is no longer about to start.
func (p program) settled(ctx context.Context, c *hubclient.Client, id string) (*localagent.Agent, error) {
	seen := int64(0)
	for {
		var got struct{ Agents []localagent.Agent }
		if err := c.Call(ctx, http.MethodGet, agentsPath, nil, &got); err != nil {
			return nil, err
		}
		for i := range got.Agents {
			if a := &got.Agents[i]; string(a.ID) == id && a.State != localagent.Starting && a.State != localagent.Restarting {
				return a, nil
			}
		}
		part, err := readLog(ctx, c, id, seen, 1, 1) // whatever it does, its log says
		if err != nil {
			return nil, err
		}
		seen = part.Last
	}
}

func (p program) stopCommand() *cobra.Command {
	return p.orderCommand("stop", "Stop an agent and requeue its task")
}

func (p program) restartCommand() *cobra.Command {
	return p.orderCommand("restart", "Restart an agent with its current config")
}

func (p program) orderCommand(verb, short string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " AGENT", Short: short, Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow agent " + verb + " dev-1",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				return p.order(cmd.Context(), c, http.MethodPost, agentPath(given[0], "/"+verb), nil)
			})
		}),
	}
}

func (p program) removeCommand() *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:     "remove AGENT",
		Short:   "Stop an agent and delete it with its secrets",
		Args:    shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow agent remove dev-1 --yes",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if !yes {
				if !p.Screen.CanAsk() {
					return shell.Usage(cmd, "no terminal for confirmation. Use --yes to skip it.")
				}
				ok, err := p.Screen.Ask(cmd.Context(), i18n.T("Delete %s and its saved secrets?", given[0]))
				if err != nil || !ok {
					return err
				}
			}
			return p.hub.Ask(func(c *hubclient.Client) error {
				return c.Call(cmd.Context(), http.MethodDelete, agentPath(given[0], ""), nil, nil)
			})
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "skip confirmation prompts")
	return cmd
}

func (p program) logsCommand() *cobra.Command {
	follow, lines, search := false, 200, ""
	cmd := &cobra.Command{
		Use: "logs AGENT", Short: "Show an agent's log", Args: shell.Args(cobra.ExactArgs(1)),
		Long:    "Show the end of an agent's log. The hub keeps the last 2000 lines per agent until it stops.",
		Example: "  agentflow agent logs dev-1 --follow\n  agentflow agent logs dev-1 --search WARN",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if lines < 1 || lines > localagent.MaxLines {
				return shell.Usage(cmd, "--lines must be 1 to %d", localagent.MaxLines)
			}
			return p.hub.Ask(
				func(c *hubclient.Client) error { return p.logs(cmd.Context(), c, given[0], lines, follow, search) },
			)
		}),
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "follow new output")
	cmd.Flags().IntVar(&lines, "lines", lines, "number of lines, 1 to 2000")
	cmd.Flags().StringVar(&search, "search", "", "only lines with this text, ignoring case")
	return cmd
}

const logWait = 25 // seconds of one request

func (p program) logs(
	ctx context.Context,
	c *hubclient.Client,
	id string,
	lines int,
	follow bool,
	search string,
) error {
	if search != "" {
		lines = localagent.MaxLines
	}
	for after, wait := int64(0), 0; ; wait = logWait {
		part, err := readLog(ctx, c, id, after, lines, wait)
		if err != nil {
			return err
		}
		for _, l := range part.Lines {
			if search != "" && !strings.Contains(strings.ToLower(l.Text), strings.ToLower(search)) {
				continue
			}
			if err := p.line(l); err != nil {
				return err
			}
		}
		if !follow {
			return p.Screen.Failed()
		}
		after, lines = max(after, part.Last), localagent.MaxLines
	}
}

func (p program) line(l localagent.Line) error {
	if p.Screen.JSON {
		return p.Screen.Line(l)
	}
	text := l.Text
	if l.From == "hub" {
		text = p.Screen.Words(text)
	}
	p.Screen.Print("%s  %s\n", l.At.Local().Format(time.DateTime), term.Clean(text))
	return p.Screen.Failed()
}

func readLog(ctx context.Context, c *hubclient.Client, id string, after int64, limit, wait int) (localagent.Log, error) {
	query := url.Values{"after": {strconv.FormatInt(after, 10)}, "limit": {strconv.Itoa(limit)}, "wait": {strconv.Itoa(wait)}}
	var part localagent.Log
	err := c.Call(ctx, http.MethodGet, agentPath(id, "/log?"+query.Encode()), nil, &part)
	return part, err
}
