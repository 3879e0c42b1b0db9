//go:build linux

package codecli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/sandbox"
)

// No kind of worker, in any mode, can read the owner's token or write outside; in its folder and its home it can
// work.
func TestTR3_NoWorkerReadsTheOwnersToken(t *testing.T) {
	if here := sandbox.Here(); here.Name == "" {
		t.Skipf("NOT RUN: %s", here.Why)
	}
	const token = "the-owners-token-0123456789"
	t.Setenv("AGENTFLOW_TOKEN", token)
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "token"), []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "outside")
	path := program(t, fmt.Sprintf(`{ cat %s/token; env; cat /proc/%d/environ /proc/$PPID/environ; echo x > %s; echo x > %s/new; } > tried.txt 2>&1; echo x > "$HOME/x" && echo x > "$TMPDIR/x" && echo worked >> tried.txt`,
		data, os.Getpid(), outside, data))
	for _, kind := range Kinds() {
		for _, mode := range []string{Exec, ACP} {
			dir := t.TempDir()
			w := Worker{Kind: kind, Mode: mode, Command: path, Sandbox: sandbox.Settings{Data: data}}
			if _, err := w.Run(t.Context(), Place{Dir: dir, Home: filepath.Join(data, "runs", string(kind)+mode), NoGit: true}, Call{Kind: kind, Mode: mode, Prompt: "x"}, func(Event) {}); err != nil {
				t.Errorf("%s %s: %v", kind, mode, err)
			}
			tried, _ := os.ReadFile(filepath.Join(dir, "tried.txt"))
			if strings.Contains(string(tried), token) || !strings.Contains(string(tried), "worked") {
				t.Errorf("%s %s: %s", kind, mode, tried)
			}
			if _, err := os.Stat(filepath.Join(data, "new")); err == nil {
				t.Errorf("%s %s: it wrote into the data folder", kind, mode)
			}
			if _, err := os.Stat(outside); err == nil {
				t.Errorf("%s %s: it wrote outside", kind, mode)
			}
		}
	}
}

// Codex keeps its own sandbox if that works inside ours; otherwise only ours applies, and Codex asks before other
// commands.
func TestTR3_CodexIsHeldByOneSandboxAtLeast(t *testing.T) {
	s := setup{
		place:    Place{Dir: "/w", Write: []string{"/g"}},
		home:     "/h",
		specific: map[string]any{"sandbox": readOnly},
	}
	for _, c := range []struct {
		nested, held bool
		mode, asks   string
		writes       int
	}{{true, false, readOnly, "on-request", 2}, {false, true, unheld, "untrusted", 0}} {
		s.nested, s.held = c.nested, c.held
		mode, asks, err := s.sandboxed()
		if a := s.access(); err != nil || mode != c.mode || asks != c.asks || len(a.Write) != c.writes || a.Nested != c.nested || !a.Network {
			t.Errorf("%+v: %s %s %+v, %v", c, mode, asks, a, err)
		}
	}
}
