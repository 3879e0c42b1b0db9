package engine_test

import (
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
)

const (
	saidRestart   = "config.apply persisted and updated the active Gateway, but a recovery restart is required; wait for the Gateway to restart, then run config.get to confirm the active revision"
	saidNotActive = "config.apply persisted but was not applied to the active Gateway (failed); run config.get, then use config.apply to reapply the saved config or restart the Gateway"
	saidNothing   = "Error: the config file is busy"
)

// APP-3: OpenClaw answers config.apply with UNAVAILABLE also where it wrote the config. What
// became of it is read back, and told as it is.
func TestAPP3_AnUnavailableAnswerIsCheckedAndTold(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault  gatewaytest.Faults
		state  rollout.State
		reason string
		unsent bool
	}{
		"written, restarts":     {gatewaytest.Faults{Written: saidRestart}, rollout.Done, "", false},
		"written, not in use":   {gatewaytest.Faults{Written: saidNotActive}, rollout.Failed, openclaw.ReasonNotActive, false},
		"written, and no words": {gatewaytest.Faults{Written: saidNothing}, rollout.Done, "", false},
		"not written":           {gatewaytest.Faults{NotWritten: saidNothing}, rollout.Failed, errcode.ReasonRejected, true},
	} {
		t.Run(name, func(t *testing.T) {
			h, peer, id := studio(t)
			p := h.preview(id, nil)
			peer.SetFaults(tc.fault)
			var out struct{ Apply rollout.Apply }
			h.must("POST", "/api/teams/"+id+"/apply", map[string]any{"hash": p.BaseHash}, &out)
			a := h.finish(out.Apply)
			peer.SetFaults(gatewaytest.Faults{})
			if a.State != tc.state || a.Snapshot == "" || tc.reason != "" && !errcode.HasReason(a.Error, tc.reason) {
				t.Fatalf("%s, snapshot %q: %+v", a.State, a.Snapshot, a.Error)
			}
			for _, s := range a.Steps {
				if s.Name == openclaw.StepApply && (s.State == "done") == tc.unsent {
					t.Errorf("the step is shown as %s", s.State)
				}
			}
			now := h.team(id)
			if (now.Unsent != 0) != tc.unsent || (now.UndoApply == nil) != tc.unsent {
				t.Errorf("%d changes are unsent, undo %+v", now.Unsent, now.UndoApply)
			}
			if next := h.preview(id, nil); next.Stale {
				t.Errorf("the own apply is shown as somebody else's: %+v", next.Merge)
			}
		})
	}
}
