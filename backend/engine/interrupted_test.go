package engine_test

import (
	"testing"

	"agentflow/backend/engine/enginetest"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// APP-3: the hub ends while the gateway has the files of a rollback and not yet its config. The next hub on the same
// folder knows the rollback as interrupted, reviews the gateway as it is, and can roll back again.
func TestAPP3_TheHubEndsDuringARollback(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	peer.Disk.Set("main", "SOUL.md", "# Old\n")
	dir := withGateway(t, peer.URL, peer.Token)
	h := startHub(t, dir)
	h.connected("studio")
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &created)
	id := string(created.ID)
	h.write(id, "studio", "main", "SOUL.md", "# New\n")
	h.edit(id, func(d *topology.Topology) { d.Agents[0].Name = "Chief" })
	first := h.apply(id, h.preview(id, nil), nil, false)

	peer.SetFaults(gatewaytest.Faults{Stall: map[string]bool{"config.apply": true}})
	a := h.rollsBack(id, first.Snapshot)
	enginetest.Until(t, "the rollback to send its config", func() bool {
		var now struct{ Apply rollout.Apply }
		h.must("GET", "/api/applies/"+string(a.ID), nil, &now)
		for _, s := range now.Apply.Steps {
			if s.Name == "apply" {
				return s.State == "running"
			}
		}
		return false
	})
	h.stop()
	peer.SetFaults(gatewaytest.Faults{})

	h = startHub(t, dir)
	h.connected("studio")
	var now struct{ Apply rollout.Apply }
	h.must("GET", "/api/applies/"+string(a.ID), nil, &now)
	if e := now.Apply.Error; now.Apply.State != rollout.Failed || e == nil || e.Reason() != rollout.ReasonInterrupted ||
		now.Apply.To != first.Snapshot {
		t.Fatalf("%+v", now.Apply)
	}
	if p := h.preview(id, nil); len(p.Deletions) > 0 {
		t.Errorf("the review deletes %v", p.Deletions)
	}
	if done := h.finish(h.rollsBack(id, first.Snapshot)); done.State != rollout.Done {
		t.Fatalf("again: %s %+v", done.State, done.Error)
	}
	if f := h.file("studio", "main", "SOUL.md"); f.Content != "# Old\n" {
		t.Errorf("the file is %q", f.Content)
	}
}

func (h *hub) rollsBack(id string, to library.SnapshotID) rollout.Apply {
	h.t.Helper()
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback", map[string]any{"snapshotId": to, "team": id, "keep": true}, &out)
	return out.Apply
}
