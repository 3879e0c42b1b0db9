package cli

import (
	"context"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/engine"
	"agentflow/backend/model/llm"
)

func (p *program) modelsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "models", Short: "List models of the configured providers", Args: shell.Args(cobra.NoArgs),
		Long: `List the models of the configured providers, default provider first.

Providers are set in agentflow.yaml in the data folder, or in the file set by AGENTFLOW_CONFIG.
These count too: OPENAI_BASE_URL, OPENAI_API_KEY, OLLAMA_HOST, an Ollama at its default URL, and
an llm command in PATH. The exit code is 1 if a provider doesn't respond.`,
		Example: "  agentflow models\n  agentflow models --json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.models(cmd.Context())
		}),
	}
	p.DataFlag(cmd)
	return cmd
}

func (p *program) models(ctx context.Context) error {
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return err
	}
	settings, err := config.Load(dir)
	if err != nil {
		return err
	}
	p.Screen.Progress("asking …")
	registry := engine.NewProviders(settings, config.NewSecrets(dir), nil).Registry()
	offers := registry.Offers(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	failed := false
	for _, o := range offers {
		mark := ""
		if o.Default {
			mark = p.Screen.Say(" (default)")
		}
		p.Screen.Print("%s  %s%s\n", o.Provider, o.Kind, mark)
		for _, m := range o.Models {
			p.Screen.Print("  %s\n", m)
		}
		switch {
		case o.Error != nil:
			failed = true
			p.Screen.Print("  %s\n", p.Screen.Paint(term.Red, term.OneLine(p.Screen.Words(o.Error.Message), 400)))
		case o.Kind == llm.KindDemo:
			p.Screen.Print("    demo, without a language model\n")
		case len(o.Models) == 0:
			p.Screen.Print("  no models yet\n")
		}
	}
	if err := p.Screen.Object(map[string]any{"providers": offers, "default": answers(offers)}); err != nil || !failed {
		return err
	}
	return term.ExitError(term.Failed)
}

// answers is the default provider among those that are there; "" if there is none.
func answers(offers []llm.Offer) string {
	for _, o := range offers {
		if o.Default {
			return o.Provider
		}
	}
	return ""
}
