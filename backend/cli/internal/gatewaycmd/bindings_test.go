package gatewaycmd

import (
	"encoding/json"
	"testing"

	"agentflow/backend/team/topology"
)

// OC-3: a team file that says nothing of bindings takes none away from the gateway, nor does one that never met it.
func TestOC3_AFileWithoutBindingsTakesNoneAway(t *testing.T) {
	bound := func(channel string) json.RawMessage {
		return json.RawMessage(`{"agentId":"a","match":{"channel":"` + channel + `"}}`)
	}
	base := &topology.Topology{Bindings: topology.Bindings{bound("x"), bound("y")}}
	silent := &topology.Topology{Name: "Old"}
	draft := withRest(silent, base)
	for _, c := range topology.Diff(base, draft) {
		if c.Subject == topology.SubjectBinding {
			t.Errorf("a silent file gives %+v", c)
		}
	}
	if len(silent.Bindings) > 0 {
		t.Error("the file's own team was changed")
	}
	own := &topology.Topology{Bindings: topology.Bindings{bound("x"), bound("z")}}
	for _, c := range topology.Diff(saidBy(own, base), own) {
		if c.Op == topology.Removed {
			t.Errorf("a file that never met the gateway gives %+v", c)
		}
	}
	q := &pending{draft: own}
	q.now.Topology = *base
	q.base = base
	q.join()
	if len(q.draft.Bindings) != 3 {
		t.Errorf("joined: %s", q.draft.Bindings)
	}
}

// OC-3: a team file that says nothing of broadcast groups takes none away either.
func TestOC3_AFileWithoutBroadcastGroupsTakesNoneAway(t *testing.T) {
	group := func(keys ...string) *topology.Topology {
		out := &topology.Topology{}
		for _, key := range keys {
			out.Broadcast = out.Broadcast.With(key, json.RawMessage(`["a"]`))
		}
		return out
	}
	base, silent, own := group("x:1", "x:2"), &topology.Topology{Name: "Old"}, group("x:1", "x:3")
	if draft := withRest(silent, base); !draft.Broadcast.Equal(base.Broadcast) || len(silent.Broadcast) > 0 {
		t.Errorf("a silent file gives %s", draft.Broadcast)
	}
	for _, c := range topology.Diff(saidBy(own, base), own) {
		if c.Op == topology.Removed {
			t.Errorf("a file that never met the gateway gives %+v", c)
		}
	}
	q := &pending{draft: own, base: base}
	q.now.Topology = *base
	q.join()
	if len(q.draft.Broadcast) != 3 {
		t.Errorf("joined: %s", q.draft.Broadcast)
	}
}
