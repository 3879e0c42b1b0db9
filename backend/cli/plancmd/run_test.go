//go:build linux

package plancmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/codecli/codeclitest"
	"agentflow/backend/proc"
)

// TestMain is the shim of a worker where a test started it as one.
func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	os.Exit(m.Run()) //nolint:forbidigo // as every TestMain
}

const twoSteps = `{"type":"decompose","understanding":"two files","phases":[{"name":"build","milestone":"M1","tasks":[
 {"id":"temp-1","title":"one","description":"MAKE one.txt","acceptance_criteria":["one.txt is there"],"dependencies":[],"wbs_level":3,"estimated_effort":"small","suggested_impl":{"file_paths":["one.txt"]}},
 {"id":"temp-2","title":"two","description":"COPY one.txt to two.txt","acceptance_criteria":["two.txt is like one.txt"],"dependencies":["temp-1"],"wbs_level":3,"estimated_effort":"small"}]}]}`

// decides is the meta-agent of all tasks, and the model of the coding CLI.
func decides(api, body string) codeclitest.Reply {
	switch {
	case strings.Contains(body, `\"type\":\"decompose\"`):
		return codeclitest.Reply{Text: twoSteps}
	case strings.Contains(body, `\"type\":\"completion_assessment\"`):
		return codeclitest.Reply{Text: `{"type":"completion_assessment","summary":"ok","details":{"passed_criteria":["AC-1"],"remaining_risks":[]}}`}
	case strings.Contains(body, `\"type\":\"next_action\"`) && strings.Contains(body, `\"exists\": true`):
		return codeclitest.Reply{Text: `{"type":"next_action","decision":{"action":"mark_complete","reason":"it is there"}}`}
	case strings.Contains(body, `\"type\":\"next_action\"`):
		prompt := "MAKE"
		if strings.Contains(body, "COPY") {
			prompt = "COPY"
		}
		return codeclitest.Reply{Text: `{"type":"next_action","decision":{"action":"run_worker","reason":"not there"},"worker_call":{"worker_type":"codex-cli","mode":"exec","prompt":"` + prompt + `"}}`}
	case api == codeclitest.Responses && !strings.Contains(body, "function_call_output"):
		shell := "echo one > one.txt"
		if strings.Contains(body, `"COPY"`) {
			shell = "cp one.txt two.txt"
		}
		return codeclitest.Reply{Shell: shell}
	}
	return codeclitest.Reply{Text: "Done."}
}

const fakeCodex = `#!/bin/sh
for a in "$@"; do last=$a; done
case $last in COPY) cp one.txt two.txt ;; FAIL) echo '{"type":"turn.failed","error":{"message":"no luck"}}'; exit 1 ;; *) echo one > one.txt ;; esac
echo '{"type":"turn.completed","usage":{"input_tokens":1000,"output_tokens":10}}'
`

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=P", "-c", "user.email=p@localhost", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// desk is a repository, and a Task YAML that names it.
func desk(t *testing.T, url, command string) (repo, task string) {
	t.Helper()
	t.Setenv("AGENTFLOW_DATA", t.TempDir())
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("OPENAI_BASE_URL", url)
	repo = t.TempDir()
	git(t, repo, "init", "-q")
	git(t, repo, "commit", "-q", "--allow-empty", "-m", "first")
	config := ""
	for name, value := range map[string]string{"model_provider": "stub", "model_providers.stub.name": "stub", "model_providers.stub.base_url": url, "model_providers.stub.env_key": "STUB_KEY", "model_providers.stub.wire_api": "responses"} {
		config += "        " + name + ": \"" + value + "\"\n"
	}
	return repo, file(t, "task.yaml", "version: 1\ntask:\n  title: all\n  repo: "+repo+"\n  prd: {text: all}\n  test: {command: \"test -s one.txt\"}\nrunner:\n"+
		"  meta: {model: stub-1, max_loops: 0}\n  worker:\n    command: "+command+"\n    model: stub-1\n    env: {STUB_KEY: k}\n    tool_specific:\n      config:\n"+config)
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

// fromWish is a plan file made from a wish.
func fromWish(t *testing.T) string {
	t.Helper()
	empty := file(t, "empty.json", `{"version":1,"root_node_id":"node-root","node_index":[{"node_id":"node-root","parent_id":"","children":[]}],"tasks":[]}`)
	path := filepath.Join(t.TempDir(), "plan.json")
	if code, out, errs := run(t, "", "plan", "decompose", "--plan", empty, "--wish", "two files", "--model", "stub-1", "--apply", "-o", path); code != 0 {
		t.Fatalf("exit %d: %s %s", code, out, errs)
	}
	return path
}

// A wish becomes a plan, two tasks of which the second needs what the first has merged, and
// both are worked; then the plan is changed. With the real Codex.
func TestME8_AWishIsWorkedWithTheRealCodex(t *testing.T) { wishToWork(t, codeclitest.Codex(t)) }

// The same with a CLI that answers like it.
func TestME8_AWishIsWorked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "codex")
	if err := os.WriteFile(path, []byte(fakeCodex), 0o700); err != nil {
		t.Fatal(err)
	}
	wishToWork(t, path)
}

func wishToWork(t *testing.T, command string) {
	m := codeclitest.Serve(t, decides)
	repo, task := desk(t, m.URL, command)
	path := fromWish(t)
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
	if git(t, repo, "branch", "--list", "agentflow/*") != "" || !strings.Contains(git(t, repo, "log", "--format=%s"), "two") {
		t.Error("branches are left, or the work is not in the history")
	}
	code, _, errs = run(t, `{"type":"plan_patch","version":1,"payload":{"understanding":"more","operations":[{"op":"create","temp_id":"x","title":"three","dependencies":[]}]}}`, "plan", "patch", "--plan", path, "-", "-o", path)
	if code != 0 || statuses(t, path) != "one COMPLETE, two COMPLETE, three PENDING" {
		t.Errorf("patched: exit %d, %s: %s", code, statuses(t, path), errs)
	}
}

// A task that fails blocks the next; a retry works both. The budget stops what is going on,
// and the plan goes on with a larger one.
func TestME8_FaultFailuresBlockAndBudgetsHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "codex")
	fails := filepath.Join(t.TempDir(), "fails")
	script := strings.Replace(fakeCodex, "case $last", "[ -e "+fails+" ] && last=FAIL; case $last", 1)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fails, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := codeclitest.Serve(t, decides)
	_, task := desk(t, m.URL, path)
	p := fromWish(t)
	code, out, errs := run(t, "", "plan", "run", p, "--task", task, "--yes")
	if code != 1 || statuses(t, p) != "one FAILED, two BLOCKED" || !strings.Contains(out, "which has failed") {
		t.Fatalf("exit %d, %s: %s\n%s", code, statuses(t, p), out, errs)
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
	if code, _, errs = run(t, "", "plan", "run", p, "--task", task, "--yes", "--retry", "nobody"); code != 2 || !strings.Contains(errs, "nobody") {
		t.Errorf("a retry of nothing: exit %d: %s", code, errs)
	}
}
