package engine_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/engine"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/gatewayguard"
	"agentflow/backend/team/topology"
)

// fewBytes is what a config was reset to in openclaw #91148.
const fewBytes = `{"gateway":{"mode":"local"}}`

func lost(g httpapi.Gateway) (out []gatewayguard.Kind) {
	if g.Alarm == nil {
		return nil
	}
	for _, l := range g.Alarm.Losses {
		out = append(out, l.Kind)
	}
	return out
}

// watching is a hub that is connected to a simulated gateway and looks at its config all the time.
func watching(t *testing.T, peer *gatewaytest.Server) *hub {
	t.Helper()
	h := startHubWith(t,
		engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: 20 * time.Millisecond})
	h.connected("studio")
	return h
}

func (h *hub) snapshots(gateway string) []httpapi.Snapshot {
	h.t.Helper()
	var out struct{ Snapshots []httpapi.Snapshot }
	h.must("GET", "/api/gateways/"+gateway+"/snapshots", nil, &out)
	return out.Snapshots
}

// keeps waits until the gateway's current config counts as kept, and checks that it is.
func (h *hub) keeps(gateway string) {
	h.t.Helper()
	var g httpapi.Gateway
	poll(h.t, func() bool {
		g = h.gateway(gateway)
		return g.KeptHash != "" && g.KeptHash == g.ConfigHash
	})
	if kept := h.snapshots(gateway); len(kept) == 0 || kept[0].Hash != g.KeptHash {
		h.t.Errorf("told as kept: %s, kept: %+v", g.KeptHash, kept)
	}
}

// OC-4: a config that is put in the gateway's place raises an alarm. The restore asks for the secrets that are gone.
func TestOC4_AShrunkConfigIsFoundAndRestored(t *testing.T) {
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
			whole := peer.Config()

			peer.SetConfig(map[string]any{"gateway": map[string]any{"mode": "local"}})
			poll(t, func() bool { return h.gateway("studio").Alarm != nil })
			g := h.gateway("studio")
			if got := lost(g); !slices.Contains(got, gatewayguard.Agents) || !slices.Contains(got, gatewayguard.Bytes) {
				t.Errorf("lost: %v", got)
			}

			var p rollout.Preview
			h.must("POST", "/api/gateways/studio/rollback-preview", map[string]any{"snapshotId": g.Alarm.Before.ID}, &p)
			var secrets []openclaw.Secret
			for _, l := range p.Losses {
				if l.Reason == openclaw.LossSecret {
					again := openclaw.Secret{Agent: l.Agent, Field: l.Field, Value: "entered-again-" + l.Field}
					secrets = append(secrets, again)
				}
			}
			if len(secrets) != 2 {
				t.Fatalf("secrets that are gone: %+v", secrets)
			}
			var out struct{ Apply rollout.Apply }
			h.must("POST", "/api/gateways/studio/rollback", map[string]any{
				"snapshotId": g.Alarm.Before.ID, "hash": p.BaseHash, "deleteAgents": true, "secrets": secrets,
			}, &out)
			a := h.finish(out.Apply)
			if a.State != rollout.Done {
				t.Fatalf("%s: %+v", a.State, a.Error)
			}
			h.keeps("studio")
			if text := fmt.Sprintf("%+v", a); strings.Contains(text, "entered-again") {
				t.Errorf("the apply tells a secret: %s", text)
			}
			now := peer.Config()
			for _, s := range secrets {
				if got := at(now, s.Field); got != s.Value {
					t.Errorf("%s is %v", s.Field, got)
				}
				put(whole, s.Field, s.Value)
			}
			delete(now, "meta") // which older gateways write
			if got, want := fmt.Sprint(now), fmt.Sprint(whole); got != want {
				t.Errorf("the gateway holds\n%s, want\n%s", got, want)
			}
			poll(t, func() bool { return h.gateway("studio").Alarm == nil })
		})
	}
}

// OC-4: the alarm stands over a restart of the hub, and while the config changes without getting back what it lost. A
// person can dismiss it.
func TestOC4_TheAlarmStandsUntilSomebodySettlesIt(t *testing.T) {
	t.Parallel()
	opts := gatewaytest.Options{}
	opts.Config = populated(opts)
	peer := gatewaytest.Start(t, opts)
	start := engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: 20 * time.Millisecond}
	h := startHubWith(t, start)
	h.connected("studio")
	poll(t, func() bool { return len(h.snapshots("studio")) == 1 })
	good := h.snapshots("studio")[0].ID
	h.stop()

	peer.SetConfig(map[string]any{"gateway": map[string]any{"mode": "local"}})
	h = startHubWith(t, start)
	poll(t, func() bool { return h.gateway("studio").Alarm != nil }) // it was changed while no hub ran
	peer.SetConfig(map[string]any{"gateway": map[string]any{"mode": "local", "port": 1}})
	poll(t, func() bool { return len(h.snapshots("studio")) == 3 })
	h.stop()
	h = startHubWith(t, start)
	g := h.gateway("studio")
	if g.Alarm == nil || g.Alarm.Before.ID != good {
		t.Fatalf("alarm: %+v, the last good config is %s", g.Alarm, good)
	}

	h.must("DELETE", "/api/gateways/studio/alarm", nil, nil)
	h.must("DELETE", "/api/gateways/studio/alarm", nil, nil) // a second one does nothing
	if g := h.gateway("studio"); g.Alarm != nil {
		t.Errorf("alarm: %+v", g.Alarm)
	}
	if status, _ := h.call("DELETE", "/api/gateways/nobody/alarm", nil, nil); status != http.StatusNotFound {
		t.Errorf("no such gateway: %d", status)
	}
}

// OC-4: what a person agrees to in a review raises no alarm.
func TestOC4_AnOwnApplyIsNoLoss(t *testing.T) {
	t.Parallel()
	opts := gatewaytest.Options{}
	opts.Config = populated(opts)
	peer := gatewaytest.Start(t, opts)
	h := watching(t, peer)
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	id := string(d.ID)
	h.edit(id, func(t *topology.Topology) {
		t.Agents = slices.DeleteFunc(t.Agents, func(a topology.Agent) bool { return a.ID != "main" })
	})
	if a := h.apply(id, h.preview(id, nil), nil, true); a.State != rollout.Done {
		t.Fatalf("%s: %+v", a.State, a.Error)
	}
	poll(t, func() bool { return h.gateway("studio").ConfigHash == peer.Hash() })
	if g := h.gateway("studio"); g.Alarm != nil {
		t.Errorf("alarm: %+v", g.Alarm)
	}
}

// OC-4: a gateway restarts because its config was replaced, right after the hub has read it once. The loss is found.
func TestOC4_ALossIsFoundAlthoughTheGatewayGoesAwayAtOnce(t *testing.T) {
	t.Parallel()
	opts := gatewaytest.Options{}
	opts.Config = populated(opts)
	peer := gatewaytest.Start(t, opts)
	h := watching(t, peer)
	h.keeps("studio")
	counted := func(method string, more int) func() bool {
		before := peer.Count(method)
		return func() bool { return peer.Count(method) >= before+more }
	}
	asked := counted("models.list", 1) // what the hub asks next
	peer.SetFaults(gatewaytest.Faults{Stall: map[string]bool{"models.list": true}})
	peer.SetConfig(map[string]any{"gateway": map[string]any{"mode": "local"}})
	poll(t, asked)
	refused := counted("config.get", 3)
	peer.SetFaults(gatewaytest.Faults{Refuse: map[string]bool{"config.get": true}})
	peer.Restart()
	poll(t, refused)
	peer.SetFaults(gatewaytest.Faults{})
	poll(t, func() bool { return h.gateway("studio").Alarm != nil })
}

// OC-4: a review reads the loss before the hub's own look. It raises the alarm even so.
func TestOC4_ALossThatAReviewReadFirstIsFound(t *testing.T) {
	t.Parallel()
	opts := gatewaytest.Options{}
	opts.Config = populated(opts)
	peer := gatewaytest.Start(t, opts)
	h := startHubWith(t, engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: time.Hour})
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	h.keeps("studio")
	poll(t, func() bool { return !h.gateway("studio").RulesAt.IsZero() }) // it has looked before
	peer.SetConfig(map[string]any{"gateway": map[string]any{"mode": "local"}})
	h.must("GET", "/api/teams/"+string(d.ID)+"/drift", nil, nil)
	if g := h.gateway("studio"); g.ConfigHash != peer.Hash() { // on a busy computer, the alarm can be there already
		t.Fatalf("the review has read %s of %s", g.ConfigHash, peer.Hash())
	}
	peer.Restart() // the hub looks whenever it is connected again
	poll(t, func() bool { return h.gateway("studio").Alarm != nil })
}

// OC-4: 43 bytes in the place of a real gateway's config are found, and the config comes back whole.
func TestOC4_FortyThreeBytesOnRealGateways(t *testing.T) {
	t.Parallel()
	list := `{"list": [{"id": "main", "default": true}, {"id": "scout"}, {"id": "clerk"}, {"id": "cook"}]}`
	entries := `{"ownership": "explicit", "entries": {"boss": {}, "scout": {}, "clerk": {}, "cook": {}},
		"defaults": {"heartbeat": {"agentId": "boss"}, "systemAgent": {"agentId": "boss"},
			"authInheritance": {"agentId": "boss"}}}`
	for _, version := range gatewaytest.RealVersions {
		roster := list
		if version == gatewaytest.RealVersions[0] {
			roster = entries
		}
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.StartRealWith(t, version, roster)
			h := startHubWith(t, engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: time.Second})
			h.connected("studio")
			poll(t, func() bool { s := h.snapshots("studio"); return len(s) > 0 && s[0].Agents == 4 })
			peer.WriteConfig(t, fewBytes)
			poll(t, func() bool { return h.gateway("studio").Alarm != nil })
			alarm := h.gateway("studio").Alarm
			good := map[string]any{"snapshotId": alarm.Before.ID}
			var p rollout.Preview
			poll(t, func() bool { // the newest gateway restarts, without its token
				_, err := h.call("POST", "/api/gateways/studio/rollback-preview", good, &p)
				return err == nil
			})
			known := map[string]string{
				"gateway.auth.token": peer.Token, "models.providers.fake.apiKey": "a-secret-of-the-provider",
			}
			var secrets []openclaw.Secret
			for _, l := range p.Losses {
				if l.Reason == openclaw.LossSecret {
					secrets = append(secrets, openclaw.Secret{Agent: l.Agent, Field: l.Field, Value: known[l.Field]})
				}
			}
			// A gateway that restarted meanwhile has made a token, so that only the provider's key is gone.
			gone := func(s openclaw.Secret) bool { return s.Field == "models.providers.fake.apiKey" }
			if len(secrets) > len(known) || !slices.ContainsFunc(secrets, gone) {
				t.Fatalf("secrets that are gone: %+v", secrets)
			}
			restore := map[string]any{"snapshotId": alarm.Before.ID, "deleteAgents": true, "secrets": secrets}
			poll(t, func() bool { // a restart may come in between
				var out struct{ Apply rollout.Apply }
				if _, err := h.call("POST", "/api/gateways/studio/rollback", restore, &out); err != nil {
					return false
				}
				return h.finish(out.Apply).State == rollout.Done
			})
			poll(t, func() bool { return h.gateway("studio").Alarm == nil })
			var again rollout.Preview
			poll(t, func() bool {
				_, err := h.call("POST", "/api/gateways/studio/rollback-preview", good, &again)
				return err == nil
			})
			filled := func(c openclaw.PreviewChange) bool { return c.Field == "workspace" } // by the newest gateway
			again.Changes = slices.DeleteFunc(again.Changes, filled)
			// The newest gateway runs main when it has lost its agents, and doesn't let it go.
			stays := func(l openclaw.Loss) bool { return l.Reason == openclaw.LossDefault && l.Agent == "main" }
			again.Losses = slices.DeleteFunc(again.Losses, stays)
			if len(again.Changes) > 0 || len(again.Deletions) > 0 || len(again.Losses) > 0 {
				t.Errorf("what is not as it was: %+v", again)
			}
		})
	}
}

// populated is a config with four agents and two secrets, in the form of the gateway.
func populated(opts gatewaytest.Options) map[string]any {
	type object = map[string]any
	names := []string{"main", "scout", "clerk", "cook"}
	secrets := object{
		"gateway": object{"mode": "local", "auth": object{"mode": "token", "token": "the-gateway-secret"}},
		"models":  object{"providers": object{"fake": object{"apiKey": "the-provider-secret"}}},
	}
	entries, list := object{}, []any{}
	for _, id := range names {
		name := strings.ToUpper(id[:1]) + id[1:]
		entries[id] = object{"name": name, "workspace": "/home/user/" + strings.Repeat(id, 20)}
		list = append(list, object{"id": id, "name": name, "workspace": "/home/user/" + strings.Repeat(id, 20)})
	}
	switch {
	case opts.Dialect == client.DialectJSONRPC:
		secrets["agents"] = entries
	case opts.Generation == gatewaytest.February:
		list[0].(object)["default"] = true
		secrets["agents"] = object{"list": list}
	default:
		secrets["agents"] = object{"ownership": "explicit", "entries": entries}
	}
	return secrets
}

// at returns the value at a path of a config.
func at(config map[string]any, path string) any {
	keys := strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		config, _ = config[key].(map[string]any)
	}
	return config[keys[len(keys)-1]]
}

func put(config map[string]any, path string, value any) {
	keys := strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		config = config[key].(map[string]any)
	}
	config[keys[len(keys)-1]] = value
}

// OC-4: what an apply made is what a restore brings back, not what was there before it.
func TestOC4_ALossIsMeasuredAgainstTheLastApply(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC})
	h := watching(t, peer)
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	id := string(d.ID)
	h.edit(id, func(t *topology.Topology) {
		for _, agent := range []topology.AgentID{"nina", "otto", "pia"} {
			t.Agents = append(t.Agents, topology.Agent{ID: agent, Name: string(agent), Model: "fake/fake-1"})
		}
	})
	if a := h.apply(id, h.preview(id, nil), nil, false); a.State != rollout.Done {
		t.Fatalf("%s: %+v", a.State, a.Error)
	}
	applied := h.snapshots("studio")[0]
	if applied.Cause != "after_apply" || applied.Hash != h.team(id).Base.Hash {
		t.Fatalf("kept last: %+v", applied)
	}
	peer.SetConfig(map[string]any{"agents": map[string]any{"main": map[string]any{"name": "Main"}}})
	poll(t, func() bool { return h.gateway("studio").Alarm != nil })
	if alarm := h.gateway("studio").Alarm; alarm.Before.ID != applied.ID {
		t.Errorf("alarm %+v, the apply is %s", alarm, applied.ID)
	}
}
