package shell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"agentflow/backend/cli/internal/term"
	"agentflow/backend/team/topology"
)

// A change is one line: its sign, what it is about, and both values. A value can't break the line.
func TestChange_IsOneLine(t *testing.T) {
	model := topology.Change{
		Op: topology.Changed, Subject: topology.SubjectAgent, Agent: "a", Field: "model",
		Before: json.RawMessage(`"x"`),
	}
	other := model
	other.After = json.RawMessage(`"y"`)
	for want, c := range map[string]topology.Change{
		"+ agent dev-1 (Dev)\n": {
			Op: topology.Added, Subject: topology.SubjectAgent, Agent: "dev-1",
			After: json.RawMessage(`{"id":"dev-1","name":"Dev"}`),
		},
		"~ agent a model: \"x\" -> \"y\"\n":  other,
		"~ agent a model: \"x\" -> (none)\n": model,
		"- connection a -command-> b\n": {
			Op: topology.Removed, Subject: topology.SubjectConnection, Agent: "a", Kind: "command", Target: "b",
		},
	} {
		var out bytes.Buffer
		s := &Shell{Screen: &term.Screen{Stdio: term.Stdio{Out: &out, Err: &out}}}
		s.Change(c, "")
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
	var out bytes.Buffer
	s := &Shell{Screen: &term.Screen{Stdio: term.Stdio{Out: &out, Err: &out}}}
	long := json.RawMessage(`{"github":{"args":["` + strings.Repeat("x", 500) + `"],"command":"npx"}}`)
	s.Change(topology.Change{
		Op: topology.Changed, Subject: topology.SubjectAgent, Agent: "a", Field: "extra.mcpServers",
		Before: long, After: long,
	}, "")
	if want := "~ agent a mcpServers: " + string(long) + " -> " + string(long) + "\n"; out.String() != want {
		t.Errorf("a long value: %q", out.String())
	}
	out.Reset()
	s.Change(topology.Change{Op: topology.Removed, Subject: topology.SubjectNote, Item: "n\n+ agent evil\x1b[31m"}, "")
	if strings.Count(out.String(), "\n") != 1 || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%q", out.String())
	}
}

// Two files can't both be standard input.
func TestOneStdin(t *testing.T) {
	cmd := &cobra.Command{Use: "x"}
	if err := OneStdin(cmd, []string{Stdin, "a"}); err != nil {
		t.Error(err)
	}
	if OneStdin(cmd, []string{Stdin, "a", Stdin}) == nil {
		t.Error("standard input was read twice")
	}
}

// A mistyped command is named with what was meant.
func TestUnknownCommand_SaysWhatWasMeant(t *testing.T) {
	root := &cobra.Command{Use: "agentflow"}
	root.AddCommand(&cobra.Command{Use: "serve", Run: func(*cobra.Command, []string) {}})
	const meant = `unknown command "serv" for "agentflow". Did you mean serve?`
	if got := UnknownCommand(root, "serv").Error(); got != meant {
		t.Error(got)
	}
	if got := UnknownCommand(root, "xyzzy").Error(); strings.Contains(got, "mean") {
		t.Error(got)
	}
}

// Of a misspelled command, the command is what is wrong, not the flags that the right one has.
func TestFlagError_NamesTheCommandBeforeItsFlags(t *testing.T) {
	s := &Shell{Screen: &term.Screen{}}
	list := &cobra.Command{Use: "list", RunE: func(*cobra.Command, []string) error { return nil }}
	list.Flags().String("token-file", "", "")
	root := &cobra.Command{Use: "agentflow", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(s.Group("chat", "", "", list))
	root.SetFlagErrorFunc(FlagError)
	for given, want := range map[string]string{
		"chat read x --token-file f": `unknown command "read" for "agentflow chat"`,
		"chat list --tokenfile f":    "unknown flag: --tokenfile",
		"chat --token-file f":        "unknown flag: --token-file",
		"chat list --token-file f":   "",
	} {
		root.SetArgs(strings.Fields(given))
		err := root.Execute()
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %v, want %q", given, err, want)
		}
	}
}
