package topologycmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/bundle"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// toBundle is the target that packs a team into one file.
const toBundle = "bundle"

func (p program) convertCommand() *cobra.Command {
	var to, out string
	var opts teamfile.Options
	var agent string
	var formats []string
	for _, f := range teamfile.Formats() {
		formats = append(formats, string(f))
	}
	formats = append(formats, toBundle)
	cmd := &cobra.Command{
		Use: "convert FILE --to FORMAT", Short: "Convert a team between formats", Args: shell.Args(cobra.ExactArgs(1)),
		Long: "Convert a team between " + strings.Join(formats, ", ") + ".\nSettings that the target format doesn't support are listed on standard error. A bundle\n" +
			"(*" + bundle.Ending + ") is a zip file without secrets, for sharing. FILE can be a bundle too.\n" +
			"Choose the team in it with --team.",
		Example: "  agentflow topology convert team.agentflow.yaml --to openclaw-entries -o openclaw.json\n  agentflow topology convert team.agentflow.yaml --to bundle -o team" + bundle.Ending,
	}
	var team string
	cmd.RunE = p.Run(func(cmd *cobra.Command, given []string) error {
		if to == "" {
			return shell.Usage(cmd, "--to is missing. Use one of: %s", strings.Join(formats, ", "))
		}
		if !slices.Contains(formats, to) {
			return errcode.New(errcode.Validation, "%q isn't a format. Use one of: %s",
				to, strings.Join(formats, ", ")).
				With(errcode.KeyField, "to")
		}
		opts.File, opts.Agent = shell.Name(given[0]), topology.AgentID(agent)
		data, err := p.source(given[0], team)
		if err != nil {
			return err
		}
		if to == toBundle {
			return p.pack(cmd, data, opts.File, out)
		}
		result, losses, err := teamfile.Convert(data, teamfile.Format(to), opts)
		if err != nil {
			return err
		}
		if err := p.write(out, result); err != nil {
			return err
		}
		if p.Screen.JSON {
			return p.Screen.Object(
				map[string]any{"format": to, "file": out, "text": string(result), "losses": shell.OrNone(losses)},
			)
		}
		p.TellLosses(i18n.T("%s", to), losses)
		return nil
	})
	shell.OutFlag(cmd, &out, "file to write (default: standard output)")
	cmd.Flags().StringVar(&to, "to", "", "target format: "+strings.Join(formats, ", "))
	cmd.Flags().StringVar(&agent, "agent", "", "agent to write to agent-config")
	cmd.Flags().StringVar(&opts.Home, "home", "", "the gateway's home folder, for default workspaces in openclaw-map")
	cmd.Flags().StringVar(&team, "team", "", "team of a bundle (default: the first)")
	return cmd
}

// source reads the file to convert; of a bundle, one of its teams as a team file.
func (p program) source(path, team string) ([]byte, error) {
	data, err := p.ReadBytes(path)
	if err != nil || !bundle.Is(data) {
		return data, err
	}
	b, err := bundle.Read(data, shell.Name(path))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range b.Teams {
		if team == "" || t.Name == team {
			text, _, err := teamfile.Write(nil, t.Topology, nil)
			return text, err
		}
		names = append(names, t.Name)
	}
	return nil, errcode.New(errcode.NotFound, "%s has no team %q. It contains: %s", shell.Name(path), team,
		strings.Join(names, ", "))
}

func (p program) pack(cmd *cobra.Command, data []byte, name, out string) error {
	if out == "" || out == shell.Stdin {
		return shell.Usage(cmd, "a bundle can't be printed as text. Use -o, for example -o team%s", bundle.Ending)
	}
	f, err := teamfile.Read(data, name)
	if err != nil {
		return err
	}
	if err := f.Team.Validate(); err != nil {
		return errcode.From(err).With(errcode.KeyFile, name)
	}
	title := f.Team.Name
	if title == "" {
		title = "Team"
	}
	packed, report, err := bundle.Write(
		bundle.Bundle{Name: title, Teams: []bundle.Team{{Name: title, Topology: &f.Team}}},
		"en",
	)
	if err != nil {
		return err
	}
	if err := p.WriteTeam(out, packed); err != nil {
		return err
	}
	if p.Screen.JSON {
		return p.Screen.Object(map[string]any{
			"format": toBundle,
			"file":   out,
			"files":  report.Files,
			"losses": shell.OrNone(report.Losses),
		})
	}
	losses := make([]openclaw.Loss, len(report.Losses))
	for i, l := range report.Losses {
		losses[i] = l.Loss
	}
	p.TellLosses(i18n.T("%s", toBundle), losses)
	p.Screen.Print("%s: %s packed, %s\n", out, shell.Plural(len(f.Team.Agents), "agent"),
		shell.Plural(len(report.Files), "file"))
	return nil
}
