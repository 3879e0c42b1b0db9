package coordinator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"agentflow/backend/task"
	"agentflow/backend/topology"
	"agentflow/backend/worker"
)

// A queue is held against a list that is sorted anew for every question.
func TestCO4_TheQueueKeepsPriorityAndOrder(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		q, now := newQueue(), time.Unix(1_700_000_000, 0)
		var list []waiting // in the order in which they came
		sorted := func() []waiting {
			out := slices.Clone(list)
			slices.SortStableFunc(out, func(a, b waiting) int { return b.priority - a.priority })
			return out
		}
		for i := range 400 {
			switch r.IntN(5) {
			case 0: // one is taken
				if len(list) > 0 {
					at := r.IntN(len(list))
					if !q.take(list[at].id) || q.take(list[at].id) {
						t.Fatalf("seed %d: %s is not taken once", seed, list[at].id)
					}
					list = slices.Delete(list, at, at+1)
				}
			case 1: // time goes by
				now = now.Add(time.Duration(r.IntN(5)) * time.Second)
				q.wake(now)
				for i := range list {
					if !list[i].due.After(now) {
						list[i].due = time.Time{}
					}
				}
			default:
				w := waiting{id: task.ID(fmt.Sprint(i)), priority: r.IntN(3), kind: kind{typ: task.Chat, agent: topology.AgentID(fmt.Sprint(r.IntN(3)))}}
				if r.IntN(3) == 0 {
					w.due = now.Add(time.Duration(1+r.IntN(9)) * time.Second)
				}
				q.add(w)
				q.add(w) // what waits is not queued twice
				list = append(list, w)
			}
			holds(t, &q, sorted())
		}
	}
}

func holds(t *testing.T, q *queue, want []waiting) {
	t.Helper()
	var first []task.ID
	seen, asked, ahead := map[kind]bool{}, map[topology.AgentID]task.ID{}, 0
	for _, w := range want {
		if asked[w.agent] == "" {
			asked[w.agent] = w.id
		}
		if got := q.ahead(w.id); !q.has(w.id) || got != ahead {
			t.Fatalf("%s: %d come before it, want %d", w.id, got, ahead)
		}
		if got := q.due(w.id); !got.Equal(w.due) {
			t.Fatalf("%s is due at %v, want %v", w.id, got, w.due)
		}
		if !w.due.IsZero() {
			continue
		}
		ahead++
		if !seen[w.kind] {
			first, seen[w.kind] = append(first, w.id), true
		}
	}
	var got []task.ID
	for _, w := range q.first() {
		got = append(got, w.id)
	}
	if !slices.Equal(got, first) || q.len() != len(want) {
		t.Fatalf("the first are %v of %d, want %v of %d", got, q.len(), first, len(want))
	}
	for agent, id := range q.asked() {
		if asked[agent] != id {
			t.Fatalf("%s is waited for by %s, want %s", agent, id, asked[agent])
		}
	}
	if soonest, some := q.next(time.Unix(0, 0)); some != slices.ContainsFunc(want, func(w waiting) bool { return !w.due.IsZero() }) ||
		some && !slices.ContainsFunc(want, func(w waiting) bool { return w.due.Equal(time.Unix(0, 0).Add(soonest)) }) {
		t.Fatalf("next: %v %v", soonest, some)
	}
}

// TestCO4_Fault18_BeforeAnAttemptBeginsNoReportIsAboutIt: while the hub looks whether the agent
// is there, what comes is from the attempt before.
func TestCO4_Fault18_BeforeAnAttemptBeginsNoReportIsAboutIt(t *testing.T) {
	for _, c := range []struct {
		attach         bool
		number, report int
		fenced         bool
	}{
		{false, 0, 1, true}, {false, 0, 0, true}, {true, 0, 1, false}, {true, 0, 0, false},
		{false, 2, 1, true}, {false, 2, 2, false}, {false, 2, 0, false}, {true, 1, 2, true},
	} {
		a := &attempt{attach: c.attach}
		a.number.Store(int64(c.number))
		if got := a.fences(worker.Report{Attempt: c.report}); got != c.fenced {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
