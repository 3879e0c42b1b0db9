package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"agentflow/backend/team/topology"
	"agentflow/bench/team"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		list []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 3, 100}, 3.5}} {
		if got := median(c.list); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.list, got, c.want)
		}
	}
}

// A figure is judged by its ratio, and one without a goal by nothing.
func TestReport(t *testing.T) {
	var r report
	slow, fast := &samples{}, &samples{}
	for i := range 3 {
		slow.add(time.Duration(i+2)*time.Millisecond, time.Millisecond)
		fast.add(time.Duration(i+1)*time.Millisecond, time.Millisecond/2)
	}
	f := slow.against(slow.figure("g", "slow"), "fast", fast)
	f.Goal = 1.2
	r.add(f)
	r.limit(fast.figure("g", "quick"), 5)
	r.add(fast.figure("g", "free"))
	r.missing("window", errors.New("there is no display"))
	if got := r.Figures[0]; got.Ratio != 1.5 || got.CPURatio != 2 || got.Best != 2 || got.Met == nil || *got.Met {
		t.Errorf("slow: %+v", got)
	}
	if got := r.Figures[1]; got.CPURatio != 0 || got.Ratio != 0.4 || got.Met == nil || !*got.Met {
		t.Errorf("quick: %+v", got)
	}
	if got := r.Figures[2]; got.Met != nil || got.Ratio != 0 {
		t.Errorf("free: %+v", got)
	}
	var busy report // the neighbours were busy, the processor's time was not
	busy.add(figure{Value: 3, PeerIs: 1, CPURatio: 1.1, Goal: 1.2})
	if got := busy.Figures[0]; !*got.Met || got.Ratio != 3 {
		t.Errorf("busy: %+v", got)
	}
	var text strings.Builder
	if err := r.table(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1.50×", "2.00×", "≤ 1.20×", "limit 5.00 ms", "1 of 2 goals met", "not measured: window: there is no display"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	text.Reset()
	if err := r.json(&text); err != nil {
		t.Fatal(err)
	}
	var back report
	if err := json.Unmarshal([]byte(text.String()), &back); err != nil || len(back.Figures) != 4 || back.Figures[3].Missing == "" {
		t.Errorf("%v: %s", err, text.String())
	}
}

func TestInTurn(t *testing.T) {
	order := ""
	step := func(name string) func() error {
		return func() error { order += name; return nil }
	}
	got, err := inTurn(2, step("a"), step("b"))
	if err != nil || order != "ababab" || len(got[0].wall) != 2 {
		t.Errorf("%s, %d samples, %v", order, len(got[0].wall), err)
	}
	broken := errors.New("broken")
	if _, err := inTurn(1, func() error { return broken }); !errors.Is(err, broken) {
		t.Errorf("the failure of what is measured: %v", err)
	}
}

// What is measured is a whole team in every shape, and two teams that are the same.
func TestTeams(t *testing.T) {
	for _, shape := range []string{team.ShapeMap, team.ShapeList, team.ShapeEntries} {
		read, err := readTeam(team.Config(manyAgents, shape))
		if err != nil {
			t.Fatalf("%s: %v", shape, err)
		}
		a := read.Agents[7]
		if a.ID != "agent-7" || a.Name != "Agent 7" || len(a.Connections) != 3 || len(a.Extra) != 1 {
			t.Errorf("%s: %+v", shape, a)
		}
	}
	if _, err := readTeam(team.Config(10, team.ShapeMap)); err == nil {
		t.Error("a config of 10 agents was taken for one of 10,000")
	}
	if !team.Big(50).Equal(team.Big(50)) {
		t.Error("two teams differ")
	}
}

// In a large team, each agent has two connections, to different agents, and a position that no other
// agent has.
func TestLargeTeam(t *testing.T) {
	for _, n := range []int{largeAgents, hugeAgents} {
		large := team.Large(n)
		places := map[topology.Point]bool{}
		for _, a := range large.Agents {
			if len(a.Connections) != 2 || a.Connections[0].TargetID == a.ID || a.Connections[1].TargetID == a.ID {
				t.Errorf("%d: %+v", n, a)
			}
			places[large.Layout[a.ID]] = true
		}
		if err := large.Validate(); err != nil || len(places) != n {
			t.Errorf("%d agents at %d places: %v", n, len(places), err)
		}
		if p := large.Layout["agent-40"]; team.Nearest(large, p.X+60, p.Y) != "agent-40" {
			t.Errorf("%s is nearest", team.Nearest(large, p.X+60, p.Y))
		}
	}
}

// An absolute goal is judged by the best sample, whatever the peer needs.
func TestMost(t *testing.T) {
	var r report
	frames, peer := &samples{}, &samples{}
	frames.addMS(30)
	frames.addMS(21)
	peer.addMS(99)
	f := frames.against(frames.figure("g", "frame"), "peer", peer)
	f.Most = 22
	r.add(f)
	var text strings.Builder
	if err := r.table(&text); err != nil || !*r.Figures[0].Met || !strings.Contains(text.String(), "best ≤ 22.0 ms") {
		t.Errorf("%v: %+v\n%s", err, r.Figures[0], text.String())
	}
}

// Groups that need a program say so, and what to do.
func TestWhatIsNotBuilt(t *testing.T) {
	s := setup{root: t.TempDir(), work: t.TempDir(), rounds: 1, starts: 1, say: io.Discard}
	for _, g := range groups() {
		if g.name == "parse" || g.name == "diff" {
			continue
		}
		var r report
		err := g.measure(t.Context(), s, &r)
		if err == nil || len(r.Figures) > 0 {
			t.Errorf("%s measured nothing and said %v", g.name, err)
		}
	}
	if err := saveFigures(t.Context(), s, &report{}); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("no remedy in %v", err)
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"--only", "pars"}, {"--rounds", "0"}, {"--nothing"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
	if got, err := choose("diff,parse"); err != nil || len(got) != 2 || got[0].name != "parse" {
		t.Errorf("%v, %v", got, err)
	}
}
