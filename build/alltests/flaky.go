package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxFlaky is how many tests of a suite may be called flaky: more failures than these
// have a reason that a second try must not hide.
const maxFlaky = 3

var errFlaky = errors.New("too many flaky tests")

// runGo runs the tests of the suite's packages. The few that fail run once more, alone
// and twice over, where the suite allows it: who passes then is counted as flaky and named.
// A data race, or a fault that was borne once in two, is no accident of timing.
func runGo(ctx context.Context, s suite, out io.Writer) (counts, error) {
	packages, err := s.testPackages(ctx)
	if err != nil {
		return counts{}, err
	}
	r, err := goTests(ctx, s, out, packages...)
	if err == nil && r.total.passed+r.total.failed == 0 {
		return r.total, errNoTest
	}
	if err == nil || !s.again || r.broken || len(r.failed) == 0 || len(r.failed) > maxFlaky {
		return r.total, err
	}
	flaky := 0
	for _, test := range r.failed {
		again, err := goTests(ctx, s, out, "-count=2", "-run", "^"+test.Test+"$", test.Package)
		if err != nil || again.total.passed == 0 {
			continue
		}
		flaky++
		_, _ = fmt.Fprintf(out, "flaky: %s %s failed once and passed twice alone\n", test.Package, test.Test)
	}
	if flaky < len(r.failed) {
		return r.total, err
	}
	c := r.total
	c.passed, c.failed, c.flaky = c.passed+c.failed, 0, flaky
	return c, nil
}

// goTests runs go test with what the suite says and args.
func goTests(ctx context.Context, s suite, out io.Writer, args ...string) (*goReader, error) {
	cmd := s.start(ctx, args...)
	cmd.Stderr = os.Stderr
	r := newGoReader(out)
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
