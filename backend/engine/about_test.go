package engine_test

import (
	"testing"

	"agentflow/backend/base/sandbox"
	"agentflow/backend/server/httpapi"
)

// TestTR3_TheAPISaysInWhatCommandsRun compares what a person is told before they approve
// with what this computer has.
func TestTR3_TheAPISaysInWhatCommandsRun(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var about httpapi.About
	h.must("GET", "/api/about", nil, &about)
	here, told := sandbox.Here(), about.Sandbox
	if (told.Why == nil) != (here.Name != "") || told.Why != nil && (told.Why.Code == "" || told.Why.Text != here.Why.Text) {
		t.Errorf("told %+v, here is %+v", told.Why, here.Why)
	}
	if told.Name != here.Name || told.Active != (here.Name != "") || told.Mode != string(sandbox.Auto) || told.Gaps == nil {
		t.Errorf("told %+v, here is %+v", told, here)
	}
}
