package engine_test

import (
	"slices"
	"testing"
	"time"

	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/server/httpapi"
)

// A model that is added to a gateway's config is known without another connection.
func TestModels_AreLearnedAgainWhenAGatewaysConfigChanges(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	knows := func(id string) bool {
		var got struct{ Models []httpapi.Model }
		h.must("GET", "/api/models", nil, &got)
		return slices.ContainsFunc(got.Models,
			func(m httpapi.Model) bool { return m.Gateway == "studio" && m.ID == id })
	}
	deadline := time.Now().Add(time.Minute)
	for !knows("fake/fake-1") {
		if time.Now().After(deadline) {
			t.Fatal("the gateway's models aren't known")
		}
	}
	if knows("fake/fake-2") {
		t.Fatal("it is known before it is there")
	}
	doc := peer.Config()
	doc["models"].(map[string]any)["more"] = "fake-2"
	peer.SetConfig(doc)
	peer.Emit("config.changed", map[string]any{"hash": peer.Hash()})
	for !knows("fake/fake-2") {
		if time.Now().After(deadline) {
			t.Fatal("the added model isn't known")
		}
	}
}
