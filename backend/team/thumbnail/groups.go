package thumbnail

import (
	"math"

	"agentflow/backend/team/topology"
)

// neutral is the color of a group that has none.
const neutral = "#808890"

type rect struct{ left, top, right, bottom float64 }

var nothing = rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func node(p topology.Point) rect {
	return rect{p.X, p.Y, p.X + topology.NodeWidth, p.Y + topology.NodeHeight}
}

func (r rect) and(o rect) rect {
	return rect{min(r.left, o.left), min(r.top, o.top), max(r.right, o.right), max(r.bottom, o.bottom)}
}

func (r rect) frame() rect {
	return rect{
		r.left - topology.FrameSide, r.top - topology.FrameHead,
		r.right + topology.FrameSide, r.bottom + topology.FrameFoot,
	}
}

type frame struct {
	rect
	color string
}

// card is a folded group.
type card struct {
	at    topology.Point
	color string
}

// scene is where everything stands once groups are folded.
type scene struct {
	places map[topology.AgentID]topology.Point // of a folded agent: its group's card
	folded map[topology.AgentID]bool
	frames []frame // the outer ones first
	cards  []card
}

func arranged(t *topology.Topology) scene {
	s := scene{places: make(map[topology.AgentID]topology.Point, len(t.Agents)), folded: map[topology.AgentID]bool{}}
	for _, a := range t.Agents {
		s.places[a.ID] = t.Layout[a.ID]
	}
	inner := make(map[string][]topology.Group)
	for _, g := range t.Groups {
		if g.Parent != "" {
			inner[g.Parent] = append(inner[g.Parent], g)
		}
	}
	for _, g := range t.Groups {
		if g.Parent == "" {
			s.add(t, g, inner[g.ID])
		}
	}
	return s
}

// add puts a group and those in it into the scene; one in which nobody is has no frame.
func (s *scene) add(t *topology.Topology, g topology.Group, inner []topology.Group) {
	around := s.members(t, g)
	for _, in := range inner {
		if r := s.members(t, in); r != nothing {
			around = around.and(r.frame())
		}
	}
	if around == nothing {
		return
	}
	if g.Collapsed {
		s.fold(around.frame(), append([]topology.Group{g}, inner...))
		return
	}
	s.frames = append(s.frames, frame{around.frame(), colorOf(g)})
	for _, in := range inner {
		switch r := s.members(t, in); {
		case r == nothing:
		case in.Collapsed:
			s.fold(r.frame(), []topology.Group{in})
		default:
			s.frames = append(s.frames, frame{r.frame(), colorOf(in)})
		}
	}
}

func (s *scene) members(t *topology.Topology, g topology.Group) rect {
	r := nothing
	for _, id := range g.Members {
		if _, there := s.places[id]; there {
			r = r.and(node(t.Layout[id]))
		}
	}
	return r
}

// fold draws groups as one card in the middle of the first one's frame.
func (s *scene) fold(r rect, groups []topology.Group) {
	at := topology.Point{
		X: math.Round((r.left + r.right - topology.NodeWidth) / 2),
		Y: math.Round((r.top + r.bottom - topology.NodeHeight) / 2),
	}
	s.cards = append(s.cards, card{at, colorOf(groups[0])})
	for _, g := range groups {
		for _, id := range g.Members {
			if _, there := s.places[id]; there {
				s.places[id], s.folded[id] = at, true
			}
		}
	}
}

func colorOf(g topology.Group) string {
	if g.Color < 1 || g.Color > colors {
		return neutral
	}
	return palette[g.Color-1]
}
