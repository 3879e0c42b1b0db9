package rollout_test

import (
	"slices"
	"testing"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// otherTeam makes another team for the same gateway, and works on that from now on.
func (d *desk) otherTeam(team topology.Topology) library.ID {
	d.Helper()
	team.Name = "Other"
	made, _, err := d.library.Create(d.Context(), library.Step{Topology: &team, Gateway: office})
	if err != nil {
		d.Fatal(err)
	}
	d.team = made.ID
	return made.ID
}

// A team that comes back to its gateway after another team was applied there doesn't take that team's agents for
// changes that somebody made to its own.
func TestAPP3_ATeamThatAnotherOneReplacedIsAskedAgain(t *testing.T) {
	d := start(t)
	first := d.team
	d.edit(rename("dev", "Dana"))
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Done {
		t.Fatalf("%+v", a)
	}
	d.otherTeam(topology.Topology{Agents: []topology.Agent{{ID: "main", Name: "Boss"}, {ID: "new", Name: "New"}}})
	req := d.request(rollout.Decisions{Replace: true})
	req.DeleteAgents = true
	if a := d.apply(req); a.State != rollout.Done || d.gateway.names() != "main=Boss new=New" {
		t.Fatalf("%+v, the gateway has %s", a, d.gateway.names())
	}

	d.team = first
	if drift, err := d.Drift(t.Context(), first, ""); err != nil || !drift.Replaced {
		t.Errorf("%+v %v", drift, err)
	}
	d.edit(rename("main", "Chief"))
	p := d.preview(rollout.Decisions{})
	if p.Merge == nil || !p.Merge.First || len(p.Merge.Conflicts) != 1 || len(p.Deletions) != 0 ||
		!slices.Equal(p.Merge.Others, []topology.AgentID{"new"}) {
		t.Errorf("merge %+v, deletions %v", p.Merge, p.Deletions)
	}
	req = d.request(rollout.Decisions{Replace: true})
	req.DeleteAgents = true
	if a := d.apply(req); a.State != rollout.Done || d.gateway.names() != "dev=Dana main=Chief" {
		t.Errorf("%+v, the gateway has %s", a, d.gateway.names())
	}
	// Now it is this team's again: what somebody else changes is merged.
	d.gateway.change(rename("dev", "Dora"))
	if p := d.preview(rollout.Decisions{}); p.Merge == nil || p.Merge.First || len(p.Merge.FromTheirs) != 1 {
		t.Errorf("%+v", p.Merge)
	}
}

// The same if the other team kept its agents: the other team's don't join it unasked, and its changes are no conflicts.
func TestAPP3_ATeamThatAnotherOneJoinedIsAskedAgain(t *testing.T) {
	d := start(t)
	first := d.team
	d.edit(rename("dev", "Dana"))
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Done {
		t.Fatalf("%+v", a)
	}
	other := d.otherTeam(topology.Topology{Agents: []topology.Agent{{ID: "new", Name: "New"}}})
	a := d.apply(d.request(rollout.Decisions{}))
	if a.State != rollout.Done || d.gateway.names() != "dev=Dana main=Main new=New" {
		t.Fatalf("%+v, the gateway has %s", a, d.gateway.names())
	}

	d.team = first
	if drift, err := d.Drift(t.Context(), first, ""); err != nil || !drift.Replaced {
		t.Errorf("%+v %v", drift, err)
	}
	d.edit(rename("dev", "Dora"))
	p := d.preview(rollout.Decisions{})
	if p.Merge == nil || !p.Merge.First || len(p.Merge.Conflicts) != 0 || len(p.Deletions) != 0 ||
		!slices.Equal(p.Merge.Others, []topology.AgentID{"new"}) {
		t.Errorf("merge %+v, deletions %v", p.Merge, p.Deletions)
	}
	req := d.request(rollout.Decisions{Replace: true})
	req.DeleteAgents = true
	if a := d.apply(req); a.State != rollout.Done || d.gateway.names() != "dev=Dora main=Main" {
		t.Errorf("%+v, the gateway has %s", a, d.gateway.names())
	}
	// The other team lost its agent by that, and is asked as well.
	d.team = other
	if p := d.preview(rollout.Decisions{}); p.Merge == nil || !p.Merge.First || len(p.Deletions) != 0 {
		t.Errorf("%+v", p.Merge)
	}
}

// A team that replaces another one says nothing about what the gateway's agents inherit: it stays.
func TestAPP3_AReplacedTeamLeavesTheDefaults(t *testing.T) {
	d := start(t)
	d.gateway.change(func(team *topology.Topology) {
		team.Defaults = topology.Extra{{Key: "timeoutSeconds", Value: []byte("600")}}
	})
	d.otherTeam(topology.Topology{Agents: []topology.Agent{{ID: "main", Name: "Boss"}}})
	p := d.preview(rollout.Decisions{Replace: true})
	if len(p.Deletions) != 1 || len(p.Merge.Merged.Defaults) != 1 {
		t.Errorf("deletions %v, defaults %v", p.Deletions, p.Merge.Merged.Defaults)
	}
	for _, c := range p.Changes {
		if c.Subject == topology.SubjectDefaults {
			t.Errorf("%+v", c)
		}
	}
}

// What the team has and the gateway lacks is shown and sent when it replaces another team, also of agents and defaults
// that both have.
func TestAPP3_AReplacingTeamBringsItsSettings(t *testing.T) {
	d := start(t)
	beats := topology.Field{Key: "heartbeat", Value: []byte(`{"every":"1h"}`)}
	d.otherTeam(topology.Topology{
		Agents:   []topology.Agent{{ID: "main", Name: "Main", Extra: topology.Extra{beats}}},
		Defaults: topology.Extra{{Key: "timeoutSeconds", Value: []byte("600")}},
	})
	req := d.request(rollout.Decisions{Replace: true})
	req.DeleteAgents = true
	if a := d.apply(req); a.State != rollout.Done {
		t.Fatalf("%+v", a)
	}
	held, err := d.Held(t.Context(), office)
	if err != nil {
		t.Fatal(err)
	}
	main, _ := held.Agent("main")
	if len(held.Defaults) != 1 || len(main.Extra) != 1 || main.Extra[0].Key != beats.Key {
		t.Errorf("the gateway has the defaults %v, and main %+v", held.Defaults, main)
	}
}
