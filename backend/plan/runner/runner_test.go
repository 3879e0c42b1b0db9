//go:build linux

package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/runnertest"
)

// TestMain acts as a shim, or as a program that runs a task and is killed, if a test started it.
func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	if os.Getenv(childEnv) != "" {
		os.Exit(child()) //nolint:forbidigo // as every TestMain
	}
	goleak.VerifyTestMain(codeclitest.Watched{M: m})
}

const prompt = "make it"

// decides is a planner that runs one worker and accepts its work.
var decides = runnertest.Meta{Criterion: "made.txt holds a line", Prompt: runnertest.Says(prompt)}.Answer

// working is a coding CLI that appends a line to made.txt, and counts its runs.
const working = `#!/bin/sh
echo run >> "$COUNT"
echo '{"type":"thread.started","thread_id":"T"}'
echo half > half.txt
[ -z "$KILLS" ] || [ -e "$COUNT.killed" ] || { touch "$COUNT.killed"; kill -9 "$KILLS"; sleep 600; }
rm half.txt
echo line >> made.txt
echo '{"type":"item.completed","item":{"type":"command_execution","command":"echo line","exit_code":0,"status":"completed"}}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"made it"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}'
`

// bench is a person's repository, a data folder and a CLI.
type bench struct{ repo, dir, cli, count string }

func newBench(t *testing.T, script string) bench {
	t.Helper()
	b := bench{repo: runnertest.Repo(t, "README.md", "hello\n"), dir: t.TempDir()}
	b.cli, b.count = runnertest.CLI(t, b.dir, script), filepath.Join(b.dir, "count")
	return b
}

func (b bench) task() Task {
	return Task{
		ID:       "T-1",
		Title:    "Make it",
		PRD:      "made.txt holds a line",
		Repo:     b.repo,
		Settings: json.RawMessage(`{}`),
		MaxLoops: 2,
		Test:     Test{Command: `test "$(cat made.txt)" = line`},
	}
}

func (b bench) options(url string, tell func(Event)) Options {
	models := llm.NewRegistry(
		llm.Options{Providers: []llm.ProviderConfig{{Name: "openai", Kind: llm.KindOpenAI, BaseURL: url}}},
	)
	return Options{
		Meta:   meta.New(meta.Options{Models: models, Model: "openai/stub-1", Record: func(c meta.Call) { _ = KeepCall(b.dir, "T-1", c) }}),
		Worker: codecli.Worker{Kind: codecli.Codex, Command: b.cli, Env: map[string]string{"COUNT": b.count}, Sandbox: sandbox.Settings{Write: []string{b.dir}}},
		Dir:    b.dir, Tell: tell,
	}
}

func lines(path string) int { return strings.Count(runnertest.Read(path), "\n") }

// A task from its PRD to the merge: states, evidence, note, planner calls.
func TestME1_ATaskIsWorkedToItsEnd(t *testing.T) {
	b := newBench(t, working)
	m := codeclitest.Serve(t, decides)
	var states []string
	out, err := Run(t.Context(), b.task(), b.options(m.URL, func(e Event) {
		if e.Type == EventState {
			states = append(states, string(e.State))
		}
	}))
	if err != nil || out.State != plan.Complete || out.Merge != nil || out.Branch != "" {
		t.Fatalf("%+v, %v", out, err)
	}
	if got := strings.Join(states, " "); got != "PENDING PLANNING RUNNING VALIDATING COMPLETE" {
		t.Error(got)
	}
	if runnertest.Read(filepath.Join(b.repo, "made.txt")) != "line\n" || runnertest.Git(t, b.repo, "branch", "--list", "agentflow/*") != "" || lines(b.count) != 1 {
		t.Error("the work is not merged, its branch is left, or the worker ran more than once")
	}
	if runnertest.Git(t, b.repo, "worktree", "list", "--porcelain") != "worktree "+runnertest.Git(t, b.repo, "rev-parse", "--show-toplevel")+"\nHEAD "+runnertest.Git(t, b.repo, "rev-parse", "HEAD")+"\nbranch refs/heads/main" {
		t.Error("the worktree still exists")
	}
	note := runnertest.Read(filepath.Join(b.repo, ".agent-runner", "task-T-1.md"))
	for _, want := range []string{"# Make it", "- state: COMPLETE", "- [x] AC-1: made.txt holds a line", "## Attempt 1", "> make it", "> made it", "ended with exit code 0", "- risk: none was looked for"} {
		if !strings.Contains(note, want) {
			t.Errorf("no %q in the note:\n%s", want, note)
		}
	}
	calls := runnertest.Read(filepath.Join(b.dir, "runs", "T-1", "calls.jsonl"))
	if strings.Count(calls, "\n") != 4 || !strings.Contains(calls, `"tokensIn":100`) || !strings.Contains(calls, "made.txt holds a line") {
		t.Errorf("calls:\n%s", calls)
	}
	if out, err := Run(t.Context(), b.task(), b.options(m.URL, func(Event) {})); err != nil || out.State != plan.Failed || lines(b.count) != 2 {
		t.Errorf("again: %+v, %v, %d runs", out, err, lines(b.count)) // made.txt now has two lines, so the test fails
	}
}

// Failures of workers are reported to the planner as they are, max_loops times.
func TestME2_FaultWorkersThatFail(t *testing.T) {
	for name, script := range map[string]string{
		"reports it":       "#!/bin/sh\necho run >> $COUNT\necho '{\"type\":\"turn.failed\",\"error\":{\"message\":\"no luck\"}}'\nexit 1\n",
		"exits 0 silently": "#!/bin/sh\necho run >> $COUNT\nexit 0\n",
		"all commands failed": "#!/bin/sh\necho run >> $COUNT\necho '{\"type\":\"item.completed\",\"item\":{\"type\":\"command_execution\",\"command\":\"no luck\",\"exit_code\":1,\"status\":\"failed\"}}'\n" +
			"echo '{\"type\":\"turn.completed\"}'\n",
	} {
		b := newBench(t, script)
		told := ""
		m := codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
			if runnertest.Protocol(body) == meta.NextAction {
				told = body
				return codeclitest.Reply{Text: runnertest.RunWorker(prompt)}
			}
			return decides(api, body)
		})
		out, err := Run(t.Context(), b.task(), b.options(m.URL, func(Event) {}))
		if err != nil || out.State != plan.Failed || lines(b.count) != 3 || !strings.Contains(told, `\"exit_code\": 1`) || !strings.Contains(told, "did not finish") {
			t.Errorf("%s: %+v, %v, %d runs\n%s", name, out, err, lines(b.count), told)
		}
	}
}

// Invalid calls of the planner are rejected with a reason.
func TestME2_FaultACallThatIsRefused(t *testing.T) {
	b := newBench(t, working)
	evil := strings.Replace(runnertest.RunWorker(prompt), `"prompt":"make it"`,
		`"prompt":"make it","flags":["--dangerously-bypass-approvals-and-sandbox"],"env":{"PATH":"/tmp"}`, 1)
	told := ""
	m := codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
		if runnertest.Protocol(body) == meta.NextAction && !runnertest.Worked(body) {
			return codeclitest.Reply{Text: evil}
		}
		if runnertest.Protocol(body) == meta.NextAction && told == "" {
			told = body
			return codeclitest.Reply{Text: runnertest.RunWorker(prompt)}
		}
		return decides(api, body)
	})
	out, err := Run(t.Context(), b.task(), b.options(m.URL, func(Event) {}))
	if err != nil || out.State != plan.Complete || lines(b.count) != 1 || !strings.Contains(told, "may not") {
		t.Errorf("%+v, %v, %d runs\n%s", out, err, lines(b.count), told)
	}
}

// ME-5: four invalid answers end the task as FAILED; so does a server that rejects the calls.
func TestME5_AMetaAgentThatGivesNoAnswerFailsTheTask(t *testing.T) {
	for want, reply := range map[string]codeclitest.Reply{"in 4 attempts": {Text: "I would rather not."}, "401": {Status: 401}} {
		b := newBench(t, working)
		asked := 0
		m := codeclitest.Serve(t, func(string, string) codeclitest.Reply { asked++; return reply })
		out, err := Run(t.Context(), b.task(), b.options(m.URL, func(Event) {}))
		if err != nil || out.State != plan.Failed || lines(b.count) != 0 || reply.Status == 0 && (asked != 4 || !strings.Contains(out.Reason, want)) || reply.Status != 0 && asked != 1 {
			t.Errorf("%s: %+v, %v, asked %d times", want, out, err, asked)
		}
	}
}

// A conflict is for the person to resolve: their files stay, and the work is on its branch.
func TestME11_FaultAConflictIsReported(t *testing.T) {
	b := newBench(t, working)
	m := codeclitest.Serve(t, decides)
	out, err := Run(t.Context(), b.task(), b.options(m.URL, func(e Event) {
		if e.Type == EventVerdict {
			if err := os.WriteFile(filepath.Join(b.repo, "made.txt"), []byte("mine\n"), 0o600); err != nil {
				t.Error(err)
			}
			runnertest.Git(t, b.repo, "add", "made.txt")
			runnertest.Git(t, b.repo, "commit", "-qm", "mine")
		}
	}))
	if err != nil || out.State != plan.Complete || out.Merge == nil || out.Merge.Reason != "conflict" || out.Branch != "agentflow/T-1" {
		t.Fatalf("%+v, %v", out, err)
	}
	if runnertest.Read(filepath.Join(b.repo, "made.txt")) != "mine\n" || runnertest.Git(t, b.repo, "show", "agentflow/T-1:made.txt") != "line" {
		t.Error("something was lost")
	}
}

// Without Git, the worker works in the folder itself, with a warning.
func TestME11_AFolderWithoutGit(t *testing.T) {
	b := newBench(t, working)
	b.repo = t.TempDir()
	m := codeclitest.Serve(t, decides)
	warned := ""
	out, err := Run(t.Context(), b.task(), b.options(m.URL, func(e Event) {
		if e.Type == EventWarning {
			warned += e.Text
		}
	}))
	if err != nil || out.State != plan.Complete || runnertest.Read(filepath.Join(b.repo, "made.txt")) != "line\n" || !strings.Contains(warned, "a Git repository") {
		t.Errorf("%+v, %v, %q", out, err, warned)
	}
}

// A person can reject the merge; two concurrent runs of one task are rejected.
func TestME11_AMergeThatIsNotApproved(t *testing.T) {
	b := newBench(t, working)
	m := codeclitest.Serve(t, decides)
	o := b.options(m.URL, nil)
	o.Tell = func(e Event) {
		if e.Type == EventDecision {
			if _, err := Run(t.Context(), b.task(), o); !errcode.Is(err, errcode.Conflict) {
				t.Errorf("a second run at the same time: %v", err)
			}
		}
	}
	var asked Merging
	o.Merge = func(_ context.Context, m Merging) (bool, string, error) {
		asked = m
		return false, "keep a.txt", nil
	}
	out, err := Run(t.Context(), b.task(), o)
	if err != nil || out.State != plan.Complete || out.Branch == "" || runnertest.Read(filepath.Join(b.repo, "made.txt")) != "" {
		t.Errorf("%+v, %v", out, err)
	}
	if asked.Branch != out.Branch || !slices.Equal(asked.Files, []string{"A made.txt"}) ||
		!strings.Contains(asked.Diff, "+++ b/made.txt") {
		t.Errorf("the person was shown %+v", asked)
	}
	if out.Merge == nil || !strings.HasSuffix(out.Merge.Message, ". The reply was: keep a.txt") {
		t.Errorf("the reply is lost: %+v", out.Merge)
	}
}

// A worker's cost is reported once, even if the task is stopped because of it and resumed.
func TestME11_FaultWhatAWorkerCostIsToldOnce(t *testing.T) {
	b := newBench(t, working)
	m := codeclitest.Serve(t, decides)
	dear := errors.New("too dear")
	ctx, cancel := context.WithCancelCause(t.Context())
	told, tokens := 0, 0
	tell := func(e Event) {
		if e.Type == EventSpent {
			told, tokens = told+1, tokens+e.TokensIn+e.TokensOut
			cancel(dear)
		}
	}
	if _, err := Run(ctx, b.task(), b.options(m.URL, tell)); !errors.Is(err, dear) {
		t.Fatal(err)
	}
	if out, err := Run(t.Context(), b.task(), b.options(m.URL, tell)); err != nil || out.State != plan.Complete || lines(b.count) != 1 {
		t.Errorf("%+v, %v, %d runs", out, err, lines(b.count))
	}
	if told != 1 || tokens != 15 {
		t.Errorf("%d tokens reported %d times for one run, which used 15", tokens, told)
	}
}

// The use of a stopped worker is what it reported so far, and that of a killed one is unknown. Both are reported
// once.
func TestME11_FaultWhatAStoppedWorkerUsedIsTold(t *testing.T) {
	first := `if [ ! -e "$COUNT" ]; then echo run >> "$COUNT"
echo '{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":1}}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"on"}}'
sleep 600; fi
`
	for killed, want := range map[bool]string{false: "[8 15]", true: "[8 0 15]"} {
		b := newBench(t, strings.Replace(working, "\n", "\n"+first, 1))
		m := codeclitest.Serve(t, decides)
		ctx, cancel := context.WithCancelCause(t.Context())
		paused := errors.New("paused")
		var told []int
		tell := func(e Event) {
			switch {
			case e.Type == EventSpent:
				told = append(told, e.TokensIn+e.TokensOut)
			case e.Type == EventWorker && e.Worker.Text == "on":
				cancel(paused)
			}
		}
		if _, err := Run(ctx, b.task(), b.options(m.URL, tell)); !errors.Is(err, paused) || fmt.Sprint(told) != "[8]" {
			t.Fatalf("%v, reported %v", err, told)
		}
		if killed { // a kill would have left the journal without its last line
			path := filepath.Join(b.dir, runsDir, b.task().ID, journalName)
			all := strings.TrimSpace(runnertest.Read(path))
			if err := os.WriteFile(path, []byte(all[:strings.LastIndex(all, "\n")+1]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := Run(t.Context(), b.task(), b.options(m.URL, tell)); err != nil || out.State != plan.Complete || fmt.Sprint(told) != want {
			t.Errorf("%+v, %v, reported %v, want %s", out, err, told, want)
		}
	}
}

// A worker that creates repositories loses nothing, and this is reported; one that switches its branch hasn't
// completed its task.
func TestME11_FaultAWorkerThatPlaysWithGit(t *testing.T) {
	b := newBench(
		t,
		strings.Replace(
			working,
			"rm half.txt",
			"rm half.txt .git; git init -q; git init -q app; echo in > app/in.txt",
			1,
		),
	)
	m := codeclitest.Serve(t, decides)
	warned := ""
	out, err := Run(t.Context(), b.task(), b.options(m.URL, func(e Event) {
		if e.Type == EventWarning {
			warned += e.Text
		}
	}))
	if err != nil || out.State != plan.Complete || out.Merge != nil || !strings.Contains(warned, "repositories of its own") {
		t.Errorf("%+v, %v, %q", out, err, warned)
	}
	if runnertest.Read(filepath.Join(b.repo, "made.txt")) != "line\n" || runnertest.Read(filepath.Join(b.repo, "app", "in.txt")) != "in\n" || !strings.Contains(runnertest.Read(out.Note), "repositories of its own") {
		t.Errorf("its files are not merged, or the note does not say so:\n%s", runnertest.Read(out.Note))
	}

	b = newBench(
		t,
		strings.Replace(
			working,
			"rm half.txt",
			"rm half.txt; [ $(wc -l < $COUNT) = 2 ] || git checkout -q --detach HEAD~1",
			1,
		),
	)
	runnertest.Git(t, b.repo, "commit", "-q", "--allow-empty", "-m", "second")
	told := ""
	m = codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
		if runnertest.Protocol(body) == meta.NextAction && runnertest.Worked(body) && told == "" {
			told = body
			return codeclitest.Reply{Text: runnertest.RunWorker(prompt)}
		}
		return decides(api, body)
	})
	out, err = Run(t.Context(), b.task(), b.options(m.URL, func(Event) {}))
	if err != nil || out.State != plan.Complete || lines(b.count) != 2 || !strings.Contains(told, "agentflow/T-1-aside-1") || runnertest.Read(filepath.Join(b.repo, "made.txt")) != "line\n" {
		t.Errorf("%+v, %v, %d runs\n%s", out, err, lines(b.count), told)
	}
	if runnertest.Git(t, b.repo, "show", "agentflow/T-1-aside-1:made.txt") != "line" {
		t.Error("its work on the other branch is lost")
	}
}
