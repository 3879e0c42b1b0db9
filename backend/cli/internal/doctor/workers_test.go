//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ME-11: doctor tells which coding CLIs are there and usable, and which can be spoken with over
// ACP, each with the remedy.
func TestME11_DoctorTellsWhichWorkersAreUsable(t *testing.T) {
	dir := t.TempDir()
	for name, script := range map[string]string{
		"codex": "echo codex-cli 1.2.3", "codex-acp": "exit 9", "gemini": "echo it is broken >&2; exit 1", "opencode": "echo 4.5.6",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	want := []Check{
		{"worker codex-cli", OK, "codex-cli 1.2.3 (" + dir + "/codex)", ""},
		{"worker codex-cli acp", OK, dir + "/codex-acp", ""},
		{"worker claude-code", Missing, "the command claude isn't installed. Only tasks that use this worker need it", "install it: npm install -g @anthropic-ai/claude-code"},
		{"worker claude-code acp", Missing, "the command claude-code-acp isn't installed. Only tasks that use this worker in acp mode need it", "install it: npm install -g @zed-industries/claude-code-acp"},
		{"worker gemini-cli", Warning, dir + "/gemini doesn't work: it is broken", "reinstall it: npm install -g @google/gemini-cli"},
		{"worker opencode", OK, "4.5.6 (" + dir + "/opencode)", ""},
	}
	if got := (Options{}).workers(t.Context()); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "nowhere"))
	if got := (Options{}).workers(t.Context()); len(got) != 1 || got[0].Status != Warning || !strings.Contains(got[0].Message, "nowhere") {
		t.Errorf("without a temporary folder: %+v", got)
	}
}
