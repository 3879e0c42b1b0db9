package topologycmd

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/engine"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// idRules are the rules for ids by the gateway that is meant.
var idRules = map[string]*regexp.Regexp{"newest": lint.NewestIDs, "february": nil, "any": nil, builtIn: nil}

const builtIn = "builtin"

// inAgent matches the path of a key of an agent: agents[0].hue, or agents.main.hue.
var inAgent = regexp.MustCompile(`^agents[.[]`)

func (p program) lintCommand() *cobra.Command {
	var strict bool
	var rules, model string
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Find problems in teams (exit code 1 on errors)",
		Args:  shell.Args(cobra.MinimumNArgs(1)),
		Long: "Find problems in teams, one per line:\nFILE:LINE: SEVERITY: MESSAGE (REMEDY) [CODE]. The exit code is 1 if there are errors, and\n" +
			"with --strict also if there are warnings. Models are checked against the providers in\nSettings, with --gateway-rules builtin as errors.",
		Example: "  agentflow topology lint team.agentflow.yaml\n  agentflow topology lint --gateway-rules newest --strict team.agentflow.yaml",
		RunE: p.Run(func(cmd *cobra.Command, files []string) error {
			pattern, known := idRules[rules]
			if !known {
				return shell.Usage(cmd, "--gateway-rules %q isn't valid. Use newest, february, builtin or any.", rules)
			}
			problems := []topology.Problem{}
			for _, path := range files {
				src, err := p.ReadTeam(path)
				if err != nil {
					return err
				}
				known, err := p.providers(src, rules)
				if err != nil {
					return err
				}
				found := problemsOf(src, lint.Rules{IDPattern: pattern, DefaultModel: model, Providers: known})
				problems = append(problems, found...)
			}
			return p.tellProblems(problems, strict)
		}),
	}
	p.DataFlag(cmd)
	cmd.Flags().BoolVar(&strict, "strict", false, "also exit with 1 on warnings")
	cmd.Flags().StringVar(&rules, "gateway-rules", "any", "check by the rules of a gateway: newest, february, builtin or any")
	cmd.Flags().StringVar(&model, "default-model", "", "model for agents without one")
	return cmd
}

// providers are the model providers of this computer, for a team that may be meant for the
// built-in gateway; nil if nobody configured any, so that a check elsewhere stays the same.
func (p program) providers(src shell.Source, rules string) ([]string, error) {
	base := src.File.Base
	if rules != builtIn && (rules != "any" || base != nil && base.Gateway != "") {
		return nil, nil
	}
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return nil, err
	}
	settings, err := config.Load(dir)
	if err != nil {
		return nil, err
	}
	if configured, _ := settings.Providers(); len(configured) == 0 && rules != builtIn {
		return nil, nil
	}
	return engine.NewProviders(settings, config.NewSecrets(dir), nil).Registry().Names(), nil
}

// problemsOf lints a file and gives each problem its line.
func problemsOf(src shell.Source, rules lint.Rules) []topology.Problem {
	found := lint.Check(&src.File.Team, rules)
	base := src.File.Base
	ofGateway := base != nil && base.Gateway != "" && base.Gateway != config.LocalGateway
	for _, u := range src.File.Unknown {
		if trust.Reads(u.Path) {
			continue
		}
		if ofGateway && inAgent.MatchString(u.Path) {
			continue // the gateway that the team was read from has more keys for agents, and checks them at an apply
		}
		found = append(found, lint.UnknownFileKey(u.Path, u.Line))
	}
	lines := linesOf(src.Data)
	for i := range found {
		found[i].File = shell.Name(src.Path)
		if found[i].Line == 0 {
			found[i].Line = lines.of(found[i])
		}
	}
	return found
}

func (p program) tellProblems(problems []topology.Problem, strict bool) error {
	errors, warnings := 0, 0
	for _, q := range problems {
		color, severity := term.Yellow, p.Screen.Say("warning")
		if q.Severity == topology.SeverityError {
			errors++
			color, severity = term.Red, p.Screen.Say("error")
		} else {
			warnings++
		}
		place := q.File
		if q.Line > 0 {
			place = fmt.Sprintf("%s:%d", q.File, q.Line)
		}
		p.Screen.Print("%s: %s: %s [%s]\n", place, p.Screen.Paint(color, severity), p.Problem(q), q.Code)
	}
	err := p.Screen.Object(map[string]any{"errors": errors, "warnings": warnings, "problems": problems})
	if err == nil && (errors > 0 || strict && warnings > 0) {
		return term.ExitError(term.Failed)
	}
	return err
}
