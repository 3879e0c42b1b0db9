package engine_test

import (
	"slices"
	"strings"
	"testing"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
)

// APP-3: a real gateway deletes the jobs of an agent with it. The review names them, and an undo adds them again.
func TestAPP3_JobsOfADeletedAgentOnARealGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.StartRealWith(t, gatewaytest.RealVersions[0],
		`{"ownership": "explicit", "entries": {"main": {}, "scout": {}}}`)
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &created)
	id := string(created.ID)
	names := func() (names []string) {
		var out struct{ Jobs []client.CronJob }
		h.must("POST", "/api/gateway/cron/list", map[string]any{"gateway": "studio"}, &out)
		for _, j := range out.Jobs {
			if j.AgentID == "scout" && !strings.HasPrefix(j.Name, "Skill") { // which the gateway adds itself
				names = append(names, j.Name)
			}
		}
		return names
	}
	h.must("POST", "/api/gateway/cron/add", map[string]any{"gateway": "studio", "name": "Morning report",
		"agentId": "scout", "message": "Report", "schedule": map[string]any{"kind": "cron", "expr": "0 7 * * *"}}, nil)
	want := []string{"Morning report"}
	if got := names(); !slices.Equal(got, want) {
		t.Fatalf("the gateway has %v", got)
	}
	h.edit(id, without("scout"))
	p := h.preview(id, nil)
	if got := jobsOf(p)["scout"]; !slices.Equal(got, want) {
		t.Fatalf("the review names %v", got)
	}
	a, refused := h.startApply(id, p, true)
	if refused != nil || a.State != rollout.Done || len(names()) != 0 {
		t.Fatalf("%+v %v, left %v", a, refused, names())
	}
	var back struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback",
		map[string]any{"snapshotId": a.Snapshot, "team": id, "keep": true}, &back)
	undone := h.finish(back.Apply)
	if undone.State != rollout.Done || !slices.Equal(undone.Jobs, want) || !slices.Equal(names(), want) {
		t.Errorf("%s %+v, added %v, there are %v", undone.State, undone.Error, undone.Jobs, names())
	}
}
