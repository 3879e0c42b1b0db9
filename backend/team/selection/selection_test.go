package selection_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"agentflow/backend/team/selection"
	"agentflow/backend/team/topology"
)

// draw makes a team of few ids and few values, so that two of them meet.
func draw(r *rand.Rand) *topology.Topology {
	t := &topology.Topology{Name: fmt.Sprint("n", r.IntN(2)), Layout: map[topology.AgentID]topology.Point{}}
	ids := []topology.AgentID{"a", "b", "c", "d", "e:#", "f"}
	r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids[:r.IntN(len(ids)+1)] {
		a := topology.Agent{ID: id, Name: fmt.Sprint("x", r.IntN(3)), Model: fmt.Sprint("m", r.IntN(3))}
		for range r.IntN(4) {
			to := ids[r.IntN(len(ids))]
			kind := []topology.Kind{topology.Command, topology.Review}[r.IntN(2)]
			a.Connections = append(a.Connections,
				topology.Connection{TargetID: to, Type: kind, Label: fmt.Sprint(r.IntN(2))})
		}
		t.Agents = append(t.Agents, a)
		t.Layout[id] = topology.Point{X: float64(r.IntN(3)), Locked: r.IntN(3) == 0}
	}
	taken := map[topology.AgentID]bool{}
	members := func() (out []topology.AgentID) {
		for _, a := range t.Agents {
			if !taken[a.ID] && r.IntN(3) == 0 {
				taken[a.ID] = true
				out = append(out, a.ID)
			}
		}
		return out
	}
	if r.IntN(2) == 0 {
		t.Groups = append(t.Groups, topology.Group{ID: "outer", Members: members()})
		if r.IntN(2) == 0 {
			t.Groups = append(t.Groups, topology.Group{ID: "inner", Parent: "outer", Members: members()})
		}
	} else if r.IntN(2) == 0 {
		t.Groups = append(t.Groups, topology.Group{ID: "inner", Members: members()})
	}
	if r.IntN(2) == 0 {
		t.Notes = []topology.Note{{ID: "n", Text: fmt.Sprint(r.IntN(2))}}
	}
	return t
}

// sorted takes the orders away: parts that are made one after the other leave what is
// new where each of them put it.
func sorted(t *topology.Topology) *topology.Topology {
	t = t.Clone()
	slices.SortFunc(t.Agents, func(a, b topology.Agent) int { return compare(string(a.ID), string(b.ID)) })
	for i := range t.Agents {
		slices.SortStableFunc(t.Agents[i].Connections, func(a, b topology.Connection) int {
			return compare(string(a.Type)+string(a.TargetID)+a.Label, string(b.Type)+string(b.TargetID)+b.Label)
		})
	}
	for _, g := range t.Groups {
		slices.Sort(g.Members)
	}
	slices.SortFunc(t.Groups, func(a, b topology.Group) int { return compare(a.ID, b.ID) })
	return t
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// APP-3: any chosen part can be made alone, the rest can be made after it, and both
// together give the whole change.
func TestAPP3_AChosenPartAndThenTheRestAreAll(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 7))
		base, draft := draw(r), draw(r)
		all := topology.Diff(base, draft)
		var out []string
		for _, c := range all {
			if r.IntN(3) == 0 {
				out = append(out, c.ID)
			}
		}
		p := selection.Of(all, out)
		if len(p.Chosen)+len(p.Left) != len(all) {
			t.Fatalf("seed %d: %d chosen and %d left of %d", seed, len(p.Chosen), len(p.Left), len(all))
		}
		for _, c := range p.Chosen {
			if slices.Contains(out, c.ID) {
				t.Fatalf("seed %d: %s was left out and is chosen", seed, c.ID)
			}
		}
		part, err := topology.Apply(base, p.Chosen)
		if err != nil {
			t.Fatalf("seed %d, without %q: %v", seed, out, err)
		}
		if err := part.Validate(); err != nil {
			t.Fatalf("seed %d, without %q: %v", seed, out, err)
		}
		whole, err := topology.Apply(part, p.Left)
		if err != nil {
			t.Fatalf("seed %d, the rest of %q: %v", seed, out, err)
		}
		if got, want := sorted(whole), sorted(draft); !got.Equal(want) {
			t.Fatalf("seed %d, without %q:\n%+v", seed, out, topology.Diff(got, want))
		}
	}
}

func team(agents ...topology.Agent) *topology.Topology { return &topology.Topology{Agents: agents} }

func line(to topology.AgentID) topology.Connection {
	return topology.Connection{TargetID: to, Type: topology.Command}
}

func chosen(base, draft *topology.Topology, leaveOut ...string) []string {
	var out []string
	for _, c := range selection.Of(topology.Diff(base, draft), leaveOut).Chosen {
		out = append(out, c.ID)
	}
	return out
}

func TestAPP3_WhatBelongsTogetherStaysTogether(t *testing.T) {
	a, b := topology.Agent{ID: "a"}, topology.Agent{ID: "b"}
	wired := topology.Agent{ID: "a", Connections: []topology.Connection{line("b")}}
	if got := chosen(team(a), team(wired, b), "agent:b"); len(got) != 0 {
		t.Errorf("without the new agent its connection is still chosen: %q", got)
	}
	if got := chosen(team(a), team(wired, b), "connection:a:command:b"); !slices.Equal(got, []string{"agent:b"}) {
		t.Errorf("without the connection: %q", got)
	}
	if got := chosen(team(wired, b), team(a), "connection:a:command:b"); len(got) != 0 {
		t.Errorf("the agent goes although a connection to it stays: %q", got)
	}
	if got := chosen(team(wired, b), team(a), "agent:b"); !slices.Equal(got, []string{"connection:a:command:b"}) {
		t.Errorf("without the removal: %q", got)
	}
	grouped := team(a, b)
	grouped.Groups = []topology.Group{{ID: "g", Members: []topology.AgentID{"b"}}}
	if got := chosen(team(a), grouped, "agent:b"); !slices.Equal(got, []string{"group:g"}) {
		t.Errorf("who is not there is in a group: %q", got)
	}
	if got := chosen(team(a), team(wired, b), "nobody"); len(got) != 2 {
		t.Errorf("an unknown id left something out: %q", got)
	}
}

// OC-3: a binding to a new agent needs that agent, and an agent goes only with its bindings.
func TestOC3_BindingsGoWithTheirAgents(t *testing.T) {
	bound := func(agent string) json.RawMessage {
		return json.RawMessage(`{"agentId":"` + agent + `","match":{"channel":"` + agent + `"}}`)
	}
	base := &topology.Topology{Agents: []topology.Agent{{ID: "old"}}, Bindings: topology.Bindings{bound("old")}}
	draft := &topology.Topology{Agents: []topology.Agent{{ID: "new"}}, Bindings: topology.Bindings{bound("new")}}
	part := selection.Of(topology.Diff(base, draft), []string{"agent:new"})
	for _, c := range part.Chosen {
		if c.Subject == topology.SubjectBinding && c.Op == topology.Added {
			t.Errorf("chosen without its agent: %+v", c)
		}
	}
	needs := selection.Needs(topology.Diff(base, draft))
	if len(needs["agent:old"]) != 1 {
		t.Errorf("%v", needs)
	}
}

// OC-3: an agent comes into a broadcast group only with itself, and goes only with its place in one.
func TestOC3_BroadcastGroupsGoWithTheirAgents(t *testing.T) {
	of := func(id topology.AgentID, group string) *topology.Topology {
		return &topology.Topology{Agents: []topology.Agent{{ID: "stays"}, {ID: id}},
			Broadcast: topology.Extra{{Key: "x:1", Value: json.RawMessage(group)}}}
	}
	changes := topology.Diff(of("old", `["stays","old"]`), of("new", `["stays","new"]`))
	needs := selection.Needs(changes)
	if !slices.Equal(needs["broadcast:x%3A1"], []string{"agent:new"}) ||
		!slices.Equal(needs["agent:old"], []string{"broadcast:x%3A1"}) || len(needs["agent:stays"]) > 0 {
		t.Errorf("%v", needs)
	}
}
