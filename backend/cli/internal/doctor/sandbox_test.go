package doctor

import (
	"regexp"
	"strings"
	"testing"

	"agentflow/backend/base/i18n"
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
		{sandbox.Settings{}, old, OK, "Landlock (ABI 3). Not covered: abstract Unix sockets"},
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

// In Japanese, what the sandbox is and what it doesn't cover is Japanese as well.
func TestTR3_DoctorTellsOfTheSandboxInJapanese(t *testing.T) {
	english := regexp.MustCompile(`[a-z]{3,} [a-z]{2,}`)
	facts := func(texts ...string) (out []sandbox.Fact) {
		for _, text := range texts {
			out = append(out, sandbox.Fact{Text: text})
		}
		return out
	}
	gaps := facts("files elsewhere can be emptied, though not read", "signals to other programs of this user",
		"abstract Unix sockets", "system calls (no filter for riscv64)", "Unix sockets of other programs",
		"the network cannot be turned off")
	states := []sandbox.State{
		{Name: "landlock", ABI: 2, Gaps: gaps}, {Name: "landlock", ABI: 3, Gaps: gaps[2:3]},
		{Name: "sandbox-exec", Gaps: facts("names and sizes of files elsewhere")},
	}
	for _, why := range facts(
		"AgentFlow has no sandbox for plan9", "Landlock is turned off in this kernel", "this kernel has no Landlock",
		"Landlock of this kernel is too old: its ABI is 1, and 2 is needed", "/usr/bin/sandbox-exec is not there",
		"a Windows job ends and limits commands and keeps all but Codex from the clipboard, but protects no files",
		"a Windows job ends and limits commands, but protects neither files nor the clipboard",
	) {
		states = append(states, sandbox.State{Why: why})
	}
	for _, state := range append(states, sandbox.Here()) {
		for _, mode := range []sandbox.Mode{sandbox.Auto, sandbox.Required} {
			c := held(sandbox.Settings{Mode: mode}, state)
			for _, text := range []i18n.Text{c.Text(), i18n.T("%s", i18n.Finished(c.Remedy))} {
				if got := i18n.Japanese.Sprintf("%s", text); english.MatchString(got) {
					t.Errorf("%q is said as %q", text, got)
				}
			}
		}
	}
}
