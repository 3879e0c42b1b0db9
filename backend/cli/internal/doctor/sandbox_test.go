package doctor

import (
	"strings"
	"testing"

	"agentflow/backend/base/sandbox"
)

// doctor tells which sandbox is in force, what it does not cover, and what to do without one.
func TestTR3_DoctorTellsOfTheSandbox(t *testing.T) {
	old := sandbox.State{Name: "landlock", ABI: 3, Gaps: []sandbox.Fact{{Text: "abstract Unix sockets"}}}
	for _, c := range []struct {
		set    sandbox.Settings
		here   sandbox.State
		status Status
		says   string
	}{
		{sandbox.Settings{}, old, OK, "landlock, ABI 3. Not covered: abstract Unix sockets"},
		{sandbox.Settings{}, sandbox.State{Name: "sandbox-exec"}, OK, "sandbox-exec"},
		{sandbox.Settings{Mode: sandbox.Off}, old, Warning, "turned off"},
		{sandbox.Settings{}, sandbox.State{Why: sandbox.Fact{Text: "no Landlock"}}, Warning, "no Landlock"},
		{sandbox.Settings{Mode: sandbox.Required}, sandbox.State{Why: sandbox.Fact{Text: "no Landlock"}}, Error, "don't run"},
	} {
		got := held(c.set, c.here)
		if got.Status != c.status || !strings.Contains(got.Message, c.says) || (got.Status == OK) != (got.Remedy == "") {
			t.Errorf("%+v, %+v: %+v", c.set, c.here, got)
		}
	}
}
