package roster

import (
	"testing"

	"agentflow/backend/topology"
)

func team() *topology.Topology {
	return &topology.Topology{Agents: []topology.Agent{
		{ID: "pm", Connections: []topology.Connection{
			{TargetID: "dev", Type: topology.Command}, {TargetID: "qa", Type: topology.Review}, {TargetID: "gone", Type: topology.Command},
		}},
		{ID: "dev"}, {ID: "qa"}, {ID: "boss", AllowAny: true},
	}}
}

func TestMayCommand(t *testing.T) {
	var r Roster
	if r.MayCommand("pm", "dev") || len(r.Team().Topology.Agents) != 0 {
		t.Fatal("an empty roster has a team")
	}
	r.Apply("h1", team())
	cases := []struct {
		from, to topology.AgentID
		want     bool
	}{
		{"pm", "dev", true}, {"dev", "pm", false}, {"pm", "qa", false}, {"pm", "gone", false}, {"pm", "pm", false},
		{"boss", "qa", true}, {"boss", "boss", false}, {"boss", "gone", false}, {"nobody", "dev", false},
	}
	for _, c := range cases {
		if got := r.MayCommand(c.from, c.to); got != c.want {
			t.Errorf("MayCommand(%s, %s) = %v", c.from, c.to, got)
		}
	}
}

func TestApplyTellsAndReplaces(t *testing.T) {
	var r Roster
	sub := r.Changes(1)
	defer sub.Close()
	r.Apply("h1", team())
	if got := <-sub.C(); got.Hash != "h1" || len(got.Topology.Agents) != 4 {
		t.Fatalf("told %+v", got)
	}
	a, ok := r.Agent("pm")
	if !ok || a.ID != "pm" {
		t.Fatalf("agent %+v, %v", a, ok)
	}
	a.Connections[0].TargetID = "qa" // a copy: the team at work stays as it is
	if !r.MayCommand("pm", "dev") {
		t.Fatal("changing a copy changed the team")
	}
	r.Apply("h2", &topology.Topology{Agents: []topology.Agent{{ID: "dev"}}})
	if _, ok := r.Agent("pm"); ok || r.Team().Hash != "h2" {
		t.Fatal("the old team is still there")
	}
}
