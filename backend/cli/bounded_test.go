package cli

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// bounded returns a command of the program under test that never outlives its test: one that runs for five minutes
// prints the stacks of its goroutines and ends, and what it leaves behind cannot keep its output open.
func bounded(cleanup func(func()), path string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	cleanup(cancel)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 20 * time.Second
	return cmd
}
