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
	"agentflow/backend/team/routes"
	"agentflow/backend/team/topology"
)

// OC-3: bindings go the whole way on a gateway that is simulated, which has channels.
func TestOC3_RoutesOfAGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Config: map[string]any{
		"agents": map[string]any{"ownership": "explicit",
			"entries": map[string]any{"main": map[string]any{"name": "Main"}, "ops": map[string]any{"name": "Ops"}}},
		"channels": map[string]any{"telegram": map[string]any{"accounts": map[string]any{
			"work": map[string]any{"name": "Work phone", "botToken": "swordfish-123"}, "home": map[string]any{}}}},
		"bindings": []any{"odd", map[string]any{
			"type": "acp", "agentId": "main", "match": map[string]any{"channel": "x"},
		}},
	}})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	id := h.routesThereAndBack()
	var table routes.Table
	h.must("GET", "/api/teams/"+id+"/routes", nil, &table)
	if raw, err := json.Marshal(
		table,
	); err != nil || strings.Contains(string(raw), "swordfish") || !table.Supported ||
		!table.Known || table.Missing || len(table.Channels) != 1 ||
		len(table.Channels[0].Accounts) != 2 {
		t.Errorf("%v %s", err, raw)
	}
	if list, ok := peer.Config()["bindings"].([]any); !ok || len(list) != 2 || list[0] != "odd" {
		t.Errorf("after the rollback the gateway has %v", peer.Config()["bindings"])
	}
}

// TestOC3_RealGateways does the same on real OpenClaw gateways. They check what they get by their own schema.
func TestOC3_RealGateways(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			h.routesThereAndBack()
		})
	}
}

// The built-in gateway has no channels, and bindings that are drawn for it stay in the team.
func TestOC3_TheBuiltInGatewayHasNoRoutes(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"name": "Here", "gateway": "local"}, &created)
	state := h.edit(string(created.ID), func(t *topology.Topology) {
		t.Agents = []topology.Agent{{ID: "a", Name: "A", Model: "demo/echo"}}
		t.Bindings = topology.Bindings{json.RawMessage(`{"agentId":"a","match":{"channel":"telegram"}}`)}
	})
	var table routes.Table
	h.must("GET", "/api/teams/"+string(created.ID)+"/routes", nil, &table)
	if table.Supported || len(table.Rules) != 1 || !slices.Contains(state.Staying, 1) {
		t.Errorf("%+v, staying %v of %+v", table, state.Staying, state.Changes)
	}
}

// routesThereAndBack: import, bind, review, apply, read back, a change behind our back, rollback.
func (h *hub) routesThereAndBack() (team string) {
	h.t.Helper()
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &created)
	id, had := string(created.ID), len(created.Topology.Bindings)
	const mine = `{"agentId":"main","match":{"channel":"telegram","accountId":"work"}}`
	const theirs = `{"agentId":"main","match":{"channel":"telegram","accountId":"*"}}`
	bind := func(team, raw string) {
		h.edit(team, func(t *topology.Topology) { t.Bindings = append(t.Bindings, json.RawMessage(raw)) })
	}
	bind(id, mine)
	p := h.preview(id, nil)
	about := func(c openclaw.PreviewChange) bool { return c.Subject == topology.SubjectBinding }
	i := slices.IndexFunc(p.Changes, about)
	if i < 0 || p.Changes[i].Op != topology.Added || p.Changes[i].Impact == openclaw.ImpactLocal ||
		!p.Sends || p.Sent != 1 {
		h.t.Fatalf("the review shows %+v", p.Changes)
	}
	first := h.apply(id, p, nil, false)
	if d := h.team(id); d.Unsent != 0 || len(d.Topology.Bindings) != had+1 {
		h.t.Fatalf("after the apply: %d unsent, %s", d.Unsent, d.Topology.Bindings)
	}
	var other httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Other"}, &other)
	if read := other.Topology.Bindings; len(read) != had+1 || topology.BoundTo(read[had]) != "main" ||
		!strings.Contains(string(read[had]), `"work"`) {
		h.t.Fatalf("read back: %s", read)
	}
	bind(string(other.ID), theirs)
	h.apply(string(other.ID), h.preview(string(other.ID), nil), nil, false)
	if p = h.preview(id, nil); !p.Stale || len(p.Merge.Conflicts) > 0 || len(p.Merge.FromTheirs) != 1 || p.Sends {
		h.t.Fatalf("a binding that came from elsewhere: stale %v, %+v, %+v", p.Stale, p.Merge, p.Changes)
	}
	h.must("POST", "/api/teams/"+id+"/import", map[string]any{}, nil)
	var answer routes.Answer
	for account, at := range map[string]int{"work": had, "home": had + 1} {
		from := map[string]any{"channel": "telegram", "account": account}
		h.must("POST", "/api/teams/"+id+"/routes/answer", from, &answer)
		if answer.Agent != "main" || answer.At != at || len(answer.Verdicts) != had+2 {
			h.t.Errorf("%s: %+v", account, answer)
		}
	}
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback", map[string]any{"snapshotId": first.Snapshot, "team": id}, &out)
	if a := h.finish(out.Apply); a.State != rollout.Done {
		h.t.Fatalf("rollback %s: %+v", a.State, a.Error)
	}
	if d := h.team(id); d.Unsent != 0 || len(d.Topology.Bindings) != had {
		h.t.Errorf("after the rollback: %d unsent, %s", d.Unsent, d.Topology.Bindings)
	}
	return id
}
