package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

func TestAPP3_GW3_DrawAndApply(t *testing.T) {
	t.Parallel()
	kinds := map[string]gatewaytest.Options{
		"jsonrpc":          {Dialect: client.DialectJSONRPC},
		"jsonrpc with raw": {Dialect: client.DialectJSONRPC, Raw: true},
		"february":         {Generation: gatewaytest.February},
		"newest":           {},
	}
	for name, opts := range kinds {
		t.Run(name, func(t *testing.T) {
			peer := gatewaytest.Start(t, opts)
			flow(t, peer.URL, peer.Token)
		})
	}
}

// TestGW10_RealGateways is the main job on real OpenClaw gateways of both generations.
func TestGW10_RealGateways(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			flow(t, peer.URL, peer.Token)
		})
	}
}

// flow: import, add two agents and three connections, apply, read back; secrets still
// work; a foreign change in between is merged; a collision is put to the person; rollback;
// the hub's restart survived.
func flow(t *testing.T, url, token string) {
	dir := withGateway(t, url, token)
	h := startHub(t, dir)
	h.connected("studio")
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &created)
	id := string(created.ID)
	if len(created.Topology.Agents) == 0 || created.Unsent != 0 || created.Base == nil {
		t.Fatalf("right after the import %d changes are unsent: %+v", created.Unsent, created.Changes)
	}

	if h.framed("studio") {
		h.refusals(id)
	}
	first := h.draw(id)
	h.checkReadBack(id)
	h.mergeForeign(id)
	h.collide(id)

	h.stop()
	h = startHub(t, dir)
	h.connected("studio")
	d := h.team(id)
	if _, ok := d.Topology.Agent("dev-1"); !ok || d.Unsent != 0 || !d.CanUndo {
		t.Errorf("after the restart: unsent %d, undo %v, %+v", d.Unsent, d.CanUndo, d.Topology.Agents)
	}
	h.rollBack(id, first)
}

// draw adds two agents and three connections, of which the gateway can hold two or all.
func (h *hub) draw(id string) rollout.Apply {
	h.t.Helper()
	state := h.edit(id, func(t *topology.Topology) {
		model := t.Agents[0].Model
		t.Agents = append(t.Agents,
			topology.Agent{ID: "pm-1", Name: "PM鬼畜", Role: "Coordinator", Persona: "Plan.", Model: model, Connections: []topology.Connection{
				{TargetID: "dev-1", Type: topology.Command}, {TargetID: t.Agents[0].ID, Type: topology.Command},
			}},
			topology.Agent{ID: "dev-1", Name: "Dev", Model: model, Connections: []topology.Connection{{TargetID: "pm-1", Type: topology.Review}}},
		)
	})
	if state.Unsent == 0 || !state.CanUndo {
		h.t.Fatalf("the edit is not a change: %+v", state)
	}
	p := h.preview(id, nil)
	if p.Stale || p.Sent == 0 || !strings.Contains(p.After, "pm-1") || strings.Contains(p.Before, "pm-1") {
		h.t.Fatalf("preview: stale %v, sent %d, changes %+v", p.Stale, p.Sent, p.Changes)
	}
	a := h.apply(id, p, nil, false)
	if a.Snapshot == "" {
		h.t.Error("no snapshot was kept before the apply")
	}
	return a
}

func (h *hub) checkReadBack(id string) {
	h.t.Helper()
	d := h.team(id)
	if d.Unsent != 0 {
		h.t.Errorf("after the apply %d changes are unsent: %+v", d.Unsent, d.Changes)
	}
	pm, ok := d.Topology.Agent("pm-1")
	if !ok || pm.Role != "Coordinator" || pm.Persona != "Plan." || len(pm.Connections) != 2 {
		h.t.Errorf("pm-1 came back as %+v", pm)
	}
	if dev, _ := d.Topology.Agent("dev-1"); dev == nil || len(dev.Connections) != 1 || dev.Connections[0].Type != topology.Review {
		h.t.Errorf("the review connection was lost: %+v", dev)
	}
	agents := h.remote()
	if allow := agents["pm-1"]; !slices.Contains(allow, "dev-1") {
		h.t.Errorf("the gateway lets pm-1 command %v", allow)
	}
	p := h.preview(id, nil)
	if p.Sends || p.Stale {
		h.t.Errorf("nothing changed, but the preview would send: %+v", p.Changes)
	}
	var out struct{ Gateways []httpapi.Gateway }
	h.must("GET", "/api/gateways", nil, &out)
	for _, g := range out.Gateways {
		if g.Name == "studio" && g.State != "connected" {
			h.t.Errorf("the token no longer works: %s %v", g.State, g.Error)
		}
	}
}

// remote reads from the gateway, not the team, which agents may command which.
func (h *hub) remote() map[string][]string {
	h.t.Helper()
	cfg := h.config()
	var doc struct {
		Agents map[string]json.RawMessage `json:"agents"`
	}
	if err := json.Unmarshal(cfg.Config, &doc); err != nil {
		h.t.Fatal(err)
	}
	type agent struct {
		ID        string `json:"id"`
		Subagents struct {
			AllowAgents []string `json:"allowAgents"`
		} `json:"subagents"`
	}
	out := map[string][]string{}
	switch {
	case doc.Agents["list"] != nil:
		var list []agent
		if err := json.Unmarshal(doc.Agents["list"], &list); err != nil {
			h.t.Fatal(err)
		}
		for _, a := range list {
			out[a.ID] = a.Subagents.AllowAgents
		}
	case doc.Agents["entries"] != nil:
		var entries map[string]agent
		if err := json.Unmarshal(doc.Agents["entries"], &entries); err != nil {
			h.t.Fatal(err)
		}
		for name, a := range entries {
			out[name] = a.Subagents.AllowAgents
		}
	default:
		for name, raw := range doc.Agents {
			var a agent
			if json.Unmarshal(raw, &a) == nil {
				out[name] = a.Subagents.AllowAgents
			}
		}
	}
	return out
}

type remoteConfig struct {
	Config   json.RawMessage `json:"config"`
	BaseHash string          `json:"baseHash"`
}

func (h *hub) config() remoteConfig {
	h.t.Helper()
	var cfg remoteConfig
	h.must("POST", "/api/gateway/config/get", map[string]any{"gateway": "studio"}, &cfg)
	return cfg
}

// foreign changes the gateway's config behind the team's back.
func (h *hub) foreign(from, to string) {
	h.t.Helper()
	cfg := h.config()
	next := strings.Replace(string(cfg.Config), from, to, 1)
	if next == string(cfg.Config) {
		h.t.Fatalf("%q does not stand in %s", from, cfg.Config)
	}
	in := map[string]any{"gateway": "studio", "raw": next, "baseHash": cfg.BaseHash, "reason": "someone else"}
	status, err := h.call("POST", "/api/gateway/config/apply", in, nil)
	for err != nil && err.Reason() == errcode.ReasonRateLimited {
		wait, _ := err.Details[errcode.KeyRetryAfterMs].(float64)
		if wait <= 0 {
			h.t.Fatalf("rate limited without a time: %+v", err)
		}
		h.t.Logf("the gateway asks to wait %.0f ms", wait)
		pause(h.t, time.Duration(wait)*time.Millisecond+200*time.Millisecond)
		status, err = h.call("POST", "/api/gateway/config/apply", in, nil)
	}
	if err != nil {
		h.t.Fatalf("foreign change: %d %+v", status, err)
	}
	h.settle(cfg.BaseHash)
}

// settle waits until the gateway answers again after a restart.
func (h *hub) settle(before string) {
	h.t.Helper()
	poll(h.t, func() bool {
		var cfg remoteConfig
		_, err := h.call("POST", "/api/gateway/config/get", map[string]any{"gateway": "studio"}, &cfg)
		return err == nil && cfg.BaseHash != before
	})
	h.connected("studio")
}

func (h *hub) mergeForeign(id string) {
	h.t.Helper()
	h.foreign(`"Dev"`, `"Developer"`)
	h.edit(id, func(t *topology.Topology) {
		for i := range t.Agents {
			if t.Agents[i].ID == "pm-1" {
				t.Agents[i].Name = "PM"
			}
		}
	})
	p := h.preview(id, nil)
	if !p.Stale || p.Merge == nil || p.Merge.Undecided() != 0 {
		h.t.Fatalf("a foreign change was not merged: stale %v, merge %+v", p.Stale, p.Merge)
	}
	h.apply(id, p, nil, false)
	d := h.team(id)
	dev, _ := d.Topology.Agent("dev-1")
	pm, _ := d.Topology.Agent("pm-1")
	if dev == nil || pm == nil || dev.Name != "Developer" || pm.Name != "PM" {
		h.t.Errorf("merged: dev %+v, pm %+v", dev, pm)
	}
}

func (h *hub) collide(id string) {
	h.t.Helper()
	h.foreign(`"Developer"`, `"Theirs"`)
	h.edit(id, func(t *topology.Topology) {
		for i := range t.Agents {
			if t.Agents[i].ID == "dev-1" {
				t.Agents[i].Name = "Mine"
			}
		}
	})
	p := h.preview(id, nil)
	if p.Merge.Undecided() != 1 {
		h.t.Fatalf("a collision was not put to the person: %+v", p.Merge)
	}
	c := p.Merge.Conflicts[0]
	if string(c.Base) != `"Developer"` || string(c.Mine) != `"Mine"` || string(c.Theirs) != `"Theirs"` {
		h.t.Errorf("conflict %s: base %s, mine %s, theirs %s", c.ID, c.Base, c.Mine, c.Theirs)
	}
	_, err := h.call("POST", "/api/teams/"+id+"/apply", map[string]any{"hash": p.BaseHash}, nil)
	if err == nil || err.Code != errcode.Conflict || err.Reason() != rollout.ReasonUndecided {
		h.t.Fatalf("an undecided conflict was applied: %+v", err)
	}
	choices := map[string]topology.Choice{c.ID: topology.ChooseTheirs}
	h.apply(id, h.preview(id, choices), choices, false)
	d := h.team(id)
	if dev, _ := d.Topology.Agent("dev-1"); dev == nil || dev.Name != "Theirs" || d.Unsent != 0 {
		h.t.Errorf("the choice was not followed: %+v, unsent %d", dev, d.Unsent)
	}
}

// restoreSnapshot rolls the gateway back to a snapshot, without the agents that were added since.
func (h *hub) restoreSnapshot(gateway, id string, snapshot library.SnapshotID) rollout.Apply {
	h.t.Helper()
	var out struct{ Apply rollout.Apply }
	in := map[string]any{"snapshotId": snapshot, "team": id, "deleteAgents": true}
	h.must("POST", "/api/gateways/"+gateway+"/rollback", in, &out)
	done := h.finish(out.Apply)
	if done.State != rollout.Done {
		h.t.Fatalf("rollback %s: %+v", done.State, done.Error)
	}
	return done
}

// rollBack restores what was there before the first apply.
func (h *hub) rollBack(id string, first rollout.Apply) {
	h.t.Helper()
	h.restoreSnapshot("studio", id, first.Snapshot)
	if agents := h.remote(); len(agents["pm-1"]) > 0 {
		h.t.Errorf("pm-1 is still there: %v", agents)
	}
	d := h.team(id)
	if _, ok := d.Topology.Agent("pm-1"); ok || d.Unsent != 0 {
		h.t.Errorf("the team did not follow: unsent %d, %+v", d.Unsent, d.Topology.Agents)
	}
	h.must("POST", "/api/teams/"+id+"/undo", nil, &d)
	if pm, ok := d.Topology.Agent("pm-1"); !ok || pm.Role != "Coordinator" {
		h.t.Error("the rollback could not be undone in the team")
	}
}
