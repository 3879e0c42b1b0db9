//go:build linux

package runcmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/cli"
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

// decides is a meta-agent that has one worker run, and is content with it; asked as Codex,
// it is a coding CLI that makes a file.
func decides(api, body string) codeclitest.Reply {
	switch {
	case strings.Contains(body, `\"type\":\"plan_task\"`):
		return codeclitest.Reply{Text: `{"type":"plan_task","acceptance_criteria":[{"id":"AC-1","description":"made.txt is there"}]}`}
	case strings.Contains(body, `\"type\":\"completion_assessment\"`):
		return codeclitest.Reply{Text: `{"type":"completion_assessment","summary":"ok","details":{"passed_criteria":["AC-1"],"remaining_risks":[]}}`}
	case strings.Contains(body, `\"type\":\"next_action\"`) && strings.Contains(body, `\"exists\": true`):
		return codeclitest.Reply{Text: `{"type":"next_action","decision":{"action":"mark_complete","reason":"it is there"}}`}
	case strings.Contains(body, `\"type\":\"next_action\"`):
		return codeclitest.Reply{Text: `{"type":"next_action","decision":{"action":"run_worker","reason":"not there"},"worker_call":{"worker_type":"codex-cli","mode":"exec","prompt":"MAKE made.txt"}}`}
	case api == codeclitest.Responses && !strings.Contains(body, "function_call_output"):
		return codeclitest.Reply{Text: "I make it.", Shell: "echo made > made.txt"}
	}
	return codeclitest.Reply{Text: "Made it."}
}

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

// desk is a repository with a task file, beside a program's own folder.
func desk(t *testing.T, url, command, kind string) (repo, task string) {
	t.Helper()
	t.Setenv("AGENTFLOW_DATA", t.TempDir())
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("OPENAI_BASE_URL", url)
	t.Setenv("MY_KEY", "sk-kept-away")
	repo = t.TempDir()
	git(t, repo, "init", "-q")
	if err := os.WriteFile(filepath.Join(repo, "README.md"), []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git(t, repo, "add", "-A")
	git(t, repo, "commit", "-qm", "first")
	config := ""
	for name, value := range map[string]string{"model_provider": "stub", "model_providers.stub.name": "stub", "model_providers.stub.base_url": url, "model_providers.stub.env_key": "STUB_KEY", "model_providers.stub.wire_api": "responses"} {
		config += "        " + name + ": \"" + value + "\"\n"
	}
	text := "version: 1\ntask:\n  id: TASK-1\n  title: 作る\n  repo: " + repo + "\n  prd: {text: make made.txt}\n  test: {command: \"test -s made.txt\"}\nrunner:\n" +
		"  meta: {kind: " + kind + ", model: stub-1, max_loops: 2}\n  worker:\n    command: " + command + "\n    model: stub-1\n    env: {STUB_KEY: \"env:MY_KEY\"}\n    tool_specific:\n      config:\n" + config
	return repo, text
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

func fakeCLI(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "codex")
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestME7_RunCommand(t *testing.T) {
	var asked []string
	m := codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
		asked = append(asked, body)
		return decides(api, body)
	})
	repo, task := desk(t, m.URL, fakeCLI(t, fake), "openai-chat")
	task = strings.Replace(task, "max_loops: 2", `max_loops: 2, system_prompt: "SAY AS I DO"`, 1)
	code, out, errs := run(t, task, "run", "-", "--json")
	if len(asked) != 4 || !strings.Contains(asked[0], "SAY AS I DO") || !strings.Contains(asked[3], "SAY AS I DO") {
		t.Errorf("the system prompt of the task did not reach the model: %v", asked)
	}
	if code != 0 || states(t, out) != "PENDING PLANNING RUNNING VALIDATING COMPLETE" {
		t.Fatalf("exit %d: %s\n%s", code, out, errs)
	}
	if strings.Contains(out+errs, "sk-kept-away") || !strings.Contains(out, `"type":"meta","protocol":"plan_task"`) {
		t.Errorf("the key is told, or the calls are not:\n%s", out)
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
	task = strings.Replace(task, "command: \n", "command: "+fakeCLI(t, script)+"\n", 1)
	code, out, errs := run(t, task, "run", "-", "--json")
	data, _ := os.ReadFile(filepath.Join(repo, "made.txt"))
	if code != 5 || string(data) != "mine\n" || git(t, repo, "show", "agentflow/TASK-1:made.txt") != "made" || !strings.Contains(out, `"reason":"dirty"`) {
		t.Errorf("exit %d, made.txt %q: %s\n%s", code, data, out, errs)
	}
}

// The real Codex as worker, with a chat model and with Codex itself as the meta-agent.
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
