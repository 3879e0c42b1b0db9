package digraph

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestComponents(t *testing.T) {
	out := [][]int{{1}, {2}, {0, 3}, {4}, {3}, {5}, {}}
	got := Components(out)
	for _, c := range got {
		slices.Sort(c)
	}
	if !reflect.DeepEqual(got, [][]int{{0, 1, 2}, {3, 4}}) {
		t.Errorf("%v", got)
	}
	if got := Components(nil); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

func TestCycleThrough(t *testing.T) {
	out := [][]int{{1, 3}, {2}, {0}, {4}, {0}, {0}}
	all := func(int) bool { return true }
	back := func(v int) bool { return slices.Contains(out[v], 0) }
	if got := CycleThrough(0, out, all, back); !slices.Equal(got, []int{0, 1, 2}) && !slices.Equal(got, []int{0, 3, 4}) {
		t.Errorf("%v", got)
	}
	if got := CycleThrough(0, out, func(v int) bool { return v != 1 && v != 3 }, back); got != nil {
		t.Errorf("%v", got)
	}
}

// reaches is the slow truth about two nodes.
func reaches(out [][]int, from, to int) bool {
	seen, queue := map[int]bool{}, []int{from}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range out[v] {
			if w == to {
				return true
			}
			if !seen[w] {
				seen[w] = true
				queue = append(queue, w)
			}
		}
	}
	return false
}

func TestComponentsAgainstReach(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 1 + r.IntN(9)
		out := make([][]int, n)
		for range r.IntN(2 * n) {
			v := r.IntN(n)
			out[v] = append(out[v], r.IntN(n))
		}
		in := make([]int, n)
		for i, c := range Components(out) {
			for _, v := range c {
				in[v] = i + 1
			}
		}
		for v := range n {
			for w := range n {
				if v != w && (reaches(out, v, w) && reaches(out, w, v)) != (in[v] > 0 && in[v] == in[w]) {
					t.Fatalf("%v: %d and %d, %v", out, v, w, in)
				}
			}
		}
	}
}

var style = Style{Width: 100, Height: 40, GapX: 20, GapY: 30, Grid: 4}

func TestLayered(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 300 {
		n := 1 + r.IntN(60)
		var edges, hints [][2]int
		for v := 1; v < n; v++ {
			edges = append(edges, [2]int{r.IntN(v), v})
		}
		for range r.IntN(20) {
			edges = append(edges, [2]int{r.IntN(n), r.IntN(n)})
			hints = append(hints, [2]int{r.IntN(n), r.IntN(n)})
		}
		if i%3 == 0 {
			edges = edges[:len(edges)/2]
		}
		sizes := uniform(n)
		for v := range n {
			if i%2 == 0 && r.IntN(4) == 0 {
				sizes[v] = Size{100 + float64(r.IntN(500)), 40 + float64(r.IntN(300))}
			}
		}
		d := Layered(sizes, edges, hints, style)
		taken := map[string]bool{}
		for v := range n {
			if d.X[v] < 0 || d.X[v]+sizes[v].Width > d.Width || d.Y[v]+sizes[v].Height > d.Height {
				t.Fatalf("%d stands outside: %+v", v, d)
			}
			for w := range v {
				a, b := Rect{d.X[v], d.Y[v], sizes[v].Width, sizes[v].Height}, Rect{d.X[w], d.Y[w], sizes[w].Width, sizes[w].Height}
				if a.meets(b) {
					t.Fatalf("%d and %d overlap: %+v", v, w, d)
				}
			}
			taken[fmt.Sprint(d.X[v], d.Y[v])] = true
		}
		if len(taken) != n {
			t.Fatal("two at one place")
		}
	}
}

// Without a circle every edge leads down, and a tree has no crossings.
func TestLayeredTree(t *testing.T) {
	var edges [][2]int
	for v := 1; v < 40; v++ {
		edges = append(edges, [2]int{(v - 1) / 3, v})
	}
	d := Layered(uniform(40), edges, nil, style)
	for i, e := range edges {
		if d.Y[e[0]] >= d.Y[e[1]] {
			t.Errorf("%v leads up", e)
		}
		for _, f := range edges[:i] {
			if d.Y[e[0]] == d.Y[f[0]] && d.Y[e[1]] == d.Y[f[1]] && (d.X[e[0]]-d.X[f[0]])*(d.X[e[1]]-d.X[f[1]]) < 0 {
				t.Errorf("%v crosses %v", e, f)
			}
		}
	}
}

func TestCrossings(t *testing.T) {
	// Two layers in the wrong order: 0 and 1 above, each joined to what stands below the other.
	d := Layered(uniform(6), [][2]int{{0, 4}, {1, 3}, {0, 5}, {1, 2}, {0, 3}}, nil, style)
	crossed := 0
	edges := [][2]int{{0, 4}, {1, 3}, {0, 5}, {1, 2}, {0, 3}}
	for i, e := range edges {
		for _, f := range edges[:i] {
			if (d.X[e[0]]-d.X[f[0]])*(d.X[e[1]]-d.X[f[1]]) < 0 {
				crossed++
			}
		}
	}
	if crossed > 0 {
		t.Errorf("%d crossings that need not be: %+v", crossed, d)
	}
}

func TestPack(t *testing.T) {
	w, h := []float64{100, 50, 300, 20}, []float64{10, 40, 20, 40}
	x, y := Pack(w, h, 5, 7, 0)
	for i := range w {
		for j := range i {
			if x[i] < x[j]+w[j] && x[j] < x[i]+w[i] && y[i] < y[j]+h[j] && y[j] < y[i]+h[i] {
				t.Errorf("%d and %d overlap: %v %v", i, j, x, y)
			}
		}
		if x[i]+w[i] > 300 {
			t.Errorf("%d is wider than the widest", i)
		}
	}
}

func uniform(n int) []Size { return slices.Repeat([]Size{{style.Width, style.Height}}, n) }
