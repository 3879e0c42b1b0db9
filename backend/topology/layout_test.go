package topology

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// team makes a topology from lines such as "lead > dev", "dev - ops" (communication),
// "rev ? dev" (review) and "solo".
func team(lines ...string) *Topology {
	t := &Topology{}
	get := func(id string) *Agent {
		if a, ok := t.Agent(AgentID(id)); ok {
			return a
		}
		t.Agents = append(t.Agents, Agent{ID: AgentID(id), Name: id, Model: "demo/echo"})
		return &t.Agents[len(t.Agents)-1]
	}
	kinds := map[string]Kind{">": Command, "-": Communication, "?": Review}
	for _, l := range lines {
		var from, op, to string
		if n, _ := fmt.Sscan(l, &from, &op, &to); n < 3 {
			get(from)
			continue
		}
		get(from)
		get(to)
		a := get(from)
		a.Connections = append(a.Connections, Connection{TargetID: AgentID(to), Type: kinds[op]})
	}
	return t
}

// shop is the team that the product's own pictures show.
func shop() *Topology {
	return team("lead > scout", "lead > arch", "lead > docs", "arch > api", "arch > web", "arch > test", "test > ops",
		"scout - arch", "api - web", "review ? api", "review ? web")
}

func randomTeam(n int, extra int) *Topology {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	t := &Topology{Layout: map[AgentID]Point{}}
	for i := range n {
		a := Agent{ID: AgentID(fmt.Sprint("agent-", i)), Name: fmt.Sprint("Agent ", i), Model: "openai/gpt-5",
			Persona: "You do one thing well.", Workspace: fmt.Sprint("~/w/", i)}
		t.Agents = append(t.Agents, a)
		t.Layout[a.ID] = Point{float64(i%100) * 232, float64(i/100) * 144}
		if i > 0 {
			p := &t.Agents[r.IntN(i)/4]
			p.Connections = append(p.Connections, Connection{TargetID: a.ID, Type: Command})
		}
	}
	for range extra {
		i, j := r.IntN(n), r.IntN(n)
		t.Agents[i].Connections = append(t.Agents[i].Connections, Connection{TargetID: t.Agents[j].ID, Type: []Kind{Command, Review, Communication}[r.IntN(3)]})
	}
	return t
}

func overlaps(places map[AgentID]Point) []string {
	var found []string
	ids := slices.Sorted(maps.Keys(places))
	byCell := map[Point][]AgentID{}
	for _, id := range ids {
		p := places[id]
		for dx := range 3 {
			for dy := range 3 {
				c := Point{float64(int(p.X+1e7)/200 + dx - 1), float64(int(p.Y+1e7)/100 + dy - 1)}
				for _, o := range byCell[c] {
					if q := places[o]; p.X < q.X+NodeWidth && q.X < p.X+NodeWidth && p.Y < q.Y+NodeHeight && q.Y < p.Y+NodeHeight {
						found = append(found, fmt.Sprintf("%s %v and %s %v", id, p, o, q))
					}
				}
			}
		}
		byCell[Point{float64(int(p.X+1e7) / 200), float64(int(p.Y+1e7) / 100)}] = append(byCell[Point{float64(int(p.X+1e7) / 200), float64(int(p.Y+1e7) / 100)}], id)
	}
	return found
}

func TestLayoutShop(t *testing.T) {
	at := Layout(shop(), LayoutOptions{})
	for id, p := range at {
		t.Log(id, p)
	}
}

func BenchmarkLayout1000(b *testing.B)  { benchLayout(b, randomTeam(1000, 500)) }
func BenchmarkLayout10000(b *testing.B) { benchLayout(b, randomTeam(10000, 5000)) }

func benchLayout(b *testing.B, t *Topology) {
	t.Layout = nil
	for b.Loop() {
		Layout(t, LayoutOptions{})
	}
}
