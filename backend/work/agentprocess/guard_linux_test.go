package agentprocess_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"agentflow/backend/work/agentprocess"
)

const (
	asConcealed = "AGENTFLOW_TEST_AS_CONCEALED"
	nobody      = 65534
)

// started runs the child mode of this test program, if one is requested.
func started() bool {
	if os.Getenv(asConcealed) == "" {
		return false
	}
	concealed()
	return true
}

// concealed runs as a user other than root. It starts a command that tries to read its parent's environment.
func concealed() {
	cmd := exec.Command("sh", "-c", `tr '\0' '\n' < /proc/$PPID/environ`)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	if os.Getenv(asConcealed) == "yes" {
		if err := agentprocess.Conceal(); err != nil {
			_, _ = os.Stdout.WriteString(err.Error())
		}
	}
	out, _ := cmd.CombinedOutput() // only what it could read matters
	_, _ = os.Stdout.Write(out)
}

// TestCO7_CommandsCannotReadTheAgentsEnvironment checks that they can without Conceal, and can't with it.
func TestCO7_CommandsCannotReadTheAgentsEnvironment(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for how, reads := range map[string]bool{"no": true, "yes": false} {
		cmd := exec.CommandContext(t.Context(), "/proc/self/fd/3")
		file, err := os.Open(self)
		if err != nil {
			t.Fatal(err)
		}
		cmd.ExtraFiles = []*os.File{file} // the test program's folder is private to its user
		cmd.Dir = "/"
		cmd.Env = []string{asConcealed + "=" + how, "AGENTFLOW_AGENT_SECRET=s3cret-value", "PATH=" + os.Getenv("PATH")}
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Credential: &syscall.Credential{Uid: nobody, Gid: nobody, NoSetGroups: true},
			}
		}
		out, err := cmd.CombinedOutput()
		_ = file.Close()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got := strings.Contains(string(out), "s3cret-value"); got != reads {
			t.Errorf("concealed: %s; the secret was read: %s; %s", how, strconv.FormatBool(got), out)
		}
	}
}
