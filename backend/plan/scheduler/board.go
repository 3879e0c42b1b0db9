package scheduler

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
)

// board is the state of a running plan.
type board struct {
	o       Options
	tasks   map[plan.ID]*plan.Task
	nodes   map[plan.ID]*plan.Node
	order   []plan.ID // leaves, in tree order
	status  map[plan.ID]plan.Status
	running map[plan.ID]*running
	ended   chan end        // of running tasks
	phases  map[string]bool // asked, and the answer
}

// running is a running task, as it was when it began.
type running struct {
	task    *plan.Task
	cancel  context.CancelCauseFunc
	removed bool // by an edit, so it is canceled
}

func newBoard(o Options) *board {
	b := &board{o: o, running: map[plan.ID]*running{}, ended: make(chan end), phases: map[string]bool{}}
	b.load(o.Plan)
	return b
}

// load replaces the plan and takes the statuses from it.
func (b *board) load(p *plan.Plan) {
	b.o.Plan = p
	b.tasks, b.nodes, b.status = map[plan.ID]*plan.Task{}, map[plan.ID]*plan.Node{}, map[plan.ID]plan.Status{}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		b.tasks[t.ID], b.status[t.ID] = t, t.Status
	}
	for i := range p.NodeIndex {
		b.nodes[p.NodeIndex[i].NodeID] = &p.NodeIndex[i]
	}
	b.order = b.leaves(p.RootNodeID)
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

// settle resets tasks that were running in the last run, and blocks the dependents of failed tasks and only those.
func (b *board) settle() error {
	was := map[plan.ID]bool{}
	for _, id := range b.order {
		switch is := b.status[id]; {
		case is == plan.Blocked:
			was[id], b.status[id] = true, plan.Pending
		case is != plan.Complete && is != plan.Failed && !b.runs(id):
			if err := b.set(id, Result{Status: plan.Pending}); err != nil {
				return err
			}
		}
	}
	if err := b.block(was); err != nil {
		return err
	}
	for _, id := range b.order {
		if was[id] && b.status[id] == plan.Pending {
			if err := b.o.Changed(id, Result{Status: plan.Pending}); err != nil {
				return err
			}
		}
	}
	return nil
}

// block marks all direct and indirect dependents of failed tasks. Those in known are reported already.
func (b *board) block(known map[plan.ID]bool) error {
	for again := true; again; {
		again = false
		for _, id := range b.order {
			if b.status[id] != plan.Pending || b.runs(id) {
				continue
			}
			why, blocked := b.blocked(id)
			if !blocked {
				continue
			}
			again, b.status[id] = true, plan.Blocked
			if known[id] {
				continue
			}
			if err := b.o.Changed(id, why); err != nil {
				return err
			}
		}
	}
	return nil
}

// blocked returns why a task can't start any more, if so.
func (b *board) blocked(id plan.ID) (Result, bool) {
	for _, d := range b.waitsFor(id) {
		word, code := "has failed", causeFailedBefore
		switch b.status[d] {
		case plan.Failed:
		case plan.Blocked:
			word, code = "is blocked itself", causeBlockedBefore
		default:
			continue
		}
		cause := (&errcode.Cause{Code: code}).About("task", b.tasks[d].Title)
		return Result{plan.Blocked, fmt.Sprintf("it waits for %s, which %s", d, word), cause}, true
	}
	return Result{}, false
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
	return b.block(nil)
}

// next returns a task that can start now, or nil.
func (b *board) next(ctx context.Context) (*plan.Task, error) {
	if len(b.running) >= b.o.Parallel {
		return nil, nil
	}
	for _, id := range b.order {
		t := b.tasks[id]
		if b.status[id] != plan.Pending || b.runs(id) ||
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

func (b *board) runs(id plan.ID) bool {
	_, is := b.running[id]
	return is
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
	for id, other := range b.running {
		mine, theirs := files(t), files(other.task)
		if share(mine, theirs) || slices.ContainsFunc(b.o.Conflicts, func(c plan.PotentialConflict) bool {
			named, otherNamed, file := slices.Contains(c.Tasks, t.ID), slices.Contains(c.Tasks, id), []string{c.File}
			return named && otherNamed || named && share(file, theirs) || otherNamed && share(file, mine)
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
