package topology

import (
	"cmp"
	"maps"

	"agentflow/backend/team/internal/digraph"
	"agentflow/backend/team/topology/internal/ordered"
)

// The distances of an automatic layout, in pixels.
const (
	layoutGapX = 52
	layoutGapY = 74
	layoutGrid = 4
	noteWidth  = 152
	noteHeight = 100 // about; a note without a height is as high as its text
	framePad   = 16  // between a group's frame and its members; its title needs as much again
)

// LayoutOptions say what Layout may move.
type LayoutOptions struct {
	Only   []AgentID // lay out these, about where they stood; all others stay. Empty means everybody.
	Pinned []AgentID // these stay, if they have a place; so does who is locked, or in a locked group
}

// Layout places agents in layers, from who commands to who is commanded. It returns
// the places of all agents, those that stay included. Reviewers outside the chain of
// command go below those they review; agents without any connection form a grid at
// the end. The members of a group stay together, and their frame apart from everybody
// else; a group stays put if one of its members must. What moves overlaps neither what
// stays, nor notes, nor the frames of groups that stay. The same team always gives
// the same layout.
func Layout(t *Topology, opts LayoutOptions) map[AgentID]Point {
	t = orEmpty(t)
	l := layouter{t: t, idx: ordered.Index(agentSetOf(t).Keys), keep: len(opts.Only) > 0}
	l.agents(opts)
	l.groups(len(opts.Only) == 0)
	l.links()
	at, _ := l.place(l.outermost(), l.obstacles())
	out := make(map[AgentID]Point, len(t.Agents))
	for i := range t.Agents {
		if l.moves[i] || l.placed[i] {
			id := t.Agents[i].ID
			out[id] = Point{X: at[i].X, Y: at[i].Y, Locked: t.Layout[id].Locked}
		}
	}
	return out
}

// Arrange returns t with the layout that Layout gives it.
func (t *Topology) Arrange(opts LayoutOptions) *Topology {
	c := orEmpty(t).Clone()
	if c.Layout == nil {
		c.Layout = map[AgentID]Point{}
	}
	maps.Copy(c.Layout, Layout(t, opts))
	return c
}

type layouter struct {
	t             *Topology
	idx           map[AgentID]int
	keep          bool
	moves, placed []bool
	at            []digraph.Point
	frames        []frame
	home          []int // of each agent the frame that moves with it as one, or -1
	linksOf       [][]link
}

// link is a connection between two agents, as far as the layout is concerned.
type link struct {
	from, to int
	strong   bool // from stands above
}

func (l *layouter) agents(opts LayoutOptions) {
	n := len(l.t.Agents)
	only, pinned, held := ordered.Index(opts.Only), ordered.Index(opts.Pinned), l.t.sheet().Held()
	l.moves, l.placed, l.at, l.home = make([]bool, n), make([]bool, n), make([]digraph.Point, n), make([]int, n)
	for i := range l.t.Agents {
		id := l.t.Agents[i].ID
		p, placed := l.t.Layout[id]
		_, chosen := only[id]
		_, pin := pinned[id]
		twin := l.idx[id] != i // a second agent with the same id is not placed
		l.moves[i] = !twin && (len(only) == 0 || chosen) && !((pin || held[id]) && placed)
		l.placed[i] = !twin && placed
		l.at[i], l.home[i] = digraph.Point{X: p.X, Y: p.Y}, -1
	}
}

// links gathers the connections between two agents of the team, at the agent they
// start from. Who is in a group that moves in part is drawn to those of it that stay.
func (l *layouter) links() {
	l.linksOf = make([][]link, len(l.t.Agents))
	commanded := make([]bool, len(l.t.Agents))
	each := func(f func(from, to int, kind Kind)) {
		for i := range l.t.Agents {
			for _, c := range l.t.Agents[i].Connections {
				if j, ok := l.idx[c.TargetID]; ok && j != i {
					f(i, j, c.Type)
				}
			}
		}
	}
	add := func(from, to int, strong bool) { l.linksOf[from] = append(l.linksOf[from], link{from, to, strong}) }
	each(func(from, to int, kind Kind) {
		if KindOf(kind).Delegates {
			commanded[from], commanded[to] = true, true
			add(from, to, true)
		}
	})
	each(func(from, to int, kind Kind) {
		switch info := KindOf(kind); {
		case info.Delegates:
		case info.Reviews && !commanded[from]:
			add(to, from, true)
		default:
			add(from, to, false)
		}
	})
	for k := range l.frames {
		last := -1
		for _, i := range l.frames[k].agents {
			if last >= 0 && (l.moves[last] || l.moves[i]) {
				add(last, i, false)
			}
			last = i
		}
	}
}

// place arranges agents and frames among what is taken. It returns a place for every
// agent of the team that is among them, in a frame or not, and how far all that reaches.
func (l *layouter) place(s stage, taken []digraph.Rect) (map[int]digraph.Point, digraph.Size) {
	scene := digraph.Scene{
		Taken: taken, Keep: l.keep,
		Style: digraph.Style{Width: NodeWidth, Height: NodeHeight, GapX: layoutGapX, GapY: layoutGapY, Grid: layoutGrid},
	}
	node := map[int]int{} // of an agent
	for _, i := range s.agents {
		node[i] = len(scene.Nodes)
		scene.Nodes = append(scene.Nodes, digraph.Node{Moves: l.moves[i], Placed: l.placed[i] && !s.anew, At: l.at[i]})
	}
	inside := make([]map[int]digraph.Point, len(s.frames))
	for k, f := range s.frames {
		var size digraph.Size
		inside[k], size = l.place(l.within(f), nil)
		box, placed := l.standing(f)
		for i := range inside[k] {
			node[i] = len(scene.Nodes)
		}
		scene.Nodes = append(
			scene.Nodes,
			digraph.Node{Moves: true, Placed: placed && !s.anew, At: digraph.Point{X: box.X, Y: box.Y},
				Size: digraph.Size{Width: size.Width + 2*framePad, Height: size.Height + 3*framePad}},
		)
	}
	for i := range l.t.Agents { // in the order of the team, so that the result is always the same
		from, here := node[i]
		if !here {
			continue
		}
		for _, x := range l.linksOf[i] {
			if to, ok := node[x.to]; ok && to != from && x.strong {
				scene.Strong = append(scene.Strong, [2]int{from, to})
			} else if ok && to != from {
				scene.Weak = append(scene.Weak, [2]int{from, to})
			}
		}
	}
	at := digraph.Place(scene)
	out, reach := make(map[int]digraph.Point, len(node)), digraph.Size{}
	for n, i := range s.agents {
		out[i] = at[n]
		reach.Width, reach.Height = max(reach.Width, at[n].X+NodeWidth), max(reach.Height, at[n].Y+NodeHeight)
	}
	for k := range s.frames {
		corner, size := at[len(s.agents)+k], scene.Nodes[len(s.agents)+k].Size
		reach.Width, reach.Height = max(reach.Width, corner.X+size.Width), max(reach.Height, corner.Y+size.Height)
		for i, p := range inside[k] {
			out[i] = digraph.Point{X: corner.X + framePad + p.X, Y: corner.Y + 2*framePad + p.Y}
		}
	}
	return out, reach
}

func (l *layouter) obstacles() []digraph.Rect {
	var taken []digraph.Rect
	for _, n := range l.t.Notes {
		taken = append(taken,
			digraph.Rect{X: n.X, Y: n.Y, Width: cmp.Or(n.Width, noteWidth), Height: cmp.Or(n.Height, noteHeight)})
	}
	for k := range l.frames {
		if box, ok := l.standing(k); ok && !l.anyMoves(k) {
			taken = append(taken, box)
		}
	}
	return taken
}
