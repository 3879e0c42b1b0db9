package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// goEvent is one line of `go test -json`.
type goEvent struct {
	Action      string
	Package     string
	ImportPath  string // of build output
	Test        string
	Output      string
	Elapsed     float64
	FailedBuild string
}

// goPackage is what is known of one package while its tests run.
type goPackage struct {
	output  map[string]*strings.Builder // by test; "" is the package's own
	parents map[string]bool
	counts
}

func (p *goPackage) write(test, text string) {
	if p.output[test] == nil {
		p.output[test] = &strings.Builder{}
	}
	p.output[test].WriteString(text)
}

// testPackages lists the packages whose tests the suite runs. A name in without that no package has is an error.
func (s suite) testPackages(ctx context.Context) ([]string, error) {
	if len(s.without) == 0 {
		return s.packages, nil
	}
	listed, err := exec.CommandContext(ctx, "go", append([]string{"list"}, s.packages...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages: %w", err)
	}
	all := strings.Fields(string(listed))
	for _, name := range s.without {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("there is no package %s: remove it from slowPackages", name)
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return slices.Contains(s.without, name) }), nil
}

// goReader counts the leaves among the tests of `go test -json` and prints what a
// person wants of it: one line a package, and all a failed test said.
type goReader struct {
	out      io.Writer
	packages map[string]*goPackage
	builds   map[string]*strings.Builder
	total    counts
	failed   []goTestName // by name, the whole test also where a part of it failed
	broken   bool         // a package gave no verdict on its tests
	failures *failures
}

// goTestName is one test function.
type goTestName struct{ Package, Test string }

func newGoReader(out io.Writer) *goReader {
	return &goReader{out: out, packages: map[string]*goPackage{}, builds: map[string]*strings.Builder{}}
}

func (r *goReader) printf(format string, args ...any) { _, _ = fmt.Fprintf(r.out, format, args...) }

func (r *goReader) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e goEvent
			if json.Unmarshal(line, &e) != nil {
				r.printf("%s", line) // not an event: the go command itself speaks
			} else {
				r.event(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *goReader) event(e goEvent) {
	switch {
	case strings.HasPrefix(e.Action, "build-"):
		if r.builds[e.ImportPath] == nil {
			r.builds[e.ImportPath] = &strings.Builder{}
		}
		r.builds[e.ImportPath].WriteString(e.Output)
		return
	case e.Package == "":
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &goPackage{output: map[string]*strings.Builder{}, parents: map[string]bool{}}
		r.packages[e.Package] = p
	}
	switch e.Action {
	case "run":
		if i := strings.LastIndexByte(e.Test, '/'); i > 0 {
			p.parents[e.Test[:i]] = true
		}
	case "output":
		p.write(e.Test, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.packageDone(e, p)
		} else {
			r.testDone(e, p)
		}
	}
}

func (r *goReader) testDone(e goEvent, p *goPackage) {
	leaf := !p.parents[e.Test]
	switch e.Action {
	case "pass":
		if leaf {
			p.passed++
		}
	case "skip":
		if leaf {
			p.skipped++
			r.printf("skipped %s %s: %s", e.Package, e.Test, reason(p.output[e.Test]))
		}
	case "fail":
		if leaf || !p.failedBelow(e.Test) {
			p.failed++
			r.failures.add(e.Package+" "+e.Test, text(p.output[e.Test]))
		}
		if !strings.Contains(e.Test, "/") {
			r.failed = append(r.failed, goTestName{e.Package, e.Test})
		}
		r.printf("%s", text(p.output[e.Test]))
		p.write(e.Test, failedMark)
		return
	}
	delete(p.output, e.Test)
}

// failedMark stays in the output of a test that failed, for failedBelow to find.
const failedMark = "\x00failed"

// failedBelow says whether a subtest of test has failed, which the count already has.
func (p *goPackage) failedBelow(test string) bool {
	for name, out := range p.output {
		if strings.HasPrefix(name, test+"/") && strings.HasSuffix(out.String(), failedMark) {
			return true
		}
	}
	return false
}

func (r *goReader) packageDone(e goEvent, p *goPackage) {
	if e.Action == "fail" && p.failed == 0 { // it did not build, timed out or crashed
		p.failed++
		r.broken = true
		var said strings.Builder
		for name, out := range p.output {
			if name != "" {
				said.WriteString(text(out))
			}
		}
		said.WriteString(text(p.output[""]) + text(r.builds[e.FailedBuild]))
		r.printf("%s", said.String())
		r.failures.add(e.Package, timedOut(said.String()))
	}
	verdict := map[string]string{"pass": "ok", "fail": "FAIL", "skip": "-"}[e.Action]
	if e.Action != "skip" {
		r.printf("%-4s %6.1f s  %s: %s\n", verdict, e.Elapsed, e.Package, p.counts)
	}
	r.total = r.total.plus(p.counts)
	p.output = map[string]*strings.Builder{}
}

// timedOut shortens what a test program said that ran out of time to the tests that were running and the goroutines
// that stand in a test. Other texts stay as they are.
func timedOut(said string) string {
	i := strings.Index(said, "panic: test timed out")
	if i < 0 {
		return said
	}
	stacks := strings.Split(said[i:], "\n\n")
	short := stacks[0]
	for _, stack := range stacks[1:] {
		if strings.Contains(stack, "_test.go:") {
			short += "\n\n" + stack
		}
	}
	return short
}

func text(b *strings.Builder) string {
	if b == nil {
		return ""
	}
	return b.String()
}

// reason picks from a skipped test's output the line that says why.
func reason(b *strings.Builder) string {
	for line := range strings.Lines(text(b)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "---") && !strings.HasPrefix(line, "===") {
			return strings.TrimLeft(line, " ")
		}
	}
	return "no reason given\n"
}
