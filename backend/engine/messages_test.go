package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
)

// OC-3: messages between agents go the whole way on a gateway that is simulated, and come together with what changed
// there meanwhile.
func TestOC3_MessagesOfAGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Config: map[string]any{
		"agents": map[string]any{"ownership": "explicit", "entries": map[string]any{
			"main": map[string]any{"name": "Main"}, "ops": map[string]any{"name": "Ops"},
			"dev": map[string]any{"name": "Dev"}}},
		"tools": map[string]any{"deny": []any{"browser"},
			"agentToAgent": map[string]any{"enabled": false, "allow": []any{"main"}}},
	}})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	h.messagesThereAndBack(func(list []string) {
		config := peer.Config()
		config["tools"].(map[string]any)["agentToAgent"].(map[string]any)["allow"] = list
		peer.SetConfig(config)
	})
	text, _ := json.Marshal(peer.Config()["tools"])
	if string(text) != `{"agentToAgent":{"allow":["main"],"enabled":false},"deny":["browser"]}` {
		t.Errorf("after the rollback the gateway has %s", text)
	}
}

// TestOC3_MessagesOfRealGateways does the same on real OpenClaw gateways. They check what they get by their own schema.
func TestOC3_MessagesOfRealGateways(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			h.messagesThereAndBack(nil)
		})
	}
}

// messagesThereAndBack: import, allow, review, apply, read back, rollback. Meanwhile changes the list on the gateway.
func (h *hub) messagesThereAndBack(meanwhile func(list []string)) {
	h.t.Helper()
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &created)
	id, had := string(created.ID), created.Topology.Messages
	if len(created.Changes) > 0 {
		h.t.Fatalf("imported: %+v", created.Changes)
	}
	h.edit(id, func(t *topology.Topology) {
		set := func(key, value string) { t.Messages = t.Messages.With(key, json.RawMessage(value)) }
		set(topology.MessagesEnabled, "true")
		set(topology.MessagesAllow, `["main","ops"]`)
		set(topology.MessagesVisibility, `"all"`)
	})
	want := `["main","ops"]`
	if meanwhile != nil {
		meanwhile([]string{"main", "dev"})
		want = `["main","dev","ops"]`
	}
	p := h.preview(id, nil)
	about := func(c openclaw.PreviewChange) bool { return c.Subject == topology.SubjectMessages }
	i := slices.IndexFunc(p.Changes, about)
	if i < 0 || p.Changes[i].Impact == openclaw.ImpactLocal || !p.Sends || p.Sent != 3 {
		h.t.Fatalf("the review shows %+v", p.Changes)
	}
	if p.Merge != nil && len(p.Merge.Conflicts) > 0 {
		h.t.Fatalf("conflicts: %+v", p.Merge.Conflicts)
	}
	open := func(p topology.Problem) bool { return p.Code == lint.MessagesOpen }
	if meanwhile != nil && !slices.ContainsFunc(p.Problems, open) {
		h.t.Errorf("nobody warns of what is allowed and not drawn: %+v", p.Problems)
	}
	applied := h.apply(id, p, nil, false)
	h.connected("studio")
	if d := h.team(id); d.Unsent != 0 || string(d.Topology.Messages.Value(topology.MessagesAllow)) != want {
		h.t.Fatalf("after the apply: %d unsent, %s", d.Unsent, d.Topology.Messages)
	}
	var other httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Other"}, &other)
	if read := other.Topology.Messages; string(read.Value(topology.MessagesEnabled)) != "true" ||
		string(read.Value(topology.MessagesAllow)) != want ||
		!strings.Contains(string(read.Value(topology.MessagesVisibility)), "all") {
		h.t.Fatalf("read back: %s", read)
	}
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback", map[string]any{"snapshotId": applied.Snapshot, "team": id}, &out)
	if a := h.finish(out.Apply); a.State != rollout.Done {
		h.t.Fatalf("rollback %s: %+v", a.State, a.Error)
	}
	var last httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Last"}, &last)
	if meanwhile != nil {
		meanwhile([]string{"main"})
	} else if !last.Topology.Messages.Equal(had) {
		h.t.Errorf("after the rollback: %s, it had %s", last.Topology.Messages, had)
	}
}
