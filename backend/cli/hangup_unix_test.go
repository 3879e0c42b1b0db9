//go:build unix

package cli

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
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
