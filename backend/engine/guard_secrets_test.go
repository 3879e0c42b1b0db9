package engine_test

import (
	"slices"
	"testing"

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
