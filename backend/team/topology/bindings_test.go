package topology

import (
	"encoding/json"
	"testing"
)

func bindings(list ...string) *Topology {
	t := &Topology{}
	for _, raw := range list {
		t.Bindings = append(t.Bindings, json.RawMessage(raw))
	}
	return t
}

func bind(agent, channel string) string {
	return `{"agentId":"` + agent + `","match":{"channel":"` + channel + `"}}`
}

// OC-3: bindings are merged one by one, each by the messages that it is about.
func TestOC3_BindingsAreMergedOneByOne(t *testing.T) {
	x, y, z := bind("a", "x"), bind("a", "y"), bind("a", "z")
	cases := map[string]struct {
		base, mine, theirs, want *Topology
		conflict                 string // reason
	}{
		"each side adds one": {
			bindings(x), bindings(x, y), bindings(x, z), bindings(x, z, y), "",
		},
		"each side changes another": {
			bindings(x, y), bindings(bind("b", "x"), y), bindings(x, bind("c", "y")),
			bindings(bind("b", "x"), bind("c", "y")), "",
		},
		"both change the same": {
			bindings(x), bindings(bind("b", "x")), bindings(bind("c", "x")), bindings(bind("b", "x")),
			ReasonBothChanged,
		},
		"both add the same": {
			bindings(), bindings(bind("b", "x")), bindings(bind("c", "x")), bindings(bind("b", "x")), ReasonBothAdded,
		},
		"removed there, unchanged here": {bindings(x, y), bindings(x, y), bindings(y), bindings(y), ""},
		"removed there, changed here": {
			bindings(x), bindings(bind("b", "x")), bindings(), bindings(bind("b", "x")), ReasonRemovedThere,
		},
		"what isn't understood": {
			bindings(`"odd"`, x), bindings(`"odd"`), bindings(`"odd"`, x, `5`), bindings(`"odd"`, `5`), "",
		},
	}
	for name, c := range cases {
		got, reason := Merge(c.base, c.mine, c.theirs, nil), ""
		for _, x := range got.Conflicts {
			reason = x.Reason
		}
		if !got.Topology.Bindings.Equal(c.want.Bindings) || reason != c.conflict {
			t.Errorf("%s: %s, conflict %q", name, got.Topology.Bindings, reason)
		}
	}
}

// OC-3: another order is a change, and so is another agent for the same messages.
func TestOC3_TheOrderOfBindingsIsAChange(t *testing.T) {
	x, y := bind("a", "x"), bind("a", "y")
	changes := Diff(bindings(x, y), bindings(y, bind("b", "x")))
	if len(changes) != 2 || changes[0].Op != Changed || changes[0].Item != `{"channel":"x"}` ||
		changes[1].Field != FieldOrder {
		t.Errorf("%+v", changes)
	}
	if _, err := Apply(bindings(x), ChangeSet{bindingChange(Added, "k", nil, json.RawMessage(`{`))}); err == nil {
		t.Error("a broken binding was added")
	}
	if err := bindings(`{`).Validate(); err == nil {
		t.Error("a broken binding is valid")
	}
}

// OC-3: bindings follow an agent that gets another ID, but for those that were there before it.
func TestOC3_BindingsFollowAgents(t *testing.T) {
	base, theirs := bindings(bind("a", "x")), bindings(bind("a", "x"))
	mine := bindings(bind("a", "x"), bind("a", "y"), bind("b", "z"), `7`)
	mine.Agents, theirs.Agents = []Agent{{ID: "a", Name: "Mine"}}, []Agent{{ID: "a", Name: "Theirs"}}
	got := Merge(base, mine, theirs, map[string]Choice{agentPlace("a", ""): ChooseBoth})
	want := bindings(bind("a", "x"), bind("a-2", "y"), bind("b", "z"), `7`)
	if !got.Topology.Bindings.Equal(want.Bindings) {
		t.Errorf("%s", got.Topology.Bindings)
	}
}
