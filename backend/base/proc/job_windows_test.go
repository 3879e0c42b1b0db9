package proc

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// role says what this program does instead of the tests.
const role = "PROC_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "says":
		fmt.Println("works") //nolint:forbidigo // the program of a test prints
		return
	case "parent":
		child := exec.CommandContext(context.Background(), os.Args[0])
		child.Env = append(os.Environ(), role+"=child")
		out, err := child.StdoutPipe()
		if err == nil {
			err = child.Start()
		}
		line, _ := bufio.NewReader(out).ReadString('\n')
		fmt.Print(line, err, "\n") //nolint:forbidigo // as above
		return
	case "child":
		fmt.Println(os.Getpid())                                                       //nolint:forbidigo // as above
		_, _ = windows.WaitForSingleObject(windows.CurrentProcess(), windows.INFINITE) // until the job ends
	}
	os.Exit(m.Run()) //nolint:forbidigo // as every TestMain
}

func self(does string) Command {
	return Command{Path: os.Args[0], Env: append(os.Environ(), role+"="+does)}
}

func output(t *testing.T, c Command) string {
	t.Helper()
	var out strings.Builder
	c.Output = func(p []byte) error { out.Write(p); return nil }
	if res, err := Run(t.Context(), c); err != nil || res.Code != 0 {
		t.Fatalf("%+v, %v, %s", res, err, out.String())
	}
	return strings.TrimSpace(out.String())
}

// A restricted job bounds processes and memory, and has every restriction of the user interface. Nothing can leave it.
func TestTR3_ARestrictedJobIsLimited(t *testing.T) {
	if got := limitsOf(false); got.BasicLimitInformation.LimitFlags != windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE {
		t.Errorf("without limits: %+v", got)
	}
	got := limitsOf(true)
	const breakaway = windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK | windows.JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK
	if flags := got.BasicLimitInformation.LimitFlags; flags != 0x2608 || flags&breakaway != 0 {
		t.Errorf("flags %#x", flags)
	}
	if got.BasicLimitInformation.ActiveProcessLimit != maxJobProcesses || got.JobMemoryLimit < minJobMemory {
		t.Errorf("%+v", got)
	}
	if totalMemory() < 1<<28 || allUI != 0xff {
		t.Errorf("%d bytes of memory, user interface %#x", totalMemory(), allUI)
	}
}

// Windows accepts all kinds of jobs, and what runs in one works as usual.
func TestTR3_RestrictedCommandsRun(t *testing.T) {
	for _, c := range []Command{{}, {Restricted: true}, {Restricted: true, Jobs: true}} {
		run := self("says")
		run.Restricted, run.Jobs = c.Restricted, c.Jobs
		if got := output(t, run); got != "works" {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// What a restricted command starts ends with it.
func TestTR3_ARestrictedCommandLeavesNothingBehind(t *testing.T) {
	c := self("parent")
	c.Restricted = true
	var pid uint32
	if _, err := fmt.Sscan(output(t, c), &pid); err != nil {
		t.Fatal(err)
	}
	child, err := windows.OpenProcess(windows.SYNCHRONIZE, false, pid)
	if err != nil {
		return // it has gone
	}
	defer windows.CloseHandle(child) //nolint:errcheck // only read
	if event, err := windows.WaitForSingleObject(child, 20_000); err != nil || event != windows.WAIT_OBJECT_0 {
		t.Errorf("the child still runs: %d, %v", event, err)
	}
}
