package lint

import (
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

func withBlock(text string) topology.Files {
	return topology.Files{"AGENTS.md": {
		Content: "# Own\n<!-- agentflow:shared begin: rules -->\n" + text + "<!-- agentflow:shared end: rules -->\n",
	}}
}

func sharing(texts ...string) *topology.Topology {
	team := &topology.Topology{}
	for i, text := range texts {
		a := topology.Agent{ID: topology.AgentID("agent" + string(rune('1'+i))), Model: "m"}
		if text != "" {
			a.Files = withBlock(text)
		}
		team.Agents = append(team.Agents, a)
	}
	return team
}

func blockProblems() (out []topology.Problem) {
	for _, p := range Check(sharing("one\n", "two\n"), Rules{}) {
		if p.Code == DifferingBlock {
			out = append(out, p)
		}
	}
	return out
}

func TestOC2_CopiesOfASharedBlockThatDiffer(t *testing.T) {
	for _, c := range []struct{ texts, want []string }{
		{[]string{"one\n", "one\n", ""}, nil},
		{[]string{"one\n", "two\n", "two\n"}, []string{"differing_block:agent1:files.AGENTS.md rules agent2"}},
		{[]string{"one\n", "two\n"}, []string{"differing_block:agent2:files.AGENTS.md rules agent1"}},
		{
			[]string{"one\n", "two\n", "three\n", "two\n"},
			[]string{
				"differing_block:agent1:files.AGENTS.md rules agent2",
				"differing_block:agent3:files.AGENTS.md rules agent2",
			},
		},
	} {
		var got []string
		for _, p := range Check(sharing(c.texts...), Rules{}) {
			if p.Code == DifferingBlock {
				got = append(got, p.ID+" "+p.Params["block"]+" "+p.Params["other"])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
	}
}
