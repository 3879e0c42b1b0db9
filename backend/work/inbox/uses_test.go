package inbox_test

import (
	"testing"

	"agentflow/backend/work/inbox"
)

// TestTR2_F3_AUseOfAPermissionIsPublished: a list that is open shows the new number of uses.
func TestTR2_F3_AUseOfAPermissionIsPublished(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	if err := standing(t, m, command("npm ci"), inbox.Standing{Until: inbox.UntilRevoked}); err != nil {
		t.Fatal(err)
	}
	changes := m.Subscribe(16)
	defer changes.Close()
	if used := unasked(t, m, command("npm ci")); !used || len(changes.C()) != 1 {
		t.Errorf("used %v, and %d changes were published, want 1", used, len(changes.C()))
	}
}
