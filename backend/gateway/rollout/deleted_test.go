package rollout_test

import (
	"path/filepath"
	"slices"
	"testing"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/librarytest"
	"agentflow/backend/team/topology"
)

func TestDeletedIDsAreKeptAndARecreatedAgentIsNamed(t *testing.T) {
	d := start(t)
	path := filepath.Join(t.TempDir(), "deleted-agents.json")
	if err := rollout.RememberDeleted(d.Machine, path); err != nil {
		t.Fatal(err)
	}
	d.edit(func(t *topology.Topology) { remove(t, "dev") })
	req := d.request(rollout.Decisions{})
	req.DeleteAgents = true
	gone := d.apply(req)
	if gone.State != rollout.Done {
		t.Fatalf("%s %+v", gone.State, gone.Error)
	}
	restarted := func() *rollout.Machine {
		next := rollout.New(d.library, librarytest.Alarms{Store: d.store}, d.gateways)
		if err := rollout.RememberDeleted(next, path); err != nil {
			t.Fatal(err)
		}
		return next
	}
	dev := []topology.AgentID{"dev"}
	if got := rollout.Deleted(restarted(), office); !slices.Equal(got, dev) {
		t.Errorf("after a restart: %v", got)
	}
	if got := rollout.Deleted(d.Machine, office); !slices.Equal(got, dev) {
		t.Errorf("deleted: %v", got)
	}
	if got := rollout.Deleted(d.Machine, "lab"); len(got) > 0 {
		t.Errorf("deleted on the other gateway: %v", got)
	}

	back, err := d.PreviewRollback(t.Context(), office, gone.Snapshot)
	if err != nil || !slices.Equal(back.Restart.Recreated, dev) {
		t.Errorf("a rollback recreates %v, %v", back.Restart.Recreated, err)
	}
	d.edit(func(t *topology.Topology) {
		t.Agents = append(t.Agents, topology.Agent{ID: "dev", Name: "New"}, topology.Agent{ID: "fresh", Name: "Fresh"})
	})
	if p := d.preview(rollout.Decisions{}); !slices.Equal(p.Restart.Recreated, dev) {
		t.Errorf("an apply recreates %v", p.Restart.Recreated)
	}
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Done {
		t.Fatalf("%s %+v", a.State, a.Error)
	}
	if p := d.preview(rollout.Decisions{}); len(p.Restart.Recreated) > 0 {
		t.Errorf("an agent that is there is recreated: %v", p.Restart.Recreated)
	}
	if got := rollout.Deleted(restarted(), office); len(got) > 0 {
		t.Errorf("after it came back: %v", got)
	}
}
