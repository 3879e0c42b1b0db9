package engine_test

import (
	"slices"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/server/httpapi"
)

// TestGW1_AWrongTokenIsRefusedThoughTheOldOneWasGood: the token that the gateway gave the device earlier isn't used on.
func TestGW1_AWrongTokenIsRefusedThoughTheOldOneWasGood(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, t.TempDir())
	put := func(token string) {
		h.must("PUT", "/api/gateways/studio", map[string]any{"name": "studio", "url": peer.URL, "token": token}, nil)
	}
	stands := func() (found httpapi.Gateway) {
		var out struct{ Gateways []httpapi.Gateway }
		poll(t, func() bool {
			h.must("GET", "/api/gateways", nil, &out)
			i := slices.IndexFunc(out.Gateways, func(g httpapi.Gateway) bool { return g.Name == "studio" })
			if i >= 0 {
				found = out.Gateways[i]
			}
			return i >= 0 && (found.State == "connected" || found.Error != nil)
		})
		return found
	}
	h.must("POST", "/api/gateways", map[string]any{"name": "studio", "url": peer.URL, "token": peer.Token}, nil)
	h.connected("studio")
	put("wrong")
	if g := stands(); g.State != "unauthorized" || g.Error.Reason() != errcode.ReasonBadToken {
		t.Errorf("with a wrong token: %+v", g)
	}
	put(peer.Token)
	if g := stands(); g.State != "connected" {
		t.Errorf("with the right token again: %+v", g)
	}
}
