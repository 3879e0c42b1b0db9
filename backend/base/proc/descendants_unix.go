//go:build !windows

package proc

// descendants returns everybody below the given processes.
func descendants(of []int) map[int]string {
	children, births := map[int][]int{}, map[int]string{}
	everybody(func(pid, parent int, birth string) {
		children[parent] = append(children[parent], pid)
		births[pid] = birth
	})
	found := map[int]string{}
	for len(of) > 0 {
		next := children[of[0]]
		of = of[1:]
		for _, pid := range next {
			if _, known := found[pid]; !known {
				found[pid] = births[pid]
				of = append(of, pid)
			}
		}
	}
	return found
}
