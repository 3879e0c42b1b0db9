package engine_test

import (
	"slices"
	"testing"
	"time"

	"agentflow/backend/engine"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
)

// OC-4: a rollback names the secrets that it left out because nobody entered them.
func TestOC4_ARollbackNamesTheSecretsThatAreMissing(t *testing.T) {
	t.Parallel()
	opts := gatewaytest.Options{Dialect: client.DialectFramed, Generation: gatewaytest.Newest}
	opts.Config = populated(opts)
	peer := gatewaytest.Start(t, opts)
	h := watching(t, peer)
	h.keeps("studio")
	peer.SetConfig(map[string]any{"gateway": map[string]any{"mode": "local"}})
	poll(t, func() bool { return h.gateway("studio").Alarm != nil })
	before := h.gateway("studio").Alarm.Before.ID
	var p rollout.Preview
	h.must("POST", "/api/gateways/studio/rollback-preview", map[string]any{"snapshotId": before}, &p)
	var gone []openclaw.Secret
	for _, l := range p.Losses {
		if l.Reason == openclaw.LossSecret {
			gone = append(gone, openclaw.Secret{Agent: l.Agent, Field: l.Field, Value: "entered-again"})
		}
	}
	if len(gone) != 2 {
		t.Fatalf("secrets that are gone: %+v", gone)
	}
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback", map[string]any{
		"snapshotId": before, "hash": p.BaseHash, "deleteAgents": true, "secrets": gone[:1],
	}, &out)
	a := h.finish(out.Apply)
	want := []string{gone[1].Field}
	if gone[1].Agent != "" {
		want[0] = string(gone[1].Agent) + "." + want[0]
	}
	if a.State != rollout.Done || !slices.Equal(a.SecretsLeft, want) {
		t.Errorf("%s %+v, left %v, want %v", a.State, a.Error, a.SecretsLeft, want)
	}
}

// OC-4: an empty config file raises an alarm on a real gateway, and a rollback brings it back.
func TestOC4_AnEmptyFileOnARealGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.StartRealWith(t, gatewaytest.RealVersions[0],
		`{"ownership": "explicit", "entries": {"main": {}, "scout": {}, "clerk": {}, "cook": {}}}`)
	h := startHubWith(t, engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: time.Second})
	h.connected("studio")
	poll(t, func() bool { s := h.snapshots("studio"); return len(s) > 0 && s[0].Agents == 4 })
	known := map[string]string{
		"gateway.auth.token": peer.Token, "models.providers.fake.apiKey": "a-secret-of-the-provider",
	}
	peer.WriteConfig(t, "")
	poll(t, func() bool { return h.gateway("studio").Alarm != nil })
	before := h.gateway("studio").Alarm.Before.ID
	poll(t, func() bool {
		var p rollout.Preview
		at := map[string]any{"snapshotId": before}
		if _, err := h.call("POST", "/api/gateways/studio/rollback-preview", at, &p); err != nil {
			return false
		}
		var secrets []openclaw.Secret
		for _, l := range p.Losses {
			if l.Reason == openclaw.LossSecret {
				secrets = append(secrets, openclaw.Secret{Agent: l.Agent, Field: l.Field, Value: known[l.Field]})
			}
		}
		var out struct{ Apply rollout.Apply }
		body := map[string]any{"snapshotId": before, "deleteAgents": true, "secrets": secrets}
		if _, err := h.call("POST", "/api/gateways/studio/rollback", body, &out); err != nil {
			return false
		}
		return h.finish(out.Apply).State == rollout.Done
	})
	poll(t, func() bool { return h.gateway("studio").Alarm == nil })
}
