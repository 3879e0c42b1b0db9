// Package topologycmd holds the commands of agentflow topology.
package topologycmd

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/example"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

type program struct{ *shell.Shell }

// Command returns the command group.
func Command(s *shell.Shell) *cobra.Command {
	p := program{s}
	cmd := p.Group("topology", "Create, check, convert and merge team files",
		"  agentflow topology new -o team.agentflow.yaml\n  agentflow topology lint team.agentflow.yaml",
		p.newCommand(), p.validateCommand(), p.lintCommand(), p.convertCommand(),
		p.compareCommand(), p.mergeCommand(), p.layoutCommand())
	cmd.Aliases = []string{"team"}
	return cmd
}

// written is what a command that writes a team file says with --json.
type written struct {
	File   string             `json:"file,omitempty"`
	Team   *topology.Topology `json:"team"`
	Losses []openclaw.Loss    `json:"losses"`
}

// write writes a result, and says where.
func (p program) write(out string, data []byte) error {
	err := p.WriteTeam(out, data)
	if err == nil && out != "" && out != shell.Stdin {
		p.Screen.Print("wrote %s\n", shell.Shown(out))
	}
	return err
}

func (p program) newCommand() *cobra.Command {
	var out, template, lang, title string
	var force bool
	cmd := &cobra.Command{
		Use:     "new",
		Short:   "Create a team file",
		Args:    shell.Args(cobra.NoArgs),
		Example: "  agentflow topology new -o team.agentflow.yaml\n  agentflow topology new --template " + example.Templates("en")[0].ID + " --lang ja",
		RunE: p.Run(func(*cobra.Command, []string) error {
			team, err := templateTeam(template, lang)
			if err != nil {
				return err
			}
			if title != "" {
				team.Name = title
			}
			if _, err := os.Lstat(out); err == nil && out != "" && out != shell.Stdin && !force {
				return errcode.New(errcode.Conflict,
					"%s already exists. Use --force to overwrite it, or -o to choose another file.", out).
					With(errcode.KeyFile, out)
			}
			data, losses, err := teamfile.Write(nil, team, nil)
			if err != nil {
				return err
			}
			if err := p.write(out, data); err != nil {
				return err
			}
			return p.Screen.Object(written{out, team, shell.OrNone(losses)})
		}),
	}
	shell.OutFlag(cmd, &out, "file to write (default: standard output)")
	cmd.Flags().StringVar(&template, "template", "", "team to start from: "+strings.Join(templateIDs(), ", ")+" (default: the example team)")
	cmd.Flags().StringVar(&lang, "lang", "en", "language of the names: en or ja")
	cmd.Flags().StringVar(&title, "name", "", "name of the team")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite an existing file")
	return cmd
}

func templateIDs() []string {
	var ids []string
	for _, t := range example.Templates("en") {
		ids = append(ids, t.ID)
	}
	return ids
}

func templateTeam(id, lang string) (*topology.Topology, error) {
	if lang != "en" && lang != "ja" {
		return nil, errcode.New(errcode.Validation, "--lang %q isn't valid. Use en or ja.", lang)
	}
	if id == "" {
		return example.Team(lang), nil
	}
	for _, t := range example.Templates(lang) {
		if t.ID == id {
			return &t.Topology, nil
		}
	}
	return nil, errcode.New(errcode.NotFound, "unknown template %q. Use one of: %s", id,
		strings.Join(templateIDs(), ", "))
}

func (p program) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "validate FILE...",
		Short:   "Check that files are readable as teams",
		Args:    shell.Args(cobra.MinimumNArgs(1)),
		Example: "  agentflow topology validate team.agentflow.yaml",
		RunE: p.Run(func(_ *cobra.Command, files []string) error {
			type checked struct {
				File        string          `json:"file"`
				Format      teamfile.Format `json:"format"`
				Agents      int             `json:"agents"`
				Connections int             `json:"connections"`
			}
			result := []checked{}
			for _, path := range files {
				src, err := p.ReadTeam(path)
				if err != nil {
					return err
				}
				agents, connections := shell.Counts(&src.File.Team)
				result = append(result, checked{path, src.File.Format, agents, connections})
				p.Screen.Print("%s: valid (%s, %s, %s)\n", shell.Shown(path), src.File.Format,
					shell.Plural(agents, "agent"), shell.Plural(connections, "connection"))
			}
			return p.Screen.Object(map[string]any{"valid": true, "files": result})
		}),
	}
}

func (p program) compareCommand() *cobra.Command {
	return &cobra.Command{
		Use: "diff A B", Short: "Compare two teams (exit code 1 if they differ)", Args: shell.Args(cobra.ExactArgs(2)),
		Example: "  agentflow topology diff before.agentflow.yaml after.agentflow.yaml",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if err := shell.OneStdin(cmd, given); err != nil {
				return err
			}
			a, err := p.ReadTeam(given[0])
			if err != nil {
				return err
			}
			b, err := p.ReadTeam(given[1])
			if err != nil {
				return err
			}
			cs := topology.Diff(&a.File.Team, &b.File.Team)
			for _, c := range cs {
				p.Change(c, "")
			}
			if err := p.Screen.Object(map[string]any{"equal": len(cs) == 0, "changes": shell.OrNone(cs)}); err != nil || len(cs) == 0 {
				return err
			}
			return term.ExitError(term.Failed)
		}),
	}
}

func (p program) layoutCommand() *cobra.Command {
	var out string
	var only []string
	cmd := &cobra.Command{
		Use:     "layout FILE",
		Short:   "Arrange the agents in layers",
		Args:    shell.Args(cobra.ExactArgs(1)),
		Long:    "Arrange the agents in layers along their Delegate connections, and write the positions to the\nfile or to -o. Members of a group stay together. Locked agents don't move, nor do groups that\ncontain one. For standard input, the result goes to standard output.",
		Example: "  agentflow topology layout team.agentflow.yaml\n  agentflow topology layout team.agentflow.yaml --only dev-1,dev-2 -o -",
		RunE: p.Run(func(_ *cobra.Command, given []string) error {
			src, err := p.ReadTeam(given[0])
			if err != nil {
				return err
			}
			if out == "" {
				if out = src.Path; src.File.Format != teamfile.AgentFlow && out != shell.Stdin {
					return errcode.New(errcode.Validation, "%s has the format %s, which doesn't store positions. Use -o to name a team file.", src.Path, src.File.Format).
						With(errcode.KeyFile, src.Path)
				}
			}
			opts := topology.LayoutOptions{}
			for _, id := range only {
				if _, ok := src.File.Team.Agent(topology.AgentID(id)); !ok {
					return errcode.New(errcode.NotFound, "%s has no agent %q", shell.Name(src.Path), id)
				}
				opts.Only = append(opts.Only, topology.AgentID(id))
			}
			team := src.File.Team.Arrange(opts)
			data, losses, err := src.OnTop(team, src.File.Base)
			if err != nil {
				return err
			}
			if err := p.WriteTeam(out, data); err != nil {
				return err
			}
			if out != shell.Stdin {
				p.Screen.Print("%s: %s placed\n", out, shell.Plural(len(team.Agents), "agent"))
			}
			return p.Screen.Object(written{out, team, shell.OrNone(losses)})
		}),
	}
	shell.OutFlag(cmd, &out, "file to write (default: FILE itself)")
	cmd.Flags().StringSliceVar(&only, "only", nil, "arrange only these agents")
	return cmd
}

func (p program) mergeCommand() *cobra.Command {
	var out, prefer string
	cmd := &cobra.Command{
		Use:     "merge BASE MINE THEIRS",
		Short:   "Three-way merge of team files",
		Args:    shell.Args(cobra.ExactArgs(3)),
		Long:    "Merge MINE and THEIRS, which both come from BASE. If they conflict, nothing is written. Each\nconflict is listed with both sides, and the exit code is 5.",
		Example: "  agentflow topology merge base.yaml mine.yaml theirs.yaml -o merged.agentflow.yaml",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if err := shell.OneStdin(cmd, given); err != nil {
				return err
			}
			if prefer != "" && prefer != string(topology.ChooseMine) && prefer != string(topology.ChooseTheirs) {
				return shell.Usage(cmd, "--prefer %q isn't valid. Use mine or theirs.", prefer)
			}
			var sides [3]shell.Source
			for i, path := range given {
				src, err := p.ReadTeam(path)
				if err != nil {
					return err
				}
				sides[i] = src
			}
			return p.merge(sides[0], sides[1], sides[2], out, topology.Choice(prefer))
		}),
	}
	shell.OutFlag(cmd, &out, "file to write (default: standard output)")
	cmd.Flags().StringVar(&prefer, "prefer", "", "resolve every conflict with mine or theirs")
	return cmd
}

func (p program) merge(base, mine, theirs shell.Source, out string, prefer topology.Choice) error {
	merged := topology.Merge(&base.File.Team, &mine.File.Team, &theirs.File.Team, nil)
	if len(merged.Conflicts) > 0 && prefer == "" {
		return p.Collides(merged, i18n.T("Use --prefer mine or --prefer theirs, or edit one of the files."))
	}
	if len(merged.Conflicts) > 0 {
		choices := map[string]topology.Choice{}
		for _, c := range merged.Conflicts {
			choices[c.ID] = prefer
		}
		merged = topology.Merge(&base.File.Team, &mine.File.Team, &theirs.File.Team, choices)
	}
	data, losses, err := mine.OnTop(&merged.Topology, mine.File.Base)
	if err != nil {
		return err
	}
	if err := p.write(out, data); err != nil {
		return err
	}
	p.TellDropped(merged.Dropped)
	return p.Screen.Object(map[string]any{"file": out, "team": merged.Topology, "fromMine": shell.OrNone(merged.FromMine),
		"fromTheirs": shell.OrNone(merged.FromTheirs), "dropped": shell.OrNone(merged.Dropped), "conflicts": shell.OrNone(merged.Conflicts), "losses": shell.OrNone(losses)})
}
