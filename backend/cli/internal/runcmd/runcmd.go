// Package runcmd holds agentflow run: it works one Task YAML to its end.
package runcmd

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/cli/internal/metaagent"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/runner"
	"agentflow/backend/plan/taskfile"
)

type program struct {
	*shell.Shell
	keep bool
}

// Command returns the command.
func Command(s *shell.Shell) *cobra.Command {
	p := &program{Shell: s}
	cmd := &cobra.Command{
		Use:   "run FILE|-",
		Short: "Run a coding task from a YAML file",
		Args:  shell.Args(cobra.ExactArgs(1)),
		Long: `Run a coding task from a Task YAML. The planner plans it, coding CLIs work in their own git
worktree, the tests run, and the completed work is merged into the current branch.

An interrupted task continues where it stopped when you run it again. Its progress is written to
standard output (JSON Lines with --json) and to the note .agent-runner/task-ID.md in the repo.
The exit code is 0 for COMPLETE, 1 for FAILED, and 5 if it is complete but couldn't be merged.`,
		Example: "  agentflow run task.yaml\n  agentflow run - < task.yaml\n  agentflow run task.yaml --no-merge --json",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.run(cmd.Context(), given[0])
		}),
	}
	cmd.Flags().BoolVar(&p.keep, "no-merge", false, "don't merge; leave the work on its branch")
	p.DataFlag(cmd)
	return cmd
}

func (p *program) run(ctx context.Context, path string) error {
	f, err := metaagent.ReadTask(p.Shell, path)
	if err != nil {
		return err
	}
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return err
	}
	if _, err := proc.Sweep(ctx, proc.Records(dir)); err != nil {
		return errcode.Wrap(errcode.Unavailable, err, "couldn't stop the processes of an earlier run: %s", err.Error())
	}
	worker, asked := metaagent.Of(f)
	worker.Permit = metaagent.Permit(p.Shell, f.Runner.Worker.Permissions)
	if worker.Sandbox, err = config.LoadSandbox(dir); err != nil {
		return err
	}
	asked.Record = p.record(dir, f.Task.ID)
	client, err := metaagent.Open(ctx, p.Shell, dir, asked)
	if err != nil {
		return err
	}
	o := runner.Options{Meta: client, Worker: worker, Dir: dir, Tell: p.tell}
	if p.keep {
		o.Merge = func(context.Context, runner.Merging) (bool, string, error) { return false, "", nil }
	}
	out, err := runner.Run(ctx, taskOf(f), o)
	if err != nil {
		return err
	}
	switch {
	case out.State != plan.Complete:
		return term.ExitError(term.Failed)
	case out.Merge != nil && !p.keep:
		return errcode.New(out.Merge.Code, "%s", out.Merge.Message).With(errcode.KeyReason, out.Merge.Reason)
	}
	return nil
}

// taskOf returns what the runner, and through it the planner, gets of the file: no
// secrets, and nothing of how the worker is set up.
func taskOf(f *taskfile.File) runner.Task {
	settings, _ := json.Marshal(map[string]any{
		"id":        f.Task.ID,
		"title":     f.Task.Title,
		"test":      map[string]string{"command": f.Task.Test.Command, "cwd": f.Task.Test.Cwd},
		"worker":    map[string]string{"kind": f.Runner.Worker.Kind},
		"max_loops": *f.Runner.Meta.MaxLoops,
	})
	return runner.Task{
		ID: f.Task.ID, Title: f.Task.Title, PRD: f.Task.PRD.Text, Repo: f.Task.Repo, Settings: settings, MaxLoops: *f.Runner.Meta.MaxLoops,
		Test: runner.Test{Command: f.Task.Test.Command, Cwd: f.Task.Test.Cwd},
	}
}

// called is a call to the planner as it is printed; the whole of it is kept.
type called struct {
	Type      string        `json:"type"`
	Protocol  meta.Protocol `json:"protocol"`
	Model     string        `json:"model"`
	TookMs    int64         `json:"took_ms"`
	TokensIn  int           `json:"tokens_in"`
	TokensOut int           `json:"tokens_out"`
	Error     string        `json:"error,omitempty"`
}

func (p *program) record(dir, id string) func(meta.Call) {
	return func(c meta.Call) {
		if err := runner.KeepCall(dir, id, c); err != nil {
			p.tell(runner.Event{Type: runner.EventWarning, Text: errcode.From(err).Message})
		}
		_ = p.Screen.Object(
			called{"meta", c.Protocol, string(c.Model), c.Took.Milliseconds(), c.TokensIn, c.TokensOut, c.Error},
		)
		if c.Error != "" {
			p.Screen.Print("%s: %s\n", p.Screen.Say("couldn't use the planner's answer"), term.OneLine(c.Error, 400))
		}
	}
}

// tell prints what happens.
func (p *program) tell(e runner.Event) {
	if p.Screen.JSON {
		_ = p.Screen.Line(e)
		return
	}
	p.RunEvent("", e)
}
