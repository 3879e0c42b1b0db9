//go:build linux

package codecli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"agentflow/backend/base/proc"
	"agentflow/backend/plan/codeclitest"
)

// TestMain is the shim of a worker if a test started it as one.
func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	if os.Getenv(agentEnv) != "" {
		os.Exit(speak()) //nolint:forbidigo // as every TestMain
	}
	goleak.VerifyTestMain(codeclitest.Watched{M: m})
}

// The real Codex: a command, its output, the key hidden from the command, usage, verdict.
func TestME11_RealCodexWorks(t *testing.T) {
	path := codeclitest.Codex(t)
	asked := 0
	m := codeclitest.Serve(t, func(_, body string) codeclitest.Reply {
		if asked++; asked == 1 {
			return codeclitest.Reply{
				Text:  "I make a file.",
				Shell: "echo hi > made.txt; echo key=$STUB_KEY. > key.txt; echo $HOME > home.txt",
			}
		}
		return codeclitest.Reply{Text: "Made it."}
	})
	dir, home := t.TempDir(), t.TempDir()
	w := Worker{
		Kind:         Codex,
		Command:      path,
		Model:        "stub-1",
		Env:          map[string]string{"STUB_KEY": "sk-not-to-be-seen"},
		ToolSpecific: m.Settings(),
	}
	for _, stdin := range []bool{false, true} {
		asked = 0
		var events []string
		v, err := w.Run(t.Context(), Place{Dir: dir, Home: home, NoGit: true}, Call{Kind: Codex, Mode: Exec, Prompt: "make a file", UseStdin: stdin},
			func(e Event) { events = append(events, e.Kind+" "+e.Text) })
		if err != nil || !v.Finished || v.Message != "Made it." || v.Commands != 1 || v.TokensIn != 200 || v.Session == "" {
			t.Fatalf("stdin %v: %+v, %v\n%s", stdin, v, err, v.Output)
		}
		made, _ := os.ReadFile(filepath.Join(dir, "made.txt"))
		key, _ := os.ReadFile(filepath.Join(dir, "key.txt"))
		own, _ := os.ReadFile(filepath.Join(dir, "home.txt"))
		if string(made) != "hi\n" || string(key) != "key=.\n" || strings.TrimSpace(string(own)) != home {
			t.Errorf("made %q, key %q, home %q (want %q)", made, key, own, home)
		}
		if all := strings.Join(events, "\n"); !strings.Contains(all, "text I make a file.") || !strings.Contains(all, "made.txt") {
			t.Errorf("events:\n%s", all)
		}
		_ = os.Remove(filepath.Join(dir, "made.txt"))
	}
}

// The real Codex with a failing model server, and with one that is gone, for which it would wait forever: no success,
// whatever the exit code.
func TestME11_RealCodexFails(t *testing.T) {
	path := codeclitest.Codex(t)
	fails := codeclitest.Serve(t, codeclitest.Script(codeclitest.Reply{Status: 500}))
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, m := range []*codeclitest.Model{fails, {URL: gone.URL + "/v1"}} {
		w := Worker{Kind: Codex, Command: path, Model: "stub-1", Env: map[string]string{"STUB_KEY": "k"}, ToolSpecific: m.Settings()}
		v, err := w.Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir(), NoGit: true}, Call{Kind: Codex, Mode: Exec, Prompt: "x"}, nil)
		if err != nil || v.Finished || v.Reason == "" || strings.Contains(v.Reason, "longer than") {
			t.Errorf("%+v, %v", v, err)
		}
	}
}
