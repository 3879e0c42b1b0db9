package engine_test

import (
	"slices"
	"strings"
	"testing"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
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

// APP-3: an agent that an undo, or an apply, brings back answers again on a real gateway that deleted it.
func TestAPP3_AnAgentThatCameBackAnswersOnARealGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.StartRealWith(t, gatewaytest.RealVersions[0],
		`{"ownership": "explicit", "entries": {"main": {}, "scout": {}}}`)
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	h.comesBack(t)
}

// TestAPP3_AnAgentThatCameBackAnswers does the same on a simulated one.
func TestAPP3_AnAgentThatCameBackAnswers(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Config: map[string]any{
		"agents": map[string]any{"ownership": "explicit", "entries": map[string]any{
			"main": map[string]any{"name": "Main"}, "scout": map[string]any{"name": "Scout"}}}}})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	h.comesBack(t)
}

// comesBack deletes an agent and brings it back, by an undo and by an apply.
func (h *hub) comesBack(t *testing.T) {
	t.Helper()
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &created)
	id := string(created.ID)
	apply := func() rollout.Apply {
		a, refused := h.startApply(id, h.preview(id, nil), true)
		if refused != nil || a.State != rollout.Done {
			t.Fatalf("%+v %v", a, refused)
		}
		return a
	}
	chats := h.chats("studio")
	h.edit(id, without("scout"))
	deleted := apply()
	var back struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback",
		map[string]any{"snapshotId": deleted.Snapshot, "team": id, "keep": true}, &back)
	if undone := h.finish(back.Apply); undone.State != rollout.Done {
		t.Fatalf("%s %+v", undone.State, undone.Error)
	}
	chats.reply(h.say("studio", "agent:scout:undone", "are you back?"), "are you back?")

	h.edit(id, without("scout"))
	apply()
	h.edit(id, func(d *topology.Topology) { d.Agents = append(d.Agents, topology.Agent{ID: "scout", Name: "Scout"}) })
	apply()
	chats.reply(h.say("studio", "agent:scout:drawn", "and again?"), "and again?")
}
