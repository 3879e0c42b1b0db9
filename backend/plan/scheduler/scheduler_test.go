package scheduler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"agentflow/backend/plan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tasks parses "id<dependency,dependency@file", one task below the root each.
func tasks(t *testing.T, all ...string) *plan.Plan {
	t.Helper()
	p := plan.New()
	for _, one := range all {
		one, file, _ := strings.Cut(one, "@")
		id, deps, _ := strings.Cut(one, "<")
		task := plan.Task{ID: plan.ID(id), Title: id, Status: plan.Pending, PhaseName: "phase " + id[:1]}
		for _, d := range strings.FieldsFunc(deps, func(r rune) bool { return r == ',' }) {
			task.Dependencies = append(task.Dependencies, plan.ID(d))
		}
		if file != "" {
			task.SuggestedImpl = &plan.SuggestedImpl{FilePaths: []string{file}}
		}
		p.Tasks = append(p.Tasks, task)
		p.NodeIndex = append(p.NodeIndex, plan.Node{NodeID: task.ID, ParentID: plan.RootID})
		p.NodeIndex[0].Children = append(p.NodeIndex[0].Children, task.ID)
	}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

// watched records what runs in parallel, and the changes.
type watched struct {
	mu      sync.Mutex
	running map[plan.ID]bool
	beside  map[string]bool // pairs that ran in parallel
	most    int
	changes []string
	fails   map[plan.ID]bool
	began   chan plan.ID  // gets each task that starts; nil: not used
	release chan struct{} // a task ends when it can receive from it; nil: at once
}

func (w *watched) options(p *plan.Plan, parallel int) Options {
	w.running, w.beside = map[plan.ID]bool{}, map[string]bool{}
	return Options{Plan: p, Parallel: parallel, Work: w.work, Changed: func(id plan.ID, now Result) error {
		to, reason := now.Status, now.Reason
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changes = append(w.changes, strings.TrimSpace(fmt.Sprintf("%s %s %s", id, to, reason)))
		if t, ok := p.Task(id); ok {
			t.Status = to
		}
		return nil
	}}
}

func (w *watched) work(ctx context.Context, t plan.Task) (Result, error) {
	w.mu.Lock()
	for other := range w.running {
		w.beside[string(min(t.ID, other))+string(max(t.ID, other))] = true
	}
	w.running[t.ID] = true
	w.most = max(w.most, len(w.running))
	w.mu.Unlock()
	if w.began != nil {
		w.began <- t.ID
	}
	if w.release != nil {
		select {
		case <-w.release:
		case <-ctx.Done():
			return Result{}, context.Cause(ctx)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, t.ID)
	if w.fails[t.ID] {
		return Result{Status: plan.Failed, Reason: "no luck"}, nil
	}
	return Result{Status: plan.Complete}, nil
}

// Dependencies are awaited; a failed task blocks its dependents, with a reason.
func TestME9_DependenciesGate(t *testing.T) {
	w := &watched{fails: map[plan.ID]bool{"b": true}}
	p := tasks(t, "d<c", "c<b", "b<a", "a", "e<a")
	s, err := Run(t.Context(), w.options(p, 1))
	want := "a RUNNING|a COMPLETE|b RUNNING|b FAILED no luck|c BLOCKED it waits for b, which has failed|d BLOCKED it waits for c, which is blocked itself|e RUNNING|e COMPLETE"
	if got := strings.Join(w.changes, "|"); err != nil || got != want || s.Complete != 2 || len(s.Failed) != 1 || len(s.Blocked) != 2 || s.Open != 0 {
		t.Errorf("%+v, %v\n%s", s, err, got)
	}
	w.fails, w.changes = nil, nil
	if b, ok := p.Task("b"); ok {
		b.Status = plan.Pending // retried
	}
	if s, err = Run(t.Context(), w.options(p, 1)); err != nil || s.Complete != 5 || strings.Contains(strings.Join(w.changes, "|"), "a RUNNING") {
		t.Errorf("retried: %+v, %v, %v", s, err, w.changes)
	}
}

// Tasks run in parallel up to the limit, but never two on the same files.
func TestME9_ConflictsAreNotRunAtOnce(t *testing.T) {
	p := tasks(t, "a@src/x.go", "b@src/X.go", "c@src", "d@lib/y.go", "e@docs/z.md", "f")
	w := &watched{began: make(chan plan.ID, 6), release: make(chan struct{})}
	o := w.options(p, 3)
	o.Conflicts = []plan.PotentialConflict{{File: "go.mod", Tasks: []plan.ID{"d", "e"}}}
	done := make(chan Summary)
	go func() {
		s, err := Run(t.Context(), o)
		if err != nil {
			t.Error(err)
		}
		done <- s
	}()
	for range 2 { // until then no task ends
		<-w.began
	}
	for range 6 {
		w.release <- struct{}{}
	}
	s := <-done
	for _, pair := range []string{"ab", "ac", "bc", "de"} {
		if w.beside[pair] {
			t.Errorf("%s ran in parallel", pair)
		}
	}
	if s.Complete != 6 || w.most > 3 || w.most < 2 {
		t.Errorf("%+v, %d in parallel", s, w.most)
	}
}

// A parent is complete when its children are. Its dependents wait for all of them, and its children wait for its
// dependencies.
func TestME9_ParentsFollowTheirChildren(t *testing.T) {
	p := tasks(t, "z", "parent<z", "after<parent")
	for _, id := range []plan.ID{"p1", "p2"} {
		p.Tasks = append(p.Tasks, plan.Task{ID: id, Status: plan.Pending})
		p.NodeIndex = append(p.NodeIndex, plan.Node{NodeID: id, ParentID: "parent"})
		p.NodeIndex[2].Children = append(p.NodeIndex[2].Children, id)
	}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	w := &watched{}
	s, err := Run(t.Context(), w.options(p, 4))
	got := strings.Join(w.changes, "|")
	first, last := strings.Index(got, "z COMPLETE"), strings.Index(got, "parent COMPLETE")
	if err != nil || s.Complete != 4 || first > strings.Index(got, "p1 RUNNING") || last < strings.Index(got, "p2 COMPLETE") || last > strings.Index(got, "after RUNNING") {
		t.Errorf("%+v, %v\n%s", s, err, got)
	}
}

// A phase that isn't approved isn't started; a canceled one resumes later.
func TestME9_GatesAndStops(t *testing.T) {
	w := &watched{}
	p := tasks(t, "a1", "b1", "a2")
	o := w.options(p, 1)
	asked := 0
	o.Phase = func(_ context.Context, phase string) (bool, error) {
		asked++
		return phase == "phase a", nil
	}
	s, err := Run(t.Context(), o)
	if err != nil || s.Complete != 2 || s.Open != 1 || asked != 2 {
		t.Errorf("%+v, %v, asked %d times", s, err, asked)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	w = &watched{release: make(chan struct{})}
	p = tasks(t, "a", "b<a")
	o = w.options(p, 2)
	work := o.Work
	o.Work = func(ctx context.Context, t plan.Task) (Result, error) {
		cancel(stop)
		return work(ctx, t)
	}
	if s, err = Run(ctx, o); !errors.Is(err, stop) || s.Open != 2 {
		t.Errorf("stopped: %+v, %v", s, err)
	}
	w2 := &watched{}
	if s, err = Run(t.Context(), w2.options(p, 2)); err != nil || s.Complete != 2 || w2.changes[0] != "a PENDING" {
		t.Errorf("resumed: %+v, %v, %v", s, err, w2.changes)
	}
	if _, err := Run(t.Context(), w2.options(p, 0)); err == nil {
		t.Error("zero parallel tasks were accepted")
	}
}

// In any plan, no task starts before its dependencies are complete, and all tasks end.
func TestME9_AnyPlanEnds(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var all []string
		for i := range 1 + r.IntN(30) {
			one := fmt.Sprintf("t%02d", i)
			if i > 0 && r.IntN(2) == 0 {
				one += fmt.Sprintf("<t%02d", r.IntN(i))
			}
			if r.IntN(3) == 0 {
				one += fmt.Sprintf("@f%d", r.IntN(4))
			}
			all = append(all, one)
		}
		w := &watched{fails: map[plan.ID]bool{plan.ID(fmt.Sprintf("t%02d", r.IntN(40))): true}}
		p := tasks(t, all...)
		s, err := Run(t.Context(), w.options(p, 1+r.IntN(5)))
		if err != nil || s.Open != 0 || s.Complete+len(s.Failed)+len(s.Blocked) != len(all) {
			t.Fatalf("seed %d: %+v, %v", seed, s, err)
		}
		for _, task := range p.Tasks {
			for _, d := range task.Dependencies {
				if i := slices.Index(w.changes, string(task.ID)+" RUNNING"); i >= 0 && i < slices.Index(w.changes, string(d)+" COMPLETE") {
					t.Fatalf("seed %d: %s began before %s was complete", seed, task.ID, d)
				}
			}
		}
	}
}
