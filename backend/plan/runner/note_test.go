//go:build linux

package runner

import (
	"testing"

	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/runnertest"
)

// The notes of a task aren't among the person's own changes.
func TestME1_NotesStayOutOfGitStatus(t *testing.T) {
	b := newBench(t, working)
	m := codeclitest.Serve(t, decides)
	if _, err := Run(t.Context(), b.task(), b.options(m.URL, func(Event) {})); err != nil {
		t.Fatal(err)
	}
	if status := runnertest.Git(t, b.repo, "status", "--porcelain"); status != "" {
		t.Errorf("git status shows: %s", status)
	}
}
