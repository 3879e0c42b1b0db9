package topology

import (
	"fmt"
	"testing"
)

// bigTeam makes n agents with three connections each. Two of them share no memory, as
// a team and what a gateway holds do not.
func bigTeam(n int) *Topology {
	t := &Topology{Agents: make([]Agent, n), Layout: map[AgentID]Point{}}
	for i := range n {
		id := func(i int) AgentID { return AgentID(fmt.Sprintf("agent-%d", i%n)) }
		t.Agents[i] = Agent{
			ID: id(i), Name: fmt.Sprintf("Agent %d", i), Model: "ollama/qwen3", Workspace: fmt.Sprintf("/srv/openclaw/workspace-agent-%d", i),
			Connections: []Connection{{TargetID: id(i + 1), Type: Command}, {TargetID: id(i + 7), Type: Command}, {TargetID: id(i + 31), Type: Review}},
			Extra:       Extra{{Key: "sandbox", Value: []byte(`{"mode":"all","scope":"session"}`)}},
		}
		t.Layout[id(i)] = Point{X: float64(i % 100 * 220), Y: float64(i / 100 * 120)}
	}
	return t
}

// BenchmarkDiff10k goal: at most 15 ms. Faster by hand (bit masks, JSON of our own) was 5 to 7 ms.
func BenchmarkDiff10k(b *testing.B) {
	base := bigTeam(10_000)
	for _, every := range []int{0, 100, 1} {
		draft := bigTeam(10_000)
		changed := 0
		for i := range draft.Agents {
			if every > 0 && i%every == 0 {
				draft.Agents[i].Name += " (new)"
				changed++
			}
		}
		b.Run(fmt.Sprintf("%d changed", changed), func(b *testing.B) {
			for b.Loop() {
				if got := len(Diff(base, draft)); got != changed {
					b.Fatalf("%d changes, want %d", got, changed)
				}
			}
		})
	}
}
