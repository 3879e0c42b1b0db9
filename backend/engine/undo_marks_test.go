package engine_test

import (
	"testing"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
)

func (h *hub) redo(id string) {
	h.t.Helper()
	var now httpapi.TeamState
	h.must("POST", "/api/teams/"+id+"/redo", nil, &now)
}

// APP-5: a draft that was undone past its first apply counts as changes what the gateway does not run, and a
// redo asks about an apply only where the gateway went back behind it.
func TestAPP5_UndoPastTheFirstApplyMarksWhatTheGatewayLacks(t *testing.T) {
	t.Parallel()
	h, id := fresh(t)
	h.apply(id, h.preview(id, nil), nil, false)
	h.undo(id)
	now := h.team(id)
	if now.Unsent != 0 || now.RedoApply != nil {
		t.Errorf("the gateway runs the draft, and %d changes are not applied: %v; redo asks about %+v", now.Unsent,
			ids(now.Changes), now.RedoApply)
	}
	h.deletesNothing(id, "after the undo")
	h.redo(id)

	h.adds(id, "second")
	h.apply(id, h.preview(id, nil), nil, false)
	second := h.team(id).UndoApply
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/local/rollback",
		map[string]any{"snapshotId": second.SnapshotID, "team": id, "deleteAgents": true}, &out)
	if a := h.finish(out.Apply); a.State != rollout.Done {
		t.Fatalf("the rollback is %s: %+v", a.State, a.Error)
	}
	for range 3 {
		h.undo(id) // the rollback, the second apply and the edit before it
	}
	now = h.team(id)
	if now.Unsent != 0 {
		t.Errorf("before the second apply, %d changes are not applied: %v", now.Unsent, ids(now.Changes))
	}
	h.undo(id) // the first apply, in the draft alone
	now = h.team(id)
	if now.Unsent != 0 || now.RedoApply != nil {
		t.Errorf("before the first apply, %d changes are not applied: %v; redo asks about %+v", now.Unsent,
			ids(now.Changes), now.RedoApply)
	}
	h.redo(id)
	h.redo(id) // now comes the second apply, which the gateway went back behind
	if now = h.team(id); now.RedoApply == nil || now.RedoApply.SnapshotID != second.SnapshotID {
		t.Errorf("a redo of what was rolled back asks about %+v", now.RedoApply)
	}
}
