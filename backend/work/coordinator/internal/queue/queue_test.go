package queue

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
)

// The queue must agree with a list that is sorted again for every question.
func TestCO4_TheQueueKeepsPriorityAndOrder(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		q, now := New(), time.Unix(1_700_000_000, 0)
		var list []Waiting // in the order in which they came
		sorted := func() []Waiting {
			out := slices.Clone(list)
			slices.SortStableFunc(out, func(a, b Waiting) int { return b.Priority - a.Priority })
			return out
		}
		for i := range 400 {
			switch r.IntN(5) {
			case 0: // a task is taken
				if len(list) > 0 {
					at := r.IntN(len(list))
					_, once := q.Remove(list[at].ID)
					if _, twice := q.Remove(list[at].ID); !once || twice {
						t.Fatalf("seed %d: %s isn't taken once", seed, list[at].ID)
					}
					list = slices.Delete(list, at, at+1)
				}
			case 1: // time passes
				now = now.Add(time.Duration(r.IntN(5)) * time.Second)
				q.PromoteDue(now)
				for i := range list {
					if !list[i].Due.After(now) {
						list[i].Due = time.Time{}
					}
				}
			default:
				w := Waiting{
					ID:       task.ID(fmt.Sprint(i)),
					Priority: r.IntN(3),
					Kind:     Kind{Type: task.Chat, Agent: topology.AgentID(fmt.Sprint(r.IntN(3)))},
				}
				if r.IntN(3) == 0 {
					w.Due = now.Add(time.Duration(1+r.IntN(9)) * time.Second)
				}
				q.Add(w)
				q.Add(w) // what waits is not queued twice
				list = append(list, w)
			}
			holds(t, q, sorted())
		}
	}
}

func holds(t *testing.T, q *Queue, want []Waiting) {
	t.Helper()
	var first []task.ID
	seen, asked, ahead := map[Kind]bool{}, map[topology.AgentID]task.ID{}, map[topology.AgentID]int{}
	sameAgent := func(mine, other Kind) bool { return mine.Agent == other.Agent }
	for _, w := range want {
		if asked[w.Agent] == "" {
			asked[w.Agent] = w.ID
		}
		if got := q.Ahead(w.ID, sameAgent); !q.Has(w.ID) || got != ahead[w.Agent] {
			t.Fatalf("%s: %d come before it, want %d", w.ID, got, ahead[w.Agent])
		}
		if got := q.Due(w.ID); !got.Equal(w.Due) {
			t.Fatalf("%s is due at %v, want %v", w.ID, got, w.Due)
		}
		if !w.Due.IsZero() {
			continue
		}
		ahead[w.Agent]++
		if !seen[w.Kind] {
			first, seen[w.Kind] = append(first, w.ID), true
		}
	}
	var got []task.ID
	for _, w := range q.Heads() {
		got = append(got, w.ID)
	}
	if !slices.Equal(got, first) || q.Len() != len(want) {
		t.Fatalf("the first are %v of %d, want %v of %d", got, q.Len(), first, len(want))
	}
	for agent, id := range q.Asked() {
		if asked[agent] != id {
			t.Fatalf("%s is waited for by %s, want %s", agent, id, asked[agent])
		}
	}
	if soonest, some := q.Next(time.Unix(0, 0)); some != slices.ContainsFunc(want, func(w Waiting) bool { return !w.Due.IsZero() }) ||
		some && !slices.ContainsFunc(want, func(w Waiting) bool { return w.Due.Equal(time.Unix(0, 0).Add(soonest)) }) {
		t.Fatalf("next: %v %v", soonest, some)
	}
}
