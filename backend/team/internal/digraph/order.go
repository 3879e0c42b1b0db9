package digraph

import (
	"cmp"
	"slices"
)

// order reduces crossings: it sweeps down and up, sorts each row by the mean place of
// the neighbours, and keeps the best order it saw.
func (s *sheet) order() {
	sweeps := 12
	if len(s.row) > 4000 {
		sweeps = 4
	}
	best, fewest := s.snapshot(), s.crossings()
	for i := 0; i < sweeps && fewest > 0; i++ {
		for r := 1; r < len(s.rows); r++ {
			s.sortRow(r, s.up)
		}
		for r := len(s.rows) - 2; r >= 0; r-- {
			s.sortRow(r, s.down)
		}
		if n := s.crossings(); n < fewest {
			best, fewest = s.snapshot(), n
		} else if i > 2 {
			break
		}
	}
	s.rows = best
	for r := range s.rows {
		s.number(r)
		s.gather(r)
	}
}

func (s *sheet) snapshot() [][]int {
	rows := make([][]int, len(s.rows))
	for i, r := range s.rows {
		rows[i] = slices.Clone(r)
	}
	return rows
}

func (s *sheet) number(r int) {
	for i, v := range s.rows[r] {
		s.at[v] = i
	}
}

// place is where a node stands, from the middle of its row.
func (s *sheet) place(v int) float64 {
	return float64(s.at[v]) - float64(len(s.rows[s.row[v]])-1)/2
}

func (s *sheet) sortRow(r int, near [][]int) {
	type weighed struct {
		v    int
		mean float64
	}
	row := make([]weighed, len(s.rows[r]))
	for i, v := range s.rows[r] {
		sum, n := 0.0, 0.0
		for _, w := range near[v] {
			sum, n = sum+s.place(w), n+1
		}
		for _, w := range s.hints[v] {
			if s.row[w] == r {
				sum, n = sum+s.place(w)*0.3, n+0.3
			}
		}
		row[i] = weighed{v, s.place(v)}
		if n > 0 {
			row[i].mean = sum / n
		}
	}
	slices.SortStableFunc(row, func(a, b weighed) int { return cmp.Compare(a.mean, b.mean) })
	for i := range row {
		s.rows[r][i] = row[i].v
	}
	s.number(r)
}

// gather moves nodes that are hinted to each other side by side, where they have the
// same neighbours above and below, so that no crossing can come of it.
func (s *sheet) gather(r int) {
	row := s.rows[r]
	for i := 0; i+1 < len(row); i++ {
		for _, w := range s.hints[row[i]] {
			if s.row[w] != r || s.at[w] <= i+1 || !s.alike(row[i+1:s.at[w]+1]) {
				continue
			}
			copy(row[i+2:s.at[w]+1], row[i+1:s.at[w]])
			row[i+1] = w
			s.number(r)
			break
		}
	}
}

func (s *sheet) alike(vs []int) bool {
	for _, v := range vs[1:] {
		if !slices.Equal(s.up[v], s.up[vs[0]]) || !slices.Equal(s.down[v], s.down[vs[0]]) {
			return false
		}
	}
	return true
}

// crossings counts the crossings between neighbouring rows.
func (s *sheet) crossings() (n int) {
	for r := 0; r+1 < len(s.rows); r++ {
		tree := make([]int, len(s.rows[r+1])+1) // Fenwick: how many edges end at or left of a place
		ended := 0
		for _, v := range s.rows[r] {
			for _, w := range s.down[v] {
				if s.row[w] != r+1 {
					continue
				}
				n += ended
				for i := s.at[w] + 1; i > 0; i -= i & -i {
					n -= tree[i]
				}
			}
			for _, w := range s.down[v] {
				if s.row[w] != r+1 {
					continue
				}
				ended++
				for i := s.at[w] + 1; i < len(tree); i += i & -i {
					tree[i]++
				}
			}
		}
	}
	return n
}

// align finds the places within the rows: it pulls each node to the middle of its
// neighbours, and rows keep their order and distances. The last pass goes upwards, so
// a node ends above the middle of those it leads.
func (s *sheet) align() {
	s.x = make([]float64, len(s.row))
	for r := range s.rows {
		s.spread(r, nil)
	}
	for range 5 {
		for r := 1; r < len(s.rows); r++ {
			s.spread(r, s.up)
		}
		for r := len(s.rows) - 1; r >= 0; r-- {
			s.spread(r, s.down)
		}
	}
}

// spread places one row: the least squares of the distances to where each node would
// like to stand, under the order and the gaps (pool adjacent violators).
func (s *sheet) spread(r int, near [][]int) {
	row := s.rows[r]
	type pool struct {
		sum, weight float64
		n           int
	}
	pools := make([]pool, 0, len(row))
	offset := make([]float64, len(row))
	for i, v := range row {
		if i > 0 {
			offset[i] = offset[i-1] + (s.width(row[i-1])+s.width(v))/2 + s.style.GapX
		}
		want, weight := s.want(v, near)
		pools = append(pools, pool{(want - offset[i]) * weight, weight, 1})
		for k := len(pools) - 1; k > 0 && pools[k-1].sum*pools[k].weight >= pools[k].sum*pools[k-1].weight; k-- {
			pools[k-1] = pool{pools[k-1].sum + pools[k].sum, pools[k-1].weight + pools[k].weight,
				pools[k-1].n + pools[k].n}
			pools = pools[:k]
		}
	}
	i := 0
	for _, p := range pools {
		for range p.n {
			s.x[row[i]] = p.sum/p.weight + offset[i]
			i++
		}
	}
}

func (s *sheet) width(v int) float64 {
	if v >= s.n {
		return 0
	}
	return s.sizes[v].Width
}

// want is where the middle of a node would like to be, and how much.
func (s *sheet) want(v int, near [][]int) (x, weight float64) {
	if near == nil {
		return 0, 1
	}
	if len(near[v]) == 0 {
		return s.x[v], 0.1
	}
	for _, w := range near[v] {
		x += s.x[w]
	}
	weight = 1
	if v >= s.n {
		weight = 4 // long edges run straight
	}
	return x / float64(len(near[v])), weight
}
