package digraph

import "math"

// Rect is a box on the canvas.
type Rect struct{ X, Y, Width, Height float64 }

func (r Rect) join(o Rect) Rect {
	x, y := min(r.X, o.X), min(r.Y, o.Y)
	return Rect{x, y, max(r.X+r.Width, o.X+o.Width) - x, max(r.Y+r.Height, o.Y+o.Height) - y}
}

func (r Rect) meets(o Rect) bool {
	return r.X < o.X+o.Width && o.X < r.X+r.Width && r.Y < o.Y+o.Height && o.Y < r.Y+r.Height
}

// Bounds is the box around all boxes, of which there is at least one.
func Bounds(rs []Rect) Rect {
	b := rs[0]
	for _, r := range rs[1:] {
		b = b.join(r)
	}
	return b
}

// space knows which places are taken. What is very large is kept apart, so that the
// number of cells stays small.
type space struct {
	rects  []Rect
	cells  map[cell][]int
	large  []int
	bounds Rect
}

type cell struct{ x, y int }

const (
	cellSize = 512
	maxCells = 1 << 12
)

func (s *space) any() bool { return len(s.rects) > 0 }

func (s *space) add(r Rect) {
	if !s.any() {
		s.bounds, s.cells = r, map[cell][]int{}
	}
	s.bounds = s.bounds.join(r)
	s.rects = append(s.rects, r)
	i := len(s.rects) - 1
	if !over(r, func(c cell) { s.cells[c] = append(s.cells[c], i) }) {
		s.large = append(s.large, i)
	}
}

// over calls f for every cell of r, unless these are too many.
func over(r Rect, f func(cell)) bool {
	x, y := math.Floor(r.X/cellSize), math.Floor(r.Y/cellSize)
	cols, rows := math.Floor((r.X+r.Width)/cellSize)-x+1, math.Floor((r.Y+r.Height)/cellSize)-y+1
	if !(cols*rows <= maxCells) {
		return false
	}
	for i := range int(cols) {
		for j := range int(rows) {
			f(cell{int(x) + i, int(y) + j})
		}
	}
	return true
}

func (s *space) isFree(r Rect) bool {
	free := true
	check := func(at []int) {
		for _, i := range at {
			free = free && !s.rects[i].meets(r)
		}
	}
	check(s.large)
	if !over(r, func(c cell) { check(s.cells[c]) }) {
		for _, o := range s.rects {
			free = free && !o.meets(r)
		}
	}
	return free
}

// free returns a place of the size near the wish that meets nothing: there, or some
// steps beside or below it, or below everything.
func (s *space) free(wish Point, w, h float64, style Style) Point {
	if !s.any() {
		return style.snap(wish)
	}
	margin := style.GapX / 2
	for row := range 4 {
		for step := range 17 {
			dx := float64((step+1)/2) * (style.Width + style.GapX)
			if step%2 == 0 {
				dx = -dx
			}
			p := style.snap(Point{wish.X + dx, wish.Y + float64(row)*(style.Height+style.GapY)})
			if s.isFree(Rect{p.X - margin, p.Y - margin, w + 2*margin, h + 2*margin}) {
				return p
			}
		}
	}
	return style.snap(Point{s.bounds.X, s.bounds.Y + s.bounds.Height + style.GapY})
}

func (s Style) snap(p Point) Point {
	grid := max(s.Grid, 1)
	return Point{math.Round(p.X/grid) * grid, math.Round(p.Y/grid) * grid}
}
