package chatcmd

import (
	"bytes"
	"context"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/talk/roomclient"
)

func (p program) roomsCommand(f *hubflags.Flags) *cobra.Command {
	return &cobra.Command{
		Use: "rooms", Short: "List rooms", Args: shell.Args(cobra.NoArgs),
		Example: "  agentflow chat rooms\n  agentflow chat rooms --json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd.Context(), f, func(ctx context.Context, rooms *roomclient.Rooms) error {
				list, err := rooms.Rooms(ctx)
				if err != nil {
					return err
				}
				for _, r := range list {
					last := ""
					if r.Last != nil {
						last = term.OneLine(r.Last.Sender+": "+p.said(*r.Last), 200)
					}
					p.Screen.Print("%s\t%s\t%s\n", term.OneLine(r.Name, 200),
						shell.Plural(len(r.Agents), "participant"), last)
				}
				return p.Screen.Object(map[string]any{"rooms": shell.OrNone(list)})
			})
		}),
	}
}

func (p program) exportCommand(f *hubflags.Flags) *cobra.Command {
	var name, format, out string
	cmd := &cobra.Command{
		Use:     "export --room ROOM",
		Short:   "Export the messages of a room",
		Args:    shell.Args(cobra.NoArgs),
		Example: "  agentflow chat export --room dev -o dev.md\n  agentflow chat export --room dev --format json > dev.json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			if err := needRoom(cmd, name); err != nil {
				return err
			}
			if format != "markdown" && format != "json" {
				return shell.Usage(cmd, "--format must be markdown or json")
			}
			return p.with(cmd.Context(), f, func(ctx context.Context, rooms *roomclient.Rooms) error {
				var text bytes.Buffer
				if err := rooms.Export(ctx, name, format, string(p.Screen.Language), &text); err != nil {
					return err
				}
				if out != "" && out != shell.Stdin {
					if err := atomicfile.Write(out, text.Bytes(), shell.TeamMode); err != nil {
						return err
					}
					p.Screen.Print("wrote %s\n", out)
					return p.Screen.Object(map[string]any{"room": name, "format": format, "file": out})
				}
				if p.Screen.JSON && format != "json" {
					return p.Screen.Object(map[string]any{"room": name, "format": format, "text": text.String()})
				}
				p.Screen.Raw(text.Bytes())
				return p.Screen.Failed()
			})
		}),
	}
	roomFlag(cmd, &name, "room name")
	cmd.Flags().StringVar(&format, "format", "markdown", "markdown or json")
	shell.OutFlag(cmd, &out, "file to write (default: standard output)")
	return cmd
}

func (p program) pruneCommand(f *hubflags.Flags) *cobra.Command {
	var q roomclient.Pruning
	var age time.Duration
	var yes bool
	cmd := &cobra.Command{
		Use:     "prune",
		Short:   "Delete old messages by age, number or size",
		Args:    shell.Args(cobra.NoArgs),
		Long:    "Delete old messages by age, by number per room or by total size. The command asks for\nconfirmation. Without a terminal, use --yes.",
		Example: "  agentflow chat prune --older-than 720h\n  agentflow chat prune --room dev --keep 10000 --yes",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			if age > 0 {
				q.OlderThan = age.String()
			}
			if q.OlderThan == "" && q.Keep <= 0 && q.MaxBytes <= 0 {
				return shell.Usage(cmd, "nothing to delete was given. Use --older-than, --keep or --max-bytes.")
			}
			return p.with(cmd.Context(), f, func(ctx context.Context, rooms *roomclient.Rooms) error {
				if err := p.mayPrune(ctx, q, yes); err != nil {
					return err
				}
				n, err := rooms.Prune(ctx, q)
				if err != nil {
					return err
				}
				p.Screen.Print("deleted %s\n", shell.Plural(n, "message"))
				return p.Screen.Object(map[string]int{"deleted": n})
			})
		}),
	}
	roomFlag(cmd, &q.Room, "only this room")
	cmd.Flags().DurationVar(&age, "older-than", 0, "delete messages older than this, such as 720h")
	cmd.Flags().IntVar(&q.Keep, "keep", 0, "keep this many of the newest messages per room")
	cmd.Flags().Int64Var(&q.MaxBytes, "max-bytes", 0, "delete the oldest messages until all texts fit into this many bytes")
	cmd.Flags().BoolVar(&yes, "yes", false, "skip confirmation prompts")
	return cmd
}

func (p program) mayPrune(ctx context.Context, q roomclient.Pruning, yes bool) error {
	if yes {
		return nil
	}
	if !p.Screen.CanAsk() {
		return errcode.New(errcode.Validation,
			"no terminal for confirmation. Use --yes to delete without asking. Nothing was deleted.").
			With(errcode.KeyField, "yes")
	}
	question := i18n.T("Delete old messages in all rooms? You can't restore them.")
	if q.Room != "" {
		question = i18n.T("Delete old messages in %s? You can't restore them.", term.OneLine(q.Room, 100))
	}
	agreed, err := p.Screen.Ask(ctx, question)
	if err == nil && !agreed {
		p.Screen.Note("nothing was deleted")
		return term.ExitError(term.Failed)
	}
	return err
}
