package topology

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

type box struct{ x1, y1, x2, y2 float64 }

func (b box) meets(o box) bool { return b.x1 < o.x2 && o.x1 < b.x2 && b.y1 < o.y2 && o.y1 < b.y2 }

func agentBox(p Point) box { return box{p.X, p.Y, p.X + NodeWidth, p.Y + NodeHeight} }

// frameBox is the frame as the window draws it around members that stand there.
func frameBox(t *Topology, id string, at map[AgentID]Point) (b box, members map[AgentID]bool) {
	members = map[AgentID]bool{}
	add := func(o box) {
		if len(members) == 0 && b == (box{}) {
			b = o
		}
		b = box{min(b.x1, o.x1), min(b.y1, o.y1), max(b.x2, o.x2), max(b.y2, o.y2)}
	}
	for _, g := range t.Groups {
		if g.Parent == id {
			if in, deep := frameBox(t, g.ID, at); len(deep) > 0 {
				add(in)
				maps.Copy(members, deep)
			}
		}
	}
	for _, g := range t.Groups {
		for _, m := range g.Members {
			if p, ok := at[m]; ok && g.ID == id {
				add(agentBox(p))
				members[m] = true
			}
		}
	}
	return box{b.x1 - 16, b.y1 - 30, b.x2 + 16, b.y2 + 14}, members
}

// groupedTeam is a random team with groups, some of them nested, and some locks.
func groupedTeam(r *rand.Rand, locks bool) *Topology {
	n := 1 + r.IntN(60)
	t := randomTeam(n, n/2)
	t.Layout = Layout(t, LayoutOptions{})
	free := r.Perm(n)
	for k := range r.IntN(7) {
		g := Group{ID: fmt.Sprint("g", k)}
		if k > 0 && t.Groups[k-1].Parent == "" && r.IntN(3) == 0 {
			g.Parent = t.Groups[k-1].ID
		}
		for range r.IntN(7) {
			if len(free) > 0 {
				g.Members, free = append(g.Members, AgentID(fmt.Sprint("agent-", free[0]))), free[1:]
			}
		}
		t.Groups = append(t.Groups, g)
	}
	t.Layout = Layout(&Topology{Agents: t.Agents, Groups: t.Groups}, LayoutOptions{})
	if !locks {
		return t
	}
	for id, p := range t.Layout {
		if p.Locked = r.IntN(8) == 0; p.Locked {
			t.Layout[id] = p
		}
	}
	for k := range t.Groups {
		t.Groups[k].Locked = r.IntN(6) == 0
	}
	return t
}

func mustStand(t *testing.T, what string, x *Topology, moved func(AgentID) bool, at map[AgentID]Point) {
	t.Helper()
	sound(t, what, x, at)
	for _, g := range x.Groups {
		frame, members := frameBox(x, g.ID, at)
		if len(members) == 0 {
			continue
		}
		anyMoved := slices.ContainsFunc(slices.Collect(maps.Keys(members)), moved)
		for id, p := range at {
			if !members[id] && (anyMoved || moved(id)) && agentBox(p).meets(frame) {
				t.Fatalf("%s: %s at %v stands in the frame of %s, %v\n%s", what, id, p, g.ID, frame, show(x))
			}
		}
		for _, o := range x.Groups {
			other, deep := frameBox(x, o.ID, at)
			if o.ID != g.ID && o.Parent != g.ID && g.Parent != o.ID && len(deep) > 0 && anyMoved && frame.meets(other) {
				t.Fatalf("%s: the frames of %s and %s overlap\n%s", what, g.ID, o.ID, show(x))
			}
		}
	}
}

// APP-1: whatever the team, a layout overlaps nothing, keeps groups together and apart
// from everybody else, leaves what is locked, and is the same every time.
func TestLayoutGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		x := groupedTeam(r, i%2 == 0)
		held := x.sheet().Held()
		at := Layout(x, LayoutOptions{})
		moved := func(id AgentID) bool { return at[id] != x.Layout[id] }
		for id := range held {
			if at[id] != x.Layout[id] {
				t.Fatalf("%s is locked, and moved from %v to %v", id, x.Layout[id], at[id])
			}
		}
		mustStand(t, fmt.Sprint("everybody, ", i), x, moved, at)
		for range 3 {
			if again := Layout(x.Clone(), LayoutOptions{}); !maps.Equal(at, again) {
				t.Fatal("not the same twice")
			}
		}
		if len(held) == 0 {
			x.Layout = at
			if again := Layout(x, LayoutOptions{}); !maps.Equal(at, again) {
				t.Fatalf("a second layout moves\n%s", show(x))
			}
		}
	}
}

// APP-1: of a selection, only that moves, about where it stood; whole groups of it stay
// together.
func TestLayoutOfSelection(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 400 {
		x := groupedTeam(r, i%2 == 0)
		held := x.sheet().Held()
		var only []AgentID
		for _, g := range x.Groups {
			if g.Parent == "" && r.IntN(2) == 0 {
				_, members := frameBox(x, g.ID, x.Layout)
				only = append(only, slices.Sorted(maps.Keys(members))...)
			}
		}
		if len(only) == 0 || slices.ContainsFunc(only, func(id AgentID) bool { return held[id] }) {
			continue
		}
		at := Layout(x, LayoutOptions{Only: only})
		mustStand(t, fmt.Sprint("selection, ", i), x, func(id AgentID) bool { return slices.Contains(only, id) }, at)
		for id, p := range x.Layout {
			if !slices.Contains(only, id) && at[id] != p {
				t.Fatalf("%s was not chosen, and moved", id)
			}
		}
	}
	x := team("a > b", "b > c", "d > a")
	x.Layout = map[AgentID]Point{
		"a": {X: 400, Y: 304},
		"b": {X: 1000, Y: 400},
		"c": {X: 640, Y: 800},
		"d": {X: 0, Y: 0},
	}
	at := Layout(x, LayoutOptions{Only: []AgentID{"a", "b", "c"}})
	if at["a"] != (Point{X: 400, Y: 304}) || at["b"].X != 400 || at["c"].X != 400 || at["d"] != (Point{}) {
		t.Errorf("a selection keeps its upper left corner: %v", at)
	}
	x.Layout["d"] = Point{X: 400, Y: 450}
	if at = Layout(x, LayoutOptions{Only: []AgentID{"a", "b", "c"}}); len(overlaps(at)) > 0 || at["d"] != x.Layout["d"] {
		t.Errorf("the rest stands in the way: %v", at)
	}
	x.Groups = []Group{{ID: "g", Members: []AgentID{"a", "b"}}}
	if at = Layout(x, LayoutOptions{Only: []AgentID{"b"}}); at["a"] != x.Layout["a"] || len(overlaps(at)) > 0 {
		t.Errorf("part of a group: %v", at)
	}
}
