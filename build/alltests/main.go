// Alltests runs test suites and ends with one line that sums up what really ran: "N passed, N failed". It exits with 1
// when anything failed, and also when a suite that should have tests ran none. Its arguments run one after the other.
// An argument can hold several suites, and "&" lets those behind it run beside those before it, at a lower priority:
//
//	go run ./build/alltests "go & go-real & types web" screens "window & gateways"
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// counts is what became of the tests of a suite. A flaky one failed, and then passed at its second try; it counts
// as failed too, because it is a defect to be mended (CONTRIBUTING.md).
type counts struct{ passed, failed, skipped, flaky int }

func (c counts) plus(d counts) counts {
	return counts{c.passed + d.passed, c.failed + d.failed, c.skipped + d.skipped, c.flaky + d.flaky}
}

func (c counts) String() string {
	s := fmt.Sprintf("%d passed, %d failed", c.passed, c.failed)
	if c.skipped > 0 {
		s += fmt.Sprintf(", %d skipped", c.skipped)
	}
	if c.flaky > 0 {
		s += fmt.Sprintf(", %d flaky", c.flaky)
	}
	return s
}

// suite is one command and the way to read its outcome.
type suite struct {
	name     string
	command  []string
	packages []string // of a Go suite
	without  []string // packages of a Go suite that are left out
	env      []string
	again    bool // a failed test runs once more, to tell a flaky one from one that is broken
	beside   bool // other suites run at the same time and go first
	waits    bool // mostly for other programs: it never stands back
	run      func(ctx context.Context, s suite, out io.Writer) (counts, error)
	failures *failures // nil: only what is printed meanwhile tells
}

// goTest lists the flags all Go suites share. Two packages at a time are as many as the machines this is built for have
// cores, and nothing comes from the cache. Without what only debuggers read (-w), a test program is built in three
// quarters of the time. go vet belongs to make check.
func goTest(args ...string) []string {
	always := []string{"go", "test", "-json", "-count=1", "-p=2", "-timeout=25m", "-vet=off"}
	always = append(always, "-ldflags=-w", "-trimpath")
	return append(always, args...)
}

// withoutC has the Go tests use what the build of bin/agentflow has compiled already.
const withoutC = "CGO_ENABLED=0"

// realGateway is in the name of every test that starts a real gateway. These tests wait two thirds of their time, so
// up to three of a package run at once, beside the other Go tests, at the same priority. With more, gateways run into
// time limits that can't be set. They don't run beside the tests in the browser, whose time limits they would use up.
const realGateway = "RealGateway"

// slowPackages start programs, databases or hubs in most of their tests. `make test-fast` leaves them out.
var slowPackages = []string{
	"agentflow/backend/engine",
	"agentflow/backend/store",
	"agentflow/backend/plan/codecli",
	"agentflow/backend/plan/planexec",
	"agentflow/backend/plan/plantask",
	"agentflow/backend/plan/runner",
	"agentflow/backend/plan/worktree",
	"agentflow/backend/cli/hostile",
	"agentflow/backend/cli/internal/agentcmd",
	"agentflow/backend/work/localagent",
	"agentflow/build/licences",
	"agentflow/bench",
}

func npm(script string, args ...string) []string {
	return append([]string{"npm", "--prefix", "frontend", "run", "--loglevel=error", script}, args...)
}

// The window's tests share the build flags of bin/agentflow-desktop, so that its parts
// are compiled once. Pictures of the screen stay in .cache/window.
var windowArgs = []string{
	"-tags", "desktop,production,webkit2_41,window",
	"-artifacts", "-outputdir", ".cache/window",
}

func suites(root string) map[string]suite {
	bin := "AGENTFLOW_BIN=" + filepath.Join(root, "bin", "agentflow")
	window := "AGENTFLOW_DESKTOP_BIN=" + filepath.Join(root, "bin", "agentflow-desktop")
	workers := "AGENTFLOW_REAL_WORKERS=1"
	// The two packages that take longest begin first, so that the others run beside them.
	everything := []string{"./backend/engine", "./backend/cli", "./..."}
	all := []suite{
		{
			name:     "go",
			command:  goTest("-skip", realGateway),
			packages: everything,
			env:      []string{workers, withoutC},
			again:    true,
			run:      runGo,
		},
		{
			name:     "go-real",
			command:  goTest("-run", realGateway, "-parallel=3"),
			packages: []string{"./backend/engine", "./backend/cli", "./backend/gateway/client"},
			env:      []string{"AGENTFLOW_REAL_GATEWAYS=1", withoutC},
			again:    true,
			waits:    true,
			run:      runGo,
		},
		{
			name:     "go-fast",
			command:  goTest("-skip", realGateway),
			packages: everything,
			env:      []string{withoutC},
			again:    true,
			run:      runGo,
		},
		{
			name:     "go-quick",
			command:  goTest("-skip", "Fault|Real"),
			packages: everything,
			without:  slowPackages,
			env:      []string{withoutC},
			run:      runGo,
		},
		{name: "go-race", command: goTest("-race"), packages: everything, run: runGo},
		{
			name:     "faults",
			command:  goTest("-race", "-run", "Fault"),
			packages: everything,
			env:      []string{"AGENTFLOW_FAULTS=1"},
			run:      runGo,
		},
		{name: "golint", command: []string{"build/lint.sh", os.Getenv("GOLANGCI"), os.Getenv("TAGS")}, run: runCheck},
		{name: "types", command: npm("typecheck"), run: runCheck},
		{name: "lint", command: npm("lint"), run: runCheck},
		{name: "web", command: npm("test", "--"), run: runVitest},
		{
			name:    "screens",
			command: npm("e2e", "--", "--retry=1", "--project=page", "--project=alone"),
			env:     []string{bin},
			run:     runVitest,
		},
		{
			name:    "gateways",
			command: npm("e2e", "--", "--retry=1", "--project=gateways"),
			env:     []string{bin},
			run:     runVitest,
		},
		{
			name:     "window",
			command:  goTest(windowArgs...),
			packages: []string{".", "./build/windowtest"},
			env:      []string{window, workers},
			again:    true,
			run:      runGo,
		},
	}
	byName := map[string]suite{}
	for _, s := range all {
		byName[s.name] = s
	}
	return byName
}

// suiteLimit ends a suite that hangs while there is time left to say which one did.
const suiteLimit = 60 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ok := runAll(ctx, os.Args[1:], os.Stdout)
	stop()
	if !ok {
		os.Exit(1)
	}
}

func runAll(ctx context.Context, args []string, out io.Writer) bool {
	root, err := os.Getwd()
	if err != nil {
		_, _ = fmt.Fprintln(out, err)
		return false
	}
	steps, err := parseSteps(args, suites(root))
	if err != nil {
		_, _ = fmt.Fprintln(out, "alltests:", err)
		return false
	}
	var done []result
	for _, lanes := range steps {
		done = append(done, runStep(ctx, lanes, out)...)
	}
	var total counts
	_, _ = fmt.Fprintln(out)
	for _, r := range done {
		r.failures.writeTo(out)
	}
	for _, r := range done {
		total = total.plus(r.counts)
		_, _ = fmt.Fprintf(out, "%-8s %7.1f s  %s\n", r.name, r.took.Seconds(), r.counts)
	}
	_, _ = fmt.Fprintln(out, total)
	return total.failed == 0 && len(done) > 0
}

// lane is suites that run one after the other.
type lane []suite

// result is what a suite said, and how long it took.
type result struct {
	name     string
	took     time.Duration
	failures *failures
	counts
}

// parseSteps reads the arguments: each is a step, whose lanes are separated by "&". All lanes but the first stand
// back, except suites that mostly wait.
func parseSteps(args []string, known map[string]suite) ([][]lane, error) {
	var steps [][]lane
	for _, arg := range args {
		var lanes []lane
		for i, names := range strings.Split(arg, "&") {
			var l lane
			for _, name := range strings.Fields(names) {
				s, ok := known[name]
				if !ok {
					return nil, fmt.Errorf("no suite is called %q", name)
				}
				s.beside = i > 0 && !s.waits
				l = append(l, s)
			}
			if len(l) == 0 {
				return nil, fmt.Errorf("%q names no suite on one side of the &", arg)
			}
			lanes = append(lanes, l)
		}
		steps = append(steps, lanes)
	}
	return steps, nil
}

// runStep runs lanes side by side. The first one's output is seen as it comes, the others' when all have ended.
func runStep(ctx context.Context, lanes []lane, out io.Writer) []result {
	results, outputs := make([][]result, len(lanes)), make([]bytes.Buffer, len(lanes))
	var others sync.WaitGroup
	for i, l := range lanes[1:] {
		others.Go(func() { results[i+1] = l.run(ctx, &outputs[i+1]) })
	}
	results[0] = lanes[0].run(ctx, out)
	others.Wait()
	for i := range outputs {
		_, _ = outputs[i].WriteTo(out)
	}
	return slices.Concat(results...)
}

func (l lane) run(ctx context.Context, out io.Writer) []result {
	var done []result
	for _, s := range l {
		_, _ = fmt.Fprintf(out, "== %s\n", s.name)
		began := time.Now()
		s.failures = &failures{}
		c := runSuite(ctx, s, out)
		done = append(done, result{s.name, time.Since(began), s.failures, c})
	}
	return done
}

// runSuite runs one suite. What keeps it from giving a verdict counts as a failure.
func runSuite(ctx context.Context, s suite, out io.Writer) counts {
	ctx, cancel := context.WithTimeoutCause(ctx, suiteLimit, fmt.Errorf("still running after %s", suiteLimit))
	defer cancel()
	c, err := s.run(ctx, s, out)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if err != nil {
		_, _ = fmt.Fprintf(out, "%s: %v\n", s.name, err)
		if c.failed == 0 {
			c.failed = 1
			s.failures.add(s.name, err.Error())
		}
	}
	return c
}

var errNoTest = errors.New("no test ran")

// start prepares the command of a suite in a separate process group, so that the end of the
// suite ends all its children.
func (s suite) start(ctx context.Context, args ...string) *exec.Cmd {
	words := slices.Concat(s.command, args)
	if s.beside && runtime.GOOS != "windows" { // it has no such command
		words = slices.Concat([]string{"nice", "-n", "5"}, words)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(append(os.Environ(), "NO_COLOR=1"), s.env...)
	ownGroup(cmd)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// runCheck is for tools that pass or fail as a whole. A pass is no test, so it adds
// nothing to the count.
func runCheck(ctx context.Context, s suite, out io.Writer) (counts, error) {
	cmd := s.start(ctx)
	cmd.Stdout, cmd.Stderr = out, out
	return counts{}, cmd.Run()
}
