//go:build !windows

package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/proc"
	"agentflow/backend/model/tool"
)

// TestMain is the shim of a command if a test started it as one.
func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	goleak.VerifyTestMain(m)
}

func newShell(t *testing.T) (*Shell, string) {
	dir := t.TempDir()
	return &Shell{Dir: func(name string) (string, error) {
		if name != "" {
			return "", errors.New("elsewhere")
		}
		return dir, nil
	}}, dir
}

// TestCH5_CommandsAreRun: exit code, both outputs, the folder.
func TestCH5_CommandsAreRun(t *testing.T) {
	s, dir := newShell(t)
	r, err := s.Run(t.Context(), Args{Command: "pwd; echo はい; echo oops >&2; exit 3"})
	real, _ := filepath.EvalSymlinks(dir)
	if err != nil || r.ExitCode != 3 || r.Stdout != real+"\nはい\n" || r.Stderr != "oops\n" || r.TimedOut {
		t.Errorf("%+v, %v", r, err)
	}
	set := tool.NewSet(tool.Options{Policies: tool.Policies{Default: tool.Auto}}, s.Tool())
	if o, err := set.Use(t.Context(), Exec, `{"command":"echo a; cat"}`, ""); err != nil || o.Text != "exit code 0\nstdout:\na\n\n" {
		t.Errorf("%+v, %v", o, err)
	}
	for _, args := range []string{`{"command":""}`, `{"command":"ls","timeoutSec":601}`, `{"command":"ls","timeoutSec":-1}`, `{"command":"ls","dir":"/"}`, `{"cmd":"ls"}`, `{"command":"a\u0000b"}`} {
		if o, err := set.Use(t.Context(), Exec, args, ""); err != nil || !o.Failed {
			t.Errorf("%s: %+v, %v", args, o, err)
		}
	}
}

// TestCO7_CommandsSeeNoSecret: only listed variables of the environment are passed.
func TestCO7_CommandsSeeNoSecret(t *testing.T) {
	t.Setenv("AGENTFLOW_AGENT_SECRET", "s3cret-value")
	t.Setenv("OPENAI_API_KEY", "s3cret-value")
	t.Setenv("LC_TIME", "C")
	s, _ := newShell(t)
	r, err := s.Run(t.Context(), Args{Command: "env"})
	if err != nil || strings.Contains(r.Stdout, "s3cret-value") || !strings.Contains(r.Stdout, "PATH=") || !strings.Contains(r.Stdout, "LC_TIME=C") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestFaultFloodOfOutput: all output is read (a gigabyte in a full round), only its head and tail are kept, and the
// heap grows by at most 8 MiB.
func TestFaultFloodOfOutput(t *testing.T) {
	printed := 100_000_000
	if os.Getenv("AGENTFLOW_FAULTS") != "" {
		printed = 1_000_000_000
	}
	s, _ := newShell(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err := s.Run(
		t.Context(),
		Args{
			Command: fmt.Sprintf(
				"echo begin; head -c %d /dev/zero | tr '\\0' 'x'; echo end; head -c 3000000 /dev/zero >&2",
				printed,
			),
			TimeoutSec: 300,
		},
	)
	if runtime.ReadMemStats(&after); after.HeapSys > before.HeapSys+8<<20 {
		t.Errorf("the heap was %d bytes and is %d", before.HeapSys, after.HeapSys)
	}
	if err != nil || r.ExitCode != 0 || len(r.Stdout) > 2*maxKept+100 || len(r.Stderr) > 2*maxKept+100 {
		t.Fatalf("%d %d %d, %v", r.ExitCode, len(r.Stdout), len(r.Stderr), err)
	}
	if !strings.HasPrefix(r.Stdout, "begin\nx") || !strings.HasSuffix(r.Stdout, "xend\n") || !strings.Contains(r.Stdout, fmt.Sprintf("%d bytes left out", printed+10-2*maxKept)) {
		t.Errorf("%.10q … %q", r.Stdout, r.Stdout[len(r.Stdout)-10:])
	}
}

// endOn returns a context that ends once a command has written to the pipe at path.
func endOn(t *testing.T, path string, cause error) context.Context {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	go func() {
		_, _ = os.ReadFile(path) // returns once the command has written
		cancel(cause)
	}()
	return ctx
}

// TestFaultNothingIsLeft: a command that ignores SIGTERM, with children that leave its process group, is killed with
// all of them.
func TestFaultNothingIsLeft(t *testing.T) {
	s, dir := newShell(t)
	stop := errors.New("stop")
	ctx := endOn(t, filepath.Join(dir, "ready"), stop)
	_, err := s.Run(ctx, Args{Command: `trap '' TERM; echo $$ >> pids; (trap '' TERM; sh -c 'echo $$ >> pids; exec sleep 300') & setsid sh -c 'echo $$ >> pids; sleep 300' &
		while [ $(wc -l < pids) -lt 3 ]; do sleep 0.05; done; echo > ready; while :; do sleep 1; done`, TimeoutSec: 300})
	if !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	data, _ := os.ReadFile(filepath.Join(dir, "pids"))
	pids := strings.Fields(string(data))
	if len(pids) != 3 {
		t.Fatalf("started %v", pids)
	}
	for _, p := range pids {
		for end := time.Now().Add(time.Minute); !gone(p); runtime.Gosched() { // a killed process takes a moment to end
			if time.Now().After(end) {
				t.Fatalf("%s is still running", p)
			}
		}
	}
}

// TestFaultADeadlineIsKept: a command that takes too long is killed, which is a result.
func TestFaultADeadlineIsKept(t *testing.T) {
	s, _ := newShell(t)
	r, err := s.Run(t.Context(), Args{Command: "sleep 300", TimeoutSec: 1})
	if err != nil || !r.TimedOut || r.ExitCode != -1 || !strings.HasPrefix(r.Text(), "it took too long") {
		t.Errorf("%+v, %v", r, err)
	}
}

// gone also accepts zombies: an orphan that has ended waits for init, which may be slow.
func gone(pid string) bool {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || strings.Contains(string(data), ") Z ")
}

// TestCommandsAreFound: rules match a command, whatever surrounds it.
func TestCommandsAreFound(t *testing.T) {
	for command, rule := range map[string]string{
		"rm -rf /": "rm -rf", "rm -fr x": "rm -rf", "rm -r -f x": "rm -rf", "rm -rvf x": "rm -rf", "ls; rm -rf x": "rm -rf", "(rm -rf x)": "rm -rf",
		"echo $(rm -rf x)": "rm -rf", "echo `sudo ls`": "sudo", "/usr/bin/sudo ls": "sudo", "env A=1 sudo ls": "sudo", `s""udo ls`: "sudo", `su\do ls`: "sudo",
		"true&&sudo ls": "sudo", "true | sudo tee x": "sudo", "a\nsudo b": "sudo", "npm install": "npm install", "npm --silent install x": "npm install", "npm ci && npm install": "npm install",
	} {
		if !runs(command, rule) {
			t.Errorf("%q doesn't match %q", command, rule)
		}
	}
	for command, rule := range map[string]string{
		"rm -r x": "rm -rf", "rm x": "rm -rf", "ls": "rm -rf", "pseudo ls": "sudo", "echo sudoku": "sudo", "npm ci": "npm install", "npm ci; go install": "npm install", "anything": "", "rm x; ls -rf": "rm -rf",
	} {
		if runs(command, rule) {
			t.Errorf("%q matches %q", command, rule)
		}
	}
	s := &Shell{Blocked: []string{"sudo"}, Asked: []string{"npm install"}}
	if _, err := s.check([]byte(`{"command":"sudo ls"}`)); err == nil || !strings.Contains(err.Error(), `"sudo" is blocked`) {
		t.Errorf("blocked: %v", err)
	}
	if p, err := s.check([]byte(`{"command":"npm install"}`)); p != tool.Ask || err != nil {
		t.Errorf("asked: %v, %v", p, err)
	}
	if p, err := s.check([]byte(`{"command":"ls"}`)); p != "" || err != nil {
		t.Errorf("neither: %v, %v", p, err)
	}
}
