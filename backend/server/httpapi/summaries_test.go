package httpapi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// fakeFleet has one gateway, which offers what the test says.
type fakeFleet struct {
	Fleet
	offered map[string][]string
	limits  openclaw.Limits
}

type fakeGateway struct {
	openclaw.Gateway
	fleet *fakeFleet
}

func (g fakeGateway) Capabilities() openclaw.Capabilities {
	return openclaw.Capabilities{Limits: g.fleet.limits}
}
func (f *fakeFleet) Gateways() []Gateway { return nil }
func (f *fakeFleet) Target(name string) (rollout.Target, error) {
	return rollout.Target{Name: name, Gateway: fakeGateway{fleet: f}, Offered: f.offered}, nil
}

// A second /metrics or a connecting window doesn't diff and lint a team again, unless something changed
// that the counts depend on. The test puts a wrong number into the cache to see whether it is used.
func TestSummariesAreCountedOncePerRevision(t *testing.T) {
	fleet := &fakeFleet{offered: map[string][]string{"p": {"a"}}}
	s, hub := serve(t, builtPage(), func(o *Options) { o.Fleet = fleet })
	ctx := context.Background()
	team := func(role string) *topology.Topology {
		return &topology.Topology{
			Name:   "Team",
			Agents: []topology.Agent{{ID: "lead", Name: "Lead", Role: role, Model: "p/a"}},
		}
	}
	step := library.Step{Topology: team("one"), Cause: library.Edited, Gateway: "g", Label: "edit"}
	d, v, err := s.Library.Create(ctx, step)
	if err != nil {
		t.Fatal(err)
	}
	metrics := func() string {
		res := send(t, hub, ask{path: "/metrics", header: map[string]string{"Authorization": "Bearer " + ownerToken}})
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%d %v %s", res.StatusCode, err, body)
		}
		return string(body)
	}
	counted := func(after string, again bool) {
		t.Helper()
		s.counted.mu.Lock()
		for id, k := range s.counted.kept {
			k.counts.agents = 77
			s.counted.kept[id] = k
		}
		s.counted.mu.Unlock()
		want := "agentflow_drawn_agents 77\n"
		if again {
			want = "agentflow_drawn_agents 1\n"
		}
		if got := metrics(); !strings.Contains(got, want) {
			t.Errorf("after %s: counted again must be %v:\n%s", after, again, got)
		}
	}
	metrics()
	counted("nothing", false)
	if all, err := s.summaries(ctx); err != nil || len(all) != 1 || all[0].Agents != 77 {
		t.Errorf("a window that connects: %+v %v", all, err)
	}
	edit := func(role, joins string) {
		t.Helper()
		step.Topology, step.Coalesce = team(role), joins
		if d, v, _, err = s.Library.Save(ctx, d.ID, v.ID, step); err != nil {
			t.Fatal(err)
		}
	}
	edit("two", "typing")
	counted("an edit", true)
	head := v.ID
	edit("three", "typing")
	if v.ID != head {
		t.Fatal("the edit did not join the one before")
	}
	counted("an edit that joins the head", true)
	fleet.offered = map[string][]string{"p": {"b"}}
	counted("another list of models", true)
	fleet.limits.IDPattern = "^x"
	counted("another gateway version", true)
	step.Base = &library.Base{Snapshot: "s", Hash: fmt.Sprint(1)}
	edit("three", "")
	counted("another base", true)
	counted("nothing more", false)
}
