//go:build window

package windowtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/build/offscreen"
)

const patience = offscreen.Patience

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

// start runs a program until the test ends. What it said is printed when the test has
// failed.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out := &log{}
	if cmd.Stdout == nil {
		cmd.Stdout = out
	}
	cmd.Stderr = out
	end, err := offscreen.Start(cmd)
	if err != nil {
		t.Fatalf("%s: %v (`make test-window` installs what is missing)", cmd.Path, err)
	}
	t.Cleanup(func() {
		end()
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(cmd.Path), out)
		}
	})
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
