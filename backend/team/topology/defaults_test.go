package topology

import (
	"encoding/json"
	"testing"
)

func inheriting(pairs ...string) *Topology {
	t := &Topology{}
	for i := 0; i < len(pairs); i += 2 {
		t.Defaults = t.Defaults.With(pairs[i], json.RawMessage(pairs[i+1]))
	}
	return t
}

// OC-1: what every agent inherits is compared, applied and merged key by key.
func TestOC1_DefaultsAreMergedKeyByKey(t *testing.T) {
	base := inheriting("thinkingDefault", `"low"`, "sandbox", `{"mode":"off"}`)
	mine := inheriting("thinkingDefault", `"high"`, "sandbox", `{"mode":"off"}`)
	theirs := inheriting("thinkingDefault", `"low"`, "sandbox", `{"mode":"all"}`)
	cs := Diff(base, mine)
	if len(cs) != 1 || cs[0].Subject != SubjectDefaults || cs[0].Field != "extra.thinkingDefault" ||
		string(cs[0].Before) != `"low"` || string(cs[0].After) != `"high"` {
		t.Fatalf("%+v", cs)
	}
	if back, err := Apply(base, cs); err != nil || !back.Equal(mine) {
		t.Errorf("%v %+v", err, back)
	}
	got := Merge(base, mine, theirs, nil)
	want := inheriting("thinkingDefault", `"high"`, "sandbox", `{"mode":"all"}`)
	if len(got.Conflicts) > 0 || !got.Topology.Defaults.Equal(want.Defaults) {
		t.Errorf("%+v %s", got.Conflicts, got.Topology.Defaults)
	}
	both := Merge(base, mine, inheriting("thinkingDefault", `"max"`), nil)
	if len(both.Conflicts) != 1 || both.Conflicts[0].Subject != SubjectDefaults {
		t.Fatalf("%+v", both.Conflicts)
	}
	id := both.Conflicts[0].ID
	chosen := Merge(base, mine, inheriting("thinkingDefault", `"max"`), map[string]Choice{id: ChooseTheirs})
	if v, _ := chosen.Topology.Defaults.Get("thinkingDefault"); string(v) != `"max"` {
		t.Errorf("theirs was chosen: %s", chosen.Topology.Defaults)
	}
	if _, err := Apply(base, ChangeSet{{Subject: SubjectDefaults, Field: "odd"}}); err == nil {
		t.Error("a field that isn't one was changed")
	}
}

// OC-1: an import brings what the gateway's agents inherit, and keeps what is only in the draft.
func TestOC1_DefaultsAreImported(t *testing.T) {
	base, gateway := inheriting("a", "1", "gone", "1"), inheriting("a", "2")
	drawn := inheriting("a", "1", "gone", "1", "own", "3")
	got := Adopt(drawn, gateway, base, Held{Defaults: true})
	if want := inheriting("a", "2", "own", "3"); !got.Defaults.Equal(want.Defaults) {
		t.Errorf("%s", got.Defaults)
	}
	if kept := Adopt(drawn, gateway, base, Held{}); !kept.Defaults.Equal(drawn.Defaults) {
		t.Errorf("a source without defaults: %s", kept.Defaults)
	}
}
