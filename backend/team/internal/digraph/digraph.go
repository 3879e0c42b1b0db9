// Package digraph holds the graph algorithms behind the drawing: cycles, and a
// layered picture. Nodes are 0 … n-1; every result depends on the input alone.
package digraph

// Components returns the strongly connected components with at least two nodes,
// each found once, in the order of its smallest node. It takes linear time.
func Components(out [][]int) [][]int {
	t := tarjan{out: out, num: make([]int, len(out)), low: make([]int, len(out)), onStack: make([]bool, len(out))}
	for v := range out {
		if t.num[v] == 0 {
			t.visit(v)
		}
	}
	first := make([]int, len(out)) // smallest node → component + 1
	for i, c := range t.found {
		least := c[0]
		for _, v := range c {
			least = min(least, v)
		}
		first[least] = i + 1
	}
	sorted := make([][]int, 0, len(t.found))
	for _, i := range first {
		if i > 0 {
			sorted = append(sorted, t.found[i-1])
		}
	}
	return sorted
}

type tarjan struct {
	out      [][]int
	num, low []int
	onStack  []bool
	stack    []int
	found    [][]int
	n        int
}

// visit recurses as deep as the longest path; a goroutine's stack grows with it.
func (t *tarjan) visit(v int) {
	t.n++
	t.num[v], t.low[v] = t.n, t.n
	t.stack, t.onStack[v] = append(t.stack, v), true
	for _, w := range t.out[v] {
		if t.num[w] == 0 {
			t.visit(w)
			t.low[v] = min(t.low[v], t.low[w])
		} else if t.onStack[w] {
			t.low[v] = min(t.low[v], t.num[w])
		}
	}
	if t.low[v] != t.num[v] {
		return
	}
	for i := len(t.stack) - 1; ; i-- {
		t.onStack[t.stack[i]] = false
		if t.stack[i] == v {
			if len(t.stack)-i > 1 {
				t.found = append(t.found, append([]int(nil), t.stack[i:]...))
			}
			t.stack = t.stack[:i]
			return
		}
	}
}

// CycleThrough returns a shortest cycle through start, beginning with it, as the
// nodes in order; nil if there is none. Only nodes that allowed accepts are walked,
// and closes tells whether an edge leads from a node back to start.
func CycleThrough(start int, out [][]int, allowed, closes func(v int) bool) []int {
	from := map[int]int{start: start}
	queue := []int{start}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		if v != start && closes(v) {
			path := []int{v}
			for v != start {
				v = from[v]
				path = append(path, v)
			}
			for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
				path[i], path[j] = path[j], path[i]
			}
			return path
		}
		for _, w := range out[v] {
			if _, seen := from[w]; !seen && allowed(w) {
				from[w] = v
				queue = append(queue, w)
			}
		}
	}
	return nil
}

// acyclic returns the edges without loops and doubles, and with those turned round
// that would close a cycle when walked from the sources, in the order of the nodes.
func acyclic(n int, edges [][2]int) [][2]int {
	out, sources := make([][]int, n), make([]bool, n)
	for i := range sources {
		sources[i] = true
	}
	for _, e := range edges {
		if e[0] != e[1] {
			out[e[0]] = append(out[e[0]], e[1])
			sources[e[1]] = false
		}
	}
	dag, seen := make([][2]int, 0, len(edges)), make(map[[2]int]bool, len(edges))
	state := make([]byte, n) // 1 on the path, 2 done
	var walk func(v int)
	walk = func(v int) {
		state[v] = 1
		for _, w := range out[v] {
			if state[w] == 0 {
				walk(w)
			}
			e := [2]int{v, w}
			if state[w] == 1 {
				e = [2]int{w, v}
			}
			if !seen[e] {
				seen[e] = true
				dag = append(dag, e)
			}
		}
		state[v] = 2
	}
	for _, onlySources := range []bool{true, false} {
		for v := range n {
			if state[v] == 0 && (sources[v] || !onlySources) {
				walk(v)
			}
		}
	}
	return dag
}
