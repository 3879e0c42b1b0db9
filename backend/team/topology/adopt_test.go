package topology

import (
	"encoding/json"
	"slices"
	"testing"
)

var simple = Held{Fields: []string{"name", "model", "workspace", "allowAny"}, Kinds: []Kind{Command}}

// GW-2, GW-7: an import over a team brings what the gateway holds and keeps the rest.
func TestAdoptGW7(t *testing.T) {
	drawn := team("b", "a > b", "a - b", "a ? gone", "gone > a")
	drawn.Name = "Mine"
	drawn.Agents[1].Role, drawn.Agents[1].Persona, drawn.Agents[1].Model = "boss", "p", "old"
	drawn.Agents[1].Connections[0].Label = "label"
	drawn.Agents[1].Connections = append(drawn.Agents[1].Connections, Connection{TargetID: "b", Type: "mystery"})
	drawn.Agents[1].Extra = Extra{{Key: "onlyHere", Value: json.RawMessage(`1`)}, {Key: "wasThere", Value: json.RawMessage(`1`)}}
	drawn.Layout = map[AgentID]Point{"a": {X: 100, Y: 100, Locked: true}, "b": {X: 400, Y: 100}, "gone": {X: 700, Y: 100}}
	drawn.Groups = []Group{{ID: "g", Members: []AgentID{"a", "gone"}, Locked: true, Collapsed: true}, {ID: "in", Parent: "g", Members: []AgentID{"b"}}}
	drawn.Notes = []Note{{ID: "n", Text: "keep", Color: 3, Locked: true}}
	base := team("a > b", "gone > a")
	base.Agents[0].Extra = Extra{{Key: "wasThere", Value: json.RawMessage(`1`)}}
	imported := team("a > b", "a > new", "c")
	imported.Agents[0].Model = "new"
	imported.Agents[0].Extra = Extra{{Key: "sandbox", Value: json.RawMessage(`{}`)}}

	before := show(drawn)
	got := Adopt(drawn, imported, base, simple)
	if show(drawn) != before {
		t.Fatal("the team itself was changed")
	}
	if want := []string{"b=demo/echo", "a=new c:blabel c:b m:b c:new", "new=demo/echo", "c=demo/echo"}; !slices.Equal(brief(got), want) {
		t.Errorf("got %q, want %q", brief(got), want)
	}
	a, _ := got.Agent("a")
	if a.Role != "boss" || a.Persona != "p" || !slices.Equal(a.Extra.Keys(), []string{"sandbox", "onlyHere"}) || got.Name != "Mine" {
		t.Errorf("%s", show(got))
	}
	if got.Layout["a"] != (Point{X: 100, Y: 100, Locked: true}) || len(got.Layout) != 4 || !slices.EqualFunc(got.Notes, drawn.Notes, Note.Equal) ||
		!got.Groups[0].Equal(Group{ID: "g", Members: []AgentID{"a"}, Locked: true, Collapsed: true}) ||
		!got.Groups[1].Equal(drawn.Groups[1]) {
		t.Errorf("%s", show(got))
	}
	if o := overlaps(got.Layout); len(o) > 0 {
		t.Errorf("%v", o)
	}
	if again := Adopt(got, imported, imported, simple); !again.Equal(got) {
		t.Errorf("a second import of the same changes %q", ids(Diff(got, again)))
	}
}

func TestAdoptOrderAndFirst(t *testing.T) {
	first := Adopt(nil, team("a > b", "c"), nil, simple)
	if len(first.Layout) != 3 || len(overlaps(first.Layout)) > 0 || first.Validate() != nil {
		t.Errorf("%s", show(first))
	}
	list := Held{Fields: append([]string{FieldOrder}, simple.Fields...), Kinds: simple.Kinds}
	if got := Adopt(team("a", "b"), team("b", "a"), nil, list); got.Agents[0].ID != "b" {
		t.Error("the source keeps an order, and it is lost")
	}
	drawn, imported := team("a > b"), team("a", "b")
	imported.Agents[0].AllowAny = true
	if got := Adopt(drawn, imported, nil, simple); len(got.Agents[0].Connections) != 1 {
		t.Error("a command connection drawn beside AllowAny is lost")
	}
	if got := Adopt(drawn, imported, drawn, simple); len(got.Agents[0].Connections) != 0 {
		t.Error("a command connection that was removed there is back")
	}
	if got := Adopt(drawn, nil, nil, simple); len(got.Agents) != 0 {
		t.Error("nothing was imported")
	}
}

// Import, merge: what the gateway cannot hold is no change of theirs.
func TestAdoptThenMerge(t *testing.T) {
	base := team("a > b", "a - b")
	base.Agents[0].Persona = "p"
	mine := edited(base, func(t *Topology) { t.Agents[0].Persona = "mine" })
	imported := team("a > b")
	imported.Agents[1].Model = "theirs"
	theirs := Adopt(base, imported, base, simple)
	theirs.Layout = nil
	r := Merge(base, mine, theirs, nil)
	if len(r.Conflicts) > 0 || r.Topology.Agents[0].Persona != "mine" || r.Topology.Agents[1].Model != "theirs" || len(r.Topology.Agents[0].Connections) != 2 {
		t.Errorf("%s", show(&r.Topology))
	}
}
