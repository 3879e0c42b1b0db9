//go:build linux

package planexec_test

import (
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
)

// A failed task blocks the next one; both run after a retry.
func TestME8_AFailedTaskIsTriedAgain(t *testing.T) {
	s := build(t)
	s.touch("fails")
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	w := s.worked(planner.Ended)
	if status(w, s.one) != plan.Failed || status(w, s.two) != plan.Blocked || w.Progress[s.one].Error == "" || !strings.Contains(w.Progress[s.two].Error, "has failed") {
		t.Fatalf("%+v", w.Progress)
	}
	s.refused(errcode.Conflict, planexec.ReasonNotFailed, s.path("tasks/"+string(s.two)+"/retry"), nil)
	s.drop("fails")
	s.must(http.MethodPost, s.path("tasks/"+string(s.one)+"/retry"), nil, nil)
	if c := w.Progress[s.two].Cause; c == nil || c.Code != "waits_for_failed" || w.Progress[s.one].Cause == nil {
		t.Errorf("causes: %+v, %+v", c, w.Progress[s.one].Cause)
	}
	if w = s.worked(planner.Ended); w.Progress[s.one].Cause != nil ||
		len(w.Progress[s.one].Attempts) != 2 || w.Progress[s.one].Attempts[0].Error == "" {
		t.Errorf("attempts: %+v", w.Progress[s.one].Attempts)
	}
	s.merged()
	if log := s.git("log", "--format=%s"); !strings.Contains(log, "(attempt 2)") ||
		strings.Contains(log, "one (attempt 1") {
		t.Errorf("the commits count otherwise than the page: %s", log)
	}
}
