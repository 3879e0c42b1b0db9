//go:build linux

package planexec_test

import (
	"net/http"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
	"agentflow/backend/work/inbox"
)

// edit changes the plan as the page does.
func (s *site) edit(operations ...m) {
	s.t.Helper()
	var w planner.Whole
	s.must(http.MethodGet, "/api/plans/"+string(s.id), nil, &w)
	s.must(http.MethodPost, s.path("edit"), m{"version": w.Head, "operations": operations}, nil)
}

func remove(id plan.ID) m { return m{"op": "delete", "task_id": id} }

// A task that a person removes from a running plan doesn't start; what a running task is about can't be changed.
func TestME9_ARemovedTaskOfARunningPlanNeverStarts(t *testing.T) {
	s := build(t)
	s.must(http.MethodPost, s.path("run"), s.order(m{"askMerges": true}), nil)
	s.asked("merge", `"one"`)
	var w planner.Whole
	s.must(http.MethodGet, "/api/plans/"+string(s.id), nil, &w)
	s.refused(errcode.Conflict, planner.ReasonTaskRuns, s.path("edit"),
		m{"version": w.Head, "operations": []m{{"op": "update", "task_id": s.one, "description": "MAKE three.txt"}}})
	s.edit(m{"op": "update", "task_id": s.one, "milestone": "M1"}, remove(s.two))
	s.answers("merge", `"one"`, inbox.Once)
	w = s.worked(planner.Ended)
	if files := s.git("ls-files"); files != "one.txt" || len(w.Plan.Tasks) != 1 {
		t.Errorf("merged: %s; %+v", files, w.Plan.Tasks)
	}
}

// A running task that is removed is canceled with its worker, and nothing of it is merged.
func TestME9_ARemovedRunningTaskIsCanceled(t *testing.T) {
	s := build(t)
	s.touch("hold")
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	pid := s.atIt()
	s.edit(remove(s.two), remove(s.one))
	if w := s.worked(planner.Ended); w.Work.Failure != nil {
		t.Errorf("it ended with %v", w.Work.Failure)
	}
	s.gone(pid)
	if files := s.git("ls-files"); files != "" {
		t.Errorf("merged: %s", files)
	}
}
