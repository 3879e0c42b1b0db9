package topology

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// What could not be stored is refused with the place; what is merely unfinished is not.
func TestValidate(t *testing.T) {
	bad := math.NaN()
	for field, edit := range map[string]func(*Topology){
		"agents[1].id":                     func(t *Topology) { t.Agents[1].ID = "" },
		"agents[2].id":                     func(t *Topology) { t.Agents[2].ID = "a" },
		"agents[0].persona":                func(t *Topology) { t.Agents[0].Persona = strings.Repeat("x", MaxPersona+1) },
		"agents[0].name":                   func(t *Topology) { t.Agents[0].Name = "\xff" },
		"agents[0].temperature":            func(t *Topology) { t.Agents[0].Temperature = &bad },
		"agents[0].tools.deny":             func(t *Topology) { t.Agents[0].Tools = &Tools{Deny: []string{"\xff"}} },
		"agents[0].fallbacks":              func(t *Topology) { t.Agents[0].Fallbacks = make([]string, MaxListed+1) },
		"agents[0].connections[0].label":   func(t *Topology) { t.Agents[0].Connections[0].Label = "\xff" },
		"agents[0].connections[0].extra.k": func(t *Topology) { t.Agents[0].Connections[0].Extra = Extra{{Key: "k", Value: json.RawMessage("{")}} },
		"agents[0].connections":            func(t *Topology) { t.Agents[0].Connections = make([]Connection, MaxConnections+1) },
		"agents[1].extra.k":                func(t *Topology) { t.Agents[1].Extra = Extra{{Key: "k"}, {Key: "k"}} },
		"agents":                           func(t *Topology) { t.Agents = make([]Agent, MaxAgents+1) },
		"layout.a":                         func(t *Topology) { t.Layout = map[AgentID]Point{"a": {X: math.Inf(1), Y: 0}} },
		"groups[0].parent":                 func(t *Topology) { t.Groups = []Group{{ID: "g", Parent: "g"}} },
		"groups[1].parent":                 func(t *Topology) { t.Groups = []Group{{ID: "g"}, {ID: "h", Parent: "x"}} },
		"groups[2].parent":                 func(t *Topology) { t.Groups = []Group{{ID: "g"}, {ID: "h", Parent: "g"}, {ID: "i", Parent: "h"}} },
		"groups[0].members":                func(t *Topology) { t.Groups = []Group{{ID: "g", Members: []AgentID{"\xff"}}} },
		"groups[1].members": func(t *Topology) {
			t.Groups = []Group{{ID: "g", Members: []AgentID{"a", "b"}}, {ID: "h", Members: []AgentID{"c", "a"}}}
		},
		"notes[1].id":    func(t *Topology) { t.Notes = []Note{{ID: "n"}, {ID: "n"}} },
		"notes[0].width": func(t *Topology) { t.Notes = []Note{{ID: "n", Width: MaxNumber * 2}} },
		"name":           func(t *Topology) { t.Name = strings.Repeat("x", MaxText+1) },
		"extra.k":        func(t *Topology) { t.Extra = Extra{{Key: "k", Value: json.RawMessage("x")}} },
	} {
		err := edited(team("a > b", "c"), edit).Validate()
		e := errcode.From(err)
		if e == nil || e.Code != errcode.Validation || e.Details[errcode.KeyField] != field {
			t.Errorf("%s: %v %v", field, err, e)
		}
	}
	unfinished := team("a > ghost")
	unfinished.Agents = append(unfinished.Agents[:1], Agent{ID: "Bad Id"},
		Agent{ID: "z", Connections: []Connection{{}, {}}})
	unfinished.Groups = []Group{{ID: "g", Members: []AgentID{"ghost"}}, {ID: "h", Parent: "g"}}
	unfinished.Layout = map[AgentID]Point{"ghost": {}}
	for _, ok := range []*Topology{nil, {}, unfinished, randomTeam(MaxAgents, 1000)} {
		if err := ok.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestIDs(t *testing.T) {
	for name, want := range map[string]AgentID{
		"Research Bot": "research-bot", "  A  &  B ": "a-b", "リサーチャー": "agent-1", "": "agent-1", "-x-": "x", "snake_case": "snake_case",
		"日本 Team 2": "team-2", strings.Repeat("ab ", 40): AgentID(strings.Repeat("ab-", 21) + "a"), "Ünal": "nal",
	} {
		if got := SlugID(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	long := strings.Repeat("x", 64)
	have := team("dev", "dev-2", "agent-1", "x-9", long, "日本")
	for wanted, want := range map[string]AgentID{
		"new": "new", "dev": "dev-3", "dev-2": "dev-3", "agent-1": "agent-2", "x-9": "x-10", "": "agent", "日本": "日本-2",
		long: AgentID(long[:62] + "-2"),
	} {
		if got := UniqueID(have, wanted); got != want {
			t.Errorf("%q: got %q, want %q", wanted, got, want)
		}
	}
	if got := UniqueID(nil, "a"); got != "a" {
		t.Error(got)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	heat, most := 1.0, 1
	full := func() *Topology {
		x := team("a > b")
		x.Agents[0].Tools, x.Agents[0].Temperature, x.Agents[0].MaxTokens = &Tools{
			Allow: []string{"x"},
			Deny:  []string{"y"},
		}, &heat, &most
		x.Agents[0].Fallbacks, x.Agents[0].Extra = []string{"f"}, Extra{{Key: "k"}}
		x.Agents[0].Connections[0].Extra = Extra{{Key: "k"}}
		x.Layout = map[AgentID]Point{"a": {}}
		x.Groups = []Group{{ID: "g", Members: []AgentID{"a"}, Extra: Extra{{Key: "k"}}}}
		x.Notes = []Note{{ID: "n", Extra: Extra{{Key: "k"}}}}
		x.Extra = Extra{{Key: "k"}}
		return x
	}
	a := full()
	before := show(a)
	b := a.Clone()
	if !a.Equal(b) || show(b) != before {
		t.Fatal("not the same")
	}
	x := &b.Agents[0]
	x.Tools.Allow[0], x.Tools.Deny[0], x.Fallbacks[0], x.Extra[0].Key, x.Connections[0].Extra[0].Key = "", "", "", "", ""
	*x.Temperature, *x.MaxTokens, x.Connections[0].TargetID = 2, 2, ""
	b.Layout["a"], b.Groups[0].Members[0], b.Groups[0].Extra[0].Key, b.Notes[0].Extra[0].Key, b.Extra[0].Key = Point{
		X: 1,
		Y: 1,
	}, "", "", "", ""
	if show(a) != before {
		t.Errorf("changed with its copy: %s", show(a))
	}
	if (*Topology)(nil).Clone() != nil {
		t.Error("a copy of nothing")
	}
}
