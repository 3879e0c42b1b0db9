package topology

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"agentflow/backend/team/topology/internal/ordered"
)

// seeds gives the fuzzers something to start from, and go test enough to try.
func seeds(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		b := make([]byte, 40+r.IntN(400))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(b)
	}
}

func overWire(t *testing.T, cs ChangeSet) ChangeSet {
	t.Helper()
	raw, err := json.Marshal(cs)
	if err != nil {
		t.Fatal(err)
	}
	var out ChangeSet
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// APP-5: what Diff finds, Apply makes again, exactly; also after a way over the wire.
func FuzzDiffApply(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &gen{data}
		base := g.topology()
		before := base.Clone()
		for _, draft := range []*Topology{g.edit(base), g.topology(), base.Clone(), {}} {
			cs := Diff(base, draft)
			got, err := Apply(base, overWire(t, cs))
			if err != nil {
				t.Fatalf("%v\nbase %s\ndraft %s", err, show(base), show(draft))
			}
			if !got.Equal(draft) {
				t.Fatalf("base %s\ndraft %s\ngot %s", show(base), show(draft), show(got))
			}
			if (len(cs) == 0) != base.Equal(draft) {
				t.Fatalf("Diff finds %d changes, Equal says %v\nbase %s\ndraft %s", len(cs), base.Equal(draft),
					show(base), show(draft))
			}
			uniqueIDs(t, cs)
			someOf(t, base, cs, g)
		}
		if !base.Equal(before) {
			t.Fatalf("base was changed: %s", show(base))
		}
	})
}

func uniqueIDs(t *testing.T, cs ChangeSet) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range cs {
		if seen[c.ID] {
			t.Fatalf("two changes with the ID %s", c.ID)
		}
		seen[c.ID] = true
	}
}

// someOf applies a part of the change set: it works or names the change, and leaves
// no connection to an agent that the part removed.
func someOf(t *testing.T, base *Topology, cs ChangeSet, g *gen) {
	t.Helper()
	part, gone, keeps := ChangeSet{}, map[AgentID]bool{}, map[AgentID]bool{}
	for _, c := range cs {
		if g.n(2) == 0 {
			continue
		}
		part = append(part, c)
		gone[c.Agent] = gone[c.Agent] || c.Subject == SubjectAgent && c.Op == Removed
		keeps[c.Target] = keeps[c.Target] || c.Dangling
	}
	got, err := Apply(base, part)
	if err != nil {
		return
	}
	for _, a := range got.Agents {
		for _, c := range a.Connections {
			if gone[c.TargetID] && !keeps[c.TargetID] {
				t.Fatalf("%s still leads to %s, which was removed", a.ID, c.TargetID)
			}
		}
	}
}

// GW-3: a merge loses nothing of either side, and is the same every time.
func FuzzMerge(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &gen{data}
		base := g.topology()
		mine, theirs := g.edit(base), g.edit(base)
		if g.n(8) == 0 {
			theirs = g.topology()
		}
		say := func(what string, got any) {
			raw, _ := json.MarshalIndent(got, "", " ")
			t.Fatalf("%s\nbase %s\nmine %s\ntheirs %s\ngot %s", what, show(base), show(mine), show(theirs), raw)
		}
		if r := Merge(base, mine, base, nil); !r.Topology.Equal(mine) || len(r.Conflicts)+len(r.Dropped)+len(r.FromTheirs) > 0 {
			say("Merge(b, m, b) is not m", r)
		}
		if r := Merge(base, base, theirs, nil); !r.Topology.Equal(theirs) || len(r.Conflicts)+len(r.Dropped)+len(r.FromMine) > 0 {
			say("Merge(b, b, t) is not t", r)
		}
		if r := Merge(base, mine, mine, nil); !r.Topology.Equal(mine) || len(r.Conflicts)+len(r.Dropped) > 0 {
			say("Merge(b, x, x) is not x", r)
		}
		choices := map[string]Choice{}
		for range 3 {
			r := Merge(base, mine, theirs, choices)
			if again := Merge(base, mine, theirs, choices); !reflect.DeepEqual(r, again) {
				say("not the same twice", []Merged{r, again})
			}
			if problem := unsound(base, mine, theirs, &r); problem != "" {
				say(problem, r)
			}
			for _, c := range r.Conflicts {
				choices[c.ID] = []Choice{ChooseBase, ChooseMine, ChooseTheirs, ChooseBoth, "", "x"}[g.n(6)]
			}
		}
	})
}

// unsound looks for doubles, and for connections to nobody that neither side drew so.
func unsound(base, mine, theirs *Topology, r *Merged) string {
	drawn := map[[2]AgentID]int{}
	for _, t := range []*Topology{base, mine, theirs} {
		idx := ordered.Index(agentSetOf(t).Keys)
		for _, a := range t.Agents {
			n := map[[2]AgentID]int{}
			for _, c := range a.Connections {
				pair := [2]AgentID{a.ID, c.TargetID}
				n[pair]++
				if _, ok := idx[c.TargetID]; !ok {
					drawn[pair] = max(drawn[pair], n[pair])
				}
			}
		}
	}
	idx := ordered.Index(agentSetOf(&r.Topology).Keys)
	if len(idx) != len(r.Topology.Agents) {
		return "an agent occurs twice"
	}
	if err := r.Topology.Validate(); err != nil && base.Validate() == nil && mine.Validate() == nil && theirs.Validate() == nil {
		return err.Error() // such as an agent in two groups, or a group in a group in a group
	}
	conflicts := map[string]bool{}
	for _, c := range r.Conflicts {
		if conflicts[c.ID] {
			return "two conflicts with the ID " + c.ID
		}
		conflicts[c.ID] = true
	}
	for _, a := range r.Topology.Agents {
		for _, c := range a.Connections {
			if _, ok := idx[c.TargetID]; !ok && drawn[[2]AgentID{AgentID(strings.TrimSuffix(string(a.ID), "-2")), c.TargetID}] == 0 {
				return "left to lead to nobody: " + string(a.ID) + " → " + string(c.TargetID)
			}
		}
	}
	return ""
}
