//go:build linux

package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/plan"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/runnertest"
)

// resolver is a coding CLI that makes a file, and resolves a conflict in it when asked. It does nothing about
// the conflict while the file "lazy" is beside its count, and waits while "hold" is there.
const resolver = `#!/bin/sh
for a in "$@"; do last=$a; done
echo "$last" >> "$COUNT"
echo '{"type":"thread.started","thread_id":"T"}'
case $last in
make) echo line > made.txt ;;
resolve)
	echo '{"type":"item.completed","item":{"type":"agent_message","text":"looking"}}'
	while [ -e "$COUNT.hold" ]; do sleep 0.05; done
	[ -e "$COUNT.text" ] && cp "$COUNT.text" made.txt
	[ -e "$COUNT.lazy" ] || sed -i '/^[<=>]\{7\}/d' made.txt ;;
esac
echo '{"type":"item.completed","item":{"type":"agent_message","text":"done"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}'
`

// resolves is a planner that sends a worker to every conflict it hears of.
func resolves(api, body string) codeclitest.Reply {
	if runnertest.Protocol(body) == meta.NextAction && strings.Contains(body, "conflict markers") {
		return codeclitest.Reply{Text: runnertest.RunWorker("resolve")}
	}
	return runnertest.Meta{Criterion: "made.txt holds a line", Prompt: runnertest.Says("make")}.Answer(api, body)
}

// conflict is a task whose work is complete, and conflicts with what the person committed meanwhile.
type conflict struct {
	bench
	t     *testing.T
	url   string
	asked int
	told  []Event
}

func newConflict(t *testing.T) *conflict {
	t.Helper()
	c := &conflict{bench: newBench(t, resolver), t: t}
	c.url = codeclitest.Serve(t, resolves).URL
	c.count = filepath.Join(c.dir, "count")
	out := c.run(t.Context(), c.work(), func(e Event) {
		if e.Type == EventVerdict {
			c.commit("mine\n")
		}
	})
	if out.State != plan.Complete || out.Merge == nil || out.Merge.Reason != "conflict" ||
		!slices.Equal(out.Merge.Files, []string{"made.txt"}) {
		t.Fatalf("%+v", out)
	}
	return c
}

// work is the task; anything in made.txt passes its test.
func (c *conflict) work() Task {
	w := c.task()
	w.Test.Command = "test -s made.txt"
	return w
}

func (c *conflict) commit(text string) {
	if err := os.WriteFile(filepath.Join(c.repo, "made.txt"), []byte(text), 0o600); err != nil {
		c.t.Error(err)
	}
	runnertest.Git(c.t, c.repo, "add", "made.txt")
	runnertest.Git(c.t, c.repo, "commit", "-qm", "mine")
}

func (c *conflict) options(tell func(Event)) Options {
	o := c.bench.options(c.url, func(e Event) {
		c.told = append(c.told, e)
		if tell != nil {
			tell(e)
		}
	})
	o.Merge = func(context.Context, Merging) (bool, string, error) {
		c.asked++
		return true, "", nil
	}
	return o
}

func (c *conflict) run(ctx context.Context, w Task, tell func(Event)) Outcome {
	c.t.Helper()
	out, err := Run(ctx, w, c.options(tell))
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// workers are the prompts of the workers that ran.
func (c *conflict) workers() string {
	return strings.Join(strings.Fields(runnertest.Read(c.count)), " ")
}

func (c *conflict) file() string { return runnertest.Read(filepath.Join(c.repo, "made.txt")) }

func TestME11_AConflictIsNamedBeforeAnyoneIsAsked(t *testing.T) {
	c := newConflict(t)
	if c.asked != 0 {
		t.Errorf("%d questions about a merge that is impossible", c.asked)
	}
	said := c.told[slices.IndexFunc(c.told, func(e Event) bool { return e.Type == EventMerge })]
	want := map[string]string{"branch": "agentflow/T-1", "into": "main", "files": "made.txt"}
	if said.Cause == nil || said.Cause.Code != "not_merged_conflict" {
		t.Fatalf("%+v", said.Cause)
	}
	for k, v := range want {
		if said.Cause.Params[k] != v {
			t.Errorf("%s is %q, not %q", k, said.Cause.Params[k], v)
		}
	}
}

// Run again, the worker gets both sides in its worktree; the person's commit stays.
func TestME11_AConflictIsResolvedByTheWorker(t *testing.T) {
	c := newConflict(t)
	out := c.run(t.Context(), c.work(), nil)
	if out.State != plan.Complete || out.Merge != nil || c.asked != 1 {
		t.Fatalf("%+v, asked %d times", out, c.asked)
	}
	if got := c.file(); got != "line\nmine\n" || c.workers() != "make resolve" {
		t.Errorf("%q by %s", got, c.workers())
	}
	if runnertest.Git(t, c.repo, "log", "--oneline", "--grep", "^mine$") == "" {
		t.Error("the person's commit is gone")
	}
}

// A worker that decides for one side resolves the conflict, too, though its worktree then has no changes.
func TestME11_AConflictIsResolvedByOneSide(t *testing.T) {
	for side, text := range map[string]string{"the task's": "line\n", "the person's": "mine\n"} {
		c := newConflict(t)
		put(t, c.count+".text", text)
		out := c.run(t.Context(), c.work(), nil)
		if out.State != plan.Complete || out.Merge != nil || c.file() != text || c.workers() != "make resolve" {
			t.Errorf("%s: %+v, %q by %s", side, out, c.file(), c.workers())
		}
		if runnertest.Git(t, c.repo, "log", "--oneline", "--grep", "^mine$") == "" {
			t.Errorf("%s: the person's commit is gone", side)
		}
	}
}

func TestME11_AConflictWhoseMarkersStayIsNotComplete(t *testing.T) {
	c := newConflict(t)
	put(t, c.count+".lazy", "")
	out := c.run(t.Context(), c.work(), nil)
	if out.State != plan.Failed || out.Cause == nil || out.Cause.Code != "conflict_markers" ||
		out.Cause.Params["files"] != "made.txt" {
		t.Errorf("%+v %+v", out, out.Cause)
	}
	if c.file() != "mine\n" {
		t.Errorf("it was merged: %q", c.file())
	}
	// The markers are in the branch now. The next run still knows of them.
	if err := os.Remove(c.count + ".lazy"); err != nil {
		t.Fatal(err)
	}
	out = c.run(t.Context(), c.work(), nil)
	if out.State != plan.Complete || out.Merge != nil || c.file() != "line\nmine\n" {
		t.Errorf("%+v, %q by %s", out, c.file(), c.workers())
	}
}

// What the person merged by hand needs no worker, and no question.
func TestME11_AConflictThatThePersonResolved(t *testing.T) {
	c := newConflict(t)
	_ = os.WriteFile(filepath.Join(c.repo, "made.txt"), []byte("both\n"), 0o600)
	runnertest.Git(t, c.repo, "merge", "--quiet", "-s", "ours", "-m", "both", "agentflow/T-1")
	out := c.run(t.Context(), c.work(), nil)
	if out.State != plan.Complete || out.Merge != nil || c.asked != 0 || c.workers() != "make" {
		t.Errorf("%+v, asked %d times, workers %s", out, c.asked, c.workers())
	}
}

// Another task under the same ID is new work.
func TestME11_AChangedTaskIsWorkedFromTheStart(t *testing.T) {
	c := newConflict(t)
	w := c.work()
	w.PRD += ", and is readable"
	c.run(t.Context(), w, nil)
	if c.workers() != "make make" {
		t.Errorf("workers %s", c.workers())
	}
}

// What was only in the way of the merge is merged without another worker.
func TestME11_AMergeThatWasInTheWayOfUncommittedChanges(t *testing.T) {
	b := newBench(t, resolver)
	c := &conflict{bench: b, t: t, url: codeclitest.Serve(t, resolves).URL}
	mine := filepath.Join(c.repo, "made.txt")
	out := c.run(t.Context(), c.work(), func(e Event) {
		if e.Type == EventVerdict {
			put(t, mine, "not committed\n")
		}
	})
	if out.Cause == nil || out.Cause.Code != "not_merged_dirty" {
		t.Fatalf("%+v %+v", out, out.Cause)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	out = c.run(t.Context(), c.work(), nil)
	if out.Merge != nil || c.workers() != "make" || c.file() != "line\n" {
		t.Errorf("%+v, workers %s, %q", out, c.workers(), c.file())
	}
}

// A stop in the middle of the conflict takes nothing from the worker that goes on.
func TestME11_FaultAStopWhileAConflictIsResolved(t *testing.T) {
	c := newConflict(t)
	put(t, c.count+".hold", "")
	ctx, cancel := context.WithCancelCause(t.Context())
	errStop := errors.New("stop")
	_, err := Run(ctx, c.work(), c.options(func(e Event) {
		if e.Type == EventWorker && strings.HasSuffix(c.workers(), "resolve") {
			cancel(errStop)
		}
	}))
	if !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	if err := os.Remove(c.count + ".hold"); err != nil {
		t.Fatal(err)
	}
	out := c.run(t.Context(), c.work(), nil)
	if out.State != plan.Complete || out.Merge != nil || c.file() != "line\nmine\n" {
		t.Errorf("%+v, %q by %s", out, c.file(), c.workers())
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
}
