package topologycmd

import (
	"testing"

	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/teamfile"
)

// OC-1: a gateway has more keys for agents than AgentFlow knows, so those in a team that was read from one are no
// misspellings. Keys beside the agents are reported as before, and so is every key of another team.
func TestOC1_KeysOfAGatewaysAgentsAreKnown(t *testing.T) {
	const agents = "agents:\n  - {id: main, name: Main, default: true, identity: {emoji: x}}\nagentsToo: 1\n"
	for base, want := range map[string]int{
		"":                                     3,
		"base: {hash: abc, gateway: local}\n":  3,
		"base: {hash: abc, gateway: office}\n": 1,
	} {
		data := []byte("agentflow: 1\n" + base + agents)
		file, err := teamfile.Read(data, "team.agentflow.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var unknown []string
		for _, p := range problemsOf(shell.Source{File: file, Data: data}, lint.Rules{DefaultModel: "a/b"}) {
			if p.Code == lint.UnknownKey {
				unknown = append(unknown, p.Field)
			}
		}
		if len(unknown) != want {
			t.Errorf("%q: unknown keys %q, want %d", base, unknown, want)
		}
	}
}
