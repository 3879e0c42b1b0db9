// Package chatcmd holds the commands of agentflow chat.
package chatcmd

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/cli/shell"
	"agentflow/backend/cli/term"
	"agentflow/backend/config"
	"agentflow/backend/errcode"
	"agentflow/backend/hubclient"
	"agentflow/backend/room/remote"
)

const (
	envURL   = "AGENTFLOW_URL"
	envToken = "AGENTFLOW_TOKEN" //nolint:gosec // the name of a variable, not a token
	maxToken = 64 << 10
)

// hubFlags say which hub is meant.
type hubFlags struct{ url, tokenFile string }

type program struct{ *shell.Shell }

// Command returns the command group; server starts a hub.
func Command(s *shell.Shell, server *cobra.Command) *cobra.Command {
	p := program{s}
	f := &hubFlags{}
	cmd := p.Group("chat", "Talk in the rooms of a hub",
		"  agentflow chat server\n  agentflow chat send --room dev \"Hello\"\n  agentflow chat tail --room dev",
		p.sendCommand(f), p.tailCommand(f), p.roomsCommand(f), p.exportCommand(f), p.pruneCommand(f))
	cmd.Long = "Talk in the rooms of a hub.\n\nThe token comes from " + envToken + " or --token-file; for a hub on this computer it is\nfound in the data folder. There is no flag for it: command lines are public."
	url := os.Getenv(envURL)
	if url == "" {
		url = hubclient.DefaultURL
	}
	for _, sub := range cmd.Commands() {
		sub.Flags().StringVar(&f.url, "url", url, "the hub's address")
		sub.Flags().StringVar(&f.tokenFile, "token-file", "", "file that holds the hub's token (default: "+envToken+")")
		p.DataFlag(sub)
	}
	cmd.AddCommand(server)
	return cmd
}

// rooms are those of the hub that is meant.
func (p program) rooms(f *hubFlags) (*remote.Rooms, error) {
	token, err := p.token(f)
	if err != nil {
		return nil, err
	}
	hub, err := hubclient.New(f.url, token)
	if err != nil {
		return nil, err
	}
	return &remote.Rooms{Hub: hub, Retry: func(err error, wait time.Duration) {
		p.Screen.Progress("not connected (%s), trying again in %s …", term.OneLine(err.Error(), 200), wait.Round(100*time.Millisecond))
	}}, nil
}

// token is the hub's. The one in the data folder is for the hub of this computer alone.
func (p program) token(f *hubFlags) (string, error) {
	if f.tokenFile != "" {
		return tokenIn(f.tokenFile)
	}
	if token := os.Getenv(envToken); token != "" || !hubclient.Loopback(f.url) {
		return token, nil
	}
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return "", err
	}
	return config.OwnerToken(dir, false)
}

func tokenIn(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", shell.Unreadable(name, err)
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, maxToken))
	if err != nil {
		return "", shell.Unreadable(name, err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", errcode.New(errcode.Validation, "%s holds no token", name).With(errcode.KeyFile, name)
	}
	return token, nil
}

// with runs do with the rooms of the hub that is meant.
func (p program) with(ctx context.Context, f *hubFlags, do func(context.Context, *remote.Rooms) error) error {
	rooms, err := p.rooms(f)
	if err != nil {
		return err
	}
	defer rooms.Hub.Close()
	return do(ctx, rooms)
}

func roomFlag(cmd *cobra.Command, to *string, usage string) {
	cmd.Flags().StringVar(to, "room", "", usage)
}

// needRoom refuses a command that does not say which room is meant.
func needRoom(cmd *cobra.Command, name string) error {
	if name == "" {
		return shell.Usage(cmd, "say which room is meant: --room NAME")
	}
	return nil
}
