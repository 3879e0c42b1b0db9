package engine_test

import (
	"testing"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

func (h *hub) agentTools(gateway, agent string) client.AgentTools {
	h.t.Helper()
	var out client.AgentTools
	h.must("GET", "/api/gateways/"+gateway+"/agent-tools?agent="+agent, nil, &out)
	return out
}

// OC-1: the page can offer the names that the gateway knows. A gateway that fails, or isn't there, has none to offer,
// and nor has the built-in one.
func TestOC1_ToolsOfAGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	found := h.agentTools("studio", "draft")
	if found.Catalog == nil || len(found.Catalog.Tools) != 4 || found.Skills == nil || len(found.Skills.Skills) != 2 {
		t.Fatalf("%+v", found)
	}
	refusal := `{"type":"res","id":$ID,"ok":false,"error":{"code":"INVALID_REQUEST","message":"no"}}`
	peer.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{"tools.catalog": refusal}})
	if found := h.agentTools("studio", "main"); found.Catalog != nil || found.Skills == nil {
		t.Errorf("a gateway that refuses to list its tools: %+v", found)
	}
	peer.Down()
	poll(t, func() bool { return h.agentTools("studio", "main") == client.AgentTools{} })
	if found := h.agentTools("local", "main"); found != (client.AgentTools{}) {
		t.Errorf("the built-in gateway: %+v", found)
	}
	if status, _ := h.call("GET", "/api/gateways/nowhere/agent-tools", nil, nil); status != 404 {
		t.Errorf("a gateway that isn't configured: %d", status)
	}
}

// OC-1 against the real thing: the hub offers what both generations of OpenClaw know.
func TestOC1_ToolsOfARealGateway(t *testing.T) {
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			found := h.agentTools("studio", "draft")
			if found.Catalog == nil || len(found.Catalog.Tools) < 20 || len(found.Catalog.Profiles) != 4 ||
				found.Skills == nil || len(found.Skills.Skills) < 20 {
				t.Fatalf("%+v", found)
			}
		})
	}
}
