// Package plancmd holds the commands of agentflow plan.
package plancmd

import (
	"strings"

	"github.com/oklog/ulid/v2"
	"github.com/spf13/cobra"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
)

type program struct{ *shell.Shell }

// Command returns the command group.
func Command(s *shell.Shell) *cobra.Command {
	p := program{s}
	return p.Group("plan", "Show and change plans",
		"  agentflow plan show plan.json\n  agentflow plan patch --plan plan.json patch.json -o new.json",
		p.decomposeCommand(), p.showCommand(), p.patchCommand(), p.runCommand(), p.exportCommand())
}

func newID() plan.ID { return plan.ID(strings.ToLower(ulid.Make().String())) }

func (p program) read(path string) (*plan.Plan, error) {
	data, err := p.ReadBytes(path)
	if err != nil {
		return nil, err
	}
	return plan.Read(data, shell.Name(path))
}

func (p program) patchCommand() *cobra.Command {
	var in request
	cmd := &cobra.Command{
		Use:   "patch --plan FILE (PATCH | --goal TEXT)",
		Short: "Change a plan with a plan_patch or a goal",
		Args:  shell.Args(cobra.MaximumNArgs(1)),
		Long: `Apply a plan_patch document (JSON) to a plan file. If any part of it can't be applied, the plan
doesn't change.

With --goal instead of a document, the planner proposes a plan_patch and the command prints it.
The plan doesn't change unless you add --apply.

The new plan is written to standard output, or to the -o file. With --json, the last line on
standard error maps temporary IDs to the new IDs: {"ids":{"temp-001":"…"}}.`,
		Example: "  agentflow plan patch --plan plan.json patch.json -o plan.json\n  agentflow plan patch --plan plan.json - < patch.json\n  agentflow plan patch --plan plan.json --goal \"Drop what is about billing\" --apply -o plan.json",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			switch {
			case in.plan == "":
				return shell.Usage(cmd, "--plan is missing. Name the plan file.")
			case (in.text == "") == (len(given) == 0):
				return shell.Usage(cmd, "use either a plan_patch document or --goal")
			case in.text == "" && (in.apply || in.prompt || in.history != ""):
				return shell.Usage(cmd, "--apply, --show-prompt and --history need --goal")
			case in.text != "" && in.out != "" && !in.apply:
				return shell.Usage(cmd, "-o needs --apply")
			}
			if err := shell.OneStdin(cmd, append([]string{in.plan, in.text, in.history}, given...)); err != nil {
				return err
			}
			if in.text != "" {
				return p.ask(cmd.Context(), in, meta.PlanPatch)
			}
			return p.patch(in, given[0])
		}),
	}
	p.requestFlags(cmd, &in)
	shell.OutFlag(cmd, &in.out, "file to write (default: standard output)")
	return cmd
}

func (p program) patch(in request, document string) error {
	current, err := p.read(in.plan)
	if err != nil {
		return err
	}
	data, err := p.ReadBytes(document)
	if err != nil {
		return err
	}
	patch, err := plan.ReadPatch(data, shell.Name(document))
	if err != nil {
		return err
	}
	applied, err := current.Apply(patch, newID)
	if err != nil {
		return errcode.From(err).With(errcode.KeyFile, shell.Name(document))
	}
	return p.write(in.out, applied)
}

// write puts the new plan where -o says, and what became of the patch on standard error.
func (p program) write(out string, applied *plan.Applied) error {
	if out == "" || out == shell.Stdin {
		p.Screen.Raw(applied.Plan.JSON())
	} else if err := atomicfile.Write(out, applied.Plan.JSON(), shell.TeamMode); err != nil {
		return err
	}
	if p.Screen.JSON {
		return p.Screen.NoteObject(map[string]any{"ids": applied.IDs})
	}
	p.Screen.Note("%s created, %d changed, %d deleted", shell.Plural(len(applied.Created), "task"),
		len(applied.Changed), len(applied.Deleted))
	return nil
}

func (p program) showCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show FILE", Short: "Show a plan as a tree", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow plan show plan.json",
		RunE: p.Run(func(_ *cobra.Command, given []string) error {
			pl, err := p.read(given[0])
			if err != nil {
				return err
			}
			if p.Screen.JSON {
				return p.Screen.Object(pl)
			}
			p.Screen.Raw([]byte(tree(pl, p.Screen.Say)))
			return nil
		}),
	}
}
