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
	if err := c.Allow("local", first, []Seen{{Agent: seen.Agent, Hash: seen.Hash}}); err != nil {
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
		t.Errorf("the same team again is told as a change: %+v", told)
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
		t.Errorf("a team that asks for nothing is told: %+v", told)
	}
	c.Applied("local", team("http://127.0.0.1:9"))
	if len(told) != 1 || len(told[0].Lost) != 0 {
		t.Errorf("told %+v", told)
	}
}
