//go:build unix

package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"agentflow/backend/engine"
)

// A hub whose terminal is closed ends as it does by SIGTERM: cleanly, with 0.
func TestTR4_K14_AClosedTerminalEndsTheHubCleanly(t *testing.T) {
	path, err := exec.LookPath("agentflow")
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP) // under nohup it would be ignored, and the hub would inherit that
	t.Cleanup(func() { signal.Stop(heard) })
	dir := t.TempDir()
	hub := startProcess(t, []string{"HOME=" + dir}, path, "serve", "--listen", "127.0.0.1:0", "--data",
		filepath.Join(dir, "hub"))
	hub.said(`listening on (\S+)\n`)
	if err := hub.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := hub.wait(); err != nil {
		t.Errorf("the hub ended with %v:\n%s", err, hub.out)
	}
}

// A window stays open when its terminal is closed.
func TestTR4_K14_TheWindowIgnoresAClosedTerminal(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP) // under nohup it would be ignored already
	t.Cleanup(func() {
		signal.Reset(syscall.SIGHUP)
		signal.Stop(heard)
	})
	opened, ignored := false, false
	window := func(context.Context, Start, func(context.Context) (*engine.Engine, error)) error {
		opened, ignored = true, signal.Ignored(syscall.SIGHUP)
		return nil
	}
	t.Setenv("AGENTFLOW_DATA", t.TempDir())
	var out, errs bytes.Buffer
	code := Main(t.Context(), nil, Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, window)
	if code != 0 || !opened || !ignored {
		t.Errorf("exit %d, opened %v, SIGHUP is ignored %v: %s", code, opened, ignored, errs.String())
	}
}
