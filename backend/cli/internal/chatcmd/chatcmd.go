// Package chatcmd holds the commands of agentflow chat.
package chatcmd

import (
	"context"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/talk/roomclient"
)

type program struct{ *shell.Shell }

// Command returns the command group; server starts a hub.
func Command(s *shell.Shell, server *cobra.Command) *cobra.Command {
	p := program{s}
	f := new(hubflags.Flags)
	cmd := p.Group("chat", "Use and manage rooms",
		"  agentflow chat server\n  agentflow chat send --room dev \"Hello\"\n  agentflow chat tail --room dev",
		p.joinCommand(f), p.sendCommand(f), p.tailCommand(f), p.roomsCommand(f), p.exportCommand(f), p.pruneCommand(f))
	cmd.Aliases = []string{"room"}
	cmd.Long = "Talk in the rooms of a hub.\n\nThe token comes from AGENTFLOW_TOKEN or --token-file. For a hub on this computer, it comes\nfrom the data folder. There is no flag for it, because other users of this computer can see\ncommand lines."
	for _, sub := range cmd.Commands() {
		f.AddTo(s, sub)
	}
	cmd.AddCommand(server)
	return cmd
}

// with runs do with the rooms of the hub that is meant.
func (p program) with(ctx context.Context, f *hubflags.Flags, do func(context.Context, *roomclient.Rooms) error) error {
	hub, err := f.Open()
	if err != nil {
		return err
	}
	defer hub.Close()
	notes := &notes{every: 30 * time.Second}
	return do(ctx, &roomclient.Rooms{Hub: hub, Retry: func(err error, wait time.Duration) {
		if notes.due(time.Now()) {
			p.Screen.Note(
				"not connected (%s). Retrying until the hub responds, at least every 30 s. Press Ctrl+C to stop.",
				term.OneLine(err.Error(), 200),
			)
			return
		}
		p.Screen.Progress("not connected (%s), retrying in %s …", term.OneLine(err.Error(), 200),
			wait.Round(100*time.Millisecond))
	}})
}

// notes says when something that happens often is to be said: at once, and then now and then.
type notes struct {
	every time.Duration

	mu   sync.Mutex
	last time.Time
}

func (n *notes) due(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.last.IsZero() && now.Sub(n.last) < n.every {
		return false
	}
	n.last = now
	return true
}

func roomFlag(cmd *cobra.Command, to *string, usage string) {
	cmd.Flags().StringVar(to, "room", "", usage)
}

// needRoom refuses a command that does not say which room is meant.
func needRoom(cmd *cobra.Command, name string) error {
	if name == "" {
		return shell.Usage(cmd, "no room given. Use --room NAME.")
	}
	return nil
}
