package topology

import "agentflow/backend/team/internal/digraph"

// frame is a group as the layout sees it.
type frame struct {
	agents []int // direct members, by their place in the team
	inner  []int // frames nested in it
	nested bool
}

// stage is what is arranged together: agents, and frames as boxes.
type stage struct {
	agents []int
	frames []int
	anew   bool // wherever they stood before
}

// groups finds the frames, and which of them move as one: all members must be free to.
// Where everybody is laid out, the members of the others stay.
func (l *layouter) groups(everybody bool) {
	byID := make(map[string]int, len(l.t.Groups))
	for k, g := range l.t.Groups {
		byID[g.ID] = k
	}
	l.frames = make([]frame, len(l.t.Groups))
	for k, g := range l.t.Groups {
		for _, id := range g.Members {
			if i, ok := l.idx[id]; ok {
				l.frames[k].agents = append(l.frames[k].agents, i)
			}
		}
		if up, ok := byID[g.Parent]; ok && up != k && l.t.Groups[up].Parent == "" {
			l.frames[k].nested = true
			l.frames[up].inner = append(l.frames[up].inner, k)
		}
	}
	for _, nested := range []bool{false, true} {
		for k := range l.frames {
			if l.frames[k].nested == nested {
				l.bind(k, everybody)
			}
		}
	}
}

// bind makes a frame move as one, if it can.
func (l *layouter) bind(k int, everybody bool) {
	all := l.deep(k)
	stays := false
	for _, i := range all {
		if l.home[i] >= 0 {
			return // with the frame around it
		}
		stays = stays || !l.moves[i]
	}
	for _, i := range all {
		if !stays {
			l.home[i] = k
		} else if everybody && l.placed[i] {
			l.moves[i] = false
		}
	}
}

// deep is the members of a frame and of those nested in it.
func (l *layouter) deep(k int) []int {
	all := append([]int(nil), l.frames[k].agents...)
	for _, in := range l.frames[k].inner {
		all = append(all, l.frames[in].agents...)
	}
	return all
}

// outermost is who stands by themselves, and the frames that move as one.
func (l *layouter) outermost() (s stage) {
	used := make([]bool, len(l.frames))
	for i, k := range l.home {
		if k < 0 {
			s.agents = append(s.agents, i)
		} else if !used[k] {
			used[k] = true
			s.frames = append(s.frames, k)
		}
	}
	return s
}

// within is what a frame holds.
func (l *layouter) within(k int) stage {
	s := stage{agents: l.frames[k].agents, anew: true}
	for _, in := range l.frames[k].inner {
		if len(l.frames[in].agents) > 0 {
			s.frames = append(s.frames, in)
		}
	}
	return s
}

func (l *layouter) anyMoves(k int) bool {
	for _, i := range l.deep(k) {
		if l.moves[i] {
			return true
		}
	}
	return false
}

// standing is the box of a frame where its members stand now, if they stand anywhere.
func (l *layouter) standing(k int) (box digraph.Rect, ok bool) {
	var boxes []digraph.Rect
	for _, i := range l.frames[k].agents {
		if l.placed[i] {
			boxes = append(boxes, digraph.Rect{X: l.at[i].X, Y: l.at[i].Y, Width: NodeWidth, Height: NodeHeight})
		}
	}
	for _, in := range l.frames[k].inner {
		if b, ok := l.standing(in); ok {
			boxes = append(boxes, b)
		}
	}
	if len(boxes) == 0 {
		return digraph.Rect{}, false
	}
	b := digraph.Bounds(boxes)
	return digraph.Rect{
		X:      b.X - framePad,
		Y:      b.Y - 2*framePad,
		Width:  b.Width + 2*framePad,
		Height: b.Height + 3*framePad,
	}, true
}
