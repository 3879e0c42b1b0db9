package chatagent_test

import (
	"strings"
	"testing"

	"agentflow/backend/talk/chatagent"
	"agentflow/backend/team/topology"
)

// CH-12: an agent whose name isn't possible in a room, or is taken there, takes part under its ID, with its own model.
func TestCH12_AnAgentUnderItsIDIsTheSameAgent(t *testing.T) {
	team := &topology.Topology{Agents: []topology.Agent{
		{ID: "plain", Name: "Ann", Model: "mine/a"},
		{ID: "long", Name: strings.Repeat("n", 200), Model: "mine/b", Role: "tester"},
		{ID: "hidden", Name: "Lead\u202edekcah", Model: "mine/c"},
		{ID: "twin", Name: "Ann", Model: "mine/d"},
		{ID: "odd", Name: "Otto", Model: "mine/e", Extra: topology.Extra{}.With("options", []byte("7"))},
	}}
	got := chatagent.Team(team, []string{"plain", "long", "hidden", "twin", "odd"}, nil)
	want := [][3]string{
		{"plain", "Ann", "mine/a"}, {"long", "long", "mine/b"}, {"hidden", "hidden", "mine/c"},
		{"twin", "twin", "mine/d"}, {"odd", "odd", "mine/e"},
	}
	if len(got) != len(want) {
		t.Fatalf("%d agents, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		if c := got[i]; c.AgentID != w[0] || c.Name != w[1] || string(c.Model) != w[2] {
			t.Errorf("%s is called %q with the model %q, want %v", c.AgentID, c.Name, c.Model, w)
		}
	}
	if got[1].Role != "tester" {
		t.Errorf("the role is %q", got[1].Role)
	}
}
