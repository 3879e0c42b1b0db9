//go:build !windows

package proc

import (
	"os/exec"
	"syscall"
)

// tree is a process and everything that it started.
type tree struct {
	cmd  *exec.Cmd
	seen map[int]string // descendants by pid, with what tells one from a later one of the same number
}

// prepare puts the program into a group of its own, which is told to end when its
// context ends.
func prepare(cmd *exec.Cmd) *tree {
	t := &tree{cmd: cmd, seen: map[int]string{}}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		t.look()
		t.signal(syscall.SIGTERM)
		return nil
	}
	return t
}

// look notes who descends from the program now; those who leave its group are found
// by that only.
func (t *tree) look() {
	pids := append([]int{t.cmd.Process.Pid}, keys(t.seen)...)
	for pid, mark := range descendants(pids) {
		t.seen[pid] = mark
	}
}

func keys(m map[int]string) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}

func (t *tree) signal(s syscall.Signal) {
	_ = syscall.Kill(-t.cmd.Process.Pid, s)
	for pid, mark := range t.seen {
		if birth(pid) == mark {
			_ = syscall.Kill(pid, s)
		}
	}
}

// kill ends whatever is left, until nothing is.
func (t *tree) kill() {
	for range 3 { // one that forks while it is killed may leave a child
		t.look()
		t.signal(syscall.SIGKILL)
	}
}
