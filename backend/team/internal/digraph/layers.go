package digraph

import (
	"cmp"
	"math"
	"slices"
)

// Style is the size of the nodes and the gaps between them. Places are multiples of
// Grid.
type Style struct {
	Width, Height, GapX, GapY, Grid float64
}

// Size is how large a node is.
type Size struct{ Width, Height float64 }

func (s Size) or(style Style) Size {
	if s == (Size{}) {
		return Size{style.Width, style.Height}
	}
	return s
}

// Drawing is a picture: the upper left corner of each node, from 0, and its size.
type Drawing struct {
	X, Y          []float64
	Width, Height float64
}

// Layered draws one connected graph of nodes of these sizes from top to bottom along
// the edges. Hints pull
// nodes of the same layer together, and place those that have no edges. A layer that
// would be too wide stands in several rows.
func Layered(sizes []Size, edges, hints [][2]int, style Style) Drawing {
	n := len(sizes)
	s := sheet{n: n, sizes: sizes, style: style, hints: make([][]int, n)}
	for _, h := range hints {
		if h[0] != h[1] {
			s.hints[h[0]] = append(s.hints[h[0]], h[1])
			s.hints[h[1]] = append(s.hints[h[1]], h[0])
		}
	}
	dag := acyclic(n, edges)
	s.rank(dag)
	s.wrap(dag)
	s.fill(dag)
	s.order()
	s.align()
	return s.drawing()
}

// sheet is a drawing in the making. Nodes from n on stand for the places where an
// edge passes a row.
type sheet struct {
	n        int
	sizes    []Size
	style    Style
	hints    [][]int
	up, down [][]int
	layer    []int // before wrapping
	row      []int
	rows     [][]int
	at       []int // place within the row
	x        []float64
}

func (s *sheet) neighbours(dag [][2]int) {
	s.up, s.down = make([][]int, s.n), make([][]int, s.n)
	for _, e := range dag {
		s.down[e[0]] = append(s.down[e[0]], e[1])
		s.up[e[1]] = append(s.up[e[1]], e[0])
	}
}

// rank puts each node below all that lead to it, sources right above what they lead
// to, and nodes without edges beside those they are hinted to.
func (s *sheet) rank(dag [][2]int) {
	s.neighbours(dag)
	s.layer = make([]int, s.n)
	waits, queue := make([]int, s.n), make([]int, 0, s.n)
	for v := range s.n {
		if waits[v] = len(s.up[v]); waits[v] == 0 {
			queue = append(queue, v)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, w := range s.down[queue[i]] {
			s.layer[w] = max(s.layer[w], s.layer[queue[i]]+1)
			if waits[w]--; waits[w] == 0 {
				queue = append(queue, w)
			}
		}
	}
	ranked := make([]bool, s.n)
	queue = queue[:0]
	for v := range s.n {
		if len(s.up[v]) == 0 && len(s.down[v]) > 0 {
			s.layer[v] = s.layer[slices.MinFunc(s.down[v], func(a, b int) int { return s.layer[a] - s.layer[b] })] - 1
		}
		if len(s.up[v])+len(s.down[v]) > 0 {
			ranked[v], queue = true, append(queue, v)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, w := range s.hints[queue[i]] {
			if !ranked[w] {
				ranked[w], s.layer[w] = true, s.layer[queue[i]]
				queue = append(queue, w)
			}
		}
	}
}

// narrow is how many nodes stand side by side in any case.
const narrow = 6

// wrap gives each node its row. A layer that is too wide fills several rows, column by column; a family that fills a
// column begins a new one.
func (s *sheet) wrap(dag [][2]int) {
	wide := max(narrow, int(math.Ceil(1.5*math.Sqrt(float64(s.n)))))
	layers, family := make([][]int, slices.Max(s.layer)+1), make([]int, s.n)
	size := make([]int, s.n+1)
	put := func(v, of int) {
		if family[v] == 0 {
			family[v] = of
			size[of]++
			layers[s.layer[v]] = append(layers[s.layer[v]], v)
		}
	}
	for _, e := range dag { // in the order of the edges: so siblings stand together
		put(e[1], e[0]+1)
	}
	for v := range s.n {
		put(v, v+1)
	}
	s.row = make([]int, s.n)
	row := 0
	for _, layer := range layers {
		folds := max(1, (len(layer)+wide-1)/wide)
		place, last := 0, 0
		for _, v := range layer {
			if family[v] != last && size[family[v]] >= folds {
				place = 0
			}
			s.row[v] = row + place%folds
			place, last = place+1, family[v]
		}
		row += folds
	}
	s.rows = make([][]int, row)
}

// fill puts the nodes into their rows, and a place to pass into each row that a long
// edge crosses, as long as these do not outnumber the nodes by far.
func (s *sheet) fill(dag [][2]int) {
	budget := s.n + 64
	passes := dag
	dag = nil
	for _, e := range passes {
		span := s.row[e[1]] - s.row[e[0]]
		if s.layer[e[1]]-s.layer[e[0]] < 2 || span-1 > budget {
			dag = append(dag, e)
			continue
		}
		budget -= span - 1
		from := e[0]
		for r := s.row[e[0]] + 1; r < s.row[e[1]]; r++ {
			s.row = append(s.row, r)
			dag = append(dag, [2]int{from, len(s.row) - 1})
			from = len(s.row) - 1
		}
		dag = append(dag, [2]int{from, e[1]})
	}
	all := len(s.row)
	s.hints = append(s.hints, make([][]int, all-s.n)...)
	real := s.n
	s.n = all
	s.neighbours(dag)
	s.n = real
	s.at = make([]int, all)
	s.firstOrder()
}

// firstOrder fills the rows in the order of a walk down from the sources, which has
// no crossings in a tree.
func (s *sheet) firstOrder() {
	seen := make([]bool, len(s.row))
	var walk func(v int)
	walk = func(v int) {
		seen[v] = true
		s.at[v] = len(s.rows[s.row[v]])
		s.rows[s.row[v]] = append(s.rows[s.row[v]], v)
		for _, w := range s.down[v] {
			if !seen[w] {
				walk(w)
			}
		}
		for _, w := range s.hints[v] {
			if !seen[w] && len(s.up[w])+len(s.down[w]) == 0 {
				walk(w)
			}
		}
	}
	for _, onlySources := range []bool{true, false} {
		for v := range s.row {
			if !seen[v] && (!onlySources || len(s.up[v]) == 0 && len(s.down[v]) > 0) {
				walk(v)
			}
		}
	}
}

func (s *sheet) drawing() Drawing {
	d := Drawing{X: make([]float64, s.n), Y: make([]float64, s.n)}
	left := math.Inf(1)
	deep := make([]float64, len(s.rows))
	for v, size := range s.sizes {
		left = min(left, s.x[v]-size.Width/2)
		deep[s.row[v]] = max(deep[s.row[v]], size.Height)
	}
	grid := max(s.style.Grid, 1)
	top := make([]float64, len(s.rows))
	for r := 1; r < len(s.rows); r++ {
		top[r] = top[r-1] + deep[r-1] + s.style.GapY
	}
	for v, size := range s.sizes {
		d.X[v] = math.Round((s.x[v]-size.Width/2-left)/grid) * grid
		d.Y[v] = top[s.row[v]]
		d.Width = max(d.Width, d.X[v]+size.Width)
		d.Height = max(d.Height, d.Y[v]+size.Height)
	}
	return d
}

// Pack puts boxes into rows, the large ones first, so that all together are about
// as wide as wide, or wider if one box is. It returns their corners.
func Pack(width, height []float64, gapX, gapY, wide float64) (x, y []float64) {
	order := make([]int, len(width))
	for i := range order {
		order[i] = i
		wide = max(wide, width[i])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(height[b], height[a]), cmp.Compare(width[b], width[a]))
	})
	x, y = make([]float64, len(width)), make([]float64, len(width))
	var left, top, deep float64
	for _, i := range order {
		if left > 0 && left+width[i] > wide {
			left, top, deep = 0, top+deep+gapY, 0
		}
		x[i], y[i] = left, top
		left += width[i] + gapX
		deep = max(deep, height[i])
	}
	return x, y
}
