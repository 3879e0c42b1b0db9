package cli

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/doctor"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/engine"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan/codecli"
)

func (p *program) doctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Check this computer for problems",
		Args:    shell.Args(cobra.NoArgs),
		Long:    "Check this computer for problems and show how to fix them. The exit code is 1 if there are\nerrors, and 0 if there are only warnings.",
		Example: "  agentflow doctor\n  agentflow doctor --json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.doctor(cmd.Context())
		}),
	}
	p.DataFlag(cmd)
	return cmd
}

func (p *program) doctor(ctx context.Context) error {
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return err
	}
	p.Screen.Progress("checking …")
	checks := doctor.Run(ctx, doctor.Options{
		Dir: dir, Window: p.window != nil, Env: os.Getenv, Dial: dialOnce(dir), Offers: offers(dir),
		UnknownNames: unknownNames(dir),
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	failed := false
	for _, c := range checks {
		sign, color := p.Screen.Say("ok"), term.Green
		switch c.Status {
		case doctor.Missing:
			sign, color = p.Screen.Say("missing"), term.Yellow
		case doctor.Warning:
			sign, color = p.Screen.Say("warning"), term.Yellow
		case doctor.Error:
			sign, color, failed = p.Screen.Say("error"), term.Red, true
		}
		sign = term.Pad(sign, len("warning"))
		p.Screen.Print("%s  %s: %s\n", p.Screen.Paint(color, sign), p.Screen.Words(c.Name),
			term.OneLine(p.Screen.Say("%s", c.Text()), 400))
		if c.Remedy != "" {
			p.Screen.Print("         %s\n", p.Screen.Words(c.Remedy))
		}
	}
	if err := p.Screen.Object(map[string]any{"ok": !failed, "checks": checks}); err != nil || !failed {
		return err
	}
	return term.ExitError(term.Failed)
}

// offers asks the model providers as the hub does.
func offers(dir string) func(context.Context) []llm.Offer {
	return func(ctx context.Context) []llm.Offer {
		settings, err := config.Load(dir)
		if err != nil {
			return nil // another check reports it
		}
		return engine.NewProviders(settings, config.NewSecrets(dir), nil).Registry().Offers(ctx)
	}
}

// unknownNames are the names in the settings file that the hub doesn't know.
func unknownNames(dir string) func(*config.Settings) []*errcode.Error {
	return func(settings *config.Settings) []*errcode.Error {
		known := config.Known{
			Kinds:     []string{llm.KindOpenAI, llm.KindOllama, llm.KindCLI},
			Providers: engine.NewProviders(settings, config.NewSecrets(dir), nil).Registry().Names(),
		}
		for _, kind := range codecli.Kinds() {
			known.Workers = append(known.Workers, string(kind))
		}
		return config.UnknownNames(settings, known)
	}
}

// dialOnce connects to a gateway and hangs up.
func dialOnce(dir string) func(context.Context, config.Gateway, string) (string, error) {
	return func(ctx context.Context, g config.Gateway, token string) (string, error) {
		link, stop, err := engine.DialGateway(ctx, engine.DialOptions{
			URL:         g.URL,
			Insecure:    g.Insecure,
			Fingerprint: g.Fingerprint,
			Dir:         dir,
			Wait:        3 * time.Second,
			Token:       func(context.Context) (string, error) { return token, nil },
		})
		if err != nil {
			return "", err
		}
		defer stop()
		s := link.Client().Status()
		return string(s.Dialect), nil
	}
}
