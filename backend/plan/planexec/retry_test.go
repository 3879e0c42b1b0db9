//go:build linux

package planexec_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runnertest"
	"agentflow/backend/work/inbox"
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

// A task that failed before its worker was started names no worker.
func TestAnAttemptNamesOnlyAWorkerThatRan(t *testing.T) {
	s := build(t)
	s.must(http.MethodPost, s.path("run"), s.order(m{"model": "demo/echo"}), nil) // it can't plan
	w := s.worked(planner.Ended)
	tries := w.Progress[s.one].Attempts
	if status(w, s.one) != plan.Failed || len(tries) != 1 || tries[0].Worker != "" {
		t.Fatalf("%+v", w.Progress[s.one])
	}
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	s.must(http.MethodPost, s.path("tasks/"+string(s.one)+"/retry"), nil, nil)
	tries = s.worked(planner.Ended).Progress[s.one].Attempts
	if len(tries) != 2 || tries[1].Worker != "codex-cli" {
		t.Errorf("%+v", tries)
	}
}

// A phase that a person allowed isn't asked about again after a pause, nor after a restart of the hub.
func TestAnAllowedPhaseStaysAllowedInItsRun(t *testing.T) {
	s := build(t)
	s.touch("hold")
	s.must(http.MethodPost, s.path("run"), s.order(m{"askPhases": true}), nil)
	s.answers("begin phase", `"build"`, inbox.Once)
	pid := s.atIt()
	unasked := func() {
		t.Helper()
		for data := ""; data == ""; data = runnertest.Read(filepath.Join(s.cli, "pid")) {
			var in struct{ Entries []inbox.Entry }
			if s.must(http.MethodGet, "/api/inbox", nil, &in); len(in.Entries) > 0 {
				t.Fatalf("asked again: %s", in.Entries[0].Arguments)
			}
			s.tick()
		}
		pid = s.atIt()
	}
	s.must(http.MethodPost, s.path("pause"), nil, nil)
	s.must(http.MethodPost, s.path("resume"), m{}, nil)
	unasked()
	s.hub.Stop()
	s.gone(pid)
	s.open()
	s.must(http.MethodPost, s.path("resume"), m{}, nil)
	unasked()
	s.must(http.MethodPost, s.path("cancel"), nil, nil)
	s.must(http.MethodPost, s.path("run"), s.order(m{"askPhases": true}), nil) // another run
	s.asked("begin phase", `"build"`)
}

// The lines that aren't the worker's have codes, so that a page says them in its language.
func TestTheOwnLinesOfTheOutputHaveCodes(t *testing.T) {
	s := build(t)
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	p := s.worked(planner.Ended).Progress[s.one]
	lines, said := strings.Split(p.Output, "\n"), map[string]string{}
	for _, o := range p.Own {
		said[o.Cause.Code] = string([]rune(lines[o.Line])[:o.Chars])
	}
	for code, text := range map[string]string{
		"decision": "decision: ", "tested": "test: exit code 0", "assessment": "assessment: ",
		"merged": "merged into main",
	} {
		if said[code] != text {
			t.Errorf("%s is %q", code, said[code])
		}
	}
}

// A conflict fails the task and names its files. After the person has merged by hand, Retry needs no worker.
func TestME11_ATaskWhoseConflictThePersonResolved(t *testing.T) {
	s := build(t)
	s.must(http.MethodPost, s.path("run"), s.order(m{"askMerges": true}), nil)
	s.asked("merge", "one.txt")
	if err := os.WriteFile(filepath.Join(s.repo, "one.txt"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.git("add", "one.txt")
	s.git("commit", "-qm", "mine")
	s.answers("merge", "one.txt", inbox.Once)
	one := s.worked(planner.Ended).Progress[s.one]
	if one.Status != plan.Failed || one.Cause == nil || one.Cause.Code != "not_merged_conflict" ||
		one.Cause.Params["files"] != "one.txt" {
		t.Fatalf("%+v %+v", one, one.Cause)
	}
	s.git("merge", "--quiet", "-s", "ours", "-m", "both", one.Cause.Params["branch"])
	s.must(http.MethodPost, s.path("tasks/"+string(s.one)+"/retry"), nil, nil)
	s.answers("merge", "two.txt", inbox.Once) // the first thing asked about since
	w := s.worked(planner.Ended)
	if status(w, s.one) != plan.Complete || status(w, s.two) != plan.Complete {
		t.Fatalf("%+v", w.Progress)
	}
	if last := w.Progress[s.one].Attempts[1]; last.Worker != "" {
		t.Errorf("a worker was asked again: %+v", last)
	}
}
