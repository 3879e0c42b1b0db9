package trustapi

import (
	"testing"

	"agentflow/backend/team/topology"
)

// A permission of the applied team counts for a saved agent that asks for the same. Connections and the workspace that
// a gateway fills in don't count, everything else does.
func TestTR1_SameAgent(t *testing.T) {
	a := topology.Agent{
		ID:        "a",
		Name:      "A",
		Model:     "demo/echo",
		URL:       "https://one.example",
		SecretEnv: "AGENTFLOW_AGENT_A",
	}
	for name, c := range map[string]struct {
		edit func(*topology.Agent)
		same bool
	}{
		"nothing":     {func(*topology.Agent) {}, true},
		"connections": {func(a *topology.Agent) { a.Connections = []topology.Connection{{TargetID: "b"}} }, true},
		"workspace":   {func(a *topology.Agent) { a.Workspace = "/home/a/.openclaw/workspace-a" }, true},
		"address":     {func(a *topology.Agent) { a.URL = "https://two.example" }, false},
		"secret":      {func(a *topology.Agent) { a.SecretEnv = "AGENTFLOW_AGENT_B" }, false},
		"model":       {func(a *topology.Agent) { a.Model = "demo/other" }, false},
	} {
		b := a
		c.edit(&b)
		if got := sameAgent(a, b); got != c.same {
			t.Errorf("%s: %v", name, got)
		}
	}
}
