package cli

import (
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/cli/internal/shell"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  agentflow version --json",
		Args:    shell.Args(cobra.NoArgs),
		RunE:    p.Run(func(*cobra.Command, []string) error { return p.printVersion() }),
	}
}

func (p *program) printVersion() error {
	p.Screen.Print("agentflow %s (%s %s/%s%s)\n", config.Version, runtime.Version(), runtime.GOOS,
		runtime.GOARCH, built())
	return p.Screen.Object(map[string]string{
		"version": config.Version, "commit": config.Commit, "builtAt": config.BuiltAt,
		"go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
	})
}

func built() string {
	text := ""
	if config.Commit != "" {
		text += ", " + config.Commit
	}
	if config.BuiltAt != "" {
		text += ", " + config.BuiltAt
	}
	return text
}

func completionCommand(p *program) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print the completion script for " + strings.Join(shells, ", "),
		Example:   "  agentflow completion bash > /etc/bash_completion.d/agentflow",
		ValidArgs: shells, Args: shell.Args(cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs)),
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			var script strings.Builder
			if err := writeCompletion(cmd.Root(), given[0], &script); err != nil {
				return err
			}
			p.Screen.Print("%s", script.String())
			return p.Screen.Object(map[string]string{"shell": given[0], "script": script.String()})
		}),
	}
}

func writeCompletion(root *cobra.Command, shell string, to *strings.Builder) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(to, true)
	case "zsh":
		return root.GenZshCompletion(to)
	case "fish":
		return root.GenFishCompletion(to, true)
	}
	return root.GenPowerShellCompletionWithDesc(to)
}
