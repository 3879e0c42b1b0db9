package rollout_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// keep keeps a config of a gateway as somebody else wrote it.
func (d *desk) keep(gateway, yaml string) library.SnapshotID {
	d.Helper()
	return d.keepSnapshot(gateway, openclaw.Snapshot{Raw: yaml, RawFormat: "yaml"})
}

func (d *desk) keepSnapshot(gateway string, s openclaw.Snapshot) library.SnapshotID {
	d.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		d.Fatal(err)
	}
	id, err := d.library.KeepSnapshot(d.Context(), library.Snapshot{Gateway: gateway, Cause: "elsewhere", Config: text})
	if err != nil {
		d.Fatal(err)
	}
	return id
}

func (d *desk) picture(of rollout.PictureOf) rollout.Picture {
	d.Helper()
	p, err := rollout.PictureOfSnapshot(d.Context(), d.Machine, of)
	if err != nil {
		d.Fatal(err)
	}
	return p
}

func changeIDs(p rollout.Picture) string {
	var out []string
	for _, c := range p.Changes {
		out = append(out, string(c.Op)+" "+c.ID)
	}
	return strings.Join(out, ", ")
}

// A snapshot is shown like the gateway's team: its agents have the draft's layout and what no gateway has, and nothing
// of what the gateway has comes from the draft.
func TestOC4_ASnapshotIsShownAsATeam(t *testing.T) {
	d := start(t)
	d.edit(func(t *topology.Topology) {
		t.Layout = map[topology.AgentID]topology.Point{"main": {X: 700, Y: 40}, "dev": {X: 20, Y: 500}}
		t.Notes = []topology.Note{{ID: "n", Text: "Night shift"}}
		dev, _ := t.Agent("dev")
		dev.Name, dev.Persona = "Drawn", "Careful"
		dev.Extra = topology.Extra{{Key: "heartbeat", Value: json.RawMessage(`{"every":"1h"}`)}}
		dev.Files = topology.Files{"SOUL.md": {Content: "x"}}
		t.Agents = append(t.Agents, topology.Agent{ID: "drawn-only"})
	})
	id := d.keep(office, "agents:\n  entries:\n    dev: {name: Dev, model: a/b}\n    late: {name: Latecomer}\n")
	d.gateway.onRead = func(context.Context, int) error { return errGone } // it isn't needed
	p := d.picture(rollout.PictureOf{Gateway: office, Snapshot: id})
	if names(&p.B) != "dev=Dev late=Latecomer" || p.A != nil || p.Changes == nil || len(p.Changes) != 0 ||
		p.Others == nil {
		t.Errorf("%s, a %v, changes %v", names(&p.B), p.A, p.Changes)
	}
	dev, _ := p.B.Agent("dev")
	if dev.Persona != "Careful" || len(dev.Extra) != 0 || len(dev.Files) != 0 || len(p.B.Notes) != 1 {
		t.Errorf("dev is %+v, notes %v", dev, p.B.Notes)
	}
	_, late := p.B.Layout["late"]
	if p.B.Layout["dev"] != (topology.Point{X: 20, Y: 500}) || !late || len(p.B.Layout) != 2 {
		t.Errorf("layout %v", p.B.Layout)
	}
}

// Two snapshots are compared as two versions of a team are. What differs beside the team is named.
func TestOC4_TwoSnapshotsAreCompared(t *testing.T) {
	d := start(t)
	a := d.keep(office, "agents:\n  entries:\n    main: {name: Main, subagents: {allowAgents: [dev]}}\n"+
		"    dev: {name: Dev, model: a/b}\n    old: {}\ngateway: {port: 1}\n")
	b := d.keep(office, "agents:\n  entries:\n    main: {name: Main}\n    dev: {name: Dana, model: a/b}\n"+
		"    late: {}\ngateway: {port: 2}\nmeta: {lastTouchedAt: now}\n")
	p := d.picture(rollout.PictureOf{Gateway: office, Snapshot: b, With: a})
	want := []string{"removed", "changed", "removed", "added"}
	var ops []string
	for _, c := range p.Changes {
		ops = append(ops, string(c.Op))
	}
	slices.Sort(want)
	slices.Sort(ops)
	if !slices.Equal(ops, want) || !slices.Equal(p.Others, []string{"gateway.port"}) {
		t.Errorf("changes %s, others %q", changeIDs(p), p.Others)
	}
	if p.A.Layout["dev"] != p.B.Layout["dev"] || p.A.Layout["old"] == p.B.Layout["late"] {
		t.Errorf("layouts %v and %v", p.A.Layout, p.B.Layout)
	}
	back := d.picture(rollout.PictureOf{Gateway: office, Snapshot: a, With: b})
	if len(back.Changes) != 4 || names(back.A) != names(&p.B) {
		t.Errorf("the other way round: %s", changeIDs(back))
	}
	same := d.picture(rollout.PictureOf{Gateway: office, Snapshot: a, With: a})
	if len(same.Changes) != 0 || len(same.Others) != 0 || same.A == nil {
		t.Errorf("with itself: %s, %q", changeIDs(same), same.Others)
	}
}

// A change that waits in the draft again, because its apply was undone, is still seen between the snapshots.
func TestOC4_WhatTheDraftHasHidesNoDifference(t *testing.T) {
	d := start(t)
	d.edit(func(t *topology.Topology) {
		dev, _ := t.Agent("dev")
		dev.Extra = topology.Extra{{Key: "heartbeat", Value: json.RawMessage(`{"every":"1h"}`)}}
	})
	const without = "agents:\n  entries:\n    dev: {name: Dev}\n"
	a := d.keep(office, without)
	b := d.keep(office, strings.Replace(without, "name: Dev", "name: Dev, heartbeat: {every: 1h}", 1))
	p := d.picture(rollout.PictureOf{Gateway: office, Snapshot: b, With: a, Team: d.team})
	if len(p.Changes) != 1 || p.Changes[0].Field != "extra.heartbeat" {
		t.Errorf("changes %s", changeIDs(p))
	}
}

// Secrets in clear don't leave the hub. A config that can't be read is an error with a reason.
func TestOC4_APictureHasNoSecretsAndABrokenSnapshotNone(t *testing.T) {
	d := start(t)
	const clear = "sk-proj-abcdefghijklmnopqrstuvwxyz012345"
	a := d.keep(office, "agents:\n  entries:\n    dev: {name: Dev, memory: {apiKey: "+clear+"}}\n"+
		"env: {OPENAI_API_KEY: "+clear+"}\n")
	b := d.keep(office, "agents:\n  entries:\n    dev: {name: Dev}\n")
	p := d.picture(rollout.PictureOf{Gateway: office, Snapshot: a, With: b})
	text, err := json.Marshal(p)
	if err != nil || strings.Contains(string(text), clear) || !strings.Contains(string(text), openclaw.Redacted) ||
		!slices.Equal(p.Others, []string{"env"}) {
		t.Errorf("%s %v", text, err)
	}
	for name, broken := range map[string]openclaw.Snapshot{
		"no JSON":   {Config: []byte(`{}`), Broken: true},
		"no config": {Config: []byte(`{"agents":[]}`)},
	} {
		bad := d.keepSnapshot(office, broken)
		of := rollout.PictureOf{Gateway: office, Snapshot: bad, With: a}
		_, err := rollout.PictureOfSnapshot(t.Context(), d.Machine, of)
		if !errcode.Is(err, errcode.Validation) || !errcode.HasReason(err, errcode.ReasonConfigBroken) {
			t.Errorf("%s: %v", name, err)
		}
		of.Snapshot, of.With = a, bad
		if p := d.picture(of); !p.Unread || p.A != nil || len(p.B.Agents) != 1 {
			t.Errorf("%s before it: %+v", name, p)
		}
	}
	for name, of := range map[string]rollout.PictureOf{
		"another gateway's": {Gateway: "lab", Snapshot: a},
		"with another's":    {Gateway: office, Snapshot: a, With: d.keep("lab", "{}")},
		"none":              {Gateway: office, Snapshot: "none"},
		"no gateway":        {Gateway: "gone", Snapshot: a},
		"no such team":      {Gateway: office, Snapshot: a, Team: "none"},
	} {
		if _, err := rollout.PictureOfSnapshot(t.Context(), d.Machine, of); err == nil {
			t.Errorf("%s was shown", name)
		}
	}
}
