//go:build !windows

package proc

import (
	"maps"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"
)

// group is a program in a separate process group, and every process seen to descend from it.
type group struct {
	cmd    *exec.Cmd
	c      Command
	record *record
	mu     sync.Mutex
	seen   map[int]string // by pid, with what tells one from a later one of the same number
	kills  *time.Timer
	over   bool
}

func (g *group) start() error {
	g.seen = map[int]string{}
	g.cmd.WaitDelay = 2 * time.Second // who is left may hold the output open: it is killed only then
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := g.cmd.Start(); err != nil {
		return err
	}
	g.record = note(g.c.Records, "", g.cmd.Process.Pid)
	return nil
}

// end asks all to end, and sees to it that they are killed if they do not.
func (g *group) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.look()
	g.signal(syscall.SIGTERM)
	g.kills = time.AfterFunc(g.c.Grace, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if !g.over {
			g.look()
			g.signal(syscall.SIGKILL)
		}
	})
}

// waitGone ends whatever is left, until nothing is.
func (g *group) waitGone() (Result, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
	if g.kills != nil {
		g.kills.Stop()
	}
	for range 3 { // one that forks while it is killed may leave a child
		g.look()
		g.signal(syscall.SIGKILL)
	}
	g.record.remove()
	res := Result{Code: g.cmd.ProcessState.ExitCode()}
	if ws, ok := g.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		res.Signal = ws.Signal().String()
	}
	return res, nil
}

// look notes who descends from the program now; those who leave its group are found by
// that only.
func (g *group) look() {
	maps.Copy(g.seen, descendants(append(slices.Collect(maps.Keys(g.seen)), g.cmd.Process.Pid)))
}

func (g *group) signal(s syscall.Signal) {
	_ = syscall.Kill(-g.cmd.Process.Pid, s)
	signalAll(g.seen, s)
}

// signalAll reaches those only who are still who they were.
func signalAll(all map[int]string, s syscall.Signal) {
	for pid, mark := range all {
		if startTime(pid) == mark {
			_ = syscall.Kill(pid, s)
		}
	}
}
