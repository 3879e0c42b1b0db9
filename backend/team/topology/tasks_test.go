package topology

import (
	"slices"
	"testing"
)

func TestAssignable(t *testing.T) {
	to := func(ids ...AgentID) (out []Connection) {
		for _, id := range ids {
			out = append(out, Connection{TargetID: id, Type: Command})
		}
		return out
	}
	lead := func(id AgentID, targets ...AgentID) Agent {
		return Agent{ID: id, Role: "coordinator", Connections: to(targets...)}
	}
	anybody := Agent{ID: "any", Role: CoordinatorRole, AllowAny: true}
	for name, c := range map[string]struct {
		agents []Agent
		want   []AgentID
	}{
		"nobody":            {nil, nil},
		"no coordinator":    {[]Agent{{ID: "a", Connections: to("b")}, {ID: "b"}}, []AgentID{"a", "b"}},
		"coordinators only": {[]Agent{lead("a"), lead("b")}, []AgentID{"a", "b"}},
		"one coordinator":   {[]Agent{lead("a", "b", "a", "gone"), {ID: "b"}, {ID: "c"}}, []AgentID{"a", "b"}},
		"a coordinator's target": {
			[]Agent{lead("a", "b"), lead("b", "c"), {ID: "c"}, {ID: "d"}}, []AgentID{"a", "b", "c"},
		},
		"to any":           {[]Agent{anybody, {ID: "b"}}, []AgentID{"any", "b"}},
		"to any, and back": {[]Agent{anybody, lead("b", "any"), {ID: "c"}}, []AgentID{"any", "b", "c"}},
		"spaces around the role": {
			[]Agent{{ID: "a", Role: " coordinator ", Connections: to("b")}, {ID: "b"}, {ID: "c"}}, []AgentID{"a", "b"},
		},
		"a message": {[]Agent{
			{ID: "a", Role: "Coordinator", Connections: []Connection{{TargetID: "b", Type: Communication}}}, {ID: "b"},
		}, []AgentID{"a"}},
		"in Japanese": {[]Agent{{ID: "a"}, {ID: "b", Role: "コーディネーター"}}, []AgentID{"b"}},
	} {
		var got []AgentID
		for _, a := range Assignable(&Topology{Agents: c.agents}) {
			got = append(got, a.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
