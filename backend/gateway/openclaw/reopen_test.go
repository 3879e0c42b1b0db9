package openclaw

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// remembering is a gateway that goes on treating deleted agents as deleted.
type remembering struct {
	*fakeGateway
	pending int // so often it still cleans up after a deletion
	refuses bool
	taken   topology.AgentID // refused, too
	meet    func(g *fakeGateway)
}

// CreateAgent implements reopener.
func (g *remembering) CreateAgent(_ context.Context, id topology.AgentID, name, _ string) error {
	if g.pending > 0 {
		g.pending--
		return errcode.New(errcode.Gateway, "agent %q deletion cleanup is still pending", id)
	}
	if g.refuses || id == g.taken {
		return errcode.New(errcode.Gateway, "no").With(errcode.KeyReason, errcode.ReasonRejected)
	}
	g.set(string(g.doc.Bytes()) + fmt.Sprintf("    %s: {name: %s, agentDir: /a}\n", id, name))
	g.log = append(g.log, "create "+string(id))
	if g.meet != nil {
		g.meet(g.fakeGateway)
	}
	return nil
}

// ReopenAgent implements reopener.
func (g *remembering) ReopenAgent(_ context.Context, id topology.AgentID) error {
	g.log = append(g.log, "reopen "+string(id))
	return nil
}

// calls lists the changes that the gateway made, in their order.
func calls(g *remembering) string {
	reads := func(l string) bool { return l == "read" || l == "wait" }
	return strings.Join(slices.DeleteFunc(slices.Clone(g.log), reads), ", ")
}

func (g *remembering) bringBack(t *testing.T, name string) (Result, error) {
	s := g.snapshot()
	r := mustReading(t, s)
	draft := r.Topology.Clone()
	draft.Agents = append(draft.Agents, topology.Agent{ID: "old", Name: name})
	return Push(t.Context(), g, PushInput{
		BaseHash: s.Hash, Base: &r.Topology, Draft: draft, Recreated: []topology.AgentID{"old"},
		KeepSnapshot: func(context.Context, Snapshot) error { return nil },
	})
}

// APP-3: the gateway creates a deleted agent itself before it gets the config with it, which is the one drawn.
func TestAPP3_ADeletedAgentIsCreatedBeforeTheConfigIsSent(t *testing.T) {
	g := &remembering{fakeGateway: newFake(t, newest, entriesConfig), pending: 1}
	res, err := g.bringBack(t, "Old")
	if err != nil || !res.Verified || calls(g) != "create old, apply" {
		t.Errorf("%v, verified %v, %q", err, res.Verified, calls(g))
	}
	if text := string(g.doc.Bytes()); !strings.Contains(text, `"Old"`) || strings.Contains(text, "agentDir") {
		t.Errorf("the gateway has %s", text)
	}
}

// APP-3: if the gateway refuses the config afterwards, the created agent is deleted again. If somebody else changed the
// config meanwhile, nothing is sent.
func TestAPP3_ACreatedAgentGoesAgainIfTheApplyFails(t *testing.T) {
	g := &remembering{fakeGateway: newFake(t, newest, entriesConfig)}
	g.onApply = func(int) error {
		return errcode.New(errcode.Gateway, "no").With(errcode.KeyReason, errcode.ReasonRejected)
	}
	if _, err := g.bringBack(t, "Old"); err == nil || calls(g) != "create old, apply, delete old" {
		t.Errorf("%v, %q", err, calls(g))
	}
	g = &remembering{fakeGateway: newFake(t, newest, entriesConfig)}
	g.meet = func(f *fakeGateway) {
		f.set(strings.Replace(string(f.doc.Bytes()), "name: Dev", "name: Renamed", 1))
	}
	_, err := g.bringBack(t, "Old")
	if !errcode.HasReason(err, errcode.ReasonStaleBase) || slices.Contains(g.log, "apply") {
		t.Errorf("%v, %q", err, g.log)
	}
}

// APP-3: a rollback has deleted agents created first, even if somebody else deleted them. If the gateway refuses that,
// it is asked to use them again after the config was sent.
func TestAPP3_ARollbackCreatesWhatWasDeleted(t *testing.T) {
	for refuses, want := range map[bool]string{
		false: "create dev, apply, reopen qa", true: "apply, reopen dev, reopen qa",
	} {
		g := &remembering{fakeGateway: newFake(t, newest, entriesConfig), refuses: refuses, taken: "qa"}
		old := g.snapshot()
		g.set("agents:\n  ownership: explicit\n  entries:\n    main: {name: Main}\n    ops: {name: Ops}\n")
		_, err := Rollback(t.Context(), g, RollbackInput{BaseHash: g.snapshot().Hash, To: old, AllowDelete: true,
			KeepSnapshot: func(context.Context, Snapshot) error { return nil }})
		got := strings.Replace(calls(g), "delete ops, ", "", 1)
		if err != nil || got != want {
			t.Errorf("refuses %v: %v, %q", refuses, err, got)
		}
	}
}

// APP-3: a setting that the gateway drops when it writes its config isn't somebody else's change.
func TestAPP3_ADeletionMayDropUnknownSettings(t *testing.T) {
	g := newFake(t, newest, strings.Replace(entriesConfig, "qa: {name: QA}", "qa: {name: QA, odd: 1}", 1))
	g.onDelete = func(topology.AgentID) { g.set(strings.Replace(string(g.doc.Bytes()), ", odd: 1", "", 1)) }
	p := g.push(remove("dev"), func(in *PushInput) { in.AllowDelete = true })
	if p.err != nil || strings.Contains(string(g.doc.Bytes()), "odd") {
		t.Errorf("%v, the gateway has %s", p.err, g.doc.Bytes())
	}
}

// OC-2: a gateway that writes entries reads an older list as such, and has a place for descriptions.
func TestOC2_DescriptionsOfAList(t *testing.T) {
	for name, f := range map[string]Features{"newest": newest, "february": february} {
		g := newFake(t, f, listConfig)
		p := g.push(func(d *topology.Topology) { d.Agents[1].Description = "Builds" }, nil)
		if sent := strings.Contains(string(g.doc.Bytes()), "Builds"); sent != (name == "newest") || p.err != nil {
			t.Errorf("%s: %v, sent %v", name, p.err, sent)
		}
	}
}

// APP-3: a rollback doesn't send the config while the gateway still cleans up after the deletion: the agent would be
// dead.
func TestAPP3_ARollbackWaitsForTheCleanup(t *testing.T) {
	g := &remembering{fakeGateway: newFake(t, newest, entriesConfig), pending: newAgentTries}
	old := g.snapshot()
	g.set("agents: {ownership: explicit, entries: {main: {name: Main}, qa: {name: QA}}}")
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // no pause between the tries
	_, err := Rollback(ctx, g, RollbackInput{BaseHash: g.snapshot().Hash, To: old, AllowDelete: true,
		KeepSnapshot: func(context.Context, Snapshot) error { return nil }})
	if err == nil || slices.Contains(g.log, "apply") {
		t.Errorf("%v, %q", err, g.log)
	}
}

// OC-4: no apply replaces a config file that is no JSON, because what the team doesn't draw would be lost. A rollback
// does.
func TestOC4_NoApplyReplacesABrokenFile(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	good := g.snapshot()
	base := mustReading(t, good)
	broken := Snapshot{Hash: "h1", Config: []byte(`{}`), Broken: true}
	_, err := MakePreview(PreviewInput{Snapshot: broken, BaseHash: "h1", Base: &base.Topology, Draft: &base.Topology,
		Capabilities: g.caps})
	if !errcode.HasReason(err, errcode.ReasonConfigBroken) {
		t.Errorf("a review: %v", err)
	}
	if _, err := PreviewRollback(broken, good, g.caps, nil); err != nil {
		t.Errorf("a rollback: %v", err)
	}
}
