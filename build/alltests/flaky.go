package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxAgain is how many failed tests of a suite run again: more failures than these are no accident of timing.
const maxAgain = 3

// runGo runs the tests of the suite's packages. The few that fail run once more, alone and twice over, where the
// suite asks for it: what passes then stays a failure, and is called flaky, which tells where to look for its cause.
func runGo(ctx context.Context, s suite, out io.Writer) (counts, error) {
	packages, err := s.testPackages(ctx)
	if err != nil {
		return counts{}, err
	}
	r, err := goTests(ctx, s, out, packages...)
	s.failures = nil // what fails again has been told
	if err == nil && r.total.passed+r.total.failed == 0 {
		return r.total, errNoTest
	}
	if err == nil || !s.again || r.broken || len(r.failed) == 0 || len(r.failed) > maxAgain {
		return r.total, err
	}
	c := r.total
	for _, test := range r.failed {
		second, againErr := goTests(ctx, s, out, "-count=2", "-run", "^"+test.Test+"$", test.Package)
		if againErr != nil || second.total.passed == 0 {
			continue
		}
		c.flaky++
		_, _ = fmt.Fprintf(out, "flaky: %s %s failed once and passed twice alone\n", test.Package, test.Test)
	}
	return c, err
}

// goTests runs go test with what the suite says and args.
func goTests(ctx context.Context, s suite, out io.Writer, args ...string) (*goReader, error) {
	cmd := s.start(ctx, args...)
	cmd.Stderr = os.Stderr
	r := newGoReader(out)
	r.failures = s.failures
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	if err := cmd.Start(); err != nil {
		return r, err
	}
	readErr := r.read(stdout)
	return r, errors.Join(cmd.Wait(), readErr)
}
