package eligibility

import (
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
)

// The error names the variable to set, or says that none is named.
func TestNoSecret_NamesTheVariable(t *testing.T) {
	unset := errcode.From(noSecret(&topology.Agent{ID: "far", SecretEnv: "FAR_SECRET"}))
	if !strings.Contains(unset.Message, "Set the environment variable FAR_SECRET") ||
		unset.Details[errcode.KeyCause] != task.CauseUnset || unset.Details[task.KeyVariable] != "FAR_SECRET" {
		t.Errorf("%+v", unset)
	}
	if none := errcode.From(noSecret(&topology.Agent{ID: "far"})); none.Details[errcode.KeyCause] != task.CauseNoSecret {
		t.Errorf("%+v", none)
	}
}
