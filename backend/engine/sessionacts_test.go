package engine_test

import (
	"net/http"
	"slices"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

func session(gateway, key string) map[string]any {
	return map[string]any{"gateway": gateway, "sessionKey": key}
}

// OC-5: a session is forked, compacted and reset by the API, where the gateway offers it. What it doesn't offer, and a
// gateway that is gone, is GATEWAY_ERROR; the built-in gateway offers to stop a run.
func TestOC5_ASessionIsForkedCompactedAndReset(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	const key = "agent:main:main"
	want := []client.SessionAct{"stop", "reset", "compact", "fork"}
	if got := h.gateway("studio").SessionActs; !slices.Equal(got, want) {
		t.Errorf("the gateway offers %v", got)
	}
	if got := h.gateway("local").SessionActs; !slices.Equal(got, []client.SessionAct{"stop"}) {
		t.Errorf("the built-in gateway offers %v", got)
	}
	h.say("studio", key, "one")
	h.say("studio", key, "two")
	var fork struct{ SessionKey string }
	h.must("POST", "/api/gateway/sessions/fork", session("studio", key), &fork)
	var done client.Compacted
	h.must("POST", "/api/gateway/sessions/compact", session("studio", key), &done)
	if n := len(h.history("studio", key)); !done.Compacted || n != 3 {
		t.Errorf("compacted %v, with %d messages", done, n)
	}
	h.must("POST", "/api/gateway/sessions/reset", session("studio", key), nil)
	if n, copied := len(h.history("studio", key)), len(h.history("studio", fork.SessionKey)); n != 0 || copied != 4 {
		t.Errorf("after the reset there are %d messages, and %d in the copy", n, copied)
	}
	refused := func(gateway, act string) {
		t.Helper()
		status, err := h.call("POST", "/api/gateway/sessions/"+act, session(gateway, key), nil)
		if status != http.StatusBadGateway || err == nil || err.Code != errcode.Gateway {
			t.Errorf("%s at %s gave %d, %v", act, gateway, status, err)
		}
	}
	refused("local", "reset")
	refused("local", "compact")
	refused("local", "fork")
	peer.Down()
	poll(t, func() bool { return len(h.gateway("studio").SessionActs) == 0 })
	refused("studio", "reset")
}

// acts does on a real gateway what it offers to do with a session. The session has one message and its answer.
func (h *hub) acts(t *testing.T, version, key string) {
	t.Helper()
	offered := h.gateway("studio").SessionActs
	if want := version > "2026.3"; slices.Contains(offered, client.ActFork) != want {
		t.Errorf("%s offers %v", version, offered)
	}
	own := "agent:main:agentflow-acts"
	if slices.Contains(offered, client.ActFork) {
		var fork struct{ SessionKey string }
		h.must("POST", "/api/gateway/sessions/fork", session("studio", key), &fork)
		if n := len(h.history("studio", fork.SessionKey)); n != 2 {
			t.Errorf("the fork has %d messages", n)
		}
		own = fork.SessionKey
	}
	var done client.Compacted
	h.must("POST", "/api/gateway/sessions/compact", session("studio", own), &done)
	if !done.Compacted && done.Reason == "" {
		t.Errorf("nothing was compacted, and there is no reason")
	}
	h.must("POST", "/api/gateway/sessions/reset", session("studio", own), nil)
	for _, m := range h.history("studio", own) { // the newest leaves a mark of the system
		if m.Role != "system" {
			t.Errorf("after the reset there is %+v", m)
		}
	}
}
