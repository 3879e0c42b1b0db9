package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/gatewayschema"
	"agentflow/backend/team/topology"
)

func (h *hub) agentSettings(gateway string) httpapi.AgentSettings {
	h.t.Helper()
	var out httpapi.AgentSettings
	h.must("GET", "/api/gateways/"+gateway+"/agent-settings", nil, &out)
	return out
}

func settingsIn(s httpapi.AgentSettings) map[string]gatewayschema.Setting {
	found := map[string]gatewayschema.Setting{}
	gatewayschema.Walk(s.Settings, func(path []string, x *gatewayschema.Setting) {
		found[strings.Join(path, ".")] = *x
	})
	return found
}

// hasLimit reports whether the settings of everyone have one that no single agent has.
func hasLimit(everyone []gatewayschema.Setting) bool {
	return slices.ContainsFunc(everyone, func(s gatewayschema.Setting) bool {
		return s.Key == "maxConcurrent" && s.Reload == "hot"
	})
}

// OC-1: the gateway is asked once per connection. What it said is there without it, also for the next hub, and no
// secret of agents.defaults is shown or saved.
func TestOC1_SettingsStayWithoutTheGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Config: map[string]any{"agents": map[string]any{
		"ownership": "explicit",
		"defaults": map[string]any{"thinkingDefault": "low", "params": map[string]any{
			"apiKey": "swordfish-123", "other": "sk-0123456789abcdef0123",
		}},
		"entries": map[string]any{"main": map[string]any{"name": "Main"}},
	}}})
	dir := withGateway(t, peer.URL, peer.Token)
	h := startHub(t, dir)
	h.connected("studio")
	first := h.agentSettings("studio")
	found := settingsIn(first)
	if first.State != httpapi.SettingsCurrent || first.Version != "2026.9.6" || len(found) < 300 ||
		found["thinkingDefault"].Reload != "hot" || !hasLimit(first.Everyone) {
		t.Fatalf("%s, version %q, %d settings", first.State, first.Version, len(found))
	}
	if text := string(first.Defaults); !strings.Contains(text, `"thinkingDefault":"low"`) ||
		strings.Contains(text, "swordfish") || strings.Contains(text, "sk-01") {
		t.Errorf("inherited: %s", text)
	}
	config := peer.Config()
	config["agents"].(map[string]any)["defaults"] = map[string]any{"thinkingDefault": "high"}
	peer.SetConfig(config)
	if again := h.agentSettings("studio"); string(again.Defaults) != `{"thinkingDefault":"high"}` ||
		peer.Count("config.schema") != 1 {
		t.Errorf("asked %d times for the schema; inherited: %s", peer.Count("config.schema"), again.Defaults)
	}
	peer.Down()
	poll(t, func() bool { return h.agentSettings("studio").State == httpapi.SettingsKept })
	h.stop()
	h = startHub(t, dir)
	kept := h.agentSettings("studio")
	if kept.State != httpapi.SettingsKept || kept.Error == nil || kept.At.IsZero() ||
		len(settingsIn(kept)) != len(found) || !hasLimit(kept.Everyone) ||
		string(kept.Defaults) != `{"thinkingDefault":"high"}` {
		t.Errorf("%s, %v, %d settings, inherited: %s", kept.State, kept.Error, len(settingsIn(kept)), kept.Defaults)
	}
	peer.Up()
	h.connected("studio")
	if now := h.agentSettings("studio"); now.State != httpapi.SettingsCurrent || peer.Count("config.schema") != 2 {
		t.Errorf("back: %s, asked %d times", now.State, peer.Count("config.schema"))
	}
	h.must("DELETE", "/api/gateways/studio", nil, nil)
	h.must("POST", "/api/gateways", map[string]any{"name": "studio", "url": "ws://127.0.0.1:1/"}, nil)
	if other := h.agentSettings("studio"); other.State != httpapi.SettingsNone || other.Settings == nil {
		t.Errorf("another gateway of that name has %s, %d settings", other.State, len(other.Settings))
	}
}

// OC-1: a gateway without a schema, or with a broken one, has no settings to show, and that is all.
func TestOC1_GatewaysWithoutASchema(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		opts   gatewaytest.Options
		answer string
		failed bool
	}{
		"JSON-RPC": {opts: gatewaytest.Options{Dialect: client.DialectJSONRPC}},
		"a lie":    {answer: `{"type":"res","id":$ID,"ok":true,"payload":{"schema":{"properties":[]}}}`},
		"an error": {
			answer: `{"type":"res","id":$ID,"ok":false,"error":{"code":"INVALID_REQUEST","message":"no"}}`,
			failed: true,
		},
		"no answer of a kind": {answer: `{"type":"res","id":$ID,"ok":true,"payload":[1]}`, failed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := gatewaytest.Start(t, c.opts)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			if c.answer != "" {
				peer.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{"config.schema": c.answer}})
			}
			got := h.agentSettings("studio")
			if got.State != httpapi.SettingsNone || len(got.Settings) > 0 || (got.Error != nil) != c.failed {
				t.Errorf("%s, %d settings, %v", got.State, len(got.Settings), got.Error)
			}
		})
	}
}

// OC-1: the built-in gateway offers what it reads, not what it ignores.
func TestOC1_SettingsOfTheBuiltInGateway(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	got := h.agentSettings("local")
	found := settingsIn(got)
	elsewhere := []string{"allowAny", "files"} // subagents.allowAgents, and the workspace
	for _, f := range topology.FieldNames() {
		if !slices.Contains(elsewhere, f) && found[f].Key == "" {
			t.Errorf("%s is missing", f)
		}
	}
	if got.State != httpapi.SettingsCurrent || found["sandbox"].Key != "" || found["subagents.allowAgents"].Key == "" {
		t.Errorf("%s: %v", got.State, found)
	}
}

// OC-1: a setting is reviewed, applied to the gateway, read back from it, and reset.
func TestOC1_ASettingIsAppliedAndReset(t *testing.T) {
	t.Parallel()
	generations := map[string]gatewaytest.Options{"newest": {}, "february": {Generation: gatewaytest.February}}
	for name, opts := range generations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := gatewaytest.Start(t, opts)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			var d httpapi.Team
			h.must("POST", "/api/teams", map[string]any{"import": "studio"}, &d)
			id := string(d.ID)
			was := d.Topology.Agents[0].Extra
			h.edit(id, func(t *topology.Topology) {
				t.Agents[0].AllowAny = true
				t.Agents[0].Extra = was.With("subagents", json.RawMessage(`{"thinking":"high"}`)).
					With("sandbox", json.RawMessage(`{"mode":"all"}`))
			})
			h.apply(id, h.preview(id, nil), nil, false)
			text, _ := json.Marshal(peer.Config()["agents"])
			if !strings.Contains(string(text), `"subagents":{"allowAgents":["*"],"thinking":"high"}`) ||
				!strings.Contains(string(text), `"sandbox":{"mode":"all"}`) {
				t.Errorf("the gateway has %s", text)
			}
			h.connected("studio")
			if base := h.team(id).Base; base == nil || !base.Topology.Agents[0].Equal(h.team(id).Topology.Agents[0]) {
				t.Errorf("read back: %+v", base)
			}
			h.edit(id, func(t *topology.Topology) { t.Agents[0].Extra = was })
			h.apply(id, h.preview(id, nil), nil, false)
			text, _ = json.Marshal(peer.Config()["agents"])
			if strings.Contains(string(text), "thinking") || strings.Contains(string(text), "sandbox") {
				t.Errorf("after the reset the gateway has %s", text)
			}
			if n := len(h.team(id).Changes); n > 0 {
				t.Errorf("%d changes are left", n)
			}
		})
	}
}

// OC-1: what every agent inherits is imported, reviewed, merged with what changed on the gateway, applied, read back
// and rolled back.
func TestOC1_DefaultsOfEveryone(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Config: map[string]any{"agents": map[string]any{
		"ownership": "explicit",
		"defaults":  map[string]any{"thinkingDefault": "low", "model": map[string]any{"primary": "fake/fake-1"}},
		"entries":   map[string]any{"main": map[string]any{"name": "Main"}},
	}}})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio"}, &d)
	id := string(d.ID)
	if v, _ := d.Topology.Defaults.Get("thinkingDefault"); string(v) != `"low"` || len(d.Changes) > 0 {
		t.Fatalf("imported: %s, %d changes", d.Topology.Defaults, len(d.Changes))
	}
	h.edit(id, func(t *topology.Topology) {
		t.Defaults = t.Defaults.With("thinkingDefault", json.RawMessage(`"high"`))
	})
	config := peer.Config()
	defaults := config["agents"].(map[string]any)["defaults"].(map[string]any)
	defaults["maxConcurrent"] = 3
	peer.SetConfig(config)
	seen := h.preview(id, nil)
	about := func(c openclaw.PreviewChange) bool { return c.Subject == topology.SubjectDefaults }
	if i := slices.IndexFunc(seen.Changes, about); i < 0 || seen.Changes[i].Impact != openclaw.ImpactHot {
		t.Fatalf("the review has %+v", seen.Changes)
	}
	applied := h.apply(id, seen, nil, false)
	text, _ := json.Marshal(peer.Config()["agents"].(map[string]any)["defaults"])
	for _, part := range []string{`"thinkingDefault":"high"`, `"maxConcurrent":3`, `"primary":"fake/fake-1"`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the gateway lacks %s: %s", part, text)
		}
	}
	h.connected("studio")
	team := h.team(id)
	if v, _ := team.Base.Topology.Defaults.Get("maxConcurrent"); string(v) != "3" || len(team.Changes) > 0 {
		t.Errorf("read back: %s, %d changes", team.Base.Topology.Defaults, len(team.Changes))
	}
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback", map[string]any{"snapshotId": applied.Snapshot, "team": id}, &out)
	if a := h.finish(out.Apply); a.State != rollout.Done {
		t.Fatalf("rollback %s: %+v", a.State, a.Error)
	}
	if v, _ := h.team(id).Topology.Defaults.Get("thinkingDefault"); string(v) != `"low"` {
		t.Errorf("after the rollback: %s", v)
	}
}
