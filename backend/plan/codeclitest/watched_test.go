//go:build linux

package codeclitest

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

type tests func() int

func (t tests) Run() int { return t() }

// ME-11: a leftover process is found by its folder, its command line and its environment; the tests' exit code is
// returned, and their folder is deleted.
func TestME11_AProcessThatIsLeftIsFound(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := ""
	code := Watched{tests(func() int {
		dir = os.Getenv("TMPDIR")
		for name, cmd := range map[string]*exec.Cmd{
			"its folder": {Path: "/bin/sleep", Args: []string{"sleep", "600"}, Dir: dir, Env: []string{"A=1"}},
			"arguments":  {Path: "/bin/sleep", Args: []string{dir + "/sleep", "600"}, Dir: "/", Env: []string{"A=1"}},
			"variables":  {Path: "/bin/sleep", Args: []string{"sleep", "600"}, Dir: "/", Env: []string{"IN=" + dir}},
		} {
			if len(leftIn(dir)) != 0 {
				t.Errorf("before %s: %v", name, leftIn(dir))
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// Start returns when the program has replaced the fork, a moment before the kernel shows its arguments.
			for late := time.Now().Add(time.Minute); len(leftIn(dir)) == 0 && time.Now().Before(late); {
				time.Sleep(time.Millisecond) //nolint:forbidigo // nothing tells when the kernel shows the arguments
			}
			if len(leftIn(dir)) == 0 {
				t.Errorf("by %s nothing is found", name)
			}
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		return 3
	})}.Run()
	if _, err := os.Stat(dir); code != 3 || err == nil {
		t.Errorf("exit %d, %v", code, err)
	}
}
