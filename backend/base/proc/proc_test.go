//go:build !windows

package proc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/safego"
)

// TestMain is a shim, or a program that is killed with its tree running, where a test
// started it as one.
func TestMain(m *testing.M) {
	if code, is := Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	if dir := os.Getenv(crashing); dir != "" {
		crash(dir)
	}
	goleak.VerifyTestMain(m)
}

// crashing names the folder of a program that runs a tree until it is killed.
const crashing = "PROC_TEST_CRASHES_IN"

func crash(dir string) {
	script, _ := os.ReadFile(filepath.Join(dir, "script"))
	c := shell(string(script))
	c.Records, c.Grace = filepath.Join(dir, "records"), 100*time.Millisecond
	_, _ = Run(context.Background(), c)
}

func shell(script string) Command {
	return Command{Path: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ()}
}

func TestItStreamsAndTellsHowItEnded(t *testing.T) {
	var got strings.Builder
	c := shell("cat; echo oops >&2; exit 3")
	c.Stdin = "はい"
	c.Output = func(p []byte) error { got.Write(p); return nil }
	res, err := Run(t.Context(), c)
	if err != nil || res.Code != 3 || res.Said != "oops\n" || got.String() != "はい" {
		t.Errorf("%+v, %v, %q", res, err, got.String())
	}
	if _, err := Run(t.Context(), Command{Path: "/nowhere/program"}); err == nil {
		t.Error("a program that is not there ran")
	}
}

// alive reads the pids that a script wrote and says which are there.
func alive(t *testing.T, file string) (pids, left []int) {
	t.Helper()
	data, _ := os.ReadFile(file)
	for _, f := range strings.Fields(string(data)) {
		pid, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
		if startTime(pid) != "" { // an orphan that has ended may still wait for init
			left = append(left, pid)
		}
	}
	return pids, left
}

// gone waits until all of so many processes have ended.
func gone(t *testing.T, file string, many int) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(20 * time.Second)
	for {
		pids, left := alive(t, file)
		if len(pids) == many && len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("of %v are left %v", pids, left)
		}
	}
}

// Children that ignore SIGTERM, and one that left the group, end with their parent.
func TestFault_CancellingEndsTheWholeTree(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	script := `trap '' TERM; echo $$ >> ` + file + `; echo; (trap '' TERM; echo $(sh -c 'echo $PPID') >> ` + file + `; echo; while :; do sleep 1; done) & setsid sh -c 'trap "" TERM; echo $$ >> ` + file + `; echo; while :; do sleep 1; done' & while :; do sleep 1; done`
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("the person pressed stop")
	c := shell(script)
	c.Grace = 100 * time.Millisecond
	c.Output = func([]byte) error { // each tells when it has written its number
		if pids, _ := alive(t, file); len(pids) == 3 {
			cancel(stop)
		}
		return nil
	}
	if _, err := Run(ctx, c); !errors.Is(err, stop) {
		t.Fatalf("ended with %v", err)
	}
	gone(t, file, 3)
}

func TestAnErrorOfTheReaderEndsIt(t *testing.T) {
	enough := errors.New("enough")
	c := shell("while :; do echo line; done")
	c.Output = func([]byte) error { return enough }
	if _, err := Run(t.Context(), c); !errors.Is(err, enough) {
		t.Errorf("ended with %v", err)
	}
}

// What a program leaves running in the background ends with it.
func TestNothingIsLeftInTheBackground(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	if _, err := Run(t.Context(), shell("sleep 600 & echo $! >> "+file)); err != nil {
		t.Fatal(err)
	}
	gone(t, file, 1)
}

// What reads a program's output has a goroutine of os/exec, where a panic would end this program.
func TestTR5_APanicOfTheReaderEndsIt(t *testing.T) {
	c := shell("while :; do echo line; done")
	c.Output = func([]byte) error { panic("no") }
	if _, err := Run(t.Context(), c); !safego.Is(err) {
		t.Errorf("ended with %v", err)
	}
}
