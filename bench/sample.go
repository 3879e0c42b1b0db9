package main

import (
	"runtime"
	"slices"
	"time"
)

// samples are the times that one thing took, in milliseconds.
type samples struct{ wall, cpu []float64 }

func (s *samples) add(wall, cpu time.Duration) {
	s.wall = append(s.wall, ms(wall))
	if cpu > 0 {
		s.cpu = append(s.cpu, ms(cpu))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}

// figure fills a figure with what was measured.
func (s *samples) figure(group, name string) figure {
	f := figure{Group: group, Name: name, Unit: "ms", Samples: len(s.wall), Value: median(s.wall), CPU: median(s.cpu)}
	if len(s.wall) > 0 {
		f.Best = slices.Min(s.wall)
	}
	return f
}

// against compares with a peer that was measured in turn with it.
func (s *samples) against(f figure, peer string, p *samples) figure {
	f.Peer, f.PeerIs = peer, median(p.wall)
	if c := median(p.cpu); c > 0 {
		f.CPURatio = f.CPU / c
	}
	return f
}

// inTurn runs the functions one after the other, round by round, so that whatever else
// the machine does meets all of them alike. Each one starts with a clean heap.
func inTurn(rounds int, functions ...func() error) ([]samples, error) {
	out := make([]samples, len(functions))
	for _, f := range functions { // once to warm up
		if err := f(); err != nil {
			return nil, err
		}
	}
	for range rounds {
		for i, f := range functions {
			runtime.GC()
			cpu, began := cpuTime(), time.Now()
			err := f()
			out[i].add(time.Since(began), cpuTime()-cpu)
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (s *samples) addMS(wall float64) { s.wall = append(s.wall, wall) }
