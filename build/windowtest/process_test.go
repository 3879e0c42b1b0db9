//go:build window

package windowtest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is for anything that a loaded machine may make slow.
const patience = 60 * time.Second

// log collects what a process says, for the report of a failed test.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start runs a program in a process group of its own, which ends with the test. What
// it said is printed when the test has failed.
func start(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	out := &log{}
	if cmd.Stdout == nil {
		cmd.Stdout = out
	}
	cmd.Stderr = out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v (`make test-window` installs what is missing)", cmd.Path, err)
	}
	t.Cleanup(func() {
		endGroup(cmd.Process.Pid)
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(cmd.Path), out)
		}
	})
	return cmd
}

// endGroup asks a process group to end and makes it after a while.
func endGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGTERM)
	for range 50 {
		if errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH) || zombie(pid) {
			break
		}
		<-time.After(100 * time.Millisecond)
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

// zombie says whether a process has ended and only waits for its parent to notice.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "Z")
}

// buildShim compiles testdata/shim.c.
func buildShim(t *testing.T) string {
	t.Helper()
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "webkit2gtk-4.1").Output()
	if err != nil {
		t.Fatalf("pkg-config webkit2gtk-4.1: %v (`make test-window` installs what is missing)", err)
	}
	shim := filepath.Join(t.TempDir(), "shim.so")
	args := append([]string{"-shared", "-fPIC", "-Wall", "-Werror", "-o", shim, "testdata/shim.c"}, strings.Fields(string(flags))...)
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return shim
}

// eventually asks until the answer is yes, and fails the test when it never is.
func eventually(t *testing.T, what string, ask func() (bool, error)) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		yes, err := ask()
		if yes && err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s (last error: %v)", what, patience, err)
		}
		<-time.After(50 * time.Millisecond)
	}
}
