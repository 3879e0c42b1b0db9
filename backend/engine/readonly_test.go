package engine_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// isReadOnly waits until the hub knows why the config of a gateway can't be changed.
func (h *hub) isReadOnly(why openclaw.ReadOnly) {
	h.t.Helper()
	poll(h.t, func() bool { g := h.gateway("studio"); return g.State == "connected" && g.ReadOnly == why })
}

// refusesApply applies what a preview shows and returns the reason for which the hub doesn't begin.
func (h *hub) refusesApply(id string, p rollout.Preview) string {
	h.t.Helper()
	_, err := h.startApply(id, p, true)
	if err == nil {
		h.t.Fatal("the hub began an apply to a config that can't be changed")
	}
	return err.Reason()
}

// lastApplied is the config that a gateway received last.
func lastApplied(t *testing.T, peer *gatewaytest.Server) (raw string) {
	t.Helper()
	for _, call := range peer.Calls() {
		if call.Method == "config.apply" {
			var params struct{ Raw string }
			if err := json.Unmarshal(call.Params, &params); err != nil {
				t.Fatal(err)
			}
			raw = params.Raw
		}
	}
	return raw
}

// OC-4: a managed gateway is known as one before an apply. Its review has the file to save, byte for byte what an apply
// would send, and nothing reaches the gateway.
func TestOC4_AManagedGatewayIsToldApart(t *testing.T) {
	t.Parallel()
	h, peer, id := studio(t)
	first := h.apply(id, h.preview(id, nil), nil, false)
	peer.SetFaults(gatewaytest.Faults{ReadOnly: gatewaytest.Managed})
	peer.Restart()
	h.isReadOnly(openclaw.Managed)
	h.edit(id, func(d *topology.Topology) {
		d.Agents[0].Name = "Boss"
		d.Agents[0].Files = topology.Files{"SOUL.md": {Content: "# Boss\n"}}
	})
	sent, files := peer.Count("config.apply"), peer.Count("agents.files.set")
	p := h.preview(id, nil)
	if p.ReadOnly != openclaw.Managed || !p.Sends || !strings.Contains(p.After, "Boss") || len(p.Files) != 1 {
		t.Fatalf("the review of a managed gateway: %+v", p.Preview)
	}
	if !strings.Contains(p.After, openclaw.Redacted) || strings.Contains(p.After, peer.Token) {
		t.Errorf("the secrets in the file aren't as the gateway shows them: %s", p.After)
	}
	if got := h.refusesApply(id, p); got != errcode.ReasonConfigManaged {
		t.Errorf("the apply was refused with %q", got)
	}
	back := map[string]any{"snapshotId": first.Snapshot, "team": id, "deleteAgents": true}
	_, err := h.call("POST", "/api/gateways/studio/rollback", back, nil)
	if err == nil || err.Reason() != errcode.ReasonConfigManaged {
		t.Errorf("the rollback: %v", err)
	}
	if peer.Count("config.apply") != sent || peer.Count("agents.files.set") != files ||
		peer.Count("agents.delete") != 0 {
		t.Error("something reached the gateway")
	}
	if d := h.team(id); d.Unsent == 0 {
		t.Error("the changes were recorded as applied")
	}

	peer.SetFaults(gatewaytest.Faults{})
	peer.Restart()
	h.isReadOnly("")
	h.apply(id, h.preview(id, nil), nil, false)
	if got := lastApplied(t, peer); got != p.After {
		t.Errorf("the file to save isn't what an apply sends:\n%s\nsent:\n%s", p.After, got)
	}
}

// OC-4: a gateway that doesn't say so is known by its refusal: nothing is left half done, and the next review knows it.
func TestOC4_ARefusedApplyTellsThatAConfigCannotBeWritten(t *testing.T) {
	t.Parallel()
	h, peer, id := studio(t)
	h.write(id, "studio", "main", "SOUL.md", "# Main\n")
	h.apply(id, h.preview(id, nil), nil, false)
	h.write(id, "studio", "main", "SOUL.md", "# Chief\n")
	h.edit(id, func(d *topology.Topology) { d.Agents[0].Name = "Boss" })
	was := h.file("studio", "main", "SOUL.md")
	peer.SetFaults(gatewaytest.Faults{ReadOnly: gatewaytest.Unwritable})
	p := h.preview(id, nil)
	if p.ReadOnly != "" {
		t.Fatalf("known before an apply: %q", p.ReadOnly)
	}
	a, refused := h.startApply(id, p, false)
	if refused != nil {
		t.Fatal(refused)
	}
	if a.State != rollout.Failed || a.Error.Reason() != errcode.ReasonConfigUnwritable {
		t.Fatalf("the apply ended %s: %+v", a.State, a.Error)
	}
	if now := h.file("studio", "main", "SOUL.md"); now.Content != was.Content {
		t.Errorf("a workspace file was left without the config: %q", now.Content)
	}
	h.isReadOnly(openclaw.Unwritable)
	sent := peer.Count("config.apply")
	if p = h.preview(id, nil); p.ReadOnly != openclaw.Unwritable {
		t.Errorf("the next review doesn't know it: %q", p.ReadOnly)
	}
	if got := h.refusesApply(id, p); got != errcode.ReasonConfigUnwritable || peer.Count("config.apply") != sent {
		t.Errorf("refused with %q, %d more configs sent", got, peer.Count("config.apply")-sent)
	}

	peer.SetFaults(gatewaytest.Faults{})
	h.must("POST", "/api/gateways/studio/reconnect", nil, nil)
	h.isReadOnly("")
	h.apply(id, h.preview(id, nil), nil, false)
	if d := h.team(id); d.Unsent != 0 {
		t.Errorf("%d changes left", d.Unsent)
	}
}

// OC-4: when somebody has put the saved file in place, team and gateway are the same, and nobody else changed anything.
func TestOC4_ASavedFileInPlaceIsNoDrift(t *testing.T) {
	t.Parallel()
	h, peer, id := studio(t)
	peer.SetFaults(gatewaytest.Faults{ReadOnly: gatewaytest.Managed})
	peer.Restart()
	h.isReadOnly(openclaw.Managed)
	p := h.preview(id, nil)
	var saved map[string]any
	if err := json.Unmarshal([]byte(p.After), &saved); err != nil {
		t.Fatal(err)
	}
	saved["gateway"] = peer.Config()["gateway"] // the person fills in the secrets
	peer.SetConfig(saved)
	peer.Restart()
	poll(t, func() bool { g := h.gateway("studio"); return g.State == "connected" && g.ConfigHash == peer.Hash() })
	poll(t, func() bool { return h.team(id).Unsent == 0 })
	var drift rollout.Drift
	h.must("GET", "/api/teams/"+id+"/drift", nil, &drift)
	if len(drift.Changes) != 0 || drift.Conflicts != 0 || drift.Drifted != 0 {
		t.Errorf("drift %d, conflicts %d, %+v", drift.Drifted, drift.Conflicts, drift.Changes)
	}
	if p := h.preview(id, nil); p.Sends || p.Stale || p.ReadOnly != "" {
		t.Errorf("the review sends %v, stale %v, read-only %q", p.Sends, p.Stale, p.ReadOnly)
	}
	if g := h.gateway("studio"); g.Drift {
		t.Error("the gateway is still said to have changed")
	}
}

// OC-4: a real gateway under OPENCLAW_CONFIG_READONLY is known as managed before an apply, and still writes workspace
// files.
func TestOC4_ManagedRealGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.StartRealUnder(t, gatewaytest.RealVersions[0], "OPENCLAW_CONFIG_READONLY=1")
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	h.isReadOnly(openclaw.Managed)
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	id := string(d.ID)
	h.edit(id, func(d *topology.Topology) { d.Agents[0].Name = "Boss" })
	p := h.preview(id, nil)
	if p.ReadOnly != openclaw.Managed || !strings.Contains(p.After, "Boss") {
		t.Fatalf("the review: %+v", p.Preview)
	}
	if got := h.refusesApply(id, p); got != errcode.ReasonConfigManaged {
		t.Errorf("refused with %q", got)
	}
	link := dialReal(t, peer)
	_, err := link.Apply(t.Context(), p.After, p.BaseHash, "")
	if !errcode.HasReason(err, errcode.ReasonConfigManaged) {
		t.Errorf("config.apply answers %v", err)
	}
	was := h.file("studio", "main", "SOUL.md").Hash
	if err := link.WriteFile(t.Context(), "main", "SOUL.md", "# Main\n", was); err != nil {
		t.Errorf("a workspace file: %v", err)
	}
}

// dialReal connects to a gateway as a command does, without the hub.
func dialReal(t *testing.T, peer *gatewaytest.Real) *engine.Link {
	t.Helper()
	link, stop, err := engine.DialGateway(t.Context(), engine.DialOptions{
		URL: peer.URL, Dir: t.TempDir(), Logger: slog.New(slog.DiscardHandler), OnlyToken: true,
		Token: func(context.Context) (string, error) { return peer.Token, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return link
}
