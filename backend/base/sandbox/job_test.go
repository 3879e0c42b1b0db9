package sandbox

import (
	"strings"
	"testing"

	"agentflow/backend/base/proc"
)

// What a person reads about the job before they approve a command never sounds as if files were safe.
func TestTR3_AJobPromisesNoProtectionOfFiles(t *testing.T) {
	full, nested := job(true), job(false)
	if !strings.Contains(full.Text, "protects no files") || !strings.Contains(nested.Text, "protects neither files") {
		t.Errorf("%q, %q", full.Text, nested.Text)
	}
	if full.Code == nested.Code || strings.Contains(nested.Text, "from the clipboard") {
		t.Errorf("within another job: %+v", nested)
	}
}

// Without a sandbox a command gets the limits of a job, unless the person turned all of it off. A command that
// makes a sandbox itself can create jobs.
func TestTR3_WithoutASandboxACommandIsRestricted(t *testing.T) {
	for mode, want := range map[Mode]bool{"": true, Auto: true, Off: false} {
		for _, nested := range []bool{false, true} {
			got := (Settings{Mode: mode}).bare(proc.Command{}, Access{Nested: nested})
			if got.Restricted != want || got.Jobs != nested {
				t.Errorf("mode %q, nested %v: %+v", mode, nested, got)
			}
		}
	}
}
