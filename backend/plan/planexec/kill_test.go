//go:build linux

package planexec_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/engine"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runnertest"
)

const (
	hubEnv     = "FOREMAN_TEST_HUB" // runs this program as a hub in this folder; it writes its address to the file below
	fullFaults = "AGENTFLOW_FAULTS" // set: all points
)

// hub runs a hub in this process, so that it can be killed. It ends with SIGTERM.
func hub(dir string) int {
	e, err := engine.New(context.Background(), engine.Options{DataDir: dir, Listen: "127.0.0.1:0"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	at := fmt.Sprintf("%d %s %s", os.Getpid(), e.URL(), e.Token())
	go func() {
		<-e.Ready()
		_ = os.WriteFile(filepath.Join(dir, "at.new"), []byte(at), 0o600)
		_ = os.Rename(filepath.Join(dir, "at.new"), filepath.Join(dir, "at"))
	}()
	if err := e.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// strike is a shell function that kills the hub at a point, once, and then waits to be killed.
const strike = `strike() { if [ -e DIR/kill-$1 ]; then rm DIR/kill-$1; kill -9 $(cut -d' ' -f1 HUB/at); sleep 600; fi; }
`

// doomed is a hub that is killed once at a point and restarted, with a person who takes the next steps: set a goal,
// approve, resume.
type doomed struct {
	*hubclient.Client
	t              *testing.T
	point          string
	dir, repo, cli string
	cmd            *exec.Cmd
	exited         chan struct{}
	starts         int

	mu    sync.Mutex
	asked map[string]int
}

func doom(t *testing.T, point string) *doomed {
	t.Helper()
	d := &doomed{
		t:     t,
		point: point,
		dir:   t.TempDir(),
		repo:  runnertest.Repo(t),
		cli:   t.TempDir(),
		asked: map[string]int{},
	}
	script := func(path, text string) {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+strings.NewReplacer("DIR", d.cli, "HUB", d.dir).Replace(strike+text)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	stepping := runnertest.Read(runnertest.Stepping(t, d.cli))
	script(
		filepath.Join(d.cli, "codex"),
		"for a in \"$@\"; do last=$a; done; [ -e DIR/kill-worker-$last ] && { echo half > half.txt; echo $last >> DIR/runs; strike worker-$last; }\n"+stepping,
	)
	script(filepath.Join(d.cli, "test.sh"), "strike test\ntest -s one.txt\n")
	script(filepath.Join(d.repo, ".git", "hooks", "post-merge"), "strike merged\n")
	if err := os.WriteFile(filepath.Join(d.cli, "kill-"+point), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	model := codeclitest.Serve(t, d.answer)
	conf := "providers:\n  - {name: stub, kind: openai, baseUrl: \"" + model.URL + "\"}\ndefaultProvider: stub\n" + steered
	if err := os.WriteFile(filepath.Join(d.dir, "agentflow.yaml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.kill)
	return d
}

// answer is the planner; the hub is also killed at its calls.
func (d *doomed) answer(api, body string) codeclitest.Reply {
	name := string(runnertest.Protocol(body))
	if p := meta.Protocol(name); p != meta.Decompose {
		if p == meta.NextAction && runnertest.Worked(body) {
			name = "settled"
		}
		name += map[bool]string{true: "-two", false: "-one"}[strings.Contains(body, "COPY one.txt")]
	}
	d.mu.Lock()
	d.asked[name]++
	d.mu.Unlock()
	if d.due("asked-" + name) {
		d.kill()
	}
	return runnertest.Steps().Answer(api, body)
}

// due reports whether to kill the hub here, once.
func (d *doomed) due(point string) bool { return os.Remove(filepath.Join(d.cli, "kill-"+point)) == nil }

func (d *doomed) start() {
	d.t.Helper()
	at := filepath.Join(d.dir, "at")
	_ = os.Remove(at)
	d.starts++
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), hubEnv+"="+d.dir, "AGENTFLOW_META_MODEL=", "AGENTFLOW_TOKEN=", "DBUS_SESSION_BUS_ADDRESS="), os.Stderr
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() { _ = cmd.Wait(); close(exited) }()
	d.mu.Lock()
	d.cmd, d.exited = cmd, exited
	d.mu.Unlock()
	d.within("the hub", func() bool { return runnertest.Read(at) != "" })
	said := strings.Fields(runnertest.Read(at))
	client, err := hubclient.New(said[1], said[2])
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(client.Close)
	d.Client = client
}

func (d *doomed) kill() {
	d.mu.Lock()
	cmd, exited := d.cmd, d.exited
	d.mu.Unlock()
	if cmd != nil {
		_ = cmd.Process.Signal(syscall.SIGKILL)
		<-exited
	}
}

// within polls a condition, with a deadline that even a slow machine meets.
func (d *doomed) within(what string, is func() bool) {
	d.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(3 * time.Minute)
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			d.t.Fatalf("not within three minutes: %s", what)
		}
	}
}

// toTheEnd takes the next steps until the plan is done. After a call that fails because the hub was killed, it
// restarts the hub.
func (d *doomed) toTheEnd() (w planner.Whole) {
	d.t.Helper()
	d.start()
	d.within("the end of the plan", func() bool {
		done, err := d.next(&w)
		if err == nil {
			return done
		}
		select {
		case <-d.exited:
			d.start()
		case <-time.After(time.Minute):
			d.t.Fatalf("the call failed, but the hub was not killed: %v", err)
		}
		return false
	})
	return w
}

func (d *doomed) call(method, path string, in, out any) error {
	return d.Call(d.t.Context(), method, path, in, out)
}

// next takes the person's next step; it kills the hub after its own kill points.
func (d *doomed) next(w *planner.Whole) (done bool, err error) {
	var all struct{ Plans []planner.Summary }
	if err := d.call(http.MethodGet, "/api/plans", nil, &all); err != nil {
		return false, err
	}
	if len(all.Plans) == 0 {
		return false, d.call(http.MethodPost, "/api/plans", m{"goal": "two files"}, nil)
	}
	path := "/api/plans/" + string(all.Plans[0].ID)
	*w = planner.Whole{}
	if err := d.call(http.MethodGet, path, nil, w); err != nil {
		return false, err
	}
	p := w.Proposals[len(w.Proposals)-1]
	step := func(point, path string, in any) (bool, error) {
		if d.due(point) {
			d.kill()
		}
		err := d.call(http.MethodPost, path, in, nil)
		if err == nil && d.due(point+"-done") {
			d.kill()
		}
		return false, err
	}
	switch {
	case p.State == planner.Asking || w.Work != nil && w.Work.State == planner.Working:
		return false, nil
	case p.State == planner.Failed:
		return step("goal", path+"/requests", m{"request": "two files"})
	case p.State == planner.Waiting:
		return step("accept", path+"/proposals/"+string(p.ID)+"/accept", m{"version": w.Head})
	case w.Work == nil:
		return step(
			"run",
			path+"/run",
			m{
				"folder":   d.repo,
				"worker":   "codex-cli",
				"command":  filepath.Join(d.cli, "codex"),
				"test":     filepath.Join(d.cli, "test.sh"),
				"parallel": 2,
			},
		)
	case w.Work.State == planner.Paused:
		return step("resume", path+"/resume", m{})
	case d.due("ended"):
		d.kill()
		return false, nil
	}
	return true, nil
}

// left lists the processes that refer to the test's folders.
func (d *doomed) left() (all []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if line := runnertest.Read(f); strings.Contains(line, d.cli) || strings.Contains(line, d.dir) {
			all = append(all, f+" "+strings.ReplaceAll(line, "\x00", " "))
		}
	}
	return all
}

// A hub killed with SIGKILL anywhere between the goal and the merged work reaches the same end: nothing finished is
// repeated, and no process is left.
func TestME8_FaultAHubKilledAnywhereGoesOn(t *testing.T) {
	points := []struct {
		name, runs string // of the worker, if not one per task
		short      bool   // in every round
	}{
		{name: "asked-decompose", short: true}, {name: "accept"}, {name: "accept-done"}, {name: "run-done"}, {name: "asked-next_action-one"},
		{name: "worker-MAKE", runs: "MAKE\nMAKE\nCOPY\n", short: true}, {name: "test"}, {name: "asked-settled-one"}, {name: "asked-completion_assessment-one"},
		{name: "merged", short: true}, {name: "worker-COPY", runs: "MAKE\nCOPY\nCOPY\n"}, {name: "asked-completion_assessment-two"}, {name: "ended"},
	}
	for _, p := range points {
		if !p.short && os.Getenv(fullFaults) == "" {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			d := doom(t, p.name)
			w := d.toTheEnd()
			if d.starts != 2 {
				t.Errorf("the hub was started %d times: this is not a kill point", d.starts)
			}
			if w.Work.State != planner.Ended || w.Done != 2 || w.Work.Failure != nil {
				t.Errorf("%d tasks are done: %+v, %+v", w.Done, w.Work, w.Progress)
			}
			if runs := runnertest.Read(filepath.Join(d.cli, "runs")); runs != cmp.Or(p.runs, "MAKE\nCOPY\n") {
				t.Errorf("the worker ran for %q", runs)
			}
			for _, q := range []string{"decompose", "next_action-one", "settled-one", "completion_assessment-one", "next_action-two", "settled-two", "completion_assessment-two"} {
				d.mu.Lock()
				if want := 1 + map[bool]int{true: 1}["asked-"+q == p.name]; d.asked[q] != want {
					t.Errorf("%s was asked %d times, want %d", q, d.asked[q], want)
				}
				d.mu.Unlock()
			}
			for _, name := range []string{"one.txt", "two.txt"} {
				if runnertest.Read(filepath.Join(d.repo, name)) != "one\n" {
					t.Errorf("%s is not right", name)
				}
			}
			merges, _ := strconv.Atoi(runnertest.Git(t, d.repo, "rev-list", "--count", "--merges", "HEAD"))
			if files := runnertest.Git(t, d.repo, "ls-files"); files != "one.txt\ntwo.txt" || merges != 2 || runnertest.Git(t, d.repo, "branch", "--list", "agentflow/*") != "" {
				t.Errorf("%d merges; in the repository: %s", merges, files)
			}
			d.kill()
			d.within("the end of all processes", func() bool { return len(d.left()) == 0 })
		})
	}
}
