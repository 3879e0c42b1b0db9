// Package gatewaycmd holds the commands of agentflow gateway.
package gatewaycmd

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/snapshotstore"
	"agentflow/backend/engine"
	"agentflow/backend/gateway/client"
)

const (
	defaultGateway = "ws://127.0.0.1:18789"
	envURL         = "AGENTFLOW_GATEWAY_URL"
	envToken       = "AGENTFLOW_GATEWAY_TOKEN" //nolint:gosec // the name of a variable, not a token
	maxToken       = 64 << 10
)

// gatewayFlags say which gateway is meant.
type gatewayFlags struct {
	url, tokenFile, fingerprint string
	wait                        time.Duration
}

type program struct{ *shell.Shell }

// Command returns the command group.
func Command(s *shell.Shell) *cobra.Command {
	p := program{s}
	f := &gatewayFlags{}
	cmd := p.Group("gateway", "Manage an OpenClaw gateway and its team",
		"  agentflow gateway get -o team.agentflow.yaml\n  agentflow gateway apply team.agentflow.yaml",
		p.getCommand(f), p.diffCommand(f), p.applyCommand(f), p.rollbackCommand(f),
		p.sessionsCommand(f), p.sendCommand(f), p.historyCommand(f), p.watchCommand(f))
	cmd.Long = "Read, compare and apply the team of an OpenClaw gateway, and use its sessions.\n\nThe token comes from " + envToken + " or --gateway-token-file and is sent only\nto this gateway. There is no flag for it, because other users of this computer can see\ncommand lines."
	url := os.Getenv(envURL)
	if url == "" {
		url = defaultGateway
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&f.url, "gateway", url, "gateway URL")
	flags.StringVar(&f.tokenFile, "gateway-token-file", "", "file with the gateway's token (default: "+envToken+")")
	flags.StringVar(&f.fingerprint, "fingerprint", "",
		"fingerprint of the gateway's certificate, if no known authority signed it (default: "+
			config.EnvGatewayFingerprint+")")
	flags.DurationVar(&f.wait, "connect-timeout", 10*time.Second, "max time to wait for the gateway")
	p.DataFlag(cmd)
	return cmd
}

// connection is one gateway, connected.
type connection struct {
	*engine.Link
	url   string // normalised
	pin   string // the fingerprint of its certificate; "": as this computer trusts
	flags string // how a further command names it, in front of which stands a space
	store *snapshotstore.Store
}

// connect runs do with the gateway connected.
func (p program) connect(ctx context.Context, f *gatewayFlags, do func(context.Context, connection) error) error {
	url, err := client.NormalizeURL(f.url)
	if err != nil {
		return err
	}
	token, err := f.token()
	if err != nil {
		return err
	}
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return err
	}
	insecure, fingerprint, err := f.trusted(url, dir)
	if err != nil {
		return err
	}
	p.Screen.Progress("connecting to %s …", url)
	link, stop, err := engine.DialGateway(ctx, engine.DialOptions{
		URL: url, Insecure: insecure, Fingerprint: fingerprint, Dir: dir, Wait: f.wait,
		Logger: slog.New(slog.DiscardHandler),
		Token:  func(context.Context) (string, error) { return token, nil },
	})
	if err != nil {
		return p.explain(err, f)
	}
	defer stop()
	return do(ctx, connection{link, url, fingerprint, f.again(url, p.DataDir), snapshotstore.NewStore(dir)})
}

// again is how another command names the same gateway.
func (f *gatewayFlags) again(url, data string) (flags string) {
	for _, given := range []struct{ name, value string }{
		{"gateway", url}, {"gateway-token-file", f.tokenFile}, {"fingerprint", f.fingerprint}, {"data", data},
	} {
		if given.value != "" {
			flags += " --" + given.name + " " + quoted(given.value)
		}
	}
	return flags
}

var bare = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// quoted writes a word as a shell takes it.
func quoted(word string) string {
	if bare.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// hubGateway is where the built-in gateway of the hub is that other commands would ask.
func hubGateway() string {
	hub := os.Getenv("AGENTFLOW_URL")
	if !strings.HasPrefix(hub, "http") {
		hub = hubclient.DefaultURL
	}
	return "ws" + strings.TrimPrefix(strings.TrimRight(hub, "/"), "http") + builtIn
}

// explain adds the remedy that the command line has to a link that was refused.
func (p program) explain(err error, f *gatewayFlags) error {
	e, ok := errors.AsType[*errcode.Error](err)
	if !ok {
		return err
	}
	if e.Reason() == errcode.ReasonBadToken {
		said, source := e, f.tokenFile
		if source == "" && os.Getenv(envToken) != "" {
			source = envToken
		}
		if source != "" {
			e = errcode.New(e.Code, "the gateway rejected the token. Set the right one in %s", source)
		} else {
			e = errcode.New(e.Code,
				"the gateway needs a token. Set %s, or name a file with --gateway-token-file", envToken)
		}
		for key, value := range said.Details {
			e = e.With(key, value)
		}
		err = e
	}
	if e, is := certificateError(e, f.url); is {
		return e
	}
	if p.Screen.JSON {
		return err
	}
	switch {
	case e.Reason() == errcode.ReasonLinkDown && f.url == defaultGateway:
		p.Screen.Note(
			"%s is the default URL. Use --gateway or %s for another gateway. The built-in gateway of a hub is at %s",
			defaultGateway,
			envURL,
			hubGateway(),
		)
	case e.Reason() == errcode.ReasonPairing:
		p.Screen.Note(
			"approve this device on the gateway's computer, then run the command again: openclaw devices approve",
		)
	}
	return err
}

// token reads the secret for the one gateway that is meant.
func (f *gatewayFlags) token() (string, error) {
	if f.tokenFile == "" {
		return os.Getenv(envToken), nil
	}
	file, err := os.Open(f.tokenFile)
	if err != nil {
		return "", shell.Unreadable(f.tokenFile, err)
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, maxToken))
	if err != nil {
		return "", shell.Unreadable(f.tokenFile, err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", errcode.New(errcode.Validation, "%s doesn't contain a token", f.tokenFile).
			With(errcode.KeyFile, f.tokenFile)
	}
	return token, nil
}
