package proc

import (
	"encoding/json"
	"errors"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// shimName is the name under which a program starts itself as a shim.
const shimName = "agentflow-shim"

// Files of a shim beside the three of the program that it runs.
const (
	statusFile = 3 // how the program ended, as one JSON object
	lifeFile   = 4 // its first byte starts the program; its end, the end of all
)

// shims says that this program, started again, is a shim.
var shims bool

// status is what a shim tells of its program.
type status struct {
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
	Error  string `json:"error,omitempty"` // why it could not be started
}

// Shim must be the first call of a program that uses Run, which holds trees in shims from now on. In a shim, the
// program doesn't come this far.
func Shim() (code int, is bool) {
	shims = true
	return 0, false
}

// A shim starts here, before packages that it doesn't need are initialized: Go does that in the order of their names
// and dependencies. Each git command and each worker has a shim, and this halves the time that its start takes.
func init() {
	if len(os.Args) >= 4 && os.Args[0] == shimName {
		beShim()
	}
}

// beShim holds a tree, and exits with it.
func beShim() {
	runtime.LockOSThread() // the program gets Pdeathsig when this thread ends
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	unix.CloseOnExec(statusFile)
	unix.CloseOnExec(lifeFile)
	grace, _ := strconv.Atoi(os.Args[1])
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	s := &shim{
		life:  os.NewFile(lifeFile, "life"),
		asked: asked,
		over:  make(chan struct{}),
		left:  make(chan syscall.WaitStatus, 1),
		empty: make(chan struct{}),
	}
	st := s.run(os.Args[2], os.Args[3:], time.Duration(grace)*time.Millisecond)
	_ = json.NewEncoder(os.NewFile(statusFile, "status")).Encode(st)
	syscall.Exit(0) // os.Exit takes a second more in a program that was built to find races
}

// shim holds one tree. A process in it that loses its parent becomes the shim's child, so
// none leaves it, and when the shim has no child the tree is empty.
type shim struct {
	life   *os.File
	asked  chan os.Signal
	over   chan struct{} // closed when nobody wants the tree any more
	left   chan syscall.WaitStatus
	empty  chan struct{}
	leader int
}

func (s *shim) run(path string, argv []string, grace time.Duration) status {
	if n, _ := s.life.Read(make([]byte, 1)); n == 0 {
		return status{Code: -1, Error: "nobody wanted it any more"}
	}
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return status{Code: -1, Error: (&os.PathError{Op: "start", Path: path, Err: err}).Error()}
	}
	s.leader = pid
	if null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0); err == nil {
		_, _ = unix.Dup2(null, 0), unix.Dup2(null, 1) // the program's alone from now on
	}
	go s.watch()
	go s.reap()
	st, known := status{Code: -1}, false
	select {
	case ws := <-s.left:
		st, known = ended(ws), true
	case <-s.over:
	case <-s.asked:
	}
	s.end(grace)
	if !known {
		st = ended(<-s.left)
	}
	return st
}

// watch waits until the process that wants the tree ends.
func (s *shim) watch() {
	for buf := make([]byte, 1); ; {
		if n, err := s.life.Read(buf); n == 0 || err != nil {
			close(s.over)
			return
		}
	}
}

// reap buries children until there are none.
func (s *shim) reap() {
	defer close(s.empty)
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return
		case pid == s.leader:
			s.left <- ws
		}
	}
}

// end asks all processes to end, kills those still running after the grace time, and returns
// when the tree is empty.
func (s *shim) end(grace time.Duration) {
	me := []int{os.Getpid()}
	asked := map[int]string{}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); ; {
		if alone() { // as after nearly every git command, and looking through all processes takes longer than those
			return
		}
		all := descendants(me)
		if time.Since(began) > grace {
			signalAll(all, syscall.SIGKILL)
		} else {
			for pid, mark := range all {
				if asked[pid] != mark {
					asked[pid] = mark
					_ = syscall.Kill(pid, syscall.SIGTERM)
				}
			}
		}
		select {
		case <-s.empty:
			return
		case <-tick.C:
		}
	}
}

// alone reports whether this process has no child.
func alone() bool {
	err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return errors.Is(err, unix.ECHILD)
}

func ended(ws syscall.WaitStatus) status {
	if ws.Signaled() {
		return status{Code: -1, Signal: ws.Signal().String()}
	}
	return status{Code: ws.ExitStatus()}
}
