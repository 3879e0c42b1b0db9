package sandbox_test

import (
	"os"
	"path/filepath"
	"testing"

	"agentflow/backend/base/sandbox"
)

// TestTR3_ToolsInsideTheHubStayApartFromItsData shows which folders the file tools, which have no
// sandbox, can be given.
func TestTR3_ToolsInsideTheHubStayApartFromItsData(t *testing.T) {
	home := t.TempDir()
	data := filepath.Join(home, "data")
	for _, dir := range []string{"data/worktrees/one", "data/logs", "project", "data-of-mine"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(data, filepath.Join(home, "link")); err != nil {
		t.Skipf("NOT RUN: no symbolic links here: %v", err)
	}
	s := sandbox.Settings{Data: data}
	for folder, allowed := range map[string]bool{
		"project": true, "data-of-mine": true, "missing": true, "data/worktrees/one": true,
		"": false, "data": false, "data/logs": false, "link": false,
	} {
		if err := s.Apart(filepath.Join(home, folder)); (err == nil) != allowed {
			t.Errorf("%q: %v", folder, err)
		}
	}
	if err := s.Apart(filepath.Join(home, "project"), home); err == nil {
		t.Error("the second folder is not looked at")
	}
}
