package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"go.uber.org/goleak"

	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
)

// APP-3: every command says what it does, shows an example, and answers in JSON.
func TestAPP3_EveryCommandHasHelpExampleAndJSON(t *testing.T) {
	p := &program{&shell.Shell{Screen: term.NewScreen(Stdio{}, func(string) string { return "" })}, nil}
	root := p.root()
	seen := map[string]bool{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		seen[c.CommandPath()] = true
		if c.Short == "" || !strings.Contains(c.Example, "agentflow") {
			t.Errorf("%s: short %q, example %q", c.CommandPath(), c.Short, c.Example)
		}
		if c.InheritedFlags().Lookup("json") == nil && c.PersistentFlags().Lookup("json") == nil {
			t.Errorf("%s has no --json", c.CommandPath())
		}
		if c.Flags().Lookup("token") != nil {
			t.Errorf("%s takes a token in its arguments, which are public", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	for alias, want := range map[string]string{"team lint": "agentflow topology lint", "room tail": "agentflow chat tail"} {
		if c, _, err := root.Find(strings.Fields(alias)); err != nil || c.CommandPath() != want {
			t.Errorf("%s is %s, want %s: %v", alias, c.CommandPath(), want, err)
		}
	}
	for _, name := range []string{
		"serve", "gateway get", "gateway diff", "gateway apply", "gateway rollback", "gateway sessions", "gateway send", "gateway history",
		"gateway watch", "topology new", "topology validate", "topology lint", "topology convert", "topology diff", "topology merge",
		"topology layout", "chat server", "chat send", "chat tail", "chat rooms", "chat export", "chat prune", "doctor", "version", "completion",
	} {
		if !seen["agentflow "+name] {
			t.Errorf("there is no command %s", name)
		}
	}
}

// Wrong flags are reported before there is a data folder.
func TestServe_WrongFlagsWriteNothing(t *testing.T) {
	for _, flags := range [][]string{
		{"--listen", "nonsense"},
		{"--listen", "127.0.0.1:99999"},
		{"--listen", "0.0.0.0:0"}, // without TLS
		{"--tls-cert", "cert.pem"},
		{"--allow", "everybody"},
		{"--database", "postgres://user:password@127.0.0.1/agentflow"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		var out, errs bytes.Buffer
		code := Main(t.Context(), append([]string{"serve", "--data", dir}, flags...),
			Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, nil)
		if _, err := os.Stat(dir); code != 2 || errs.Len() == 0 || !os.IsNotExist(err) {
			t.Errorf("%v: exit %d, %q, the folder: %v", flags, code, errs.String(), err)
		}
	}
}

func TestMainLeavesNothingBehind(t *testing.T) {
	before := goleak.IgnoreCurrent()
	defer func() { goleak.VerifyNone(t, before) }()
	var out, errs bytes.Buffer
	if code := Main(t.Context(), []string{"version"}, Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, nil); code != 0 || out.Len() == 0 || errs.Len() > 0 {
		t.Fatalf("code %d, %q, %q", code, &out, &errs)
	}
	dir := t.TempDir()
	code := Main(
		t.Context(),
		[]string{"gateway", "get", "--gateway", "ws://127.0.0.1:1", "--data", dir, "--connect-timeout", "100ms"},
		Stdio{In: strings.NewReader(""), Out: &out, Err: &errs},
		nil,
	)
	if code != term.Unreachable {
		t.Fatalf("code %d, %q", code, &errs)
	}
}
