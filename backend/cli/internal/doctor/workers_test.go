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
		{Name: "worker codex-cli", Status: OK, Message: "codex-cli 1.2.3 (" + dir + "/codex)", Remedy: ""},
		{Name: "worker codex-cli acp", Status: OK, Message: dir + "/codex-acp", Remedy: ""},
		{Name: "worker claude-code", Status: Missing,
			Message: "the command claude isn't installed. Only tasks that use this worker need it",
			Remedy:  "install it: npm install -g @anthropic-ai/claude-code"},
		{Name: "worker claude-code acp", Status: Missing,
			Message: "the command claude-code-acp isn't installed. " +
				"Only tasks that use this worker in acp mode need it",
			Remedy: "install it: npm install -g @zed-industries/claude-code-acp"},
		{Name: "worker gemini-cli", Status: Warning,
			Message: dir + "/gemini doesn't work: it is broken",
			Remedy:  "reinstall it: npm install -g @google/gemini-cli"},
		{Name: "worker opencode", Status: OK, Message: "4.5.6 (" + dir + "/opencode)", Remedy: ""},
	}
	if got := (Options{}).workers(t.Context()); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "nowhere"))
	if got := (Options{}).workers(t.Context()); len(got) != 1 || got[0].Status != Warning || !strings.Contains(got[0].Message, "nowhere") {
		t.Errorf("without a temporary folder: %+v", got)
	}
}
