//go:build window

package windowtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runnertest"
)

// area is the text area with a placeholder.
func area(placeholder string) string { return fmt.Sprintf("textarea[placeholder=%q]", placeholder) }

// plan waits until the only plan of the hub is so.
func (h hub) plan(what string, is func(planner.Whole) bool) (w planner.Whole) {
	h.t.Helper()
	eventually(h.t, what, func() (bool, error) {
		var all struct{ Plans []planner.Summary }
		if err := h.get("/api/plans", &all); err != nil || len(all.Plans) == 0 {
			return false, err
		}
		w = planner.Whole{}
		err := h.get("/api/plans/"+string(all.Plans[0].ID), &w)
		return err == nil && is(w), err
	})
	return w
}

// says waits until the page shows words.
func (w *window) says(words string) {
	w.t.Helper()
	eventually(w.t, "the page says "+words, func() (bool, error) {
		var said bool
		w.eval(&said, `return document.body.innerText.includes(arguments[0])`, words)
		return said, nil
	})
}

// picture is screenshot of what the page has painted by now.
func (w *window) picture(name string) {
	w.t.Helper()
	var painted bool
	w.evalAsync(&painted, `for (const _ of [1, 2]) await new Promise(requestAnimationFrame); return true`)
	w.screenshot(name)
}

// A goal becomes a plan, the plan is worked in worktrees and merged, and a message changes it:
// all by hand in the real window.
func TestME8_TheWholeWayInTheWindow(t *testing.T) {
	planInTheWindow(t, "", func(dir string, _ *codeclitest.Model) {
		script := runnertest.Read(runnertest.Stepping(t, dir))
		runnertest.CLI(t, dir,
			strings.Replace(script, "\n", "\n[ \"$1\" = --version ] && { echo codex-cli 0.0.0; exit 0; }\n", 1))
	})
}

// The same with the real Codex as the worker.
func TestME11_TheWholeWayInTheWindowWithTheRealCodex(t *testing.T) {
	real := codeclitest.Codex(t)
	installed := filepath.Dir(filepath.Dir(filepath.Dir(real))) // the script below leads there
	planInTheWindow(t, fmt.Sprintf("sandbox: {read: [%q]}\n", installed), func(dir string, m *codeclitest.Model) {
		var settings []string
		for name, value := range m.Settings()["config"].(map[string]any) {
			settings = append(settings, fmt.Sprintf("-c '%s=%v'", name, value))
		}
		slices.Sort(settings)
		runnertest.CLI(t, dir, "#!/bin/sh\n[ \"$1\" = --version ] && exec '"+real+"' --version\nSTUB_KEY=k exec '"+real+"' "+strings.Join(settings, " ")+" \"$@\"\n")
	})
}

func planInTheWindow(t *testing.T, more string, cli func(dir string, m *codeclitest.Model)) {
	var patch atomic.Pointer[string]
	model := codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
		meta := runnertest.Steps()
		if text := patch.Load(); text != nil {
			meta.Patch = *text
		}
		return meta.Answer(api, body)
	})
	data, repo, programs := dataFolder(t), runnertest.Repo(t), t.TempDir()
	cli(programs, model)
	settings := runnertest.Read(
		filepath.Join(data, "agentflow.yaml"),
	) + "providers:\n  - {name: stub, kind: openai, baseUrl: \"" + model.URL + "\"}\ndefaultProvider: stub\n" + more
	if err := os.WriteFile(filepath.Join(data, "agentflow.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, data, "PATH="+programs+":"+os.Getenv("PATH"))
	h := w.hub()
	w.middle(".react-flow__node")
	w.eval(nil, `location.hash = "/plan"`)

	w.typeInto(area("What do you want to build?"), "two files")
	w.press("Break down")
	h.plan("the proposal", func(p planner.Whole) bool { return p.Waiting == 1 })
	w.says("Accept 2 changes")
	w.picture("proposed.png")
	w.press("Accept 2 changes")
	h.plan("two tasks", func(p planner.Whole) bool { return len(p.Plan.Tasks) == 2 })

	w.press("Run")
	w.typeInto(w.field("Folder"), repo)
	w.typeInto(w.field("Worker's model"), "stub-1")
	w.typeInto(w.field("Test command"), "test -s one.txt")
	w.picture("run.png")
	w.click(w.middle(w.field("Ask before each merge\nQuestions appear in the inbox.")))
	w.press("Start")
	p := h.plan("the plan worked",
		func(p planner.Whole) bool { return p.Work != nil && p.Work.State != planner.Working })
	if p.Work.State != planner.Ended || p.Done != 2 {
		t.Fatalf("%d done, %s: %+v", p.Done, p.Work.State, p.Progress)
	}
	for _, name := range []string{"one.txt", "two.txt"} {
		if text := runnertest.Read(filepath.Join(repo, name)); text != "one\n" {
			t.Errorf("%s is %q", name, text)
		}
	}
	if left := runnertest.Git(t, repo, "branch", "--list", "agentflow/*"); left != "" {
		t.Errorf("branches are left: %s", left)
	}
	w.says("2 of 2 done")
	w.click(w.middle(fmt.Sprintf("[data-row=%q]", p.Plan.Tasks[0].ID)))
	w.says("Merged into main.")
	w.picture("worked.png")

	two := p.Plan.Tasks[1].ID
	text := fmt.Sprintf(`{"type":"plan_patch","version":1,"payload":{"understanding":"and a third","operations":[
 {"op":"create","temp_id":"temp-3","title":"three","description":"MAKE one.txt again","acceptance_criteria":["it is there"],"dependencies":[%q],"wbs_level":3}]}}`, two)
	patch.Store(&text)
	w.typeInto(area("What should change in the plan?"), "and a third one")
	w.press("Propose")
	h.plan("the proposed change", func(p planner.Whole) bool { return p.Waiting == 1 })
	w.says("Accept 1 change")
	w.picture("patch.png")
	w.press("Accept 1 change")
	p = h.plan("three tasks", func(p planner.Whole) bool { return len(p.Plan.Tasks) == 3 })
	if p.Plan.Tasks[2].Title != "three" || !slices.Contains(p.Plan.Tasks[2].Dependencies, two) || p.Done != 2 {
		t.Errorf("patched: %+v", p.Plan.Tasks)
	}
	w.says("2 of 3 done")
	w.picture("patched.png")
	w.close()
}
