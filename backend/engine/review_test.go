package engine_test

import (
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// studio starts a hub with a team of a gateway, and two agents drawn and not applied.
func studio(t *testing.T) (*hub, *gatewaytest.Server, string) {
	t.Helper()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	h.edit(string(d.ID), func(t *topology.Topology) {
		t.Agents[0].Name = "Chief"
		t.Agents = append(t.Agents, topology.Agent{ID: "pm-1", Name: "PM", Connections: []topology.Connection{{TargetID: "dev-1", Type: topology.Command}}},
			topology.Agent{ID: "dev-1", Name: "Dev"})
	})
	return h, peer, string(d.ID)
}

func entries(peer *gatewaytest.Server) map[string]any {
	agents, _ := peer.Config()["agents"].(map[string]any)
	all, _ := agents["entries"].(map[string]any)
	return all
}

func (h *hub) previewWithout(id string, leaveOut ...string) rollout.Preview {
	h.t.Helper()
	var p rollout.Preview
	h.must("POST", "/api/teams/"+id+"/preview", map[string]any{"leaveOut": leaveOut}, &p)
	return p
}

func (h *hub) applyWithout(id string, p rollout.Preview, leaveOut ...string) rollout.Apply {
	h.t.Helper()
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/teams/"+id+"/apply",
		map[string]any{"hash": p.BaseHash, "seen": p.Seen, "leaveOut": leaveOut}, &out)
	a := h.finish(out.Apply)
	if a.State != rollout.Done {
		h.t.Fatalf("apply %s: %+v", a.State, a.Error)
	}
	return a
}

func leftOut(p rollout.Preview) (ids []string) {
	for _, c := range p.Changes {
		if c.LeftOut && c.Subject != topology.SubjectLayout {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// APP-3: part of what is drawn is applied; the rest stays drawn and not applied.
func TestAPP3_ChosenChangesAreAppliedTheRestStaysDrawn(t *testing.T) {
	t.Parallel()
	h, peer, id := studio(t)
	all := h.preview(id, nil)
	p := h.previewWithout(id, "agent:dev-1")
	if got := leftOut(p); !slices.Equal(got, []string{"connection:pm-1:command:dev-1", "agent:dev-1"}) && !slices.Equal(got, []string{"agent:dev-1", "connection:pm-1:command:dev-1"}) {
		t.Fatalf("left out: %q", got)
	}
	if len(p.Changes) != len(all.Changes) || p.Sent != all.Sent-2 || strings.Contains(p.After, "dev-1") || !strings.Contains(p.After, "pm-1") {
		t.Fatalf("%d of %d changes, %d of %d sent:\n%s", len(p.Changes), len(all.Changes), p.Sent, all.Sent, p.After)
	}
	a := h.applyWithout(id, p, "agent:dev-1")
	if a.Left != 2 {
		t.Errorf("the apply says that %d changes are left", a.Left)
	}
	if got := entries(peer); got["pm-1"] == nil || got["dev-1"] != nil {
		t.Fatalf("the gateway holds %v", got)
	}
	d := h.team(id)
	if dev, ok := d.Topology.Agent("dev-1"); !ok || d.Unsent != 2 {
		t.Fatalf("left: %d not applied, %+v", d.Unsent, dev)
	}
	rest := h.preview(id, nil)
	if rest.Stale || rest.Sent != 2 {
		t.Fatalf("the rest: stale %v, %d sent", rest.Stale, rest.Sent)
	}
	h.applyWithout(id, rest)
	if d := h.team(id); d.Unsent != 0 || entries(peer)["dev-1"] == nil {
		t.Errorf("after the rest %d are not applied, the gateway holds %v", d.Unsent, entries(peer))
	}
}

// APP-3: what a person saw is what is applied, or nothing.
func TestAPP3_AnApplyOfSomethingElseThanSeenIsRefused(t *testing.T) {
	t.Parallel()
	h, peer, id := studio(t)
	p := h.preview(id, nil)
	h.edit(id, func(t *topology.Topology) { t.Agents[0].Name = "Somebody else" })
	for name, body := range map[string]map[string]any{
		"the team changed": {"hash": p.BaseHash, "seen": p.Seen},
		"other changes":    {"hash": p.BaseHash, "seen": h.preview(id, nil).Seen, "leaveOut": []string{"agent:dev-1"}},
	} {
		_, err := h.call("POST", "/api/teams/"+id+"/apply", body, nil)
		if err == nil || err.Code != errcode.Conflict || err.Reason() != rollout.ReasonNotSeen {
			t.Errorf("%s: %+v", name, err)
		}
	}
	if peer.Count("config.apply") != 0 {
		t.Error("something was sent")
	}
}

// APP-5: undo reaches an apply, and so does redo.
func TestAPP5_UndoOfAnApplyReachesTheGateway(t *testing.T) {
	t.Parallel()
	h, peer, id := studio(t)
	drawn := h.team(id)
	first := peer.Config()
	h.applyWithout(id, h.preview(id, nil))
	d := h.team(id)
	if d.UndoApply == nil || d.UndoApply.Gateway != "studio" || d.RedoApply != nil {
		t.Fatalf("undo of the apply: %+v, redo %+v", d.UndoApply, d.RedoApply)
	}
	var p rollout.Preview
	h.must("POST", "/api/gateways/studio/rollback-preview", map[string]any{"snapshotId": d.UndoApply.SnapshotID}, &p)
	if len(p.Deletions) != 2 || !strings.Contains(p.Before, "pm-1") || strings.Contains(p.After, "pm-1") {
		t.Fatalf("what the undo would do: %+v", p)
	}
	back := map[string]any{"snapshotId": d.UndoApply.SnapshotID, "team": id, "keep": true, "deleteAgents": true}
	back["hash"] = "another"
	if _, err := h.call("POST", "/api/gateways/studio/rollback", back, nil); err == nil || err.Reason() != errcode.ReasonStaleBase {
		t.Errorf("a rollback of something else than seen: %+v", err)
	}
	back["hash"] = p.BaseHash
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/gateways/studio/rollback", back, &out)
	if a := h.finish(out.Apply); a.State != rollout.Done {
		t.Fatalf("rollback: %+v", a.Error)
	}
	if got := entries(peer); len(got) != 1 || len(first) == 0 {
		t.Fatalf("the gateway holds %v", got)
	}
	now := h.team(id)
	if now.Head != drawn.Head || now.Unsent != drawn.Unsent || now.UndoApply != nil || now.RedoApply == nil {
		t.Errorf("the team is at %s with %d not applied, undo %+v, redo %+v", now.Head, now.Unsent, now.UndoApply,
			now.RedoApply)
	}
	h.must("POST", "/api/teams/"+id+"/redo", nil, &now)
	if now.UndoApply != nil {
		t.Error("a redo in the team alone is taken for an apply")
	}
	h.applyWithout(id, h.preview(id, nil))
	if len(entries(peer)) != 3 {
		t.Errorf("applied again, the gateway holds %v", entries(peer))
	}
}

// APP-3: what changes on a gateway is noticed, told, and taken in or not.
func TestAPP3_DriftIsNoticedAndSettledEitherWay(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]gatewaytest.Options{
		"newest": {}, "february": {Generation: gatewaytest.February}, "jsonrpc": {Dialect: client.DialectJSONRPC},
	} {
		t.Run(name, func(t *testing.T) { drifts(t, gatewaytest.Start(t, opts)) })
	}
}

func drifts(t *testing.T, peer *gatewaytest.Server) {
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	id := string(d.ID)
	heard := func(hash string) {
		t.Helper()
		poll(t, func() bool {
			var out struct{ Gateways []httpapi.Gateway }
			h.must("GET", "/api/gateways", nil, &out)
			return slices.ContainsFunc(out.Gateways,
				func(g httpapi.Gateway) bool { return g.Name == "studio" && g.ConfigHash == hash })
		})
	}
	heard(d.Base.Hash)
	peer.SetConfig(renamed(t, peer, "Elsewhere"))
	peer.Disconnect(1012, "restart")
	heard(peer.Hash())

	drift := func() (out rollout.Drift) {
		t.Helper()
		h.must("GET", "/api/teams/"+id+"/drift", nil, &out)
		return out
	}
	got := drift()
	if got.Drifted != 1 || len(got.Changes) != 1 || !got.Changes[0].Theirs || got.Changes[0].Field != "name" || got.Conflicts != 0 ||
		strings.Contains(got.Before, "Elsewhere") || !strings.Contains(got.After, "Elsewhere") {
		t.Fatalf("drift: %+v", got)
	}
	if now := h.team(id); now.Head != d.Head || now.Unsent != 0 {
		t.Errorf("looking at it changed the team: %+v", now.TeamState)
	}

	h.must("POST", "/api/teams/"+id+"/keep-mine", nil, nil)
	now := h.team(id)
	if now.Head != d.Head || now.Unsent != 1 || now.Base.Hash != peer.Hash() {
		t.Errorf("mine: head %s, unsent %d, base %s", now.Head, now.Unsent, now.Base.Hash)
	}
	if got := drift(); got.Drifted != 0 || len(got.Changes) != 1 || got.Changes[0].Theirs {
		t.Errorf("after mine was kept: %+v", got)
	}
	p := h.preview(id, nil)
	if p.Stale || p.Sent != 1 {
		t.Errorf("the review shows %d to be sent, stale %v", p.Sent, p.Stale)
	}

	peer.SetConfig(renamed(t, peer, "Elsewhere again"))
	h.must("POST", "/api/teams/"+id+"/import", map[string]any{}, nil)
	if got := drift(); got.Drifted != 0 {
		t.Errorf("after it was taken in: %+v", got)
	}
}

// renamed is the gateway's config with another name for its first agent.
func renamed(t *testing.T, peer *gatewaytest.Server, name string) map[string]any {
	t.Helper()
	doc := peer.Config()
	agents, _ := doc["agents"].(map[string]any)
	holder := agents
	if e, ok := agents["entries"].(map[string]any); ok {
		holder = e
	}
	main, ok := holder["main"].(map[string]any)
	if list, isList := agents["list"].([]any); isList {
		main, ok = list[0].(map[string]any)
	}
	if !ok {
		t.Fatalf("no main agent in %v", agents)
	}
	main["name"] = name
	return doc
}

// APP-5: the later of two windows wins, and the other can know.
func TestAPP5_CollisionsOfTwoWindowsAreTold(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var list struct{ Teams []httpapi.TeamSummary }
	h.must("GET", "/api/teams", nil, &list)
	id := string(list.Teams[0].ID)
	d := h.team(id)
	save := func(name string) (out struct{ State httpapi.TeamState }) {
		t.Helper()
		mine := d.Topology.Clone()
		mine.Agents[0].Name = name
		h.must("PUT", "/api/teams/"+id, map[string]any{"topology": mine, "head": d.Head, "label": "edit.name"}, &out)
		return out
	}
	if first := save("Earlier"); len(first.State.Collisions) != 0 {
		t.Fatalf("a collision with nobody: %+v", first.State.Collisions)
	}
	later := save("Later")
	seen := h.team(id)
	for _, got := range []httpapi.TeamState{later.State, seen.TeamState} {
		if len(got.Collisions) != 1 {
			t.Fatalf("collisions: %+v", got.Collisions)
		}
		c := got.Collisions[0]
		if c.Version != got.Head || c.Field != "name" || string(c.Mine) != `"Later"` || string(c.Theirs) != `"Earlier"` {
			t.Errorf("the collision is %+v", c)
		}
	}
	if seen.Topology.Agents[0].Name != "Later" {
		t.Errorf("what stands is %q", seen.Topology.Agents[0].Name)
	}
	var history struct{ Versions []httpapi.Version }
	h.must("GET", "/api/teams/"+id+"/versions", nil, &history)
	if len(history.Versions) != 3 {
		t.Errorf("the history keeps %d versions", len(history.Versions))
	}
}
