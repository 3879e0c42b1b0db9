package consent

import (
	"path/filepath"
	"slices"
	"testing"

	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

func team(url string) *topology.Topology {
	return &topology.Topology{Agents: []topology.Agent{{ID: "far", Name: "Far", URL: url}}}
}

// TestTR1_AChangeAfterThePermissionIsTold: what was allowed since the last apply is lost, too, when
// the next one asks for something else.
func TestTR1_AChangeAfterThePermissionIsTold(t *testing.T) {
	c, err := Open(
		Options{Path: filepath.Join(t.TempDir(), "trust.json"), Rules: func() trust.Rules { return trust.Rules{} }},
	)
	if err != nil {
		t.Fatal(err)
	}
	var told []Change
	c.OnChange(func(change Change) { told = append(told, change) })
	first := team("http://127.0.0.1:9")
	c.Applied("local", first)
	seen := c.Standings("local", first)[0]
	if err := c.Allow("local", "", first, []Seen{{Agent: seen.Agent, Hash: seen.Hash}}); err != nil {
		t.Fatal(err)
	}
	told = nil
	c.Applied("local", team("http://127.0.0.1:10"))
	if len(told) != 1 || !slices.Equal(told[0].Lost, []topology.AgentID{"far"}) {
		t.Errorf("told %+v", told)
	}
	told = nil
	c.Applied("local", team("http://127.0.0.1:10"))
	if len(told) != 0 {
		t.Errorf("applying the same team again reported a change: %+v", told)
	}
}

// TestTR1_WhatATeamAsksForAnewIsTold: a page that shows the list looks again.
func TestTR1_WhatATeamAsksForAnewIsTold(t *testing.T) {
	c, err := Open(
		Options{Path: filepath.Join(t.TempDir(), "trust.json"), Rules: func() trust.Rules { return trust.Rules{} }},
	)
	if err != nil {
		t.Fatal(err)
	}
	var told []Change
	c.OnChange(func(change Change) { told = append(told, change) })
	c.Applied("local", team(""))
	if len(told) != 0 {
		t.Errorf("a team that asks for nothing reported a change: %+v", told)
	}
	c.Applied("local", team("http://127.0.0.1:9"))
	if len(told) != 1 || len(told[0].Lost) != 0 {
		t.Errorf("told %+v", told)
	}
}

// TestTR1_APermissionIsForTheTeamThatWasSeen: two saved teams have the same agent. What one of them was allowed counts
// for the applied team, and not for the other one, whose apply ends it.
func TestTR1_APermissionIsForTheTeamThatWasSeen(t *testing.T) {
	c, err := Open(
		Options{Path: filepath.Join(t.TempDir(), "trust.json"), Rules: func() trust.Rules { return trust.Rules{} }},
	)
	if err != nil {
		t.Fatal(err)
	}
	const applied = "local"
	both := team("https://far.example")
	states := func() (one, other, runs State) {
		return c.StandingsOf("one", applied, both, Common{Same: both})[0].State,
			c.StandingsOf("other", applied, both, Common{Same: both})[0].State, c.Standings(applied, both)[0].State
	}
	allow := func(team string) {
		t.Helper()
		if err := c.Allow(team, "", both, []Seen{{"far", c.Standings(team, both)[0].Hash}}); err != nil {
			t.Fatal(err)
		}
	}
	apply := func(team string) {
		t.Helper()
		if err := c.HandOver(team, applied, both, Common{Same: both}); err != nil {
			t.Fatal(err)
		}
	}
	allow("one")
	apply("one")
	if one, other, runs := states(); one != Allowed || other != Asked || runs != Allowed {
		t.Errorf("one is %s, the other team %s, the applied one %s", one, other, runs)
	}
	apply("other")
	if _, other, runs := states(); other != Asked || runs != Asked {
		t.Errorf("after its apply the other team is %s, the applied one %s", other, runs)
	}
	allow("other")
	apply("other")
	if one, other, runs := states(); one != Allowed || other != Allowed || runs != Allowed {
		t.Errorf("once both are allowed: one %s, the other %s, the applied one %s", one, other, runs)
	}

	if err := c.Clear(); err != nil {
		t.Fatal(err)
	}
	allow("one")
	apply("one")
	kept := Common{Kept: both}
	if got := c.StandingsOf("third", applied, both, kept)[0].State; got != Allowed {
		t.Errorf("in the review of a team that keeps the agent, it is %s", got)
	}
	if err := c.HandOver("third", applied, both, kept); err != nil {
		t.Fatal(err)
	}
	if one, _, runs := states(); one != Allowed || runs != Allowed {
		t.Errorf("after its apply one is %s, the applied one %s", one, runs)
	}
	if got := c.StandingsOf("third", applied, both, Common{Same: both})[0].State; got != Allowed {
		t.Errorf("after its apply the agent that it kept is %s", got)
	}
	far, _ := both.Agent("far")
	if err := c.Check("third", both, far); err != nil {
		t.Errorf("a room of the team that kept the agent: %v", err)
	}

	if err := c.Clear(); err != nil {
		t.Fatal(err)
	}
	allow(applied)
	if one, other, runs := states(); one != Asked || other != Asked || runs != Allowed {
		t.Errorf("the applied team from nowhere is %s, one %s, the other %s", runs, one, other)
	}
	if err := c.Allow(applied, "one", both, []Seen{{"far", c.Standings(applied, both)[0].Hash}}); err != nil {
		t.Fatal(err)
	}
	if one, other, _ := states(); one != Allowed || other != Asked {
		t.Errorf("the applied team is allowed it, which came from one: one is %s, the other %s", one, other)
	}
}

// The owner learns before a task fails that a variable has no value here, by its name alone. One that no team can name
// is left out.
func TestTR1_AVariableWithoutAValueIsNamed(t *testing.T) {
	c, err := Open(Options{
		Path: filepath.Join(t.TempDir(), "trust.json"), Rules: func() trust.Rules { return trust.Rules{} },
		Has: func(agent topology.AgentID, name string) bool { return agent == "far" && name == "AGENTFLOW_AGENT_SET" },
	})
	if err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string][]string{
		"AGENTFLOW_AGENT_SET":  nil,
		"AGENTFLOW_AGENT_GONE": {"AGENTFLOW_AGENT_GONE"},
		"OPENAI_API_KEY":       nil,
	} {
		asking := team("http://127.0.0.1:9")
		asking.Agents[0].SecretEnv = secret
		if got := c.Standings("local", asking)[0].Unset; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", secret, got, want)
		}
	}
}
