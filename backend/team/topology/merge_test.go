package topology

import (
	"slices"
	"strings"
	"testing"
)

// brief shows a team as lines: agents with model, and connections.
func brief(t *Topology) []string {
	var out []string
	for _, a := range t.Agents {
		s := string(a.ID) + "=" + a.Model
		for _, c := range a.Connections {
			s += " " + string(c.Type)[:1] + ":" + string(c.TargetID) + c.Label
		}
		out = append(out, s)
	}
	return out
}

func conflictsOf(r Merged) []string {
	var out []string
	for _, c := range r.Conflicts {
		out = append(out, c.Reason+" "+c.ID)
	}
	return out
}

func drop(id AgentID) func(*Topology) {
	return func(t *Topology) {
		t.Agents = slices.DeleteFunc(t.Agents, func(a Agent) bool { return a.ID == id })
		for i := range t.Agents {
			t.Agents[i].Connections = slices.DeleteFunc(t.Agents[i].Connections,
				func(c Connection) bool { return c.TargetID == id })
		}
	}
}

func model(id AgentID, m string) func(*Topology) {
	return func(t *Topology) { a, _ := t.Agent(id); a.Model = m }
}

func connect(from, to AgentID, kind Kind, label string) func(*Topology) {
	return func(t *Topology) {
		a, _ := t.Agent(from)
		a.Connections = append(a.Connections, Connection{TargetID: to, Type: kind, Label: label})
	}
}

func create(id AgentID, name, m string) func(*Topology) {
	return func(t *Topology) { t.Agents = append(t.Agents, Agent{ID: id, Name: name, Model: m}) }
}

func do(fs ...func(*Topology)) func(*Topology) {
	return func(t *Topology) {
		for _, f := range fs {
			f(t)
		}
	}
}

// APP-3, GW-3: the gateway changed while somebody drew; nothing of either side is lost.
func TestMerge(t *testing.T) {
	type choice = map[string]Choice
	cases := []struct {
		name         string
		mine, theirs func(*Topology)
		choices      choice
		want         []string
		conflicts    []string
		dropped      string
	}{
		{name: "different fields fit together", mine: model("a", "M"), theirs: func(t *Topology) { t.Agents[0].Role = "boss" }, want: []string{"a=M c:b", "b=m", "c=m"}},
		{name: "the same change is none", mine: model("a", "X"), theirs: model("a", "X"), want: []string{"a=X c:b", "b=m", "c=m"}},
		{name: "both changed, undecided", mine: model("a", "M"), theirs: model("a", "T"), want: []string{"a=M c:b", "b=m", "c=m"}, conflicts: []string{"both_changed agent:a:model"}},
		{name: "both changed, theirs", mine: model("a", "M"), theirs: model("a", "T"), choices: choice{"agent:a:model": ChooseTheirs},
			want: []string{"a=T c:b", "b=m", "c=m"}, conflicts: []string{"both_changed agent:a:model"}},
		{name: "both changed, base", mine: model("a", "M"), theirs: model("a", "T"), choices: choice{"agent:a:model": ChooseBase},
			want: []string{"a=m c:b", "b=m", "c=m"}, conflicts: []string{"both_changed agent:a:model"}},
		{name: "both connect alike", mine: connect("b", "c", Command, ""), theirs: connect("b", "c", Command, ""), want: []string{"a=m c:b", "b=m c:c", "c=m"}},
		{name: "connections are a set", mine: connect("a", "c", Command, ""), theirs: connect("b", "c", Command, ""), want: []string{"a=m c:b c:c", "b=m c:c", "c=m"}},
		{name: "labels differ", mine: connect("b", "c", Review, "M"), theirs: connect("b", "c", Review, "T"),
			want: []string{"a=m c:b", "b=m r:cM", "c=m"}, conflicts: []string{"both_added connection:b:review:c:label"}},
		{name: "both remove", mine: drop("b"), theirs: drop("b"), want: []string{"a=m", "c=m"}},
		{name: "removed there, left alone here", mine: model("a", "M"), theirs: drop("b"), want: []string{"a=M", "c=m"}},
		{name: "my new connection to it falls away", mine: connect("c", "b", Command, ""), theirs: drop("b"), want: []string{"a=m", "c=m"}, dropped: "connection:c:command:b"},
		{name: "their new connection to it falls away", mine: drop("b"), theirs: connect("c", "b", Command, ""), want: []string{"a=m", "c=m"}, dropped: "connection:c:command:b"},
		{name: "removed there, changed here, undecided", mine: do(model("b", "M"), connect("c", "b", Command, "")), theirs: drop("b"),
			want: []string{"a=m c:b", "b=M", "c=m c:b"}, conflicts: []string{"removed_there agent:b"}},
		{name: "removed there, changed here, theirs", mine: do(model("b", "M"), connect("c", "b", Command, "")), theirs: drop("b"), choices: choice{"agent:b": ChooseTheirs},
			want: []string{"a=m", "c=m"}, conflicts: []string{"removed_there agent:b"}, dropped: "connection:c:command:b"},
		{name: "removed there, changed here, base", mine: model("b", "M"), theirs: drop("b"), choices: choice{"agent:b": ChooseBase},
			want: []string{"a=m c:b", "b=m", "c=m"}, conflicts: []string{"removed_there agent:b"}},
		{name: "removed here, changed there, undecided", mine: drop("b"), theirs: model("b", "T"), want: []string{"a=m", "c=m"}, conflicts: []string{"removed_here agent:b"}},
		{name: "removed here, changed there, theirs", mine: drop("b"), theirs: model("b", "T"), choices: choice{"agent:b": ChooseTheirs},
			want: []string{"a=m c:b", "b=T", "c=m"}, conflicts: []string{"removed_here agent:b"}},
		{name: "its connection to a removed one is no change", mine: drop("b"), theirs: drop("a"), want: []string{"c=m"}},
		{name: "both add one of a name", mine: create("n", "N", ""), theirs: create("n", "N", "T"), want: []string{"a=m c:b", "b=m", "c=m", "n=T"}},
		{name: "both add one of a name, models differ", mine: create("n", "N", "M"), theirs: create("n", "N", "T"),
			want: []string{"a=m c:b", "b=m", "c=m", "n=M"}, conflicts: []string{"both_added agent:n:model"}},
		{name: "both add another one", mine: create("n", "Nora", "M"), theirs: do(create("n", "Nils", "T"), connect("a", "n", Command, "")),
			want: []string{"a=m c:b c:n", "b=m", "c=m", "n=M"}, conflicts: []string{"both_added agent:n"}},
		{name: "both add another one, keep both", choices: choice{"agent:n": ChooseBoth},
			mine: do(create("n", "Nora", "M"), connect("b", "n", Command, "")), theirs: do(create("n", "Nils", "T"), connect("a", "n", Command, ""), connect("n", "n", Command, "")),
			want: []string{"a=m c:b c:n", "b=m c:n-2", "c=m", "n=T c:n", "n-2=M"}, conflicts: []string{"both_added agent:n"}},
		{name: "both add another one, neither", mine: create("n", "Nora", "M"), theirs: do(create("n", "Nils", "T"), connect("a", "n", Command, "")), choices: choice{"agent:n": ChooseBase},
			want: []string{"a=m c:b", "b=m", "c=m"}, conflicts: []string{"both_added agent:n"}, dropped: "connection:a:command:n"},
		{name: "order", mine: create("x", "X", "m"), theirs: func(t *Topology) { slices.Reverse(t.Agents) }, want: []string{"c=m", "x=m", "b=m", "a=m c:b"}},
	}
	base := team("a > b", "c")
	for i := range base.Agents {
		base.Agents[i].Model = "m"
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := Merge(base, edited(base, c.mine), edited(base, c.theirs), c.choices)
			if got := brief(&r.Topology); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := conflictsOf(r); !slices.Equal(got, c.conflicts) {
				t.Errorf("conflicts %q, want %q", got, c.conflicts)
			}
			var dropped []string
			for _, d := range r.Dropped {
				dropped = append(dropped, d.ID)
			}
			if strings.Join(dropped, " ") != c.dropped {
				t.Errorf("dropped %q, want %q", dropped, c.dropped)
			}
			for _, x := range r.Conflicts {
				if x.Choice != c.choices[x.ID] {
					t.Errorf("%s: chose %q, lists %q", x.ID, c.choices[x.ID], x.Choice)
				}
			}
		})
	}
}

// What came from where is what the merge screen shows as fitting together.
func TestMergeSources(t *testing.T) {
	base := team("a > b", "c")
	mine := edited(base, do(model("a", "M"), model("c", "both"), model("b", "x"), connect("a", "c", Command, "")))
	theirs := edited(base, do(func(t *Topology) { t.Agents[0].Role = "boss" }, model("c", "both"), model("b", "y")))
	r := Merge(base, mine, theirs, nil)
	if got := ids(r.FromMine); !slices.Equal(got, []string{"changed agent:a:model", "added connection:a:command:c"}) {
		t.Errorf("mine %q", got)
	}
	if got := ids(r.FromTheirs); !slices.Equal(got, []string{"changed agent:a:role", "changed agent:c:model"}) {
		t.Errorf("theirs %q", got)
	}
}

func TestMergeCanvas(t *testing.T) {
	base := team("a", "b", "c")
	base.Layout = map[AgentID]Point{"a": {X: 0, Y: 0}, "b": {X: 1, Y: 1}, "c": {X: 2, Y: 2}}
	base.Groups = []Group{{ID: "g", Name: "old", Members: []AgentID{"a", "b"}}, {ID: "in", Parent: "g"}}
	base.Notes = []Note{{ID: "n", Text: "old"}}
	mine := edited(base, func(t *Topology) {
		t.Layout["a"], t.Layout["c"] = Point{X: 9, Y: 9}, Point{X: 7, Y: 7}
		t.Groups[0].Members = []AgentID{"a", "b", "c"}
	})
	theirs := edited(base, do(drop("c"), func(t *Topology) {
		t.Layout["a"], t.Layout["b"] = Point{X: 8, Y: 8}, Point{X: 8, Y: 8}
		delete(t.Layout, "c")
		t.Notes[0].Text = "new"
		t.Groups = append(t.Groups, Group{ID: "outer"})
	}))
	got := Merge(base, mine, theirs, nil).Topology
	if got.Layout["a"] != (Point{X: 9, Y: 9}) || got.Layout["b"] != (Point{X: 8, Y: 8}) || len(got.Layout) != 2 {
		t.Errorf("layout %v", got.Layout)
	}
	if !slices.Equal(got.Groups[0].Members, []AgentID{"a", "b"}) || len(got.Groups) != 3 || got.Notes[0].Text != "new" {
		t.Errorf("%s", show(&got))
	}
	nested := edited(base, func(t *Topology) {
		t.Groups[0].Parent = "outer"
		t.Groups[1].Parent = ""
		t.Groups = append(t.Groups, Group{ID: "outer"})
	})
	other := edited(base, func(t *Topology) { t.Groups[1].Name = "renamed" })
	got = Merge(base, other, nested, nil).Topology
	if err := got.Validate(); err != nil {
		t.Errorf("groups nest one level: %v", err)
	}
}

// APP-3: an agent that a conflict keeps stays where it is, in its group; nothing counts it as removed.
func TestMerge_AKeptAgentKeepsItsPlace(t *testing.T) {
	base := team("a", "b")
	base.Layout = map[AgentID]Point{"a": {}, "b": {X: 7, Y: 7}}
	base.Groups = []Group{{ID: "g", Members: []AgentID{"a", "b"}}}
	removed := edited(base, do(drop("b"), func(t *Topology) {
		delete(t.Layout, "b")
		t.Groups[0].Members = []AgentID{"a"}
	}))
	changed := edited(base, model("b", "M"))
	moved := edited(changed, func(t *Topology) { t.Layout["b"] = Point{X: 9} })
	for name, c := range map[string]struct {
		mine, theirs *Topology
		choice       Choice
		want         Point
	}{
		"removed there, undecided": {changed, removed, "", Point{X: 7, Y: 7}},
		"removed there, mine":      {changed, removed, ChooseMine, Point{X: 7, Y: 7}},
		"removed there, moved":     {moved, removed, ChooseMine, Point{X: 9}},
		"removed there, base":      {changed, removed, ChooseBase, Point{X: 7, Y: 7}},
		"removed here, theirs":     {removed, changed, ChooseTheirs, Point{X: 7, Y: 7}},
	} {
		r := Merge(base, c.mine, c.theirs, map[string]Choice{"agent:b": c.choice})
		got, placed := r.Topology.Layout["b"]
		if !placed || got != c.want || !slices.Equal(r.Topology.Groups[0].Members, []AgentID{"a", "b"}) {
			t.Errorf("%s: %s", name, show(&r.Topology))
		}
		for _, change := range append(r.FromMine, r.FromTheirs...) {
			if change.Op == Removed || c.want == base.Layout["b"] {
				t.Errorf("%s: %+v", name, change)
			}
		}
	}
	r := Merge(base, changed, removed, map[string]Choice{"agent:b": ChooseTheirs})
	if _, placed := r.Topology.Layout["b"]; placed || !slices.Equal(r.Topology.Groups[0].Members, []AgentID{"a"}) {
		t.Errorf("a removed agent leaves a place: %s", show(&r.Topology))
	}
}

// APP-3: two people who arrange the same canvas both get what they did: of a group, a
// note or a place, only what both changed is decided, and it is mine that stands.
func TestMergeCanvasByPart(t *testing.T) {
	base := team("a", "b", "c", "d")
	base.Layout = map[AgentID]Point{"a": {}, "b": {}}
	base.Groups = []Group{{ID: "g", Name: "old", Members: []AgentID{"a"}}, {ID: "h", Members: []AgentID{"b"}}}
	base.Notes = []Note{{ID: "n", Text: "old"}}
	mine := edited(base, func(t *Topology) {
		t.Layout["a"] = Point{X: 5}
		t.Groups[0].Members, t.Groups[0].Name = []AgentID{"a", "c", "b"}, "mine"
		t.Groups[1].Members = nil
		t.Notes[0].X, t.Notes[0].Locked = 9, true
	})
	theirs := edited(base, func(t *Topology) {
		t.Layout["a"] = Point{Locked: true}
		t.Groups[0].Members, t.Groups[0].Color, t.Groups[0].Name = []AgentID{"d", "a"}, 3, "theirs"
		t.Groups[1].Locked = true
		t.Notes[0].Text = "new"
	})
	r := Merge(base, mine, theirs, nil)
	want := edited(base, func(t *Topology) {
		t.Layout["a"] = Point{X: 5, Locked: true}
		t.Groups[0].Members, t.Groups[0].Color, t.Groups[0].Name = []AgentID{"d", "a", "c", "b"}, 3, "mine"
		t.Groups[1].Members, t.Groups[1].Locked = nil, true
		t.Notes[0] = Note{ID: "n", Text: "new", X: 9, Locked: true}
	})
	if !r.Topology.Equal(want) || len(r.Conflicts) > 0 {
		t.Errorf("got %s\nwant %s", show(&r.Topology), show(want))
	}
	if got := ids(r.FromTheirs); !slices.Equal(got, []string{"moved layout:a:locked", "changed group:g:color", "moved group:h:locked", "moved member:d", "changed note:n:text"}) {
		t.Errorf("from theirs %q", got)
	}
	if got := ids(r.FromMine); !slices.Equal(got, []string{"moved layout:a", "changed group:g:name", "moved member:c", "moved member:b", "moved note:n:place", "moved note:n:locked"}) {
		t.Errorf("from mine %q", got)
	}
	gone := edited(base, func(t *Topology) { t.Groups = t.Groups[1:] })
	into := edited(base, func(t *Topology) { t.Groups[0].Members = []AgentID{"a", "d"} })
	if r := Merge(base, into, gone, nil); len(r.Topology.Groups) != 2 || !slices.Equal(r.Topology.Groups[0].Members, []AgentID{"a", "d"}) {
		t.Errorf("a group that I filled was dropped: %s", show(&r.Topology))
	}
}
