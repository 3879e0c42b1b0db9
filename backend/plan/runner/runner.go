// Package runner runs a task to its end: it asks the planner for the next action, and runs coding CLIs. It trusts
// tests and worktrees rather than words. Each step is stored, so that a killed task resumes (requirements ME-1 to
// ME-3, ME-5 to ME-7).
package runner

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/worktree"
)

// Meta is the planner. *meta.Client implements it.
type Meta interface {
	PlanTask(ctx context.Context, in meta.PRD) (meta.PlanTaskAnswer, error)
	NextAction(ctx context.Context, in meta.TaskContext) (meta.NextActionAnswer, error)
	Assess(ctx context.Context, in meta.TaskContext) (meta.CompletionAssessmentAnswer, error)
}

// Task is the input of Run.
type Task struct {
	ID       string
	Title    string
	PRD      string
	Repo     string                     // the person's folder
	Criteria []meta.AcceptanceCriterion // from a plan; nil: the planner is asked
	Settings json.RawMessage            // the Task YAML as JSON, without secrets, for the planner
	Test     Test
	MaxLoops int // how often a task can return from VALIDATING to RUNNING
	Attempt  int // of a plan's task, as the plan counts them, from 1; 0: not of a plan
}

// Test is the command whose result counts as evidence; "" is none.
type Test struct {
	Command string
	Cwd     string // relative to the repo
}

// Merging is finished work that waits for the merge.
type Merging struct {
	Branch string
	Into   string   // the branch that it would be merged into
	Files  []string // as worktree.Tree.Changes lists them
	Diff   string
	Test   Test   // its command is empty where there is none
	Tested Tested // the result of the test command
}

// Options configure Run.
type Options struct {
	Meta   Meta
	Worker codecli.Worker
	Dir    string // the program's data folder, with runs, worktrees and records
	Tell   func(Event)
	// Merge, if not nil, approves the merge of the work, or says in a reply why not. Rejected work stays on its branch.
	Merge func(ctx context.Context, m Merging) (ok bool, reply string, err error)
}

// Outcome is the result of a task.
type Outcome struct {
	State  plan.Status `json:"state"` // Complete or Failed
	Reason string      `json:"reason"`
	Branch string      `json:"branch,omitempty"` // the branch with the work, if it isn't merged
	Merge  *Problem    `json:"merge,omitempty"`  // why it isn't merged
	Note   string      `json:"note"`

	// Why it failed or isn't merged, in a word, for a page in any language.
	Cause *errcode.Cause `json:"cause,omitempty"`
}

// Problem is why the work couldn't be merged.
type Problem struct {
	Code    errcode.Code `json:"code"`
	Reason  string       `json:"reason,omitempty"`
	Message string       `json:"message"`
	Reply   string       `json:"reply,omitempty"` // of the person who didn't approve it
	Files   []string     `json:"files,omitempty"` // in which both sides changed the same lines
}

// Folders below Options.Dir.
const (
	runsDir  = "runs"
	treesDir = "worktrees"
)

// Run runs a task to COMPLETE or FAILED. A killed or canceled task resumes; one that has ended starts again. An error
// isn't a result of the task, but for example the cause of ctx, an unusable folder or a full disk.
func Run(ctx context.Context, t Task, o Options) (Outcome, error) {
	dir := filepath.Join(o.Dir, runsDir, t.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Outcome{}, errcode.Wrap(errcode.Unavailable, err, "the task's folder cannot be made: %s", dir)
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if got, err := lock.TryLock(); err != nil || !got {
		return Outcome{}, errcode.New(errcode.Conflict,
			"the task %s is being worked already. Wait for it, or give this one another id", t.ID)
	}
	defer lock.Unlock() //nolint:errcheck // the end of the process also unlocks it
	w := &work{Task: t, o: o, dir: dir, state: plan.Pending}
	if err := w.open(ctx); err != nil {
		return Outcome{}, err
	}
	defer w.journal.close()
	return w.run(ctx)
}

// work is a running task.
type work struct {
	Task
	o       Options
	dir     string
	journal *journal
	place   place
	state   plan.Status
	loops   int
	record  Record

	testsFailed int // runs of the test command

	unmerged  string   // why the work of the last run was complete, if it couldn't be merged
	conflicts []string // files in which the worker resolves conflicts; before resume: those of the last run
}

func (w *work) open(ctx context.Context) error {
	if err := w.place.open(ctx, w); err != nil {
		return err
	}
	for {
		j, err := openJournal(w.dir)
		if err != nil {
			return err
		}
		if n := len(j.kept); n == 0 || j.kept[n-1].Step != stepEnd {
			w.journal = j
			break
		}
		w.recall(j.kept)
		j.close() // it has ended: keep its journal under another name
		if err := os.Rename(j.path, filepath.Join(w.dir, time.Now().UTC().Format("20060102T150405.000000000")+"-"+journalName)); err != nil {
			return unkept(err)
		}
	}
	if n := w.journal.count; n > 0 {
		w.o.Tell(Event{Type: EventResumed, Steps: n})
	}
	return nil
}

// Steps of a journal.
const (
	stepResume   = "resume"
	stepCriteria = "plan_task"
	stepAction   = "next_action"
	stepWorker   = "worker"
	stepTest     = "test"
	stepMarked   = "marked"
	stepAssess   = "completion_assessment"
	stepMerge    = "merge"
	stepEnd      = "end"
)

// enter changes the state and reports it, unless this is a replay.
func (w *work) enter(to plan.Status) {
	w.state = to
	if !w.journal.again() {
		w.o.Tell(Event{Type: EventState, State: to})
		w.writeNote()
	}
}

func (w *work) tell(e Event) {
	if !w.journal.again() {
		w.o.Tell(e)
	}
}

func (w *work) run(ctx context.Context) (Outcome, error) {
	w.record.Began = time.Now().UTC()
	w.hideNotes(ctx)
	w.enter(plan.Pending)
	out, err := w.toTheEnd(ctx)
	if err != nil {
		w.writeNote()
		return Outcome{}, err
	}
	out.Note = w.notePath()
	if out.State == plan.Complete {
		problem, err := w.merge(ctx)
		if err != nil {
			return Outcome{}, err
		}
		out.Merge = problem
		if problem != nil {
			out.Cause = unmerged(problem, w.place.tree)
		}
	}
	if w.place.tree != nil && (out.State == plan.Failed || out.Merge != nil) {
		out.Branch = w.place.tree.Branch
	}
	w.record.Outcome = &out
	w.enter(out.State)
	w.o.Tell(Event{Type: EventEnd, State: out.State, Text: out.Reason, Path: out.Note})
	return step(w.journal, stepEnd, func(bool) (Outcome, error) { return out, nil }) // last: until then, a restart repeats the reports
}

// toTheEnd plans, works and validates until the task is complete or has failed.
func (w *work) toTheEnd(ctx context.Context) (Outcome, error) {
	w.enter(plan.Planning)
	last := meta.WorkerResult{}
	switch r, err := w.resume(ctx); {
	case err != nil:
		return w.failed(ctx, err)
	case r.Reason != "":
		return Outcome{State: plan.Complete, Reason: r.Reason}, nil
	case len(r.Conflicts) > 0:
		last = r.lastResult(w.place.tree.Into())
	}
	if err := w.criteria(ctx); err != nil {
		return w.failed(ctx, err)
	}
	w.enter(plan.Running)
	for {
		action, err := w.next(ctx, last)
		if err != nil {
			return w.failed(ctx, err)
		}
		if w.state == plan.Validating && action.Decision.Action == meta.RunWorker {
			if !w.back() {
				return w.tooOften(nil), nil
			}
		}
		if action.Decision.Action == meta.RunWorker {
			if last, err = w.attempt(ctx, action.WorkerCall); err != nil {
				return w.failed(ctx, err)
			}
			w.enter(plan.Validating)
			if last, err = w.test(ctx, last); err != nil {
				return w.failed(ctx, err)
			}
			continue
		}
		if w.state != plan.Validating {
			w.enter(plan.Validating)
			if last, err = w.test(ctx, last); err != nil {
				return w.failed(ctx, err)
			}
		}
		missing, err := w.assess(ctx, last)
		if err != nil {
			return w.failed(ctx, err)
		}
		if missing == nil {
			return Outcome{State: plan.Complete, Reason: action.Decision.Reason}, nil
		}
		if !w.back() {
			return w.tooOften(missing), nil
		}
		last.Evidence += "\nIt was marked complete, and is not: " + missing.text
	}
}

// back returns from VALIDATING to RUNNING, unless MaxLoops is reached.
func (w *work) back() bool {
	if w.loops == w.MaxLoops {
		return false
	}
	w.loops++
	w.enter(plan.Running)
	return true
}

// failed distinguishes a failure of the task from an error outside it.
func (w *work) failed(ctx context.Context, err error) (Outcome, error) {
	if ctx.Err() != nil {
		return Outcome{}, context.Cause(ctx)
	}
	if errcode.Is(err, errcode.Internal) || errcode.HasReason(err, errcode.ReasonDiskFull) {
		return Outcome{}, err
	}
	return Outcome{State: plan.Failed, Reason: errcode.From(err).Message, Cause: errcode.CauseOf(err)}, nil
}

// place is where the worker works: a worktree, or the folder itself if there is no Git.
type place struct {
	repo *worktree.Repo
	tree *worktree.Tree
	sub  string // path in the repository, if the task's repo is a folder in it
	dir  string
}

func (p *place) open(ctx context.Context, w *work) error {
	r, err := worktree.Open(ctx, w.Repo, filepath.Join(w.o.Dir, treesDir, folder(w.Repo)))
	switch {
	case errcode.HasReason(err, worktree.ReasonNoGit), errcode.HasReason(err, worktree.ReasonNoCommit):
		p.dir = w.Repo
		e := errcode.From(err)
		text := e.Message + ". The worker works in the folder itself; what it changes cannot be taken back"
		w.warn(text, e.Reason(), "folder", w.Repo)
		return nil
	case err != nil:
		return err
	}
	real, err := filepath.EvalSymlinks(w.Repo)
	if err != nil {
		return errcode.Wrap(errcode.Validation, err, "the folder %s cannot be read", w.Repo)
	}
	if p.sub, err = filepath.Rel(r.Dir, real); err != nil {
		return errcode.Wrap(errcode.Validation, err, "%s is not in %s", w.Repo, r.Dir)
	}
	if p.tree, err = r.Add(ctx, w.ID); err != nil {
		return err
	}
	if len(p.tree.Left) > 0 {
		left := list(p.tree.Left)
		w.warn("what was in the way of the worktree is kept in "+left, "in_the_way", "files", left)
	}
	p.repo, p.dir = r, filepath.Join(p.tree.Dir, p.sub)
	files, err := r.Uncommitted(ctx)
	if err == nil && len(files) > 0 {
		w.warn("what is not committed is not seen by the worker: "+list(files), "uncommitted", "files", list(files))
	}
	return err
}

// reach returns what a worker and a test can access in the sandbox.
func (p *place) reach() (read, write []string) {
	if p.tree == nil {
		return nil, []string{p.dir}
	}
	return p.tree.Reach()
}
