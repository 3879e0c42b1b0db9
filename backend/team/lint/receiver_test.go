package lint

import (
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

// A team for the built-in gateway whose lead isn't a Coordinator: its tasks pass the lead by.
func TestNoReceiver(t *testing.T) {
	local := Rules{KnownKeys: []string{}}
	led := func(t *topology.Topology, id topology.AgentID) *topology.Topology {
		a, _ := t.Agent(id)
		a.Role = topology.CoordinatorRole
		return t
	}
	cases := []struct {
		name  string
		team  *topology.Topology
		rules Rules
		want  []string
	}{
		{"lead", chain("a: b", "b: c", "c:"), local, []string{"no_receiver a role"}},
		{"lead drawn later", chain("b:", "a: b c", "c:", "d: c"), local,
			[]string{"no_receiver a role", "unreachable_agent d"}},
		{"lead of everybody", chain("a:", "b: *"), local, []string{"no_receiver b role"}},
		{"coordinator", led(chain("a: b", "b:"), "a"), local, []string{}},
		{"coordinator elsewhere", led(chain("a: b", "b:"), "b"), local, []string{}},
		{"no delegation", chain("a:", "b: b", "c: ghost"), local,
			[]string{"self_connection b b", "unknown_target c ghost"}},
		{"circle", chain("a: b", "b: a"), local, []string{"delegation_cycle a"}},
		{"OpenClaw", chain("a: b", "b:"), Rules{OpenClaw: true}, []string{}},
		{"unknown gateway", chain("a: b", "b:"), Rules{}, []string{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := found(c.team, c.rules); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
