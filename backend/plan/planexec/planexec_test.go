//go:build linux

package planexec_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/proc"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runnertest"
	"agentflow/backend/work/inbox"
)

// TestMain acts as the shim of a worker, or as a hub, if a test started it as one.
func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	if dir := os.Getenv(hubEnv); dir != "" {
		os.Exit(hub(dir)) //nolint:forbidigo // as every TestMain
	}
	os.Exit(codeclitest.Watched{M: m}.Run()) //nolint:forbidigo // as every TestMain
}

// site is a hub, a repository, and a plan of two tasks; the second needs the merged work of the first.
type site struct {
	*hubclient.Client
	t              *testing.T
	hub            *enginetest.Hub
	dir, repo, cli string
	id             planner.ID
	one, two       plan.ID
	late           time.Time // when nothing more is waited for
}

type m = map[string]any

// steered are settings for a CLI that a test controls by files next to it, and watches by its process. In a sandbox,
// neither works.
const steered = "sandbox: {mode: off}\n"

func build(t *testing.T) *site {
	t.Helper()
	t.Setenv("AGENTFLOW_META_MODEL", "")
	s := &site{t: t, dir: t.TempDir(), repo: runnertest.Repo(t), cli: t.TempDir()}
	runnertest.Stepping(t, s.cli)
	model := codeclitest.Serve(t, runnertest.Steps().Answer)
	conf := "providers:\n  - {name: stub, kind: openai, baseUrl: \"" + model.URL + "\"}\ndefaultProvider: stub\n" + steered
	if err := os.WriteFile(filepath.Join(s.dir, "agentflow.yaml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	s.open()
	var made planner.Summary
	s.must(http.MethodPost, "/api/plans", m{"name": "Files"}, &made)
	s.id = made.ID
	var w struct {
		IDs map[string]plan.ID `json:"ids"`
	}
	s.must(http.MethodPost, s.path("edit"), m{"version": made.Head, "operations": []m{
		{"op": "create", "temp_id": "one", "title": "one", "description": "MAKE one.txt", "phase_name": "build", "acceptance_criteria": []string{"one.txt is there"}},
		{"op": "create", "temp_id": "two", "title": "two", "description": "COPY one.txt to two.txt", "phase_name": "copy", "acceptance_criteria": []string{"two.txt is like it"}, "dependencies": []string{"one"}},
	}}, &w)
	s.one, s.two = w.IDs["one"], w.IDs["two"]
	return s
}

func (s *site) open() {
	s.hub = enginetest.Start(s.t, engine.Options{DataDir: s.dir})
	s.Client = s.hub.Client()
}

func (s *site) path(rest string) string { return "/api/plans/" + string(s.id) + "/" + rest }

func (s *site) must(method, path string, in, out any) {
	s.t.Helper()
	if err := s.Call(s.t.Context(), method, path, in, out); err != nil {
		s.t.Fatalf("%s %s: %+v", method, path, errcode.From(err))
	}
}

func (s *site) refused(code errcode.Code, reason, path string, in any) {
	s.t.Helper()
	if e := errcode.From(s.Call(s.t.Context(), http.MethodPost, path, in, nil)); e == nil || e.Code != code || e.Reason() != reason {
		s.t.Errorf("%s: %+v, want %s %s", path, e, code, reason)
	}
}

func (s *site) git(args ...string) string {
	s.t.Helper()
	return runnertest.Git(s.t, s.repo, args...)
}

func (s *site) order(more m) m {
	o := m{
		"folder":   s.repo,
		"worker":   "codex-cli",
		"command":  filepath.Join(s.cli, "codex"),
		"test":     "test -s one.txt",
		"parallel": 2,
	}
	for k, v := range more {
		o[k] = v
	}
	return o
}

func (s *site) touch(name string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.cli, name), nil, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) drop(name string) { _ = os.Remove(filepath.Join(s.cli, name)) }

// until waits for a state of the plan, like a window.
func (s *site) until(what string, is func(w planner.Whole) bool) planner.Whole {
	s.t.Helper()
	var w planner.Whole
	for {
		changes := s.hub.Planner().Subscribe(1)
		s.must(http.MethodGet, "/api/plans/"+string(s.id), nil, &w)
		if is(w) {
			changes.Close()
			return w
		}
		select {
		case <-changes.C():
			changes.Close()
		case <-s.t.Context().Done():
			s.t.Fatalf("%s did not come: %+v", what, w.Work)
		}
		w = planner.Whole{}
	}
}

func (s *site) worked(to planner.WorkState) planner.Whole {
	s.t.Helper()
	return s.until(string(to),
		func(w planner.Whole) bool { return w.Work.State != planner.Working && standsAs(s, w, to) })
}

func standsAs(s *site, w planner.Whole, to planner.WorkState) bool {
	s.t.Helper()
	if w.Work.State != to {
		s.t.Fatalf("the work is %s, want %s: %+v; %+v", w.Work.State, to, w.Work.Failure, w.Progress)
	}
	return true
}

func status(w planner.Whole, id plan.ID) plan.Status {
	t, _ := w.Plan.Task(id)
	return t.Status
}

// merged checks that exactly the work of both tasks is in the person's folder.
func (s *site) merged() {
	s.t.Helper()
	for _, name := range []string{"one.txt", "two.txt"} {
		if data, _ := os.ReadFile(filepath.Join(s.repo, name)); string(data) != "one\n" {
			s.t.Errorf("%s is %q", name, data)
		}
	}
	if b := s.git("branch", "--list", "agentflow/*"); b != "" {
		s.t.Errorf("branches still exist: %s", b)
	}
	if files := s.git("ls-files"); files != "one.txt\ntwo.txt" {
		s.t.Errorf("in the repository: %s", files)
	}
}

// answers waits for a question in the inbox and answers it.
func (s *site) answers(about, text string, choice inbox.Choice) {
	s.t.Helper()
	s.must(http.MethodPost, "/api/inbox/"+string(s.asked(about, text).ID)+"/answer", m{"choice": choice}, nil)
}

// asked waits until the inbox has a question about something, and returns it.
func (s *site) asked(about, text string) inbox.Entry {
	s.t.Helper()
	for {
		var in struct{ Entries []inbox.Entry }
		s.must(http.MethodGet, "/api/inbox", nil, &in)
		for _, e := range in.Entries {
			if e.Tool == about && strings.Contains(string(e.Arguments), text) && strings.HasPrefix(e.Agent, "Files · ") {
				return e
			}
		}
		s.tick()
	}
}

// atIt waits until the worker waits to be killed, and returns its PID.
func (s *site) atIt() int {
	s.t.Helper()
	for {
		if data, err := os.ReadFile(filepath.Join(s.cli, "pid")); err == nil {
			s.drop("pid")
			pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
			if err != nil {
				s.t.Fatal(err)
			}
			return pid
		}
		s.tick()
	}
}

// tick waits a moment before a state is checked again.
func (s *site) tick() {
	s.t.Helper()
	if s.late.IsZero() {
		s.late = time.Now().Add(3 * time.Minute)
	}
	if time.Now().After(s.late) {
		s.t.Fatal("it did not come")
	}
	<-time.After(20 * time.Millisecond)
}

func (s *site) gone(pid int) {
	s.t.Helper()
	if err := syscall.Kill(pid, 0); err == nil {
		s.t.Errorf("the worker %d is still running", pid)
	}
}

// A plan is run until its work is merged. Questions are asked in the inbox, and the page gets each task's status and
// its worker's output.
func TestME8_APlanOfTheHubIsWorked(t *testing.T) {
	s := build(t)
	s.refused(errcode.Validation, "relative_folder", s.path("run"), s.order(m{"folder": "here"}))
	s.refused(errcode.Validation, planexec.ReasonDirect, s.path("run"), s.order(m{"folder": t.TempDir()}))
	s.refused(errcode.Validation, "", s.path("run"), s.order(m{"command": filepath.Join(s.cli, "none")}))
	s.refused(errcode.Validation, "", s.path("run"), s.order(m{"env": []string{"AGENTFLOW_TOKEN"}}))
	s.refused(errcode.Validation, "", s.path("run"), s.order(m{"env": []string{"NOBODY_HAS_SET_THIS"}}))
	s.refused(errcode.Conflict, planexec.ReasonNotWorked, s.path("pause"), nil)
	s.must(http.MethodPost, s.path("run"), s.order(m{"askPhases": true, "askMerges": true}), nil)
	s.answers("begin phase", `"build"`, inbox.Once)
	s.refused(errcode.Conflict, planexec.ReasonWorked, s.path("run"), s.order(nil))
	s.answers("merge", `"one"`, inbox.Once)
	s.answers("begin phase", `"copy"`, inbox.Once)
	s.answers("merge", `"two"`, inbox.Once)
	w := s.worked(planner.Ended)
	s.merged()
	p := w.Progress[s.one]
	if w.Done != 2 || p.Status != plan.Complete || len(p.Attempts) != 1 || p.Attempts[0].EndedAt.IsZero() || len(p.Passed) != 1 || p.Passed[0] != 0 || !strings.Contains(p.Output, "hands on\n") || !strings.Contains(p.Output, "merged into main") {
		t.Errorf("%d done, %+v", w.Done, p)
	}
	if w.Work.Tokens < 2*1010+4*120 || w.Work.Model == "" || w.Work.EndedAt.IsZero() {
		t.Errorf("the work: %+v", w.Work)
	}
}

// After a rejected merge, the work stays on its branch and the task has failed.
func TestME8_ARefusedMergeIsNotMade(t *testing.T) {
	s := build(t)
	s.must(http.MethodPost, s.path("run"), s.order(m{"askMerges": true}), nil)
	q := s.asked("merge", `"diff":"diff --git`)
	var about struct {
		Into, Test string
		Tested     *int
	}
	err := json.Unmarshal(q.Arguments, &about)
	if err != nil || about.Into+about.Test != "maintest -s one.txt" || about.Tested == nil || *about.Tested != 0 {
		t.Errorf("the question lacks the target branch, the test or its result: %s", q.Arguments)
	}
	s.answers("merge", `"diff":"diff --git`, inbox.Deny)
	w := s.worked(planner.Ended)
	if status(w, s.one) != plan.Failed || status(w, s.two) != plan.Blocked || s.git("ls-files") != "" || s.git("branch", "--list", "agentflow/*") == "" {
		t.Errorf("%s %s, files %q", status(w, s.one), status(w, s.two), s.git("ls-files"))
	}
}

// Pause returns after the worker's processes have ended; a resume continues the task.
func TestME8_APlanIsPausedAndResumed(t *testing.T) {
	s := build(t)
	s.touch("hold")
	s.touch("tells")
	t.Setenv("LENT", "to the worker")
	s.must(http.MethodPost, s.path("run"), s.order(m{"env": []string{"LENT"}}), nil)
	pid := s.atIt()
	s.until("what the worker says", func(w planner.Whole) bool {
		return status(w, s.one) == plan.Running && strings.Contains(w.Progress[s.one].Output, "hands on")
	})
	var w planner.Whole
	s.must(http.MethodPost, s.path("pause"), nil, &w)
	s.gone(pid)
	if w.Work.State != planner.Paused || w.Work.Failure != nil || status(w, s.one) != plan.Pending || w.Work.Tokens != 120+1010 {
		t.Fatalf("paused: %+v, one is %s", w.Work, status(w, s.one))
	}
	s.drop("hold")
	s.must(http.MethodPost, s.path("resume"), m{}, nil)
	if w = s.worked(planner.Ended); len(w.Progress[s.one].Attempts) != 1 {
		t.Errorf("attempts: %+v", w.Progress[s.one].Attempts)
	}
	if w.Work.Tokens != 6*120+3*1010 {
		t.Errorf("six calls and three runs, of which one was stopped, used %d tokens", w.Work.Tokens)
	}
	if lent := runnertest.Read(filepath.Join(s.cli, "lent")); lent != "to the worker\n" {
		t.Errorf("the worker got %q", lent)
	}
	s.merged()
}

// Concurrent resume, cancel and retry requests are handled one after another: a canceled plan doesn't run.
func TestME8_FaultResumedAndCancelledAtOnce(t *testing.T) {
	s := build(t)
	s.touch("hold")
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	s.atIt()
	s.must(http.MethodPost, s.path("pause"), nil, nil)
	var both sync.WaitGroup
	var resumed, cancelled error
	both.Go(func() { resumed = s.Call(t.Context(), http.MethodPost, s.path("resume"), m{}, nil) })
	both.Go(func() { cancelled = s.Call(t.Context(), http.MethodPost, s.path("cancel"), nil, nil) })
	both.Wait()
	if cancelled != nil || resumed != nil && !errcode.HasReason(resumed, planexec.ReasonNotWorked) {
		t.Fatalf("resumed: %v, cancelled: %v", resumed, cancelled)
	}
	var w planner.Whole
	s.must(http.MethodGet, "/api/plans/"+string(s.id), nil, &w)
	if w.Work.State != planner.Stopped {
		t.Errorf("it is %s", w.Work.State)
	}
	s.refused(errcode.Conflict, planexec.ReasonNotWorked, s.path("pause"), nil)
}

// A hub that stops also stops the workers. At its next start the plan is paused, with the reason, until a person
// resumes it.
func TestME8_AHubThatEndsPausesThePlan(t *testing.T) {
	s := build(t)
	s.touch("hold")
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	pid := s.atIt()
	s.hub.Stop()
	s.gone(pid)
	s.drop("hold")
	s.open()
	var w planner.Whole
	s.must(http.MethodGet, "/api/plans/"+string(s.id), nil, &w)
	if w.Work.State != planner.Paused || w.Work.Failure.Reason() != planexec.ReasonRestarted || status(w, s.one) != plan.Pending || s.git("ls-files") != "" {
		t.Fatalf("at the next start: %+v, one is %s", w.Work, status(w, s.one))
	}
	s.must(http.MethodPost, s.path("resume"), m{}, nil)
	s.worked(planner.Ended)
	s.merged()
}

// Canceling ends the work, also when the plan is deleted, and it can't be resumed.
func TestME8_APlanIsCancelled(t *testing.T) {
	s := build(t)
	s.touch("hold")
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	pid := s.atIt()
	var w planner.Whole
	s.must(http.MethodPost, s.path("cancel"), nil, &w)
	s.gone(pid)
	if w.Work.State != planner.Stopped || status(w, s.one) != plan.Pending {
		t.Errorf("cancelled: %+v, one is %s", w.Work, status(w, s.one))
	}
	s.refused(errcode.Conflict, planexec.ReasonNotWorked, s.path("resume"), m{})
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	pid = s.atIt()
	s.must(http.MethodDelete, "/api/plans/"+string(s.id), nil, nil)
	s.gone(pid)
}
