package planexec

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/base/strictjson"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runner"
	"agentflow/backend/plan/scheduler"
	"agentflow/backend/plan/taskfile"
)

// run is one running plan.
type run struct {
	m     *Machine
	id    planner.ID
	name  string // of the plan, for questions
	order planner.Order
	stop  context.CancelCauseFunc
	ctx   context.Context // canceled by stop
	done  chan struct{}   // closed once everything has ended
	news  chan struct{}   // holds one: the plan was edited, or a task was reset

	mu      sync.Mutex // held during reports, so that they stay in order
	used    planner.Work
	counted int // tokens saved so far
	tasks   map[plan.ID]*report
	reset   bool            // a task was reset, and the scheduler doesn't know it yet
	head    int64           // version of the plan that the scheduler knows
	closed  bool            // nothing more is started
	phases  map[string]bool // the person's answers
}

func (m *Machine) newRun(ctx context.Context, id planner.ID, w planner.Work) (*run, error) {
	p, err := m.o.Planner.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	r := &run{
		m:      m,
		id:     id,
		name:   p.Name,
		order:  w.Order,
		done:   make(chan struct{}),
		news:   make(chan struct{}, 1),
		used:   w,
		tasks:  map[plan.ID]*report{},
		phases: map[string]bool{},
	}
	r.ctx, r.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	for task, progress := range p.Progress {
		r.tasks[task] = &report{Progress: progress}
	}
	return r, nil
}

// work runs the plan until nothing more can start, it is stopped, or hub ends.
func (r *run) work(hub context.Context) {
	defer close(r.done)
	release := context.AfterFunc(hub, func() { r.stop(errStopped) })
	defer release()
	after := context.WithoutCancel(hub)
	var telling errgroup.Group
	told, quiet := context.WithCancel(r.ctx)
	telling.Go(func() error {
		return safego.Call(told, r.m.o.Logger, "the reports of a plan", func() error { r.tellOn(told); return nil })
	})
	err := safego.Call(r.ctx, r.m.o.Logger, "the work on a plan", r.toTheEnd)
	quiet()
	_ = telling.Wait()
	r.m.mu.Lock() // once the end is visible, the plan can be started again
	defer r.m.mu.Unlock()
	if err := r.end(after, err); err != nil {
		r.m.o.Logger.ErrorContext(after, "couldn't save the end of the work on a plan",
			slog.String("plan", string(r.id)), slog.Any("error", err))
	}
	delete(r.m.runs, r.id)
}

func (r *run) toTheEnd() error {
	client, err := r.meta()
	if err != nil {
		return err
	}
	for {
		p, err := r.latest(r.ctx)
		if err != nil {
			return err
		}
		o := scheduler.Options{
			Plan: p, Parallel: r.order.Parallel, Changed: r.changed, Latest: r.edited, Edited: r.news,
			Work: func(ctx context.Context, t plan.Task) (scheduler.Result, error) {
				return safego.Value(ctx, r.m.o.Logger, "a task of a plan",
					func() (scheduler.Result, error) { return r.task(ctx, client(t), t) })
			},
		}
		if r.order.AskPhases {
			o.Phase = r.phase
		}
		if _, err := scheduler.Run(r.ctx, o); err != nil {
			return err
		}
		now, err := r.m.o.Planner.Plan(r.id)
		if err != nil {
			return err
		}
		if r.through(now.Head) {
			return nil
		}
	}
}

// latest returns the plan as it is now.
func (r *run) latest(ctx context.Context) (*plan.Plan, error) {
	r.mu.Lock()
	r.reset = false
	r.mu.Unlock()
	p, err := r.m.o.Planner.Get(ctx, r.id)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.head = p.Head
	r.mu.Unlock()
	return p.Plan, nil
}

// edited returns the plan if the scheduler doesn't know it yet.
func (r *run) edited(ctx context.Context) (*plan.Plan, error) {
	now, err := r.m.o.Planner.Plan(r.id)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	known := now.Head == r.head && !r.reset
	r.mu.Unlock()
	if known {
		return nil, nil
	}
	return r.latest(ctx)
}

// through closes the run, unless the plan was edited or a task was reset.
func (r *run) through(head int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = head == r.head && !r.reset
	return r.closed
}

// wake tells the scheduler that the plan was edited or a task was reset.
func (r *run) wake() {
	select {
	case r.news <- struct{}{}:
	default: // it will look anyway
	}
}

// meta returns a function that creates the planner client of a task.
func (r *run) meta() (func(t plan.Task) runner.Meta, error) {
	timeout, err := meta.Timeout(r.m.o.Getenv)
	if err != nil {
		return nil, err
	}
	return func(t plan.Task) runner.Meta {
		return meta.New(meta.Options{Models: r.m.o.Models, Model: r.order.Model, Timeout: timeout, Record: func(c meta.Call) {
			c.Task = t.ID
			if err := r.m.o.Planner.Proposals().KeepCall(context.WithoutCancel(r.ctx), r.id, c); err != nil {
				r.tell(t.ID, runner.Event{Type: runner.EventWarning, Text: errcode.From(err).Message})
			}
			r.spend(func(w *planner.Work) { w.Asked(c.TokensIn, c.TokensOut, c.CostUSD, c.Priced) })
		}})
	}, nil
}

// as converts a plan task for the runner. In another folder it is another task.
func (r *run) as(t plan.Task) runner.Task {
	out := runner.OfPlan(string(r.id)+"\x00"+r.order.Folder, t)
	out.Repo, out.MaxLoops, out.Test = r.order.Folder, taskfile.DefaultMaxLoops, runner.Test{Command: r.order.Test}
	out.Settings, _ = json.Marshal(
		map[string]any{"id": t.ID, "title": t.Title, "test": out.Test, "worker": r.order.Worker},
	)
	return out
}

func (r *run) task(ctx context.Context, client runner.Meta, t plan.Task) (scheduler.Result, error) {
	lent, err := codecli.Lend(r.order.Env)
	if err != nil {
		return scheduler.Result{}, err
	}
	o := runner.Options{
		Meta: client, Dir: r.m.o.Dir, Tell: func(e runner.Event) { r.tell(t.ID, e) },
		Worker: codecli.Worker{Kind: codecli.Kind(r.order.Worker), Mode: r.order.Mode, Command: r.order.Command, Model: r.order.WorkerModel, Env: lent, Sandbox: r.m.o.Sandbox},
	}
	o.Worker.Permit = func(ctx context.Context, p codecli.Permission) (bool, error) { return r.leave(ctx, t, p) }
	if ask := r.order.AskTools; ask != nil && !*ask {
		o.Worker.Permit = codecli.PermitAll
	}
	if r.order.AskMerges {
		o.Merge = func(ctx context.Context, m runner.Merging) (bool, string, error) {
			v, err := r.askMerge(ctx, t, m)
			return v.Allow, v.Word, err
		}
	}
	as := r.as(t)
	r.mu.Lock()
	as.Attempt = len(r.of(t.ID).Attempts)
	r.mu.Unlock()
	out, err := runner.Run(ctx, as, o)
	switch {
	case err != nil:
		return scheduler.Result{}, err
	case out.Merge != nil: // dependent tasks wouldn't find the work
		return scheduler.Result{
			Status: plan.Failed,
			Reason: "The work is complete, but not merged: " + out.Merge.Message,
			Cause:  out.Cause,
		}, nil
	}
	return scheduler.Result{Status: out.State, Reason: out.Reason, Cause: out.Cause}, nil
}

// askMerge asks whether a task's work is merged. The question holds the whole diff, or, where that is too long for a
// question, the list of the changed files.
func (r *run) askMerge(ctx context.Context, t plan.Task, m runner.Merging) (tool.Verdict, error) {
	about := map[string]any{
		"plan": r.name, "task": t.Title, "branch": m.Branch, "into": m.Into, "folder": r.order.Folder,
		"files": strings.Join(m.Files, "\n"), "diff": m.Diff, "test": m.Test.Command,
	}
	about["tested"] = "none"
	if m.Tested.Ran {
		about["tested"] = m.Tested.ExitCode
	}
	if arguments, err := strictjson.Encode(about); err != nil || tool.Readable(arguments) != nil {
		about["diff"] = "too long to show here. See the task's changes in the plan, or: git diff HEAD..." + m.Branch
	}
	return r.verdict(ctx, "merge", about)
}

func (r *run) phase(ctx context.Context, phase string) (bool, error) {
	if said, asked := r.phases[phase]; asked { // by the same goroutine, before the plan was loaded again
		return said, nil
	}
	r.mu.Lock()
	allowed := slices.Contains(r.used.Phases, phase)
	r.mu.Unlock()
	if allowed { // before a pause
		return true, nil
	}
	yes, err := r.ask(ctx, "begin phase", map[string]any{"plan": r.name, "phase": phase, "folder": r.order.Folder})
	if err != nil {
		return false, err
	}
	if r.phases[phase] = yes; !yes {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used.Phases = append(slices.Clone(r.used.Phases), phase)
	return true, r.m.o.Planner.SetWork(context.WithoutCancel(ctx), r.id, r.used)
}

// leave asks whether a worker's request is allowed.
func (r *run) leave(ctx context.Context, t plan.Task, p codecli.Permission) (bool, error) {
	about := map[string]any{"plan": r.name, "task": t.Title, "worker": string(p.Kind), "wants": p.Title}
	if p.Does != "" {
		about["does"] = p.Does
	}
	if len(p.Paths) > 0 {
		about["paths"] = strings.Join(p.Paths, ", ")
	}
	if len(p.Input) > 0 {
		about["input"] = p.Input
	}
	yes, err := r.ask(ctx, "worker tool", about)
	if errcode.Is(err, errcode.Validation) { // no person was asked, and the worker can't get the reason
		r.tell(
			t.ID,
			runner.Event{
				Type:  runner.EventWarning,
				Text:  "the worker was not allowed to: " + errcode.From(err).Message,
				Cause: (&errcode.Cause{Code: "not_shown"}).About("said", errcode.From(err).Message),
			},
		)
	}
	return yes, err
}

// ask asks a person in the inbox for a yes or no.
func (r *run) ask(ctx context.Context, what string, about map[string]any) (bool, error) {
	v, err := r.verdict(ctx, what, about)
	return v.Allow, err
}

// verdict asks a person in the inbox. The asker's name is unique to this plan, so that a standing permission applies only
// to it. What can't be shown completely is rejected.
func (r *run) verdict(ctx context.Context, what string, about map[string]any) (tool.Verdict, error) {
	arguments, err := strictjson.Encode(about)
	if err == nil {
		err = tool.Readable(arguments)
	}
	if err != nil {
		return tool.Verdict{}, err
	}
	return r.m.o.Asker(r.name+" · "+string(r.id[max(0, len(r.id)-6):]), r.id, r.order).
		Ask(ctx, tool.Question{Tool: what, Arguments: arguments})
}

// spend adds a cost, and stops the plan when a budget is used up.
func (r *run) spend(count func(*planner.Work)) {
	r.mu.Lock()
	count(&r.used)
	w := r.used
	r.mu.Unlock()
	if err := w.Over(); err != nil {
		r.stop(err)
	}
}

// worked adds a worker's attempt and saves it, because it is reported only once.
func (r *run) worked(e runner.Event) error {
	price, known := r.m.o.Models.Price(llm.Model(r.order.Worker + "/" + cmp.Or(r.order.WorkerModel, "*")))
	r.spend(func(w *planner.Work) { w.Tried(e.TokensIn, e.TokensOut, e.CostUSD, price, known) })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counted = r.used.Tokens
	return r.m.o.Planner.SetWork(context.WithoutCancel(r.ctx), r.id, r.used)
}

// end saves how the work ended, and resets running tasks.
func (r *run) end(ctx context.Context, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	now := time.Now().UTC()
	w := r.used
	switch {
	case err == nil:
		w.State, w.EndedAt = planner.Ended, now
	case errors.Is(err, errCancelled):
		w.State, w.EndedAt = planner.Stopped, now
	case errors.Is(err, errPaused):
		w.State = planner.Paused
	case errors.Is(err, errStopped):
		w.State, w.Failure = planner.Paused, errcode.New(errcode.Unavailable, "the hub ended while the plan was being worked").
			With(errcode.KeyReason, ReasonRestarted)
	default:
		w.State, w.Failure = planner.Paused, errcode.From(err)
	}
	var failed error
	for id, at := range r.tasks {
		if at.Status.Runs() {
			at.Status = plan.Pending
			at.dirty = true
		}
		if at.dirty {
			failed = errors.Join(failed, r.put(ctx, id, at))
		}
	}
	return errors.Join(failed, r.m.o.Planner.SetWork(ctx, r.id, w))
}
