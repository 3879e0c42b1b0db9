package roster

import (
	"testing"

	"agentflow/backend/team/topology"
)

func team() *topology.Topology {
	return &topology.Topology{Agents: []topology.Agent{
		{ID: "pm", Connections: []topology.Connection{
			{
				TargetID: "dev",
				Type:     topology.Command,
			},
			{TargetID: "qa", Type: topology.Review},
			{TargetID: "gone", Type: topology.Command},
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
		t.Fatalf("published %+v", got)
	}
	a, ok := r.Agent("pm")
	if !ok || a.ID != "pm" {
		t.Fatalf("agent %+v, %v", a, ok)
	}
	a.Connections[0].TargetID = "qa" // a copy: the applied team doesn't change
	if !r.MayCommand("pm", "dev") {
		t.Fatal("changing a copy changed the team")
	}
	r.Apply("h2", &topology.Topology{Agents: []topology.Agent{{ID: "dev"}}})
	if _, ok := r.Agent("pm"); ok || r.Team().Hash != "h2" {
		t.Fatal("the old team is still applied")
	}
}

// The address of a local process survives a change of the team, but never overrides a URL in the config.
func TestPutSaysWhereAnAgentRuns(t *testing.T) {
	var r Roster
	r.Put("dev", &Place{URL: "http://127.0.0.1:1", SecretEnv: "s", Fingerprint: "f"})
	r.Apply("h1", team())
	if a, _ := r.Agent("dev"); a.URL != "http://127.0.0.1:1" || a.SecretEnv != "s" || a.Fingerprint != "f" {
		t.Fatalf("%+v", a)
	}
	if a, _ := r.Applied().Agent("dev"); a.URL != "" {
		t.Fatalf("the config says %+v", a)
	}
	sub := r.Changes(2)
	defer sub.Close()
	r.Put("dev", nil)
	if told := <-sub.C(); told.Topology.Agents[1].URL != "" {
		t.Errorf("published %+v", told)
	}
	r.Put("dev", &Place{URL: "http://127.0.0.1:1"})
	r.Apply("h2", &topology.Topology{Agents: []topology.Agent{{ID: "dev", URL: "http://192.0.2.1:2"}}})
	if a, _ := r.Agent("dev"); a.URL != "http://192.0.2.1:2" {
		t.Errorf("%+v", a)
	}
}

// A process that has ended is marked as gone until there is a new one.
func TestAPlaceMayBeGone(t *testing.T) {
	var r Roster
	r.Apply("h1", team())
	if _, is := r.Place("dev"); is {
		t.Error("an agent in the hub has a place")
	}
	r.Put("dev", &Place{URL: "http://127.0.0.1:1"})
	r.Put("dev", &Place{URL: "http://127.0.0.1:1", Gone: true})
	if at, is := r.Place("dev"); !is || !at.Gone {
		t.Errorf("%+v %v", at, is)
	}
	r.Apply("h2", &topology.Topology{Agents: []topology.Agent{{ID: "dev", URL: "http://192.0.2.1:2"}}})
	if _, is := r.Place("dev"); is {
		t.Error("an agent with a URL in the config has a place")
	}
}
