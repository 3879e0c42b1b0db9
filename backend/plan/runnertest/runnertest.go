// Package runnertest provides what tests of the runner need: a repository, a scripted coding CLI, a planner with its
// answers, and a Task YAML.
package runnertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/meta"
)

// Git runs git in a folder with a fixed identity, and returns its output.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(
		"git",
		append(
			[]string{"-c", "user.name=P", "-c", "user.email=p@localhost", "-c", "init.defaultBranch=main"},
			args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Repo returns a person's repository with one commit of the files, given as name and text in turn.
func Repo(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	Git(t, dir, "init", "-q")
	for i := 0; i+1 < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

// CLI writes a coding CLI into a folder, and returns its path.
func CLI(t testing.TB, dir, script string) string {
	t.Helper()
	path := filepath.Join(dir, "codex")
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// Read returns a file's text, or "" if it doesn't exist.
func Read(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

// Answers of the planner.
const (
	MarkComplete = `{"type":"next_action","decision":{"action":"mark_complete","reason":"it is there"}}`
	Assessed     = `{"type":"completion_assessment","summary":"all holds","details":{"passed_criteria":["AC-1"],"remaining_risks":["none was looked for"]}}`
)

// Planned returns the answer to plan_task.
func Planned(criterion string) string {
	return fmt.Sprintf(`{"type":"plan_task","acceptance_criteria":[{"id":"AC-1","description":%q}]}`, criterion)
}

// RunWorker returns the answer to next_action that runs the CLI.
func RunWorker(prompt string) string {
	return fmt.Sprintf(
		`{"type":"next_action","decision":{"action":"run_worker","reason":"nothing is there"},"worker_call":{"worker_type":"codex-cli","mode":"exec","prompt":%q}}`,
		prompt,
	)
}

// Protocol returns which planner protocol a request uses; "" is none.
func Protocol(body string) meta.Protocol {
	for _, p := range []meta.Protocol{meta.PlanTask, meta.CompletionAssessment, meta.NextAction, meta.Decompose, meta.PlanPatch} {
		if strings.Contains(body, `\"type\":\"`+string(p)+`\"`) {
			return p
		}
	}
	return ""
}

// Worked reports whether the planner's input contains a worker's result.
func Worked(body string) bool { return strings.Contains(body, `\"exists\": true`) }

// Meta is a planner that runs one worker per task and accepts its work. It also answers Codex as its model.
type Meta struct {
	Criterion string                   // the only criterion of plan_task
	Prompt    func(body string) string // of the worker, from the input of next_action
	Decompose string                   // the whole answer to decompose
	Patch     string                   // the whole answer to plan_patch
	Shell     func(body string) string // the command that Codex runs, from its prompt
}

// Answer answers for codeclitest.Serve.
func (m Meta) Answer(api, body string) codeclitest.Reply {
	switch p := Protocol(body); {
	case p == meta.PlanTask:
		return codeclitest.Reply{Text: Planned(m.Criterion)}
	case p == meta.CompletionAssessment:
		return codeclitest.Reply{Text: Assessed}
	case p == meta.Decompose:
		return codeclitest.Reply{Text: m.Decompose}
	case p == meta.PlanPatch:
		return codeclitest.Reply{Text: m.Patch}
	case p == meta.NextAction && Worked(body):
		return codeclitest.Reply{Text: MarkComplete}
	case p == meta.NextAction:
		text := RunWorker(m.Prompt(body))
		if strings.Contains(body, `\"mode\": \"acp\"`) { // the mode of the input
			text = strings.Replace(text, `"mode":"exec"`, `"mode":"acp"`, 1)
		}
		return codeclitest.Reply{Text: text}
	case api == codeclitest.Responses && m.Shell != nil && !strings.Contains(body, "function_call_output"):
		return codeclitest.Reply{Text: "I make it.", Shell: m.Shell(body)}
	}
	return codeclitest.Reply{Text: "Made it."}
}

// Says returns a constant prompt.
func Says(text string) func(string) string { return func(string) string { return text } }

// TwoSteps is a plan of two tasks; the second needs the merged work of the first.
const TwoSteps = `{"type":"decompose","understanding":"two files","phases":[{"name":"build","milestone":"M1","tasks":[
 {"id":"temp-1","title":"one","description":"MAKE one.txt","acceptance_criteria":["one.txt is there"],"dependencies":[],"wbs_level":3,"estimated_effort":"small","suggested_impl":{"file_paths":["one.txt"]}},
 {"id":"temp-2","title":"two","description":"COPY one.txt to two.txt","acceptance_criteria":["two.txt is like one.txt"],"dependencies":["temp-1"],"wbs_level":3,"estimated_effort":"small"}]}]}`

// Steps is the planner of TwoSteps, and the model of its workers.
func Steps() Meta {
	return Meta{
		Decompose: TwoSteps,
		Prompt: func(body string) string {
			if strings.Contains(body, "COPY") {
				return "COPY"
			}
			return "MAKE"
		},
		Shell: func(body string) string {
			if strings.Contains(body, `"COPY"`) {
				return "cp one.txt two.txt"
			}
			return "echo one > one.txt"
		},
	}
}

// Stepping writes a coding CLI that does the tasks of TwoSteps. Files in dir control it: with the file fails it
// fails. With hold it writes half of its work and its PID into the file pid, and waits to be killed; with tells it
// first reports its use. With silent it reports no use at its end. It counts its runs in the file runs.
func Stepping(t testing.TB, dir string) string {
	t.Helper()
	return CLI(t, dir, strings.ReplaceAll(stepping, "DIR", dir))
}

const stepping = `#!/bin/sh
for a in "$@"; do last=$a; done
echo "$last" >> DIR/runs
[ -z "$LENT" ] || echo "$LENT" > DIR/lent
[ -e DIR/fails ] && { echo '{"type":"turn.failed","error":{"message":"no luck"}}'; exit 1; }
echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"hands on"}}'
if [ -e DIR/hold ]; then [ -e DIR/tells ] && echo '{"type":"turn.completed","usage":{"input_tokens":1000,"output_tokens":10}}'; echo half > half.txt; echo $$ > DIR/pid.new; mv DIR/pid.new DIR/pid; while :; do sleep 600; done; fi
case $last in COPY) cp one.txt two.txt ;; *) echo one > one.txt ;; esac
if [ -e DIR/silent ]; then echo '{"type":"turn.completed"}'; else echo '{"type":"turn.completed","usage":{"input_tokens":1000,"output_tokens":10}}'; fi
`

// TaskYAML is a Task YAML with Codex as the worker and the test server as its model.
type TaskYAML struct {
	Repo, URL string
	Command   string // of Codex
	Title     string
	PRD       string
	Test      string
	Kind      string // of the planner; "" is openai-chat
	MaxLoops  int
	Key       string // of the worker, as written in the file
}

// String returns the file's text.
func (y TaskYAML) String() string {
	config := ""
	for _, kv := range [][2]string{{"model_provider", "stub"}, {"model_providers.stub.name", "stub"}, {"model_providers.stub.base_url", y.URL}, {"model_providers.stub.env_key", "STUB_KEY"}, {"model_providers.stub.wire_api", "responses"}} {
		config += fmt.Sprintf("        %s: %q\n", kv[0], kv[1])
	}
	kind := y.Kind
	if kind == "" {
		kind = "openai-chat"
	}
	return fmt.Sprintf(`version: 1
task:
  id: TASK-1
  title: %s
  repo: %s
  prd: {text: %s}
  test: {command: %q}
runner:
  meta: {kind: %s, model: stub-1, max_loops: %d}
  worker:
    command: %s
    model: stub-1
    env: {STUB_KEY: %q}
    tool_specific:
      config:
%s`, y.Title, y.Repo, y.PRD, y.Test, kind, y.MaxLoops, y.Command, y.Key, config)
}

// Surroundings gives a command its own data folder, and the test server as its provider.
func Surroundings(t *testing.T, url string) {
	t.Helper()
	t.Setenv("AGENTFLOW_DATA", t.TempDir())
	t.Setenv("AGENTFLOW_META_MODEL", "")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("OPENAI_BASE_URL", url)
}
