package engine_test

import (
	"slices"
	"testing"
	"time"

	"agentflow/backend/engine"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
)

// APP-3: a gateway that tells nobody that its config file was edited is asked now and
// then, over a link that stands all the while.
func TestAPP3_DriftOfASilentGatewayIsFoundByAsking(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHubWith(t,
		engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: 20 * time.Millisecond})
	h.connected("studio")
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, nil)
	heard := func() bool { return h.gateway("studio").ConfigHash == peer.Hash() }
	poll(t, heard)
	for _, name := range []string{"Elsewhere", "And again"} {
		before := peer.Hash()
		peer.SetConfig(renamed(t, peer, name))
		if peer.Hash() == before {
			t.Fatal("the edit changed nothing")
		}
		poll(t, heard)
	}
	if g := h.gateway("studio"); g.State != "connected" || !g.Drift {
		t.Errorf("state %s, drift %v", g.State, g.Drift)
	}
}

// APP-3: an agent that its owner added by the gateway's own command line is noticed on
// real gateways of both generations, shown, and taken in.
func TestAPP3_DriftOfRealGateways(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			h := startHubWith(t, engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: time.Second})
			h.connected("studio")
			var d httpapi.Team
			h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
			id := string(d.ID)
			h.keeps("studio")
			found := h.snapshots("studio")[0].ID

			peer.CLI(t, "agents", "add", "scout", "--workspace", t.TempDir(), "--non-interactive")
			poll(t, func() bool {
				g := h.gateway("studio")
				return g.State == "connected" && g.ConfigHash != "" && g.ConfigHash != d.Base.Hash
			})
			var drift rollout.Drift
			h.must("GET", "/api/teams/"+id+"/drift", nil, &drift)
			added := func(c rollout.Drifted) bool { return c.Theirs && c.Agent == "scout" && c.Op == "added" }
			if drift.Drifted == 0 || drift.Conflicts != 0 || !slices.ContainsFunc(drift.Changes, added) {
				t.Fatalf("drift: %+v", drift.Changes)
			}
			if now := h.team(id); now.Head != d.Head {
				t.Error("looking at it changed the team")
			}

			h.must("POST", "/api/teams/"+id+"/import", map[string]any{}, nil)
			now := h.team(id)
			if _, ok := now.Topology.Agent("scout"); !ok || now.Unsent != 0 {
				t.Errorf("taken in: unsent %d, %+v", now.Unsent, now.Topology.Agents)
			}
			h.restoreSnapshot("studio", id, found)
		})
	}
}

// gateway is what the hub knows of a gateway.
func (h *hub) gateway(name string) httpapi.Gateway {
	h.t.Helper()
	var out struct{ Gateways []httpapi.Gateway }
	h.must("GET", "/api/gateways", nil, &out)
	i := slices.IndexFunc(out.Gateways, func(g httpapi.Gateway) bool { return g.Name == name })
	if i < 0 {
		h.t.Fatalf("no gateway %s in %+v", name, out.Gateways)
	}
	return out.Gateways[i]
}
