package scheduler

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"agentflow/backend/plan"
)

// edited is a plan that a person edits while it runs.
type edited struct {
	mu    sync.Mutex
	now   *plan.Plan
	fresh bool
	news  chan struct{}
	began []string // ID and title of each task, in the order in which they started
	done  map[plan.ID]chan Result
	over  map[plan.ID]error // of tasks that were canceled
}

func editable(p *plan.Plan) *edited {
	return &edited{now: p, news: make(chan struct{}, 1), done: map[plan.ID]chan Result{}, over: map[plan.ID]error{}}
}

func (e *edited) options(parallel int) Options {
	return Options{
		Plan: e.now, Parallel: parallel, Work: e.work, Edited: e.news,
		Changed: func(id plan.ID, to Result) error {
			e.mu.Lock()
			defer e.mu.Unlock()
			if t, ok := e.now.Task(id); ok {
				t.Status = to.Status
			}
			return nil
		},
		Latest: func(context.Context) (*plan.Plan, error) {
			e.mu.Lock()
			defer e.mu.Unlock()
			if !e.fresh {
				return nil, nil
			}
			e.fresh = false
			return e.copy(), nil
		},
	}
}

func (e *edited) copy() *plan.Plan {
	p := *e.now
	p.Tasks, p.NodeIndex = slices.Clone(p.Tasks), slices.Clone(p.NodeIndex)
	return &p
}

func (e *edited) work(ctx context.Context, t plan.Task) (Result, error) {
	e.mu.Lock()
	e.began = append(e.began, string(t.ID)+" "+t.Title)
	end := make(chan Result)
	e.done[t.ID] = end
	e.mu.Unlock()
	select {
	case r := <-end:
		return r, nil
	case <-ctx.Done():
		e.mu.Lock()
		defer e.mu.Unlock()
		e.over[t.ID] = context.Cause(ctx)
		return Result{}, context.Cause(ctx)
	}
}

// edit changes the plan as the page does: the scheduler learns of it afterwards.
func (e *edited) edit(change func(p *plan.Plan)) {
	e.mu.Lock()
	p := e.copy()
	change(p)
	e.now, e.fresh = p, true
	e.mu.Unlock()
	e.news <- struct{}{}
}

func (e *edited) end(id plan.ID, is plan.Status) {
	e.mu.Lock()
	end := e.done[id]
	e.mu.Unlock()
	end <- Result{Status: is, Reason: "no luck"}
}

func (e *edited) starts() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.began, ", ")
}

func remove(p *plan.Plan, id plan.ID) {
	p.Tasks = slices.DeleteFunc(p.Tasks, func(t plan.Task) bool { return t.ID == id })
	p.NodeIndex = slices.DeleteFunc(p.NodeIndex, func(n plan.Node) bool { return n.NodeID == id })
	children := slices.Clone(p.NodeIndex[0].Children)
	p.NodeIndex[0].Children = slices.DeleteFunc(children, func(c plan.ID) bool { return c == id })
}

func add(p *plan.Plan, t plan.Task) {
	p.Tasks = append(p.Tasks, t)
	p.NodeIndex = append(p.NodeIndex, plan.Node{NodeID: t.ID, ParentID: plan.RootID})
	p.NodeIndex[0].Children = append(slices.Clone(p.NodeIndex[0].Children), t.ID)
}

func TestME9_EditsOfARunningPlanCount(t *testing.T) {
	for _, c := range []struct {
		name     string
		tasks    []string
		parallel int
		edit     func(p *plan.Plan)
		fails    bool // the first task
		starts   string
		canceled plan.ID
		complete int
	}{
		{"a task that waits starts as it was changed", []string{"a", "b<a"}, 1, func(p *plan.Plan) {
			b, _ := p.Task("b")
			b.Title = "new"
		}, false, "a a, b new", "", 2},
		{"a removed task never starts", []string{"a", "b<a", "c<a"}, 1,
			func(p *plan.Plan) { remove(p, "b") }, false, "a a, c c", "", 2},
		{"a running task that is removed is canceled, and the others go on", []string{"a", "b"}, 1,
			func(p *plan.Plan) { remove(p, "a") }, false, "a a, b b", "a", 1},
		{"a new task starts while others run", []string{"a"}, 2, func(p *plan.Plan) {
			add(p, plan.Task{ID: "n", Title: "n", Status: plan.Pending})
		}, false, "a a, n n", "", 2},
		{"what no longer waits for a failed task starts", []string{"a", "x", "b<a"}, 1, func(p *plan.Plan) {
			b, _ := p.Task("b")
			b.Dependencies = nil
		}, true, "a a, x x, b b", "", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := editable(tasks(t, c.tasks...))
				var s Summary
				var err error
				ended := make(chan struct{})
				go func() {
					s, err = Run(t.Context(), e.options(c.parallel))
					close(ended)
				}()
				synctest.Wait()
				if c.fails {
					e.end("a", plan.Failed)
					synctest.Wait()
				}
				e.edit(c.edit)
				synctest.Wait()
				for {
					next := e.open()
					if next == "" {
						break
					}
					e.end(next, plan.Complete)
					synctest.Wait()
				}
				<-ended
				if got := e.starts(); err != nil || got != c.starts || s.Complete != c.complete {
					t.Errorf("started %q, want %q; %+v, %v", got, c.starts, s, err)
				}
				for id, why := range e.over {
					if id != c.canceled || !errors.Is(why, errRemoved) {
						t.Errorf("%s was canceled: %v", id, why)
					}
				}
				if c.canceled != "" && len(e.over) != 1 {
					t.Errorf("%s wasn't canceled", c.canceled)
				}
			})
		})
	}
}

// open returns a task that runs, or nothing.
func (e *edited) open() plan.ID {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.now.Tasks {
		if t.Status == plan.Running {
			return t.ID
		}
	}
	return ""
}
