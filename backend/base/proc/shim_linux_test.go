package proc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// deaf starts three processes that ignore SIGTERM, each in a separate session and two of
// them without a parent, and writes all numbers into the folder's file.
func deaf(t *testing.T, dir string) string {
	one := "trap '' TERM HUP; echo $$ >> " + filepath.Join(dir, "pids") + "\nwhile :; do sleep 1; done\n"
	script := filepath.Join(dir, "deaf.sh")
	if err := os.WriteFile(script, []byte(one), 0o600); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(
		"echo $$ >> %[1]s/pids; setsid sh %[2]s & (setsid sh %[2]s &); setsid sh -c 'setsid sh %[2]s & exit 0'; wait",
		dir,
		script,
	)
}

// until waits for something, with a deadline that no machine meets by being slow.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(2 * time.Minute)
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("not within two minutes: " + what)
		}
	}
}

// Those who leave their session and lose their parent end with the rest.
func TestME6_FaultNobodyEscapes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pids")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop, ended := errors.New("stop"), make(chan error)
	c := shell(deaf(t, dir))
	c.Grace = 100 * time.Millisecond
	go func() {
		_, err := Run(ctx, c)
		ended <- err
	}()
	until(t, "four processes", func() bool { pids, _ := alive(t, file); return len(pids) == 4 })
	cancel(stop)
	if err := <-ended; !errors.Is(err, stop) {
		t.Fatalf("ended with %v", err)
	}
	if pids, left := alive(t, file); len(pids) != 4 || len(left) > 0 {
		t.Errorf("of %v are left %v when Run returned", pids, left)
	}
}

// crashed runs a tree in another program and kills that with SIGKILL; with shimToo, also
// its shim. It returns the folder.
func crashed(t *testing.T, shimToo bool) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(deaf(t, dir)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashing+"="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "pids")
	until(t, "four processes", func() bool { pids, _ := alive(t, file); return len(pids) == 4 })
	if shimToo {
		for _, r := range recorded(t, dir) {
			if err := syscall.Kill(r.PID, syscall.SIGSTOP); err != nil { // so that it cannot act meanwhile
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return dir
}

func recorded(t *testing.T, dir string) (all []record) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "records", "*"+recordEnd))
	for _, f := range files {
		var r record
		if data, err := os.ReadFile(f); err != nil || json.Unmarshal(data, &r) != nil {
			t.Fatalf("%s: %v", f, err)
		}
		all = append(all, r)
	}
	return all
}

// A program that is killed takes its trees along.
func TestME11_FaultACrashOfOursEndsTheTree(t *testing.T) {
	dir := crashed(t, false)
	gone(t, filepath.Join(dir, "pids"), 4)
	if _, err := Sweep(t.Context(), filepath.Join(dir, "records")); err != nil || len(recorded(t, dir)) > 0 {
		t.Errorf("%v; records are left: %v", err, recorded(t, dir))
	}
}

// What outlives even its shim is found at the next start.
func TestME11_FaultTheNextStartEndsWhatIsLeft(t *testing.T) {
	dir := crashed(t, true)
	records := recorded(t, dir)
	if len(records) != 1 {
		t.Fatalf("records: %+v", records)
	}
	_ = syscall.Kill(records[0].PID, syscall.SIGKILL)
	until(t, "the shim's end", func() bool { return startTime(records[0].PID) == "" })
	if _, left := alive(t, filepath.Join(dir, "pids")); len(left) == 0 {
		t.Fatal("nothing is left: the test shows nothing")
	}
	n, err := Sweep(t.Context(), filepath.Join(dir, "records"))
	if err != nil || n < 3 || len(recorded(t, dir)) > 0 {
		t.Errorf("%d ended, %v, records %v", n, err, recorded(t, dir))
	}
	gone(t, filepath.Join(dir, "pids"), 4)
}

// A number that belongs to somebody else by now, a tree whose owner lives, a record that
// was not finished: nobody is touched.
func TestME11_FaultForeignProcessesAreLeftAlone(t *testing.T) {
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	pid, dir := other.Process.Pid, t.TempDir()
	until(t, "its birth", func() bool { return startTime(pid) != "" })
	write := func(tag string, r record) {
		r.Tag, r.Boot, r.PID = tag, boot(), pid
		data, _ := json.Marshal(r)
		if err := os.WriteFile(filepath.Join(dir, tag+recordEnd), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("late", record{Birth: "1", Owner: 1 << 30, Since: "1"})
	write("owned", record{Birth: startTime(pid), Owner: os.Getpid(), Since: startTime(os.Getpid())})
	_ = os.WriteFile(filepath.Join(dir, "half"+recordEnd), []byte(`{"tag":`), 0o600)
	_ = os.WriteFile(filepath.Join(dir, "mine.txt"), nil, 0o600)
	if n, err := Sweep(t.Context(), dir); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if startTime(pid) == "" {
		t.Error("a foreign process was ended")
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 2 || left[0].Name() != "mine.txt" || left[1].Name() != "owned"+recordEnd {
		t.Errorf("left in the folder: %v", left)
	}
	write("owned", record{Birth: startTime(pid), Owner: 1 << 30, Since: "1"})
	if n, err := Sweep(t.Context(), dir); n != 1 || err != nil {
		t.Errorf("its own was not ended: %d, %v", n, err)
	}
	if n, err := Sweep(t.Context(), filepath.Join(dir, "none")); n != 0 || err != nil {
		t.Errorf("no folder: %d, %v", n, err)
	}
}

// A shim that is killed takes its program along, and Run reports that.
func TestFault_AShimThatIsKilled(t *testing.T) {
	c := shell("echo $PPID; exec sleep 600")
	var shim LineSplitter
	c.Records = t.TempDir()
	shim = LineSplitter{Most: 100, Line: func(line []byte, _ bool) error {
		pid, _ := strconv.Atoi(string(line))
		return syscall.Kill(pid, syscall.SIGKILL)
	}}
	c.Output = shim.Take
	if _, err := Run(t.Context(), c); !errors.Is(err, errShimEnded) {
		t.Errorf("ended with %v", err)
	}
	if left, _ := os.ReadDir(c.Records); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Run distinguishes exit codes from signals, and names a program that can't start.
func TestHowItEndedIsTold(t *testing.T) {
	for script, want := range map[string]Result{"exit 143": {Code: 143}, "kill -TERM $$": {Code: -1, Signal: "terminated"}, "kill -KILL $$": {Code: -1, Signal: "killed"}} {
		if got, err := Run(t.Context(), shell(script)); got != want || err != nil {
			t.Errorf("%s: %+v, %v", script, got, err)
		}
	}
	file := filepath.Join(t.TempDir(), "not-a-program")
	if err := os.WriteFile(file, []byte("\x00\x01"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), Command{Path: file}); err == nil {
		t.Error("no error for what is no program")
	}
	if _, err := Run(t.Context(), Command{Path: "/bin/true", Dir: "/nowhere"}); err == nil {
		t.Error("no error for a folder that is not there")
	}
}

func BenchmarkShim(b *testing.B) {
	for _, with := range []bool{false, true} {
		b.Run(fmt.Sprintf("shim=%v", with), func(b *testing.B) {
			defer func(was bool) { shims = was }(shims)
			shims = with
			for b.Loop() {
				if _, err := Run(b.Context(), Command{Path: "/bin/true"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
