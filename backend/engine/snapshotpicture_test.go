package engine_test

import (
	"testing"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
)

// OC-4: what somebody else changed on a gateway shows between two of its snapshots, as between two versions of a team.
func TestOC4_TwoSnapshotsOfAGatewayAreCompared(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]gatewaytest.Options{
		"newest": {}, "february": {Generation: gatewaytest.February}, "jsonrpc": {Dialect: client.DialectJSONRPC},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts.Config = populated(opts)
			peer := gatewaytest.Start(t, opts)
			h := watching(t, peer)
			h.keeps("studio")
			peer.SetConfig(renamed(t, peer, "Elsewhere"))
			poll(t, func() bool { return h.snapshots("studio")[0].Hash == peer.Hash() })
			kept := h.snapshots("studio")

			var p rollout.Picture
			h.must("GET", "/api/gateways/studio/snapshots/"+string(kept[0].ID)+"?with="+string(kept[1].ID), nil, &p)
			if p.A == nil || len(p.A.Agents) != kept[1].Agents || len(p.B.Agents) != kept[0].Agents ||
				len(p.B.Layout) != len(p.B.Agents) {
				t.Fatalf("%+v", p)
			}
			if len(p.Changes) != 1 || p.Changes[0].Field != "name" || len(p.Others) != 0 {
				t.Errorf("changes %+v, others %q", p.Changes, p.Others)
			}
			var alone rollout.Picture
			h.must("GET", "/api/gateways/studio/snapshots/"+string(kept[1].ID), nil, &alone)
			if alone.A != nil || len(alone.Changes) != 0 || len(alone.B.Agents) != kept[1].Agents {
				t.Errorf("alone: %+v", alone)
			}
		})
	}
}
