package lint

import (
	"fmt"
	"testing"
	"time"

	"agentflow/backend/team/topology"
)

func TestLarge(t *testing.T) {
	circle := func(n int) *topology.Topology {
		line := chain()
		for i := range n {
			a := agent(fmt.Sprint(i), "x", "m", command(fmt.Sprint((i+1)%n)))
			a.AllowAny = i%2 == 0
			line.Agents = append(line.Agents, a)
		}
		return line
	}
	for name, team := range map[string]func(int) *topology.Topology{"usual": large, "one circle": circle} {
		took := func(n int) time.Duration {
			drawn, best := team(n), time.Hour
			for range 3 {
				start := time.Now()
				if len(Check(drawn, Rules{IDPattern: NewestIDs, Models: []string{"m"}})) == 0 {
					t.Errorf("%s: the circle is not found", name)
				}
				best = min(best, time.Since(start))
			}
			return best
		}
		// Sixteen times the agents take sixteen times as long; if each looked at all others, it would be 256 times.
		if small, big := took(1250), took(20_000); big > 100*small {
			t.Errorf("%s: 1,250 agents take %v, 20,000 take %v", name, small, big)
		}
	}
}

func BenchmarkLint10k(b *testing.B) {
	t := large(10_000)
	for b.Loop() {
		Check(t, Rules{IDPattern: NewestIDs, Models: []string{"m"}, KnownKeys: []string{"sandbox", "identity"}})
	}
}
