package topologycmd

import (
	"testing"

	"agentflow/backend/team/topology"
)

// A problem is found on its line in every format: at its connection, else at its field, else at its agent, else
// at the agents.
func TestLines_FindTheProblem(t *testing.T) {
	files := map[string]string{
		"team file":  "x:\nagents:\n  - id: a\n    model: m\n    connections:\n      - targetId: b\n",
		"map":        "\nagents:\n  a:\n    model: m\n    subagents: {allowAgents: [\n      b]}\n",
		"list":       "x:\nagents:\n  list: [{id: a,\n      model: m,\n      subagents: {allowAgents: [b]}}]\n",
		"agents.yml": "x:\nagents:\n- name: a\n  model: m\n",
	}
	for _, c := range []struct {
		file    string
		problem topology.Problem
		line    int
	}{
		{"team file", topology.Problem{Agent: "a", Target: "b"}, 6},
		{"team file", topology.Problem{Agent: "a", Field: "model"}, 4},
		{"team file", topology.Problem{Agent: "a", Field: "nothing"}, 3},
		{"team file", topology.Problem{Agent: "ghost"}, 2},
		{"map", topology.Problem{Agent: "a", Target: "b"}, 6},
		{"map", topology.Problem{Agent: "a"}, 3},
		{"list", topology.Problem{Agent: "a", Field: "model"}, 4},
		{"list", topology.Problem{Agent: "a", Target: "b"}, 5},
		{"agents.yml", topology.Problem{Agent: "a", Field: "model"}, 4},
	} {
		if got := linesOf([]byte(files[c.file])).of(c.problem); got != c.line {
			t.Errorf("%s, %+v: line %d, want %d", c.file, c.problem, got, c.line)
		}
	}
	if got := linesOf([]byte("{a: /* JSON5 */")).of(topology.Problem{Agent: "a"}); got != 0 {
		t.Errorf("a file without lines: %d", got)
	}
}
