package topology

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
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
		t.Layout[a.ID] = Point{X: float64(i%100) * 232, Y: float64(i/100) * 144}
		if i > 0 {
			p := &t.Agents[r.IntN(i)/4]
			p.Connections = append(p.Connections, Connection{TargetID: a.ID, Type: Command})
		}
	}
	for range extra {
		i, j := r.IntN(n), r.IntN(n)
		t.Agents[i].Connections = append(t.Agents[i].Connections,
			Connection{TargetID: t.Agents[j].ID, Type: []Kind{Command, Review, Communication}[r.IntN(3)]})
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
				c := Point{X: float64(int(p.X+1e7)/200 + dx - 1), Y: float64(int(p.Y+1e7)/100 + dy - 1)}
				for _, o := range byCell[c] {
					if q := places[o]; p.X < q.X+NodeWidth && q.X < p.X+NodeWidth && p.Y < q.Y+NodeHeight && q.Y < p.Y+NodeHeight {
						found = append(found, fmt.Sprintf("%s %v and %s %v", id, p, o, q))
					}
				}
			}
		}
		byCell[Point{X: float64(int(p.X+1e7) / 200), Y: float64(int(p.Y+1e7) / 100)}] = append(
			byCell[Point{X: float64(int(p.X+1e7) / 200), Y: float64(int(p.Y+1e7) / 100)}],
			id,
		)
	}
	return found
}

// The shop team comes out as the product's pictures show it.
func TestLayoutShop(t *testing.T) {
	want := map[AgentID]Point{
		"lead": {X: 232, Y: 0}, "scout": {X: 0, Y: 144}, "arch": {X: 232, Y: 144}, "docs": {X: 464, Y: 144},
		"api": {X: 0, Y: 288}, "web": {X: 232, Y: 288}, "test": {X: 464, Y: 288}, "review": {X: 116, Y: 432}, "ops": {X: 464, Y: 432},
	}
	if got := Layout(shop(), LayoutOptions{}); !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// sound checks what holds of every layout.
func sound(t *testing.T, name string, team *Topology, got map[AgentID]Point) {
	t.Helper()
	for i := range team.Agents {
		p, ok := got[team.Agents[i].ID]
		if !ok || math.Mod(p.X, layoutGrid) != 0 || math.Mod(p.Y, layoutGrid) != 0 {
			t.Fatalf("%s: %s stands at %v, %v", name, team.Agents[i].ID, p, ok)
		}
	}
	if o := overlaps(got); len(o) > 0 {
		t.Fatalf("%s: overlaps %v", name, o)
	}
}

func TestLayoutSound(t *testing.T) {
	fan := team("lead > w0")
	for i := range 200 {
		fan.Agents = append(fan.Agents, Agent{ID: AgentID(fmt.Sprint("x", i))})
		fan.Agents[0].Connections = append(fan.Agents[0].Connections,
			Connection{TargetID: AgentID(fmt.Sprint("x", i)), Type: Command})
	}
	grouped := team("a", "b", "c", "d > e")
	grouped.Groups = []Group{{ID: "g", Members: []AgentID{"a", "ghost", "c", "e"}}}
	line := team("0 > 1")
	for i := 2; i < 3000; i++ {
		line.Agents = append(line.Agents, Agent{ID: AgentID(fmt.Sprint(i))})
		line.Agents[i-1].Connections = []Connection{{TargetID: AgentID(fmt.Sprint(i)), Type: Command}}
		line.Agents[0].Connections = append(line.Agents[0].Connections,
			Connection{TargetID: AgentID(fmt.Sprint(i)), Type: Command})
	}
	for name, x := range map[string]*Topology{
		"empty": {}, "one": team("a"), "alone": team("a", "b", "c", "d", "e"), "circle": team("a > b", "b > c", "c > a", "a > a"),
		"talkers": team("a - b", "b - c", "c - a"), "reviewers of each other": team("a ? b", "b ? a"), "to nobody": team("a"),
		"parts": team("a > b", "c > d", "e - f", "g ? h", "i", "j"), "fan": fan, "groups": grouped, "long line": line, "random": randomTeam(700, 900),
	} {
		x.Layout = nil
		got := Layout(x, LayoutOptions{})
		sound(t, name, x, got)
		if !maps.Equal(got, Layout(x.Clone(), LayoutOptions{})) {
			t.Errorf("%s: not the same twice", name)
		}
		x.Layout = got
		if again := Layout(x, LayoutOptions{}); !maps.Equal(got, again) {
			t.Errorf("%s: a second layout moves", name)
		}
	}
	at := Layout(fan, LayoutOptions{})
	widest := 0.0
	for _, p := range at {
		widest = max(widest, p.X)
	}
	if widest > 30*232 {
		t.Errorf("200 agents under one lead stand %v px wide, in one row", widest)
	}
}

// APP-1: wide ranks wrap, so that the whole team can be read at a glance.
func TestLayout_WrapsWideRanks(t *testing.T) {
	flat := team("lead")
	peers := &Topology{}
	pairs := team("lead")
	for i := range 8 {
		w, h := fmt.Sprint("w", i), fmt.Sprint("h", i)
		flat.Agents[0].Connections = append(flat.Agents[0].Connections, Connection{TargetID: AgentID(w), Type: Command})
		flat.Agents = append(flat.Agents, Agent{ID: AgentID(w)})
		peers.Agents = append(peers.Agents, Agent{ID: AgentID(w), Connections: []Connection{{TargetID: AgentID(fmt.Sprint("w", (i+1)%8)), Type: Communication}}})
		pairs.Agents[0].Connections = append(pairs.Agents[0].Connections, Connection{TargetID: AgentID(w), Type: Command})
		pairs.Agents = append(pairs.Agents, Agent{ID: AgentID(w), Connections: []Connection{{TargetID: AgentID(h), Type: Command}}}, Agent{ID: AgentID(h)})
	}
	tree := randomTeam(100, 0)
	tree.Layout = nil
	for name, c := range map[string]struct {
		team   *Topology
		widest float64 // over the height
	}{"one lead": {flat, 3.2}, "peers": {peers, 5}, "leads of one each": {pairs, 3.2}, "a hundred": {tree, 4.5}} {
		at := Layout(c.team, LayoutOptions{})
		sound(t, name, c.team, at)
		w, h := 0.0, 0.0
		for _, p := range at {
			w, h = max(w, p.X+NodeWidth), max(h, p.Y+NodeHeight)
		}
		if w > c.widest*h {
			t.Errorf("%s: %v wide and %v high", name, w, h)
		}
	}
}

func TestLayoutFollowsCommand(t *testing.T) {
	at := Layout(team("boss > a", "boss > b", "a > c", "rev ? c", "a - b", "x", "y"), LayoutOptions{})
	for _, above := range [][2]AgentID{{"boss", "a"}, {"boss", "b"}, {"a", "c"}, {"c", "rev"}, {"rev", "x"}} {
		if at[above[0]].Y >= at[above[1]].Y {
			t.Errorf("%s is not above %s: %v", above[0], above[1], at)
		}
	}
	if at["x"].Y != at["y"].Y {
		t.Errorf("agents without connections form a grid: %v", at)
	}
	tree := Layout(team("r > a", "r > b", "a > a1", "b > b1", "a > a2", "b > b2", "a > a3", "b > b3"), LayoutOptions{})
	if tree["a2"].X != tree["a"].X || tree["b2"].X != tree["b"].X || 2*tree["r"].X != tree["a"].X+tree["b"].X {
		t.Errorf("a lead isn't above the middle of its agents: %v", tree)
	}
}

func TestLayoutOnlyAndPinned(t *testing.T) {
	x := shop()
	x.Layout = Layout(x, LayoutOptions{})
	x.Notes = []Note{{ID: "n", X: 700, Y: 0}}
	x.Groups = []Group{{ID: "g", Members: []AgentID{"api", "web", "test"}}}
	for _, a := range []string{"new1", "new2", "new3"} {
		x.Agents = append(x.Agents, Agent{ID: AgentID(a)})
	}
	lead, _ := x.Agent("lead")
	lead.Connections = append(lead.Connections, Connection{TargetID: "new1", Type: Command},
		Connection{TargetID: "new2", Type: Command})
	got := Layout(x, LayoutOptions{Only: []AgentID{"new1", "new2", "new3", "ghost"}})
	sound(t, "only", x, got)
	for id, p := range x.Layout {
		if got[id] != p {
			t.Errorf("%s moved", id)
		}
	}
	if got["new1"].Y <= got["lead"].Y || got["new1"].Y != got["new2"].Y || got["new1"].Y > got["ops"].Y+300 {
		t.Errorf("new agents stand below who commands them: %v", got)
	}
	for _, id := range []AgentID{"new1", "new2", "new3"} {
		p := got[id]
		if p.X < 700+152 && p.X+NodeWidth > 700 && p.Y < 100 && p.Y+NodeHeight > 0 {
			t.Errorf("%s stands on the note: %v", id, p)
		}
		if p.X < 464+180+16 && p.X+NodeWidth > -16 && p.Y < 288+70+16 && p.Y+NodeHeight > 288-32 {
			t.Errorf("%s stands in a frame that it is no member of: %v", id, p)
		}
	}
	x.Layout = got
	x.Layout["lead"] = Point{X: 1000, Y: 1000}
	pinned := Layout(x, LayoutOptions{Pinned: []AgentID{"lead", "ghost"}})
	sound(t, "pinned", x, pinned)
	if pinned["lead"] != (Point{X: 1000, Y: 1000}) || pinned["arch"].Y < 1000 {
		t.Errorf("pinned: %v", pinned)
	}
	far := team("a", "b")
	far.Layout = map[AgentID]Point{"a": {X: 1e300, Y: math.Inf(1)}, "b": {X: math.NaN(), Y: 0}}
	Layout(far, LayoutOptions{Only: []AgentID{"b"}})
}

// APP-1: smooth with a thousand agents.
func TestLayoutIsFast(t *testing.T) {
	took := func(n int) time.Duration {
		x, best := randomTeam(n, n), time.Hour
		x.Layout = nil
		for range 3 {
			start := time.Now()
			drawn := Layout(x, LayoutOptions{})
			best = min(best, time.Since(start))
			sound(t, "random", x, drawn)
		}
		return best
	}
	// Ten times the agents take ten times as long; if each looked at all others, it would be a hundred times.
	if small, big := took(1000), took(10_000); big > 60*small {
		t.Errorf("1,000 agents take %v, 10,000 take %v", small, big)
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

func BenchmarkLayout100(b *testing.B) { benchLayout(b, randomTeam(100, 50)) }
