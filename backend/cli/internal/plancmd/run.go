package plancmd

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/base/proc"
	"agentflow/backend/cli/internal/metaagent"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runner"
	"agentflow/backend/plan/scheduler"
	"agentflow/backend/plan/taskfile"
	"agentflow/backend/plan/worktree"
)

const defaultParallel = 2

type runFlags struct {
	task                 string
	parallel, maxTokens  int
	maxUSD, tryUSD       float64
	yes, phases, merging bool
	retry, done          []string
}

func (p program) runCommand() *cobra.Command {
	var in runFlags
	cmd := &cobra.Command{
		Use:   "run PLAN --task FILE",
		Short: "Run a plan",
		Args:  shell.Args(cobra.ExactArgs(1)),
		Long: `Run the tasks of a plan file, each in its own git worktree, as soon as the tasks before it are
complete. Tasks that name the same files don't run at the same time. The status of each task
is written to the plan file. After an interruption, run the plan again to continue.

The Task YAML names the repo, the test command, the planner and the worker for all tasks.
The command asks for confirmation before it starts, unless you use --yes. The exit code is 0 if
all tasks are complete, otherwise 1.`,
		Example: "  agentflow plan run plan.json --task task.yaml\n  agentflow plan run plan.json --task task.yaml --parallel 4 --yes --json\n  agentflow plan run plan.json --task task.yaml --retry t-2",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if in.task == "" {
				return shell.Usage(cmd, "--task is missing. Name a Task YAML with the repo, test, planner and worker.")
			}
			if given[0] == shell.Stdin {
				return shell.Usage(
					cmd,
					"a plan from standard input can't be run. Name a plan file, because the status of its tasks is written to it.",
				)
			}
			return p.run(cmd.Context(), given[0], in)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&in.task, "task", "", "Task YAML with the repo, test, planner and worker")
	flags.IntVar(&in.parallel, "parallel", defaultParallel, "max tasks at the same time")
	flags.IntVar(&in.maxTokens, "max-tokens", 0, "stop at this many tokens of the planner and workers (0: no limit)")
	flags.Float64Var(&in.maxUSD, "max-usd", 0,
		"stop at this cost in US dollars; needs prices of models and workers (0: no limit)")
	flags.Float64Var(&in.tryUSD, "try-usd", 0, "cost of an attempt whose worker reports neither tokens nor a cost")
	flags.BoolVarP(&in.yes, "yes", "y", false, "start without asking")
	flags.BoolVar(&in.phases, "ask-phases", false, "ask before each phase")
	flags.BoolVar(&in.merging, "ask-merge", false, "ask before each merge")
	flags.StringSliceVar(&in.retry, "retry", nil, "failed tasks to run again")
	flags.StringSliceVar(&in.done, "done", nil, "failed tasks that you completed by hand")
	p.DataFlag(cmd)
	return cmd
}

// running is a plan being worked.
type running struct {
	program
	in     runFlags
	dir    string
	file   *taskfile.File
	plan   *planFile
	mu     sync.Mutex // of used, and the terminal
	used   planner.Work
	price  func(llm.Model) (llm.Price, bool)
	stop   context.CancelCauseFunc
	warned bool
	asking sync.Mutex // one question at a time
	permit func(context.Context, codecli.Permission) (bool, error)
}

func (p program) run(ctx context.Context, path string, in runFlags) error {
	r := &running{program: p, in: in}
	var err error
	if r.plan, err = p.openPlan(path); err != nil {
		return err
	}
	if r.file, err = metaagent.ReadTask(p.Shell, in.task); err != nil {
		return err
	}
	r.used = planner.Work{
		Order: planner.Order{
			Worker:    r.file.Runner.Worker.Kind,
			MaxTokens: in.maxTokens,
			MaxUSD:    in.maxUSD,
			TryUSD:    in.tryUSD,
		},
	}
	r.permit = metaagent.Permit(p.Shell, r.file.Runner.Worker.Permissions)
	if r.dir, err = config.DataDir(p.DataDir); err != nil {
		return err
	}
	if r.price, err = metaagent.Prices(r.dir); err != nil {
		return err
	}
	if err := r.settle(); err != nil {
		return err
	}
	if yes, err := r.approved(ctx); err != nil || !yes {
		return err
	}
	if _, err := proc.Sweep(ctx, proc.Records(r.dir)); err != nil {
		return errcode.Wrap(errcode.Unavailable, err, "couldn't stop the processes of an earlier run: %s", err.Error())
	}
	ctx, r.stop = context.WithCancelCause(ctx)
	defer r.stop(nil)
	o := scheduler.Options{
		Plan: r.plan.plan, Latest: r.plan.latest, Parallel: in.parallel, Work: r.work, Changed: r.changed,
	}
	if in.phases {
		o.Phase = func(ctx context.Context, phase string) (bool, error) {
			return r.ask(ctx, i18n.T("Start the phase %s?", phase))
		}
	}
	s, err := scheduler.Run(ctx, o)
	if err != nil {
		return err
	}
	if err := p.Screen.Object(map[string]any{"type": "plan", "complete": s.Complete, "failed": shell.OrNone(s.Failed), "blocked": shell.OrNone(s.Blocked), "open": s.Open}); err != nil {
		return err
	}
	p.Screen.Print("%s\n",
		p.Screen.Say("%d complete, %d failed, %d blocked, %d open", s.Complete, len(s.Failed), len(s.Blocked), s.Open))
	if len(s.Failed)+len(s.Blocked)+s.Open > 0 {
		return term.ExitError(term.Failed)
	}
	return nil
}

// settle does what --retry and --done say.
func (r *running) settle() error {
	for to, ids := range map[plan.Status][]string{plan.Pending: r.in.retry, plan.Complete: r.in.done} {
		for _, id := range ids {
			t, ok := r.plan.plan.Task(plan.ID(id))
			if !ok || t.Status != plan.Failed {
				return errcode.New(errcode.Validation, "the plan has no failed task %q", id)
			}
			t.Status = to
		}
	}
	return nil
}

// approved asks before anything is begun that costs money.
func (r *running) approved(ctx context.Context) (bool, error) {
	repo := r.file.Task.Repo
	_, err := worktree.Open(ctx, repo, "")
	if errcode.HasReason(err, worktree.ReasonNoGit) || errcode.HasReason(err, worktree.ReasonNoCommit) {
		r.Screen.Note(
			"%s has no Git repository with a commit. Workers change it directly, and that can't be undone.", repo)
	}
	if r.in.yes {
		return true, nil
	}
	if !r.Screen.CanAsk() {
		return false, errcode.New(errcode.Validation,
			"no terminal for confirmation. Use --yes to start without asking.")
	}
	r.Screen.Raw([]byte(tree(r.plan.plan, r.Screen.Say)))
	return r.ask(ctx, i18n.T("Run this plan in %s?", repo))
}

func (r *running) ask(ctx context.Context, question i18n.Text) (bool, error) {
	if !r.Screen.CanAsk() {
		return false, errcode.New(errcode.Validation,
			"no terminal for confirmation. Remove --ask-phases and --ask-merge.")
	}
	r.asking.Lock()
	defer r.asking.Unlock()
	return r.Screen.Ask(ctx, question)
}

// changed writes how a task stands into the plan file, before anything follows from it.
func (r *running) changed(id plan.ID, to scheduler.Result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	title, there, err := r.plan.set(id, to.Status)
	if err != nil || !there {
		return err
	}
	if r.Screen.JSON {
		return r.Screen.Line(map[string]any{"type": "task", "task": id, "status": to.Status, "text": to.Reason})
	}
	r.Screen.Print("%s  %s  %s  %s\n", id, to.Status, title, term.OneLine(r.Screen.Words(to.Reason), 400))
	return nil
}

func (r *running) work(ctx context.Context, t plan.Task) (scheduler.Result, error) {
	worker, asked := metaagent.Of(r.file)
	worker.Permit = r.permit
	var err error
	if worker.Sandbox, err = config.LoadSandbox(r.dir); err != nil {
		return scheduler.Result{}, err
	}
	task := r.taskOf(t)
	asked.Record = func(c meta.Call) {
		if err := runner.KeepCall(r.dir, task.ID, c); err != nil {
			r.tell(t.ID, runner.Event{Type: runner.EventWarning, Text: errcode.From(err).Message})
		}
		r.spend(func(w *planner.Work) { w.Asked(c.TokensIn, c.TokensOut, c.CostUSD, c.Priced) })
	}
	client, err := metaagent.Open(ctx, r.Shell, r.dir, asked)
	if err != nil {
		return scheduler.Result{}, err
	}
	o := runner.Options{Meta: client, Worker: worker, Dir: r.dir, Tell: func(e runner.Event) { r.tell(t.ID, e) }}
	if r.in.merging {
		o.Merge = func(ctx context.Context, m runner.Merging) (bool, string, error) {
			for _, file := range m.Files {
				r.Screen.Note("  %s", term.OneLine(file, 500))
			}
			yes, err := r.ask(ctx, i18n.T("Merge %s (%s)?", m.Branch, t.Title))
			return yes, "", err
		}
	}
	out, err := runner.Run(ctx, task, o)
	switch {
	case err != nil:
		return scheduler.Result{}, err
	case out.Merge != nil: // what depends on it would not find the work
		why := "The work is complete, but not merged: " + out.Merge.Message
		return scheduler.Result{Status: plan.Failed, Reason: why}, nil
	}
	return scheduler.Result{Status: out.State, Reason: out.Reason}, nil
}

func (r *running) tell(id plan.ID, e runner.Event) {
	if e.Type == runner.EventSpent {
		price, known := r.price(llm.Model(r.used.Worker + "/" + cmp.Or(r.file.Runner.Worker.Model, "*")))
		r.spend(func(w *planner.Work) { w.Tried(e.TokensIn, e.TokensOut, e.CostUSD, price, known) })
		if !r.Screen.JSON {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Screen.JSON {
		_ = r.Screen.Line(struct {
			Task plan.ID `json:"task"`
			runner.Event
		}{id, e})
		return
	}
	r.RunEvent(string(id)+"  ", e)
}

// spend counts, tells when four fifths of the tokens are used, and stops the plan when a budget
// is used up, or cannot be kept.
func (r *running) spend(count func(*planner.Work)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.used.Tokens
	count(&r.used)
	switch err := r.used.Over(); {
	case errcode.HasReason(err, planner.ReasonTokens):
		r.stop(errcode.New(errcode.Forbidden,
			"the budget of %d tokens is used up (%d). To continue, run the plan again with a larger --max-tokens.",
			r.in.maxTokens, r.used.Tokens))
	case errcode.HasReason(err, planner.ReasonUSD):
		r.stop(errcode.New(errcode.Forbidden,
			"the budget of %.4f US dollars is used up (%.4f). To continue, run the plan again with a larger --max-usd.",
			r.in.maxUSD, r.used.USD))
	case errcode.HasReason(err, planner.ReasonUnpriced):
		r.stop(errcode.New(errcode.Forbidden, "--max-usd needs prices for the model and the worker. Add them under prices in the settings file (the worker as %s/*), or remove --max-usd.", r.used.Worker))
	case errcode.HasReason(err, planner.ReasonUntold):
		r.stop(errcode.New(errcode.Forbidden, "--max-usd can't be enforced, because %s reported neither tokens nor a cost. Use --try-usd to set the cost of such an attempt, or remove --max-usd.", r.used.Worker))
	case r.in.maxTokens > 0 && r.used.Tokens > before && !r.warned && r.used.Tokens*5 >= r.in.maxTokens*4:
		r.warned = true
		r.Screen.Note("used %d of %d tokens", r.used.Tokens, r.in.maxTokens)
	}
}

// taskOf is a task of the plan as the runner takes it.
func (r *running) taskOf(t plan.Task) runner.Task {
	abs, _ := filepath.Abs(r.plan.path)
	out := runner.OfPlan(abs, t)
	out.Repo, out.MaxLoops = r.file.Task.Repo, *r.file.Runner.Meta.MaxLoops
	out.Test = runner.Test{Command: r.file.Task.Test.Command, Cwd: r.file.Task.Test.Cwd}
	out.Settings, _ = json.Marshal(
		map[string]any{"id": t.ID, "title": t.Title, "test": out.Test, "worker": r.file.Runner.Worker.Kind},
	)
	return out
}
