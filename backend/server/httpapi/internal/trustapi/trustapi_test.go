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

// An edit of a workspace file leaves an agent's permission. Files that a team brings with it are as new as its persona.
func TestTR1_OC2_FilesOfAnAllowedAgent(t *testing.T) {
	one := func(file string) *topology.Topology {
		a := topology.Agent{ID: "a", URL: "https://one.example"}
		if file != "" {
			a.Files = topology.Files{"SOUL.md": {Content: file}}
		}
		return &topology.Topology{Agents: []topology.Agent{a}}
	}
	for name, c := range map[string]struct {
		t, base *topology.Topology
		shared  int
	}{
		"no files":               {one(""), one(""), 1},
		"an edit":                {one("new"), one("old"), 1},
		"a first file":           {one("new"), one(""), 1},
		"as it was applied":      {one("old"), one("old"), 1},
		"a team that brings one": {one("theirs"), &topology.Topology{}, 0},
		"a team that has none":   {one(""), &topology.Topology{}, 1},
		"never applied":          {one(""), nil, 0},
	} {
		got := inCommon(c.t, c.t, c.base, one(""))
		if len(got.Same.Agents) != c.shared || len(got.Kept.Agents) != 0 {
			t.Errorf("%s: %+v, %+v", name, got.Same, got.Kept)
		}
	}
	got := inCommon(&topology.Topology{}, one(""), nil, one(""))
	if len(got.Same.Agents) != 0 || len(got.Kept.Agents) != 1 {
		t.Errorf("an agent of the applied team that stays beside the team's own: %+v, %+v", got.Same, got.Kept)
	}
}
