package rollout_test

import (
	"testing"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/topology"
)

// OC-2: the apply of a file that the gateway didn't have is undone. Gateways can't delete the file, so it stays there
// empty. Once the edit is undone as well, the team and its gateway are the same.
func TestOC2_ANewFileIsUndone(t *testing.T) {
	d := start(t)
	for _, round := range []string{"first", "second"} { // in the second, the empty file is there
		d.write("dev", "USER.md", "I'm new.\n")
		p := d.preview(rollout.Decisions{})
		if got := fields(p); len(got) != 1 || len(p.Files) != 1 {
			t.Fatalf("%s: %v, %+v", round, got, p.Files)
		}
		a := d.apply(rollout.Request{Hash: p.BaseHash, Seen: p.Seen})
		if a.State != rollout.Done || d.gateway.file("dev/USER.md") != "I'm new.\n" {
			t.Fatalf("%s: %+v", round, a)
		}
		r := d.finish(func() (rollout.Apply, error) {
			return d.Rollback(t.Context(),
				rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Team: d.team, Keep: true})
		})
		if r.State != rollout.Done || d.gateway.file("dev/USER.md") != "" {
			t.Fatalf("%s: %+v, %q", round, r, d.gateway.file("dev/USER.md"))
		}
		if p = d.preview(rollout.Decisions{}); len(fields(p)) != 1 || p.Stale {
			t.Fatalf("%s, the apply is undone: %v, stale %v", round, fields(p), p.Stale)
		}
		d.edit(func(t *topology.Topology) {
			a, _ := t.Agent("dev")
			a.Files = nil
		})
		if p = d.preview(rollout.Decisions{}); p.Sends || p.Stale || len(p.Changes) != 0 {
			t.Errorf("%s, the edit is undone: stale %v, %+v", round, p.Stale, p.Changes)
		}
		drift, err := d.Drift(t.Context(), d.team, "")
		if err != nil || drift.Drifted != 0 || len(drift.Changes) != 0 {
			t.Errorf("%s: %+v, %v", round, drift, err)
		}
	}
}
