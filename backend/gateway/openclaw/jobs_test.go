package openclaw

import (
	"context"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// APP-3: an older snapshot has the jobs of agents that later changes deleted, as they were first. Only those of agents
// that come back are added.
func TestAPP3_AnOlderSnapshotHasTheDeletedJobs(t *testing.T) {
	s := Snapshot{Jobs: []Job{{Agent: "a", Name: "A"}}}
	s.AddReplaced(Snapshot{Jobs: []Job{{Agent: "a", Name: "Later"}, {Agent: "b", Name: "B1"},
		{Agent: "b", Name: "B2"}}})
	s.AddReplaced(Snapshot{Jobs: []Job{{Agent: "b", Name: "Later"}}})
	if got := jobNames(s.Jobs); !slices.Equal(got, []string{"A", "B1", "B2"}) {
		t.Errorf("%v", got)
	}
	now := &topology.Topology{Agents: []topology.Agent{{ID: "a"}}}
	next := &topology.Topology{Agents: []topology.Agent{{ID: "a"}, {ID: "b"}}}
	if got := jobNames(comeBack(now, next, s.Jobs)); !slices.Equal(got, []string{"B1", "B2"}) {
		t.Errorf("%v come back", got)
	}
	if got := comeBack(now, now, s.Jobs); len(got) != 0 {
		t.Errorf("%v come back to nobody", got)
	}
}

// scheduling is a gateway with scheduled jobs, which may fail to list them.
type scheduling struct {
	*fakeGateway
	jobs []Job
	err  error
}

// Jobs implements scheduler.
func (s *scheduling) Jobs(context.Context) ([]Job, error) { return slices.Clone(s.jobs), s.err }

// AddJob implements scheduler.
func (s *scheduling) AddJob(_ context.Context, j Job) error {
	s.jobs = append(s.jobs, j)
	return s.err
}

// APP-3: jobs that the review named and that can't be read before their agent is deleted would be lost: nothing is
// sent. A person who saw that they can't be read goes on.
func TestAPP3_NoAgentIsDeletedWhileItsJobsCannotBeKept(t *testing.T) {
	for seen, want := range map[bool]int{false: 0, true: 1} {
		g := &scheduling{newFake(t, newest, entriesConfig), nil, errcode.New(errcode.Gateway, "cron is away")}
		s := g.snapshot()
		r := mustReading(t, s)
		draft := r.Topology.Clone()
		remove("dev")(draft)
		_, err := Push(t.Context(), g, PushInput{
			BaseHash: s.Hash, Base: &r.Topology, Draft: draft, AllowDelete: true, UnreadJobs: seen,
			KeepSnapshot: func(context.Context, Snapshot) error { return nil },
		})
		deleted := strings.Count(strings.Join(g.log, " "), "delete")
		if (err == nil) != seen || deleted != want {
			t.Errorf("seen %v: %d deletions, %v", seen, deleted, err)
		}
		if err != nil && !strings.Contains(err.Error(), "cron is away. Nothing was sent") {
			t.Error(err)
		}
	}
}
