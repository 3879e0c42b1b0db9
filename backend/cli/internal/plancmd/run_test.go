//go:build linux

package plancmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentflow/backend/base/proc"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/runnertest"
)

// TestMain is the shim of a worker where a test started it as one.
func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	os.Exit(codeclitest.Watched{M: m}.Run()) //nolint:forbidigo // as every TestMain
}

// desk is a repository, and a Task YAML that names it.
func desk(t *testing.T, url, command string) (repo, task string) {
	t.Helper()
	runnertest.Surroundings(t, url)
	repo = runnertest.Repo(t)
	return repo, file(t, "task.yaml", runnertest.TaskYAML{Repo: repo, URL: url, Command: command, Title: "all", PRD: "all", Test: "test -s one.txt", Key: "k"}.String())
}

func statuses(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Tasks []struct{ Title, Status string }
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, task := range p.Tasks {
		all = append(all, task.Title+" "+task.Status)
	}
	return strings.Join(all, ", ")
}

// fromGoal is a plan file made from a goal.
func fromGoal(t *testing.T) string {
	t.Helper()
	empty := file(
		t,
		"empty.json",
		`{"version":1,"root_node_id":"node-root","node_index":[{"node_id":"node-root","parent_id":"","children":[]}],"tasks":[]}`,
	)
	path := filepath.Join(t.TempDir(), "plan.json")
	if code, out, errs := run(t, "", "plan", "decompose", "--plan", empty, "--wish", "two files", "--model", "stub-1", "--apply", "-o", path); code != 0 {
		t.Fatalf("exit %d: %s %s", code, out, errs)
	}
	return path
}

// A goal becomes a plan, two tasks of which the second needs what the first has merged, and
// both are worked; then the plan is changed. With the real Codex.
func TestME8_AGoalIsWorkedWithTheRealCodex(t *testing.T) { goalToWork(t, codeclitest.Codex(t)) }

// The same with a CLI that answers like it.
func TestME8_AGoalIsWorked(t *testing.T) {
	goalToWork(t, runnertest.Stepping(t, t.TempDir()))
}

// A person learns before the question, or the start, that there will be no worktrees.
func TestME8_AFolderWithoutGitIsNamedBeforeTheStart(t *testing.T) {
	m := codeclitest.Serve(t, runnertest.Steps().Answer)
	repo, task := desk(t, m.URL, "codex")
	path := fromGoal(t)
	const warning = "Workers change it directly"
	if _, _, errs := run(t, "", "plan", "run", path, "--task", task); strings.Contains(errs, warning) {
		t.Errorf("a repository is warned of: %s", errs)
	}
	if err := os.RemoveAll(filepath.Join(repo, ".git")); err != nil {
		t.Fatal(err)
	}
	if _, _, errs := run(t, "", "plan", "run", path, "--task", task); !strings.Contains(errs, warning) {
		t.Errorf("nothing warns of %s: %s", repo, errs)
	}
}

func goalToWork(t *testing.T, command string) {
	m := codeclitest.Serve(t, runnertest.Steps().Answer)
	repo, task := desk(t, m.URL, command)
	path := fromGoal(t)
	if code, _, errs := run(t, "", "plan", "run", path, "--task", task); code != 2 || !strings.Contains(errs, "--yes") {
		t.Errorf("begun without approval: exit %d: %s", code, errs)
	}
	code, out, errs := run(t, "", "plan", "run", path, "--task", task, "--yes", "--json")
	if code != 0 || statuses(t, path) != "one COMPLETE, two COMPLETE" {
		t.Fatalf("exit %d, %s: %s\n%s", code, statuses(t, path), out, errs)
	}
	for _, name := range []string{"one.txt", "two.txt"} {
		if data, _ := os.ReadFile(filepath.Join(repo, name)); string(data) != "one\n" {
			t.Errorf("%s is %q", name, data)
		}
	}
	if runnertest.Git(t, repo, "branch", "--list", "agentflow/*") != "" || !strings.Contains(runnertest.Git(t, repo, "log", "--format=%s"), "two") {
		t.Error("branches are left, or the work is not in the history")
	}
	code, _, errs = run(t, `{"type":"plan_patch","version":1,"payload":{"understanding":"more","operations":[{"op":"create","temp_id":"x","title":"three","dependencies":[]}]}}`, "plan", "patch", "--plan", path, "-", "-o", path)
	if code != 0 || statuses(t, path) != "one COMPLETE, two COMPLETE, three PENDING" {
		t.Errorf("patched: exit %d, %s: %s", code, statuses(t, path), errs)
	}
}

// A task that fails blocks the next; a retry runs both. The budget stops running tasks,
// and the plan continues with a larger one.
func TestME8_FaultFailuresBlockAndBudgetsHold(t *testing.T) {
	dir := t.TempDir()
	path, fails := runnertest.Stepping(t, dir), filepath.Join(dir, "fails")
	if err := os.WriteFile(fails, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := codeclitest.Serve(t, runnertest.Steps().Answer)
	_, task := desk(t, m.URL, path)
	p := fromGoal(t)
	code, out, errs := run(t, "", "plan", "run", p, "--task", task, "--yes")
	if code != 1 || statuses(t, p) != "one FAILED, two BLOCKED" || !strings.Contains(out, "which has failed") {
		t.Fatalf("exit %d, %s: %s\n%s", code, statuses(t, p), out, errs)
	}
	for _, want := range []string{"    AC-1: one.txt is there\n", "    the test command ended with exit code 1\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	_ = os.Remove(fails)
	data, _ := os.ReadFile(p)
	var doc struct{ Tasks []struct{ ID string } }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	code, out, errs = run(t, "", "plan", "run", p, "--task", task, "--yes", "--retry", doc.Tasks[0].ID, "--max-tokens", "1200")
	if code == 0 || !strings.Contains(errs, "1200 tokens is used up") || strings.Contains(statuses(t, p), "two COMPLETE") {
		t.Errorf("exit %d, %s: %s\n%s", code, statuses(t, p), out, errs)
	}
	if code, out, errs = run(t, "", "plan", "run", p, "--task", task, "--yes"); code != 0 || statuses(t, p) != "one COMPLETE, two COMPLETE" {
		t.Errorf("exit %d, %s: %s\n%s", code, statuses(t, p), out, errs)
	}
	if err := os.WriteFile(filepath.Join(dir, "silent"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(os.Getenv("AGENTFLOW_DATA"), "agentflow.yaml")
	for _, c := range []struct{ prices, more, says string }{
		{"", "0", "--max-usd needs prices for the model and the worker"},
		{"prices: {openai/*: {input: 100, output: 1000}}\n", "0", "codex-cli reported neither tokens nor a cost"},
		{"prices: {openai/*: {input: 100, output: 1000}}\n", "0.5", "0.3000 US dollars is used up"},
	} {
		if err := os.WriteFile(settings, []byte(c.prices), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, errs = run(t, "", "plan", "run", fromGoal(t), "--task", task, "--yes", "--max-usd", "0.3", "--try-usd", c.more); code == 0 || !strings.Contains(errs, c.says) {
			t.Errorf("exit %d: %s\n%s", code, out, errs)
		}
	}
	if code, _, errs = run(t, "", "plan", "run", p, "--task", task, "--yes", "--retry", "nobody"); code != 2 || !strings.Contains(errs, "nobody") {
		t.Errorf("a retry of nothing: exit %d: %s", code, errs)
	}
}

// The plan file can be edited while the plan runs: a removed task doesn't start, and the edit isn't overwritten.
func TestME9_EditsOfThePlanFileCountWhileItRuns(t *testing.T) {
	steps := runnertest.Steps()
	prompt := steps.Prompt
	var path string
	var once sync.Once
	steps.Prompt = func(body string) string { // the planner is asked while the first task runs
		if path != "" {
			once.Do(func() { removeTask(t, path, "two") })
		}
		return prompt(body)
	}
	m := codeclitest.Serve(t, steps.Answer)
	repo, task := desk(t, m.URL, runnertest.Stepping(t, t.TempDir()))
	path = fromGoal(t)
	code, out, errs := run(t, "", "plan", "run", path, "--task", task, "--yes")
	if code != 0 || statuses(t, path) != "one COMPLETE" {
		t.Errorf("exit %d, %s: %s\n%s", code, statuses(t, path), out, errs)
	}
	if files := runnertest.Git(t, repo, "ls-files"); strings.Contains(files, "two.txt") {
		t.Errorf("merged: %s", files)
	}
}

// removeTask takes a task out of a plan file, as an editor would.
func removeTask(t *testing.T, path, title string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	p, err := plan.Read(data, path)
	if err != nil {
		t.Error(err)
		return
	}
	i := slices.IndexFunc(p.Tasks, func(task plan.Task) bool { return task.Title == title })
	id := p.Tasks[i].ID
	p.Tasks = slices.Delete(p.Tasks, i, i+1)
	p.NodeIndex = slices.DeleteFunc(p.NodeIndex, func(n plan.Node) bool { return n.NodeID == id })
	for i := range p.NodeIndex {
		p.NodeIndex[i].Children = slices.DeleteFunc(p.NodeIndex[i].Children, func(c plan.ID) bool { return c == id })
	}
	if err := os.WriteFile(path, p.JSON(), 0o600); err != nil {
		t.Error(err)
	}
}
