package proc

import (
	"os/exec"
	"strconv"
)

// tree is a process and everything that it started.
type tree struct{ cmd *exec.Cmd }

func prepare(cmd *exec.Cmd) *tree {
	t := &tree{cmd}
	cmd.Cancel = func() error {
		t.kill()
		return nil
	}
	return t
}

// kill ends the tree by the system's own command: Windows has no group to signal.
func (t *tree) kill() {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(t.cmd.Process.Pid)).Run()
}
