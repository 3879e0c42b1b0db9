package topology

import (
	"cmp"
	"maps"

	"agentflow/backend/topology/digraph"
	"agentflow/backend/topology/ordered"
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
	Only   []AgentID // lay out these; all others stay. Empty means everybody.
	Pinned []AgentID // these stay, if they have a place
}

// Layout places agents in layers, from who commands to who is commanded. It returns
// the places of all agents, those that stay included. Reviewers outside the chain of
// command stand below whom they review; agents without any connection form a grid at
// the end. What moves overlaps neither what stays, nor notes, nor the frames of
// groups that stay. The same drawing always gives the same layout.
func Layout(t *Topology, opts LayoutOptions) map[AgentID]Point {
	t = orEmpty(t)
	l := layouter{t: t, idx: ordered.Index(agentSetOf(t).Keys)}
	l.scene.Style = digraph.Style{Width: NodeWidth, Height: NodeHeight, GapX: layoutGapX, GapY: layoutGapY, Grid: layoutGrid}
	l.nodes(opts)
	l.edges()
	l.obstacles()
	out := make(map[AgentID]Point, len(t.Agents))
	for i, p := range digraph.Place(l.scene) {
		if n := l.scene.Nodes[i]; n.Moves || n.Placed {
			out[t.Agents[i].ID] = Point(p)
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
	t     *Topology
	idx   map[AgentID]int
	scene digraph.Scene
}

func (l *layouter) nodes(opts LayoutOptions) {
	only, pinned := ordered.Index(opts.Only), ordered.Index(opts.Pinned)
	for i := range l.t.Agents {
		id := l.t.Agents[i].ID
		p, placed := l.t.Layout[id]
		_, chosen := only[id]
		_, pin := pinned[id]
		twin := l.idx[id] != i // a second agent of the same id has no place of its own
		l.scene.Nodes = append(l.scene.Nodes, digraph.Node{
			Moves:  !twin && (len(only) == 0 || chosen) && !(pin && placed),
			Placed: !twin && placed,
			At:     digraph.Point(p),
		})
	}
}

func (l *layouter) edges() {
	commanded := make([]bool, len(l.t.Agents))
	l.each(func(from, to int, kind Kind) {
		if kind == Command {
			commanded[from], commanded[to] = true, true
			l.scene.Strong = append(l.scene.Strong, [2]int{from, to})
		}
	})
	l.each(func(from, to int, kind Kind) {
		switch {
		case kind == Command:
		case kind == Review && !commanded[from]:
			l.scene.Strong = append(l.scene.Strong, [2]int{to, from})
		default:
			l.scene.Weak = append(l.scene.Weak, [2]int{from, to})
		}
	})
	for _, g := range l.t.Groups {
		last := -1
		for _, id := range g.Members {
			if i, ok := l.idx[id]; ok && l.scene.Nodes[i].Moves {
				if last >= 0 {
					l.scene.Weak = append(l.scene.Weak, [2]int{last, i})
				}
				last = i
			}
		}
	}
}

// each walks the connections between two agents of the team.
func (l *layouter) each(f func(from, to int, kind Kind)) {
	for i := range l.t.Agents {
		for _, c := range l.t.Agents[i].Connections {
			if j, ok := l.idx[c.TargetID]; ok && j != i {
				f(i, j, c.Type)
			}
		}
	}
}

func (l *layouter) obstacles() {
	for _, n := range l.t.Notes {
		l.scene.Taken = append(l.scene.Taken, digraph.Rect{X: n.X, Y: n.Y, Width: cmp.Or(n.Width, noteWidth), Height: cmp.Or(n.Height, noteHeight)})
	}
	for _, g := range l.t.Groups {
		l.scene.Taken = append(l.scene.Taken, l.frame(g)...)
	}
}

// frame returns the frame around the members of a group, if none of them moves.
func (l *layouter) frame(g Group) []digraph.Rect {
	var boxes []digraph.Rect
	for _, id := range g.Members {
		i, ok := l.idx[id]
		if ok && l.scene.Nodes[i].Moves {
			return nil
		}
		if ok && l.scene.Nodes[i].Placed {
			p := l.scene.Nodes[i].At
			boxes = append(boxes, digraph.Rect{X: p.X - framePad, Y: p.Y - 2*framePad, Width: NodeWidth + 2*framePad, Height: NodeHeight + 3*framePad})
		}
	}
	if len(boxes) == 0 {
		return nil
	}
	return []digraph.Rect{digraph.Bounds(boxes)}
}
