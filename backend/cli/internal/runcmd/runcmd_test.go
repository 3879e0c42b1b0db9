//go:build linux

package runcmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/proc"
	"agentflow/backend/cli"
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

// decides is a planner that has one worker run, and is content with it; asked as Codex,
// it is a coding CLI that makes a file.
var decides = runnertest.Meta{
	Criterion: "made.txt is there",
	Prompt:    runnertest.Says("MAKE made.txt"),
	Shell:     runnertest.Says("echo made > made.txt"),
}.Answer

// desk is a repository with a task file, beside a program's own folder.
func desk(t *testing.T, url, command, kind string) (repo, task string) {
	t.Helper()
	runnertest.Surroundings(t, url)
	t.Setenv("MY_KEY", "sk-kept-away")
	repo = runnertest.Repo(t, "README.md", "hello\n")
	return repo, runnertest.TaskYAML{
		Repo:     repo,
		URL:      url,
		Command:  command,
		Title:    "作る",
		PRD:      "make made.txt",
		Test:     "test -s made.txt",
		Kind:     kind,
		MaxLoops: 2,
		Key:      "env:MY_KEY",
	}.String()
}

func run(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Main(t.Context(), args, cli.Stdio{In: strings.NewReader(stdin), Out: &o, Err: &e}, nil)
	return code, o.String(), e.String()
}

func states(t *testing.T, out string) string {
	t.Helper()
	var all []string
	for line := range strings.Lines(out) {
		var e struct{ Type, State string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if e.Type == "state" {
			all = append(all, e.State)
		}
	}
	return strings.Join(all, " ")
}

const fake = `#!/bin/sh
echo made > made.txt
echo '{"type":"item.completed","item":{"type":"agent_message","text":"made it"}}'
echo '{"type":"turn.completed"}'
`

func TestME7_RunCommand(t *testing.T) {
	var asked []string
	m := codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
		asked = append(asked, body)
		return decides(api, body)
	})
	repo, task := desk(t, m.URL, runnertest.CLI(t, t.TempDir(), fake), "openai-chat")
	task = strings.Replace(task, "max_loops: 2", `max_loops: 2, system_prompt: "SAY AS I DO"`, 1)
	code, out, errs := run(t, task, "run", "-", "--json")
	if len(asked) != 4 || !strings.Contains(asked[0], "SAY AS I DO") || !strings.Contains(asked[3], "SAY AS I DO") {
		t.Errorf("the system prompt of the task did not reach the model: %v", asked)
	}
	if code != 0 || states(t, out) != "PENDING PLANNING RUNNING VALIDATING COMPLETE" {
		t.Fatalf("exit %d: %s\n%s", code, out, errs)
	}
	if strings.Contains(out+errs, "sk-kept-away") || !strings.Contains(out, `"type":"meta","protocol":"plan_task"`) {
		t.Errorf("the output has the key, or lacks the calls:\n%s", out)
	}
	if data, _ := os.ReadFile(filepath.Join(repo, "made.txt")); string(data) != "made\n" {
		t.Errorf("made.txt is %q", data)
	}
	if note, _ := os.ReadFile(filepath.Join(repo, ".agent-runner", "task-TASK-1.md")); !strings.Contains(string(note), "state: COMPLETE") {
		t.Errorf("note: %s", note)
	}
	code, out, errs = run(t, strings.Replace(task, "test -s made.txt", "exit 1", 1), "run", "-")
	if code != 1 || !strings.Contains(out, "FAILED") {
		t.Errorf("a failing test: exit %d: %s\n%s", code, out, errs)
	}
	if code, _, errs = run(t, strings.Replace(task, "title", "titel", 1), "run", "-"); code != 2 || !strings.Contains(errs, "4") || !strings.Contains(errs, "titel") {
		t.Errorf("a wrong key: exit %d: %s", code, errs)
	}
	if code, _, errs = run(t, strings.Replace(task, "kind: openai-chat, model: stub-1", "kind: openai-chat, model: none/x", 1), "run", "-"); code == 0 || !strings.Contains(errs, "none") {
		t.Errorf("no such provider: exit %d: %s", code, errs)
	}
}

// The person's own change of the same file: exit 5, nothing is lost.
func TestME11_RunCommandTellsOfAConflict(t *testing.T) {
	m := codeclitest.Serve(t, decides)
	repo, task := desk(t, m.URL, "", "openai-chat")
	script := strings.Replace(fake, "#!/bin/sh\n", "#!/bin/sh\necho mine > "+repo+"/made.txt\n", 1)
	task = strings.Replace(task, "command: \n", "command: "+runnertest.CLI(t, t.TempDir(), script)+"\n", 1)
	settings := filepath.Join(t.TempDir(), "agentflow.yaml") // here the worker stands for the person, who is outside
	if err := os.WriteFile(settings, []byte("sandbox: {write: ['"+repo+"']}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AGENTFLOW_CONFIG", settings)
	code, out, errs := run(t, task, "run", "-", "--json")
	data, _ := os.ReadFile(filepath.Join(repo, "made.txt"))
	if code != 5 || string(data) != "mine\n" || runnertest.Git(t, repo, "show", "agentflow/TASK-1:made.txt") != "made" || !strings.Contains(out, `"reason":"dirty"`) {
		t.Errorf("exit %d, made.txt %q: %s\n%s", code, data, out, errs)
	}
}

// The real Codex as worker, with a chat model and with Codex itself as the planner.
func TestME12_RunWithTheRealCodex(t *testing.T) {
	path := codeclitest.Codex(t)
	for _, kind := range []string{"openai-chat", "codex-cli"} {
		m := codeclitest.Serve(t, decides)
		repo, task := desk(t, m.URL, path, kind)
		code, out, errs := run(t, task, "run", "-", "--json")
		if code != 0 || states(t, out) != "PENDING PLANNING RUNNING VALIDATING COMPLETE" {
			t.Fatalf("%s: exit %d: %s\n%s", kind, code, out, errs)
		}
		if data, _ := os.ReadFile(filepath.Join(repo, "made.txt")); string(data) != "made\n" {
			t.Errorf("%s: made.txt is %q", kind, data)
		}
	}
}
