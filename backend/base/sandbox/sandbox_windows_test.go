package sandbox

import (
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
)

// A job isn't a sandbox: where the settings require one, nothing runs.
func TestTR3_AJobIsNoSandbox(t *testing.T) {
	if here := Here(); here.Name != "" || here.Why.Text != job(proc.RestrictsUI()).Text {
		t.Errorf("here is %+v", here)
	}
	c := proc.Command{Path: "cmd.exe", Args: []string{"/c", "exit 0"}}
	_, err := Settings{Mode: Required}.Run(t.Context(), c, Access{})
	if !errcode.HasReason(err, ReasonNone) {
		t.Errorf("with a required sandbox: %v", err)
	}
}
