//go:build linux

package planexec_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runnertest"
)

// patched is the planner's answer to a goal for the plan of two tasks: a third task, and another title for the
// second.
func patched(w planner.Whole) string {
	two := w.Plan.Tasks[1].ID
	return fmt.Sprintf(`{"type":"plan_patch","version":1,"payload":{"understanding":"and a third","operations":[
 {"op":"update","task_id":%q,"title":"second"},
 {"op":"create","temp_id":"temp-3","title":"three","description":"MAKE one.txt again","acceptance_criteria":["it is there"],"dependencies":[%q],"wbs_level":3}]}}`, two, two)
}

// The whole workflow through the hub: a goal is decomposed and approved, two dependent tasks run in worktrees, tests
// run, and the work is merged. Then a message patches the plan, and one undo reverts that. With the real Codex.
func TestME8_TheWholeWayWithTheRealCodex(t *testing.T) {
	real := codeclitest.Codex(t)
	installed := filepath.Dir(filepath.Dir(filepath.Dir(real))) // the script below links there
	wholeWay(t, fmt.Sprintf("sandbox: {read: [%q]}\n", installed), func(dir string, m *codeclitest.Model) string {
		var settings []string
		for name, value := range m.Settings()["config"].(map[string]any) {
			settings = append(settings, fmt.Sprintf("-c '%s=%v'", name, value))
		}
		slices.Sort(settings)
		return runnertest.CLI(t, dir, "#!/bin/sh\nSTUB_KEY=k exec '"+real+"' "+strings.Join(settings, " ")+" \"$@\"\n")
	})
}

// The same with a fake CLI.
func TestME8_TheWholeWay(t *testing.T) {
	wholeWay(t, "", func(dir string, _ *codeclitest.Model) string { return runnertest.Stepping(t, dir) })
}

func wholeWay(t *testing.T, more string, cli func(dir string, m *codeclitest.Model) string) {
	t.Setenv("AGENTFLOW_META_MODEL", "")
	s := &site{t: t, dir: t.TempDir(), repo: runnertest.Repo(t), cli: t.TempDir()}
	var change atomic.Pointer[string]
	model := codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
		meta := runnertest.Steps()
		if text := change.Load(); text != nil {
			meta.Patch = *text
		}
		return meta.Answer(api, body)
	})
	cli(s.cli, model)
	conf := "providers:\n  - {name: stub, kind: openai, baseUrl: \"" + model.URL + "\"}\ndefaultProvider: stub\n" + more
	if err := os.WriteFile(filepath.Join(s.dir, "agentflow.yaml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	s.hub = enginetest.Start(t, engine.Options{DataDir: s.dir})
	s.Client = s.hub.Client()

	var made planner.Summary
	s.must(http.MethodPost, "/api/plans", m{"goal": "two files"}, &made)
	s.id = made.ID
	w := s.until("the proposal", func(w planner.Whole) bool { return w.Proposals[0].State != planner.Asking })
	if w.Waiting != 1 || len(w.Proposals[0].Changes) != 2 {
		t.Fatalf("%+v", w.Proposals)
	}
	s.must(http.MethodPost, s.path("proposals/"+string(w.Proposals[0].ID)+"/accept"), m{"version": w.Head}, &w)
	s.must(http.MethodPost, s.path("run"), s.order(m{"workerModel": "stub-1"}), nil)
	w = s.worked(planner.Ended)
	if w.Done != 2 || w.Plan.Tasks[0].Status != plan.Complete || w.Plan.Tasks[1].Status != plan.Complete {
		t.Fatalf("%d done: %+v", w.Done, w.Progress)
	}
	s.merged()
	if !strings.Contains(w.Progress[w.Plan.Tasks[0].ID].Output, "test: exit code 0") {
		t.Errorf("the test has not run: %+v", w.Progress)
	}

	third := patched(w)
	change.Store(&third)
	s.must(http.MethodPost, s.path("requests"), m{"request": "and a third one"}, nil)
	w = s.until("the patch", func(w planner.Whole) bool { return w.Proposals[1].State != planner.Asking })
	if w.Proposals[1].Protocol != "plan_patch" || w.Waiting != 1 {
		t.Fatalf("%+v", w.Proposals[1])
	}
	s.must(http.MethodPost, s.path("proposals/"+string(w.Proposals[1].ID)+"/accept"), m{"version": w.Head}, &w)
	if len(w.Plan.Tasks) != 3 || w.Plan.Tasks[1].Title != "second" || w.Plan.Tasks[1].Status != plan.Complete || w.Plan.Tasks[2].Dependencies[0] != w.Plan.Tasks[1].ID {
		t.Errorf("patched: %+v", w.Plan.Tasks)
	}
	s.must(http.MethodPost, s.path("undo"), m{"version": w.Head}, &w)
	if len(w.Plan.Tasks) != 2 || w.Plan.Tasks[1].Title != "two" || w.Done != 2 {
		t.Errorf("undone: %+v", w.Plan.Tasks)
	}
}
