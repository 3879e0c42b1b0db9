// Package scheduler runs a plan. A task starts when all its dependencies are complete, up to a number in parallel,
// and never two that may change the same files. A failed task blocks its dependents, with a reason. The scheduler
// doesn't know how a task is run.
package scheduler

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/plan"
)

// MaxParallel limits the number of parallel tasks.
const MaxParallel = 32

// Result is a status of a task, and why it has it. A task ends as Complete or Failed.
type Result struct {
	Status plan.Status
	Reason string
	Cause  *errcode.Cause // the reason in a word, for a page in any language; nil: unknown
}

// Causes of a blocked task.
const (
	causeFailedBefore  = "waits_for_failed"
	causeBlockedBefore = "waits_for_blocked"
)

// Options configure Run.
type Options struct {
	Plan      *plan.Plan
	Conflicts []plan.PotentialConflict // files that several tasks may change
	Parallel  int                      // 1 to MaxParallel
	// Work runs one task to its end. Its error ends the plan: the other tasks are canceled with it as the cause, and
	// resume when the plan is run again.
	Work func(ctx context.Context, t plan.Task) (Result, error)
	// Changed is called for each change of a status, one at a time, before it has any effect. Its error ends the
	// plan, like one of Work.
	Changed func(id plan.ID, to Result) error
	// Phase is called before the first task of a phase starts; a rejected phase isn't started. nil approves all.
	Phase func(ctx context.Context, phase string) (bool, error)
}

// Summary is the state of the plan.
type Summary struct {
	Complete int       `json:"complete"`
	Failed   []plan.ID `json:"failed"`
	Blocked  []plan.ID `json:"blocked"` // because of failed tasks
	Open     int       `json:"open"`    // all others: not approved, or not started
}

// Run runs the plan until nothing more can start, and returns once all running tasks have ended. Tasks are the leaves
// of the tree; a parent is complete when its children are. A COMPLETE or FAILED task stays so; a task that was
// running resumes.
func Run(ctx context.Context, o Options) (Summary, error) {
	if o.Parallel < 1 || o.Parallel > MaxParallel {
		return Summary{}, errcode.New(errcode.Validation,
			"the number of tasks at once must be 1 to %d, not %d", MaxParallel, o.Parallel).
			With(errcode.KeyField, "parallel")
	}
	b := newBoard(o)
	if err := b.begin(); err != nil {
		return Summary{}, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := make(chan end)
	var failure error
	for {
		for failure == nil && ctx.Err() == nil {
			t, err := b.next(ctx)
			if err == nil && t != nil {
				err = b.set(t.ID, Result{Status: plan.Running})
			}
			if err != nil {
				failure = err
				stop(err)
			}
			if err != nil || t == nil {
				break
			}
			b.running[t.ID] = true
			go func(t plan.Task) {
				r, err := safego.Value(ctx, nil, "a task of a plan", func() (Result, error) { return o.Work(ctx, t) })
				ended <- end{t.ID, r, err}
			}(*t)
		}
		if len(b.running) == 0 {
			break
		}
		e := <-ended
		delete(b.running, e.id)
		err := e.err
		if safego.Is(err) { // a panic fails only this task
			e.result, err = Result{plan.Failed, errcode.From(err).Message, errcode.CauseOf(err)}, nil
		}
		if err == nil {
			err = b.finish(e.id, e.result)
		}
		if err != nil && failure == nil {
			failure = err
			stop(err)
		}
	}
	if failure == nil && ctx.Err() != nil {
		failure = context.Cause(ctx)
	}
	return b.summary(), failure
}

type end struct {
	id     plan.ID
	result Result
	err    error
}

// board is the state of a running plan.
type board struct {
	o       Options
	tasks   map[plan.ID]*plan.Task
	nodes   map[plan.ID]*plan.Node
	order   []plan.ID // leaves, in tree order
	status  map[plan.ID]plan.Status
	running map[plan.ID]bool
	phases  map[string]bool // asked, and the answer
}

func newBoard(o Options) *board {
	b := &board{
		o:       o,
		tasks:   map[plan.ID]*plan.Task{},
		nodes:   map[plan.ID]*plan.Node{},
		status:  map[plan.ID]plan.Status{},
		running: map[plan.ID]bool{},
		phases:  map[string]bool{},
	}
	for i := range o.Plan.Tasks {
		t := &o.Plan.Tasks[i]
		b.tasks[t.ID], b.status[t.ID] = t, t.Status
	}
	for i := range o.Plan.NodeIndex {
		b.nodes[o.Plan.NodeIndex[i].NodeID] = &o.Plan.NodeIndex[i]
	}
	b.order = b.leaves(o.Plan.RootNodeID)
	return b
}

// leaves returns the leaf tasks below a node, or the node itself.
func (b *board) leaves(of plan.ID) (all []plan.ID) {
	stack := []plan.ID{of}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := b.nodes[id]
		if len(n.Children) == 0 && id != b.o.Plan.RootNodeID {
			all = append(all, id)
		}
		for _, c := range slices.Backward(n.Children) {
			stack = append(stack, c)
		}
	}
	return all
}

// waitsFor returns the leaves that must be complete before a task starts: those of its dependencies and of its
// ancestors' dependencies.
func (b *board) waitsFor(id plan.ID) (all []plan.ID) {
	for at := id; at != b.o.Plan.RootNodeID; at = b.nodes[at].ParentID {
		for _, d := range b.tasks[at].Dependencies {
			all = append(all, b.leaves(d)...)
		}
	}
	return slices.DeleteFunc(all, func(d plan.ID) bool { return d == id })
}

func (b *board) set(id plan.ID, to Result) error {
	if b.status[id] == to.Status {
		return nil
	}
	b.status[id] = to.Status
	return b.o.Changed(id, to)
}

// begin resets tasks that were blocked or running in the last run, and blocks the dependents of failed tasks.
func (b *board) begin() error {
	for _, id := range b.order {
		switch b.status[id] {
		case plan.Complete, plan.Failed, plan.Pending:
		default:
			if err := b.set(id, Result{Status: plan.Pending}); err != nil {
				return err
			}
		}
	}
	return b.block()
}

// block marks all direct and indirect dependents of failed tasks.
func (b *board) block() error {
	for again := true; again; {
		again = false
		for _, id := range b.order {
			if b.status[id] != plan.Pending {
				continue
			}
			for _, d := range b.waitsFor(id) {
				if b.status[d] != plan.Failed && b.status[d] != plan.Blocked {
					continue
				}
				word, code := "has failed", causeFailedBefore
				if b.status[d] == plan.Blocked {
					word, code = "is blocked itself", causeBlockedBefore
				}
				cause := (&errcode.Cause{Code: code}).About("task", b.tasks[d].Title)
				why := Result{plan.Blocked, fmt.Sprintf("it waits for %s, which %s", d, word), cause}
				if err := b.set(id, why); err != nil {
					return err
				}
				again = true
				break
			}
		}
	}
	return nil
}

func (b *board) finish(id plan.ID, r Result) error {
	if r.Status != plan.Complete && r.Status != plan.Failed {
		return errcode.New(errcode.Internal, "the task %s ended as %q", id, r.Status)
	}
	if err := b.set(id, r); err != nil {
		return err
	}
	for up := b.nodes[id].ParentID; up != b.o.Plan.RootNodeID; up = b.nodes[up].ParentID {
		if slices.ContainsFunc(b.leaves(up), func(l plan.ID) bool { return b.status[l] != plan.Complete }) {
			break
		}
		if err := b.set(up, Result{Status: plan.Complete}); err != nil {
			return err
		}
	}
	return b.block()
}

// next returns a task that can start now, or nil.
func (b *board) next(ctx context.Context) (*plan.Task, error) {
	if len(b.running) >= b.o.Parallel {
		return nil, nil
	}
	for _, id := range b.order {
		t := b.tasks[id]
		if b.status[id] != plan.Pending || b.running[id] ||
			slices.ContainsFunc(
				b.waitsFor(id),
				func(d plan.ID) bool { return b.status[d] != plan.Complete },
			) || b.collides(t) {
			continue
		}
		yes, err := b.approved(ctx, t.PhaseName)
		if err != nil {
			return nil, err
		}
		if yes {
			return t, nil
		}
	}
	return nil, nil
}

func (b *board) approved(ctx context.Context, phase string) (bool, error) {
	if b.o.Phase == nil {
		return true, nil
	}
	if said, asked := b.phases[phase]; asked {
		return said, nil
	}
	yes, err := b.o.Phase(ctx, phase)
	if err == nil {
		b.phases[phase] = yes
	}
	return yes, err
}

// collides reports whether a task may change the same files as a running one.
func (b *board) collides(t *plan.Task) bool {
	for id := range b.running {
		if share(files(t), files(b.tasks[id])) || slices.ContainsFunc(b.o.Conflicts, func(c plan.PotentialConflict) bool {
			return slices.Contains(c.Tasks, t.ID) && slices.Contains(c.Tasks, id) ||
				slices.Contains(c.Tasks, t.ID) && share([]string{c.File}, files(b.tasks[id])) || slices.Contains(c.Tasks, id) && share([]string{c.File}, files(t))
		}) {
			return true
		}
	}
	return false
}

func files(t *plan.Task) []string {
	if t.SuggestedImpl == nil {
		return nil
	}
	return t.SuggestedImpl.FilePaths
}

// share reports whether two lists have a file in common; a folder includes everything below it.
func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool {
			x, y := path.Clean(strings.ToLower(x)), path.Clean(strings.ToLower(y))
			return x == y || x == "." || y == "." || strings.HasPrefix(x, y+"/") || strings.HasPrefix(y, x+"/")
		})
	})
}

func (b *board) summary() (s Summary) {
	for _, id := range b.order {
		switch b.status[id] {
		case plan.Complete:
			s.Complete++
		case plan.Failed:
			s.Failed = append(s.Failed, id)
		case plan.Blocked:
			s.Blocked = append(s.Blocked, id)
		default:
			s.Open++
		}
	}
	return s
}
