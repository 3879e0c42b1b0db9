package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// vitestReport is what vitest's JSON reporter writes, as far as it is needed.
type vitestReport struct {
	TestResults []struct {
		Name             string
		Status           string
		Message          string
		AssertionResults []struct {
			FullName        string
			Status          string
			FailureMessages []string // of a test that passed: of its first try
		}
	}
}

// count adds up the tests; a file that failed without a failed test (it did not load)
// counts as one failure. A test that passed at its second try counts as failed and flaky;
// its name, and why it failed at the first, are written to out.
func (v vitestReport) count(out io.Writer, failed *failures) counts {
	var c counts
	for _, file := range v.TestResults {
		before := c.failed
		for _, test := range file.AssertionResults {
			if len(test.FailureMessages) > 0 {
				failed.add(filepath.Base(file.Name)+" "+test.FullName, test.FailureMessages[0])
			}
			switch {
			case test.Status == "passed" && len(test.FailureMessages) > 0:
				c.failed++
				c.flaky++
				_, _ = fmt.Fprintf(out, "flaky: %s %s failed once and then passed: %s\n", filepath.Base(file.Name),
					test.FullName, test.FailureMessages[0])
			case test.Status == "passed":
				c.passed++
			case test.Status == "failed":
				c.failed++
			default:
				c.skipped++
			}
		}
		if file.Status == "failed" && c.failed == before {
			c.failed++
			failed.add(filepath.Base(file.Name), file.Message)
		}
	}
	return c
}

func readVitest(name string, out io.Writer, failed *failures) (counts, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return counts{}, fmt.Errorf("no report: %w", err)
	}
	var v vitestReport
	if err := json.Unmarshal(b, &v); err != nil {
		return counts{}, fmt.Errorf("the report is not what vitest writes: %w", err)
	}
	return v.count(out, failed), nil
}

func runVitest(ctx context.Context, s suite, out io.Writer) (counts, error) {
	dir, err := os.MkdirTemp("", "agentflow-report-")
	if err != nil {
		return counts{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	name := filepath.Join(dir, "report.json")
	cmd := s.start(ctx, "--reporter=default", "--reporter=json", "--outputFile.json="+name)
	cmd.Stdout, cmd.Stderr = out, out
	runErr := cmd.Run()
	c, err := readVitest(name, out, s.failures)
	if err := errors.Join(runErr, err); err != nil {
		return c, err
	}
	if c.passed+c.failed == 0 {
		return c, errNoTest
	}
	return c, nil
}
