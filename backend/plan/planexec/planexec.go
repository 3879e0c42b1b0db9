// Package planexec runs plans in the hub. It owns the running plans, asks a person if the order requires it, and
// reports to the planner. Plans that were running when the hub ended are paused at its next start, until a person
// resumes them.
package planexec

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/worktree"
)

// MaxPlans limits the number of plans that run in parallel.
const MaxPlans = 8

// Reasons of errors.
const (
	ReasonWorked    = "being_worked"  // the plan is running
	ReasonNotWorked = "not_worked"    // the plan isn't running
	ReasonNotFailed = "not_failed"    // the task to retry hasn't failed
	ReasonRestarted = "hub_restarted" // the plan was running when the hub ended
	ReasonHeld      = "held"          // the run comes from a restored backup, and no person has seen its order
	ReasonDirect    = "no_worktree"   // without Git or a commit, workers would change the folder itself
)

var (
	errPaused    = errors.New("foreman: the person pauses the plan")
	errCancelled = errors.New("foreman: the person cancels the plan")
	errStopped   = errors.New("foreman: the hub stops")
)

// Models calls the planner's models and knows prices. *llm.Registry implements it.
type Models interface {
	planner.Models
	Price(m llm.Model) (llm.Price, bool)
}

// Options configure a Machine.
type Options struct {
	Planner *planner.Machine
	Models  Models
	Asker   func(plan string, id planner.ID, o planner.Order) tool.Asker // asks a person
	Dir     string                                                       // the hub's folder for runs and worktrees
	Getenv  func(string) string
	Logger  *slog.Logger
	Sandbox sandbox.Settings // for workers and tests
}

// Machine runs plans. Create it with New; Run runs them.
type Machine struct {
	o     Options
	begun chan *run // limited by MaxPlans

	mu    sync.Mutex
	runs  map[planner.ID]*run
	ended bool
}

// New pauses the plans that an earlier hub process was running.
func New(ctx context.Context, o Options) (*Machine, error) {
	m := &Machine{o: o, begun: make(chan *run, MaxPlans), runs: map[planner.ID]*run{}}
	for _, p := range o.Planner.Plans() {
		if p.Work == nil || p.Work.State != planner.Working {
			continue
		}
		r, err := m.newRun(ctx, p.ID, *p.Work)
		if err != nil {
			return nil, err
		}
		why := errStopped
		if p.Work.Held {
			why = errPaused
		}
		if err := r.end(ctx, why); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Run runs plans until ctx ends; it then pauses the running ones.
func (m *Machine) Run(ctx context.Context) error {
	var all errgroup.Group
	for {
		select {
		case r := <-m.begun:
			all.Go(func() error { r.work(ctx); return nil })
		case <-ctx.Done():
			m.mu.Lock()
			m.ended = true
			m.mu.Unlock()
			for len(m.begun) > 0 {
				r := <-m.begun
				all.Go(func() error { r.work(ctx); return nil })
			}
			return all.Wait()
		}
	}
}

// Workers lists the coding CLIs on this computer.
func (m *Machine) Workers(ctx context.Context) []codecli.Found {
	return codecli.Find(ctx, filepath.Join(m.o.Dir, "workers"))
}

// Start runs a plan; the call counts as the approval.
func (m *Machine) Start(ctx context.Context, id planner.ID, o planner.Order) error {
	if err := check(o); err != nil {
		return err
	}
	if err := separate(ctx, o); err != nil {
		return err
	}
	var err error
	if o.Model, err = meta.Choose(ctx, m.o.Models, string(o.Model), m.o.Getenv); err != nil {
		return err
	}
	return m.start(ctx, id,
		func() (planner.Work, error) { return planner.Work{Order: o, BeganAt: time.Now().UTC()}, nil })
}

func check(o planner.Order) error {
	if !filepath.IsAbs(o.Folder) {
		return errcode.New(errcode.Validation,
			"the folder %q is not an absolute path. Enter the whole path, such as /home/me/project", o.Folder).
			With(errcode.KeyReason, "relative_folder").With(errcode.KeyField, "folder").With("folder", o.Folder)
	}
	if at, err := os.Stat(o.Folder); err != nil || !at.IsDir() {
		return errcode.New(errcode.Validation, "there is no folder %s on the hub's computer", o.Folder).
			With(errcode.KeyReason, "missing_folder").With(errcode.KeyField, "folder").With("folder", o.Folder)
	}
	if !slices.Contains(codecli.Kinds(), codecli.Kind(o.Worker)) {
		return errcode.New(errcode.Validation, "there is no worker %q", o.Worker).With(errcode.KeyField, "worker")
	}
	if o.AskTools != nil && *o.AskTools && o.Mode != codecli.ACP {
		return errcode.New(errcode.Validation, "only a worker in the mode %s asks for leave", codecli.ACP).
			With(errcode.KeyField, "askTools")
	}
	if _, err := codecli.Lend(o.Env); err != nil {
		return err
	}
	if o.Command != "" {
		if _, err := exec.LookPath(o.Command); err != nil {
			return errcode.Wrap(errcode.Validation, err,
				"the command %s cannot be started: %s", o.Command, err.Error()).
				With(errcode.KeyField, "command")
		}
	}
	return nil
}

// separate rejects a folder that workers would change directly, unless the order allows that.
func separate(ctx context.Context, o planner.Order) error {
	if o.Direct {
		return nil
	}
	_, err := worktree.Open(ctx, o.Folder, "")
	if !errcode.HasReason(err, worktree.ReasonNoGit) && !errcode.HasReason(err, worktree.ReasonNoCommit) {
		return nil // the task reports what else keeps it from a worktree
	}
	return errcode.Wrap(errcode.Validation, err,
		"%s. Without that, the workers would change the folder itself, which this order doesn't allow",
		errcode.From(err).Message).
		With(errcode.KeyReason, ReasonDirect).With(errcode.KeyField, "folder")
}

// start runs a plan with the work that read returns. It holds the mutex during read, so the plan can't be started or
// ended meanwhile.
func (m *Machine) start(ctx context.Context, id planner.ID, read func() (planner.Work, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.ended:
		return errcode.New(errcode.Unavailable, "the hub stops")
	case m.runs[id] != nil:
		return errcode.New(errcode.Conflict, "the plan is being worked already").With(errcode.KeyReason, ReasonWorked)
	case len(m.runs) >= MaxPlans:
		return errcode.New(errcode.Conflict, "%d plans are being worked already: pause one, or wait", MaxPlans)
	}
	w, err := read()
	if err != nil {
		return err
	}
	w.State, w.Failure, w.EndedAt = planner.Working, nil, time.Time{}
	r, err := m.newRun(ctx, id, w)
	if err != nil {
		return err
	}
	if err := m.o.Planner.SetWork(ctx, id, w); err != nil {
		return err
	}
	m.runs[id] = r
	m.begun <- r
	return nil
}

// Pause stops the work on a plan and returns when everything that it started has ended. Resume continues unfinished
// tasks.
func (m *Machine) Pause(ctx context.Context, id planner.ID) error {
	return m.stop(ctx, id, errPaused)
}

func (m *Machine) stop(ctx context.Context, id planner.ID, why error) error {
	m.mu.Lock()
	r := m.runs[id]
	m.mu.Unlock()
	if r == nil {
		if _, err := m.o.Planner.Plan(id); err != nil {
			return err
		}
		return errcode.New(errcode.Conflict, "the plan is not being worked").With(errcode.KeyReason, ReasonNotWorked)
	}
	r.stop(why)
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Resume continues a plan that is paused or has ended.
func (m *Machine) Resume(ctx context.Context, id planner.ID, b planner.Budget) error {
	return m.start(ctx, id, func() (planner.Work, error) {
		p, err := m.o.Planner.Plan(id)
		if err != nil {
			return planner.Work{}, err
		}
		if p.Work == nil || p.Work.State == planner.Stopped {
			return planner.Work{}, errcode.New(errcode.Conflict, "the plan is not paused: begin to work it").
				With(errcode.KeyReason, ReasonNotWorked)
		}
		if p.Work.Held {
			return planner.Work{}, errHeld()
		}
		w := *p.Work
		w.Rebudget(b)
		if err := w.Over(); err != nil {
			return w, err
		}
		return w, check(w.Order)
	})
}

func errHeld() error {
	return errcode.New(errcode.Conflict, "this run comes from a restored backup. "+
		"Check its folder, worker and test command, and run the plan with them").With(errcode.KeyReason, ReasonHeld)
}

// Cancel ends the work on a plan. Unmerged work stays on its branch.
func (m *Machine) Cancel(ctx context.Context, id planner.ID) error {
	for {
		err := m.stop(ctx, id, errCancelled)
		if !errcode.HasReason(err, ReasonNotWorked) {
			return err
		}
		if begun, failed := m.settle(ctx, id, err); !begun {
			return failed
		}
	}
}

// settle marks paused work as canceled, or returns notWorked. begun reports that the work has been started meanwhile.
func (m *Machine) settle(ctx context.Context, id planner.ID, notWorked error) (begun bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.runs[id] != nil {
		return true, nil
	}
	p, err := m.o.Planner.Plan(id)
	if err != nil || p.Work == nil || p.Work.State != planner.Paused {
		return false, notWorked
	}
	w := *p.Work
	w.State, w.Failure, w.EndedAt = planner.Stopped, nil, time.Now().UTC()
	return false, m.o.Planner.SetWork(ctx, id, w)
}

// Retry resets a failed task. In a running plan it starts as soon as it can; a plan that has ended is run again.
func (m *Machine) Retry(ctx context.Context, id planner.ID, task plan.ID) error {
	for {
		m.mu.Lock()
		r := m.runs[id]
		if r == nil {
			break
		}
		m.mu.Unlock()
		if taken, err := r.retry(ctx, task); taken {
			return err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	ended, err := m.reopen(ctx, id, task)
	m.mu.Unlock()
	if err != nil || !ended {
		return err
	}
	if err = m.Resume(ctx, id, planner.Budget{}); errcode.HasReason(err, ReasonWorked) {
		return nil
	}
	return err
}

// reopen resets a failed task of a plan that isn't running.
func (m *Machine) reopen(ctx context.Context, id planner.ID, task plan.ID) (ended bool, err error) {
	p, err := m.o.Planner.Plan(id)
	if err != nil {
		return false, err
	}
	idle, err := m.newRun(ctx, id, planner.Work{})
	if err != nil {
		return false, err
	}
	return p.Work != nil && p.Work.State == planner.Ended && !p.Work.Held, idle.reopen(ctx, task)
}
