//go:build linux

package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"agentflow/backend/base/proc"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/runnertest"
)

// Environment of a program that runs a task and is killed.
const (
	childEnv = "RUNNER_TEST_CHILD" // repo, folder, model's URL, event at which it is killed; one per line
	killsEnv = "RUNNER_TEST_KILLS" // worker or test: what kills it
)

// child runs the task like agentflow run.
func child() int {
	in := strings.Split(os.Getenv(childEnv), "\n")
	b := bench{repo: in[0], dir: in[1], cli: filepath.Join(in[1], "codex"), count: filepath.Join(in[1], "count")}
	at, _ := strconv.Atoi(in[3])
	if _, err := proc.Sweep(context.Background(), proc.Records(b.dir)); err != nil {
		return 10
	}
	n := 0
	o := b.options(in[2], func(Event) {
		if n++; n == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	})
	task := b.task()
	if os.Getenv(killsEnv) != "" {
		o.Worker.Sandbox.Mode = sandbox.Off // inside the sandbox, nothing could kill this program
	}
	switch os.Getenv(killsEnv) {
	case "worker":
		o.Worker.Env["KILLS"] = strconv.Itoa(os.Getpid())
	case "test":
		task.Test.Command = fmt.Sprintf(
			`[ -e ../killed ] || { touch ../killed; kill -9 %d; sleep 600; }; `,
			os.Getpid(),
		) + task.Test.Command
	}
	out, err := Run(context.Background(), task, o)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 11
	case out.State != plan.Complete || out.Merge != nil:
		fmt.Fprintf(os.Stderr, "%+v\n", out)
		return 12
	}
	return 0
}

// start runs the child and returns its exit code, or -1 if it was killed. Only the child knows the number of events
// so far.
func (b bench) start(t *testing.T, url string, at int, kills string, running *atomic.Pointer[os.Process]) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+strings.Join([]string{b.repo, b.dir, url, strconv.Itoa(at)}, "\n"),
		killsEnv+"="+kills)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	running.Store(cmd.Process)
	err := cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// A program that is killed with SIGKILL at each event, during each planner call, the worker or the test resumes: no
// finished step is repeated, and no process is left.
func TestME11_FaultKilledAnywhereItGoesOn(t *testing.T) {
	type point struct {
		name     string
		event    int
		question int
		kills    string
		runs     int // of the worker
		asked    int // planner calls
	}
	var points []point
	for n := 1; n <= 15; n++ {
		points = append(points, point{name: fmt.Sprint("event ", n), event: n, runs: 1, asked: 4})
	}
	for n := 1; n <= 4; n++ {
		points = append(points, point{name: fmt.Sprint("question ", n), question: n, runs: 1, asked: 5})
	}
	points = append(points, point{name: "worker", kills: "worker", runs: 2, asked: 4},
		point{name: "test", kills: "test", runs: 1, asked: 4})
	for _, p := range points {
		t.Run(p.name, func(t *testing.T) {
			b := newBench(t, working)
			var asked atomic.Int32
			var running atomic.Pointer[os.Process]
			seen := map[meta.Protocol]int{}
			m := codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
				seen[runnertest.Protocol(body)]++
				if int(asked.Add(1)) == p.question {
					_ = running.Load().Kill()
				}
				return decides(api, body)
			})
			killed := 0
			for try := 1; ; try++ {
				code := b.start(t, m.URL, map[bool]int{true: p.event}[try == 1], p.kills, &running)
				if code == 0 {
					break
				}
				if code != -1 || try > 3 {
					t.Fatalf("run %d ended with %d", try, code)
				}
				killed++
			}
			if killed != 1 {
				t.Errorf("it was killed %d times: this is not a kill point", killed)
			}
			runs := p.runs
			if p.event > 0 && lines(b.count) == 2 && seen[meta.NextAction] == 2 { // killed while the worker was running
				runs = 2
			}
			if lines(b.count) != runs || int(asked.Load()) != p.asked {
				t.Errorf("the worker ran %d times, want %d; %d questions, want %d: %v", lines(b.count), runs,
					asked.Load(), p.asked, seen)
			}
			if runnertest.Read(filepath.Join(b.repo, "made.txt")) != "line\n" || runnertest.Read(filepath.Join(b.repo, "half.txt")) != "" {
				t.Errorf("made.txt is %q", runnertest.Read(filepath.Join(b.repo, "made.txt")))
			}
			nobodyIsLeft(t, b)
		})
	}
}

// nobodyIsLeft waits for the end of process trees that end automatically, such as those of a killed program.
func nobodyIsLeft(t *testing.T, b bench) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(2 * time.Minute)
	for len(marked("COUNT="+b.count)) > 0 {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("still running: %v", marked("COUNT="+b.count))
		}
	}
}
