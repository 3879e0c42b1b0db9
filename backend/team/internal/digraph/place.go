package digraph

import (
	"math"
	"slices"
)

// Point is a place, y downwards.
type Point struct{ X, Y float64 }

// Node is one node of a Scene. Only nodes that move are placed.
type Node struct {
	Moves  bool
	Placed bool // stands At; of a node that moves, it stood there before
	At     Point
	Size   Size // zero: that of the style
}

// Scene is what Place arranges.
type Scene struct {
	Nodes  []Node
	Strong [][2]int // from above to below
	Weak   [][2]int // beside each other
	Taken  []Rect   // what must not be overlapped, besides the nodes that stay
	Style  Style

	// Keep puts what stood somewhere back to where it stood, also beside neighbours that
	// stay: for a part of a drawing.
	Keep bool
}

// Place returns a place for every node that moves. Nodes that hang together form a
// layered block, nodes without edges a grid. A block that is connected to nodes that
// stay is put near them; all others go together to where they stood, or else to the
// right of everything that stays.
func Place(s Scene) []Point {
	p := placer{Scene: s, out: make([]Point, len(s.Nodes))}
	for _, r := range s.Taken {
		p.taken.add(r)
	}
	for i, n := range s.Nodes {
		p.out[i] = n.At
		if n.Placed && !n.Moves {
			p.taken.add(p.rect(i, n.At))
		}
	}
	if blocks := p.blocks(); len(blocks) > 0 {
		p.placeAll(blocks)
	}
	return p.out
}

type placer struct {
	Scene
	out   []Point
	taken space
}

func (p *placer) size(i int) Size { return p.Nodes[i].Size.or(p.Style) }

func (p *placer) rect(i int, at Point) Rect {
	s := p.size(i)
	return Rect{at.X, at.Y, s.Width, s.Height}
}

// block is what is placed as one.
type block struct {
	nodes         []int
	at            []Point // from the block's corner
	width, height float64
	loose         bool   // a grid of nodes without edges
	wish          *Point // near the nodes that stay and are connected to it
}

func (b *block) add(o block, x, y float64) {
	b.nodes = append(b.nodes, o.nodes...)
	for _, q := range o.at {
		b.at = append(b.at, Point{x + q.X, y + q.Y})
	}
	b.width, b.height = max(b.width, x+o.width), max(b.height, y+o.height)
}

func (p *placer) blocks() []block {
	find, linked := p.union()
	members, roots := map[int][]int{}, []int(nil)
	var loose []int
	local := make([]int, len(p.Nodes))
	for i, n := range p.Nodes {
		switch root := find(i); {
		case !n.Moves:
		case !linked[i] && n.Size == Size{}:
			loose = append(loose, i)
		default:
			if members[root] == nil {
				roots = append(roots, root)
			}
			local[i] = len(members[root])
			members[root] = append(members[root], i)
		}
	}
	strong, weak := p.byBlock(p.Strong, local, find), p.byBlock(p.Weak, local, find)
	wishes := p.wishes(find)
	blocks := make([]block, 0, len(roots)+1)
	for _, root := range roots {
		sizes := make([]Size, len(members[root]))
		for k, i := range members[root] {
			sizes[k] = p.size(i)
		}
		d := Layered(sizes, strong[root], weak[root], p.Style)
		b := block{nodes: members[root], at: make([]Point, len(d.X)), width: d.Width, height: d.Height}
		for i := range d.X {
			b.at[i] = Point{d.X[i], d.Y[i]}
		}
		if _, stood := p.corner(b.nodes); !stood || !p.Keep {
			b.wish = wishes[root].point(b, p.Style)
		}
		blocks = append(blocks, b)
	}
	if len(loose) > 0 {
		blocks = append(blocks, p.grid(loose, blocks))
	}
	return blocks
}

// union finds what hangs together, also by way of nodes that stay, and tells which
// nodes have an edge at all.
func (p *placer) union() (find func(int) int, linked []bool) {
	parent := make([]int, len(p.Nodes))
	for i := range parent {
		parent[i] = i
	}
	find = func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	linked = make([]bool, len(p.Nodes))
	for _, e := range slices.Concat(p.Strong, p.Weak) {
		if p.Nodes[e[0]].Moves || p.Nodes[e[1]].Moves {
			linked[e[0]], linked[e[1]] = true, true
			parent[find(e[0])] = find(e[1])
		}
	}
	return find, linked
}

// byBlock sorts the edges between nodes that move by their block.
func (p *placer) byBlock(edges [][2]int, local []int, find func(int) int) map[int][][2]int {
	out := map[int][][2]int{}
	for _, e := range edges {
		if p.Nodes[e[0]].Moves && p.Nodes[e[1]].Moves {
			root := find(e[0])
			out[root] = append(out[root], [2]int{local[e[0]], local[e[1]]})
		}
	}
	return out
}

func (p *placer) grid(nodes []int, others []block) block {
	widest := 0.0
	for _, b := range others {
		widest = max(widest, b.width)
	}
	dx, dy := p.Style.Width+p.Style.GapX, p.Style.Height+p.Style.GapY
	cols := max(int(math.Ceil(math.Sqrt(float64(len(nodes))))), int((widest+p.Style.GapX)/dx))
	cols = min(cols, len(nodes))
	b := block{nodes: nodes, at: make([]Point, len(nodes)), loose: true}
	for i := range nodes {
		b.at[i] = Point{float64(i%cols) * dx, float64(i/cols) * dy}
		b.width = max(b.width, b.at[i].X+p.Style.Width)
		b.height = max(b.height, b.at[i].Y+p.Style.Height)
	}
	return b
}

// wish gathers where a block's neighbours that stay are.
type wish struct{ above, below, beside *Rect }

func (p *placer) wishes(find func(int) int) map[int]*wish {
	out := map[int]*wish{}
	note := func(mover, stays int, side func(*wish) **Rect) {
		if !p.Nodes[mover].Moves || p.Nodes[stays].Moves || !p.Nodes[stays].Placed {
			return
		}
		w := out[find(mover)]
		if w == nil {
			w = &wish{}
			out[find(mover)] = w
		}
		r := p.rect(stays, p.Nodes[stays].At)
		at := side(w)
		if *at != nil {
			r = (*at).join(r)
		}
		*at = &r
	}
	for _, e := range p.Strong {
		note(e[1], e[0], func(w *wish) **Rect { return &w.above })
		note(e[0], e[1], func(w *wish) **Rect { return &w.below })
	}
	for _, e := range p.Weak {
		note(e[0], e[1], func(w *wish) **Rect { return &w.beside })
		note(e[1], e[0], func(w *wish) **Rect { return &w.beside })
	}
	return out
}

func (w *wish) point(b block, s Style) *Point {
	switch {
	case w == nil:
		return nil
	case w.above != nil:
		return &Point{w.above.X + (w.above.Width-b.width)/2, w.above.Y + w.above.Height + s.GapY}
	case w.below != nil:
		return &Point{w.below.X + (w.below.Width-b.width)/2, w.below.Y - b.height - s.GapY}
	case w.beside != nil:
		return &Point{w.beside.X + w.beside.Width + s.GapX, w.beside.Y}
	}
	return nil
}

func (p *placer) placeAll(blocks []block) {
	var rest []block
	for _, b := range blocks {
		if b.wish == nil {
			rest = append(rest, b)
			continue
		}
		p.put(b, p.taken.free(*b.wish, b.width, b.height, p.Style))
	}
	if len(rest) == 0 {
		return
	}
	all := p.packed(rest)
	from, ok := p.corner(all.nodes)
	if !ok && p.taken.any() {
		from = Point{p.taken.bounds.X + p.taken.bounds.Width + p.Style.GapX, p.taken.bounds.Y}
	}
	p.put(all, p.taken.free(from, all.width, all.height, p.Style))
}

// packed makes one block of several. The grid of loose nodes goes below the others.
func (p *placer) packed(blocks []block) block {
	if len(blocks) == 1 {
		return blocks[0]
	}
	var widths, heights []float64
	area := 0.0
	for _, b := range blocks {
		if !b.loose {
			widths, heights = append(widths, b.width), append(heights, b.height)
			area += (b.width + p.Style.GapX) * (b.height + p.Style.GapY)
		}
	}
	x, y := Pack(widths, heights, 2*p.Style.GapX, p.Style.GapY, math.Sqrt(1.6*area))
	var all block
	for i, b := range blocks {
		if b.loose {
			all.add(b, 0, all.height+p.Style.GapY)
			continue
		}
		all.add(b, x[i], y[i])
	}
	return all
}

// corner is the upper left of where the nodes stood.
func (p *placer) corner(nodes []int) (at Point, ok bool) {
	for _, i := range nodes {
		if n := p.Nodes[i]; n.Placed {
			if !ok {
				at = n.At
			}
			at, ok = Point{min(at.X, n.At.X), min(at.Y, n.At.Y)}, true
		}
	}
	return at, ok
}

func (p *placer) put(b block, corner Point) {
	for k, i := range b.nodes {
		p.out[i] = Point{corner.X + b.at[k].X, corner.Y + b.at[k].Y}
		p.taken.add(p.rect(i, p.out[i]))
	}
}
