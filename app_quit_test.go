//go:build desktop

package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The window is that of a child process, because what is tested is that the process ends.
func TestAWindowThatDoesNotCloseIsGivenUp(t *testing.T) {
	const hangs = "AGENTFLOW_TEST_WINDOW_HANGS"
	if os.Getenv(hangs) != "" {
		quit(10*time.Millisecond, func() { _, _ = os.Stderr.WriteString("asked to close\n") })
		select {} // as main does while the web view hangs
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$") //nolint:gosec // this very test
	cmd.Env = append(os.Environ(), hangs+"=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("the program ended with %v, want exit code 1; it said:\n%s", err, out)
	}
	if want := "asked to close\nagentflow: the window did not close and was given up\n"; !strings.Contains(string(out), want) {
		t.Errorf("it said:\n%swant:\n%s", out, want)
	}
}
