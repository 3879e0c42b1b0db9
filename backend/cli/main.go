// Package cli is the command line: it turns arguments into calls, and what comes back
// into words, JSON and an exit code. The names, outputs and codes are a contract.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/agentcmd"
	"agentflow/backend/cli/internal/callercmd"
	"agentflow/backend/cli/internal/chatcmd"
	"agentflow/backend/cli/internal/gatewaycmd"
	"agentflow/backend/cli/internal/inboxcmd"
	"agentflow/backend/cli/internal/logincmd"
	"agentflow/backend/cli/internal/mcpcmd"
	"agentflow/backend/cli/internal/plancmd"
	"agentflow/backend/cli/internal/runcmd"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/taskcmd"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/cli/internal/topologycmd"
	"agentflow/backend/cli/internal/trustcmd"
	"agentflow/backend/engine"
)

// Stdio is where the program reads and writes.
type Stdio = term.Stdio

// Window shows the hub's page in a separate window, and runs the hub until that closes.
// It opens the engine itself, because it may turn out that another window has the data
// folder. The flavour without a window has none.
type Window func(ctx context.Context, start Start, openEngine func(context.Context) (*engine.Engine, error)) error

// Start is what a window is opened with.
type Start struct {
	DataDir string
	File    string // to show, an absolute path; "" is none
}

// stopped is why a context ended: a signal. What the command had to say stands in it.
type stopped string

const (
	interrupted stopped = "interrupted"
	terminated  stopped = "terminated"
)

func (s stopped) Error() string        { return string(s) }
func (s stopped) Is(target error) bool { return target == context.Canceled }

// program is one call of Main.
type program struct {
	*shell.Shell
	window Window
}

// Main runs the command that args name and returns the exit code. It handles SIGINT and
// SIGTERM itself; a second one ends the process at once.
func Main(ctx context.Context, args []string, stdio Stdio, window Window) int {
	p := &program{&shell.Shell{Screen: term.NewScreen(stdio, os.Getenv)}, window}
	for _, a := range args { // a command line that cannot be parsed is answered in JSON as well
		if a == "--json" {
			p.Screen.JSON = true
		}
	}
	ctx, release := withSignals(ctx)
	defer release()
	root := p.root()
	translate(root, p.Screen.Language)
	root.SetArgs(args)
	root.SetIn(stdio.In)
	root.SetOut(stdio.Out)
	root.SetErr(stdio.Err)
	err := root.ExecuteContext(ctx)
	if err != nil && !p.Started {
		var usage *term.UsageError
		if !errors.As(err, &usage) {
			err = &term.UsageError{Err: err, Hint: `See "agentflow --help".`}
		}
	}
	if err == nil {
		err = p.Screen.Failed()
	}
	if err != nil && ctx.Err() != nil && !isExit(err) {
		err = stoppedWith(context.Cause(ctx), err)
	}
	return p.Screen.Fail(err)
}

// stoppedWith is the cause of the end, with what the command says about how far it got.
func stoppedWith(cause, err error) error {
	if errors.Is(err, context.Canceled) && !errcode.HasReason(err, errcode.ReasonUnknown) {
		return cause
	}
	return fmt.Errorf("%w: %w", cause, err)
}

func isExit(err error) bool {
	var exit term.ExitError
	return errors.As(err, &exit)
}

// withSignals ends the context at the first signal, with the signal as its cause, and
// leaves the second one to the system.
func withSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if hangUp != nil && !signal.Ignored(hangUp) { // as nohup has it
		signal.Notify(signals, hangUp)
	}
	quit := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case s := <-signals:
			signal.Stop(signals)
			if s == os.Interrupt {
				cancel(interrupted)
			} else {
				cancel(terminated)
			}
		case <-quit:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(quit)
		<-ended
		cancel(nil)
	}
}

func (p *program) root() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "agentflow [FILE]",
		Short: "Draw a team of AI agents and apply it to a live OpenClaw gateway",
		Long: `Draw a team of AI agents, review the changes and apply them safely to a live OpenClaw
gateway.

Without a command, agentflow opens its window. A program without a window runs the hub and
opens its page in the browser. FILE is a team file, a config or a bundle to open.

Exit codes: 0 done · 1 failed · 2 wrong usage or invalid input · 3 unauthorized or
forbidden · 4 not found · 5 conflict, nothing was written · 6 not reachable · 130 interrupted`,
		Example:           "  agentflow\n  agentflow team.agentflow.yaml\n  agentflow serve --open\n  agentflow gateway get -o team.agentflow.yaml",
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              oneFile,
		RunE: p.Run(
			func(cmd *cobra.Command, given []string) error {
				if version {
					return p.printVersion()
				}
				return p.home(cmd.Context(), given)
			},
		),
	}
	root.PersistentFlags().BoolVar(&p.Screen.JSON, "json", p.Screen.JSON, "output JSON (JSON Lines when streaming)")
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.SetFlagErrorFunc(shell.FlagError)
	root.AddCommand(
		p.serveCommand(), gatewaycmd.Command(p.Shell), chatcmd.Command(p.Shell, p.chatServerCommand()),
		topologycmd.Command(p.Shell), plancmd.Command(p.Shell), taskcmd.Command(p.Shell),
		agentcmd.Command(p.Shell), callercmd.Command(p.Shell), inboxcmd.Command(p.Shell),
		trustcmd.Command(p.Shell), logincmd.Login(p.Shell), logincmd.Token(p.Shell),
		mcpcmd.Command(p.Shell), runcmd.Command(p.Shell), p.modelsCommand(), p.doctorCommand(),
		p.versionCommand(), completionCommand(p),
	)
	return root
}
