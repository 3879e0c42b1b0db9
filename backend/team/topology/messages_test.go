package topology

import (
	"encoding/json"
	"testing"
)

func messaging(pairs ...string) *Topology {
	t := &Topology{}
	for i := 0; i < len(pairs); i += 2 {
		t.Messages = t.Messages.With(pairs[i], json.RawMessage(pairs[i+1]))
	}
	return t
}

// OC-3: each setting for messages between agents is one change, which can be made without the others.
func TestOC3_MessageSettingsAreCompared(t *testing.T) {
	base := messaging("enabled", "false", "allow", `["a","b"]`)
	draft := messaging("enabled", "true", "allow", `["a","b","c"]`, "visibility", `"all"`)
	cs := Diff(base, draft)
	if len(cs) != 3 || cs[0].Subject != SubjectMessages || cs[0].Field != MessagesEnabled ||
		string(cs[1].After) != `["a","b","c"]` || cs[2].Before != nil {
		t.Fatalf("%+v", cs)
	}
	if got, err := Apply(base, cs); err != nil || !got.Equal(draft) {
		t.Errorf("%v %+v", err, got)
	}
	if got, err := Apply(base, cs[:1]); err != nil || !got.Equal(messaging("enabled", "true", "allow", `["a","b"]`)) {
		t.Errorf("one of them: %v %s", err, got.Messages)
	}
	got, err := Apply(draft, Diff(draft, &Topology{}))
	if err != nil || len(got.Messages) > 0 || draft.Messages == nil {
		t.Errorf("none: %v %s", err, got.Messages)
	}
	if _, err := Apply(base, ChangeSet{{Subject: SubjectMessages}}); err == nil {
		t.Error("a setting without a name was changed")
	}
	if err := messaging("allow", `[`).Validate(); err == nil {
		t.Error("what isn't JSON is valid")
	}
}

// OC-3: both sides' changes of the list come together. Where that would permit every agent, or one side has no list,
// a person decides.
func TestOC3_MessageListsAreMerged(t *testing.T) {
	for name, c := range map[string]struct {
		base, mine, theirs, want string
		conflict, both           bool
	}{
		"both add":       {base: `["a"]`, mine: `["a","b"]`, theirs: `["a","c"]`, want: `["a","c","b"]`},
		"add and remove": {base: `["a","b"]`, mine: `["b"]`, theirs: `["a","b","x-*"]`, want: `["b","x-*"]`},
		"only theirs":    {base: `["a"]`, mine: `["a"]`, theirs: `["a","b"]`, want: `["a","b"]`},
		"none left": {base: `["a","b"]`, mine: `["a"]`, theirs: `["b"]`, want: `["a"]`,
			conflict: true, both: true},
		"everybody": {base: `["a"]`, mine: `["a","b"]`, theirs: `[]`, want: `["a","b"]`,
			conflict: true, both: true},
		"another form": {base: `["a"]`, mine: `["a","b"]`, theirs: `"odd"`, want: `["a","b"]`, conflict: true},
		"twice": {base: `["a"]`, mine: `["a","a"]`, theirs: `["a","b"]`, want: `["a","a"]`,
			conflict: true, both: true},
	} {
		got := Merge(messaging("allow", c.base), messaging("allow", c.mine), messaging("allow", c.theirs), nil)
		if v, _ := got.Topology.Messages.Get(MessagesAllow); string(v) != c.want ||
			(len(got.Conflicts) > 0) != c.conflict || c.conflict && got.Conflicts[0].KeepBoth != c.both {
			t.Errorf("%s: %s, %+v", name, v, got.Conflicts)
		}
	}
	sees := func(v string) *Topology { return messaging("visibility", v) }
	base, mine, theirs := sees(`"tree"`), sees(`"all"`), sees(`"self"`)
	got := Merge(base, mine, theirs, nil)
	if len(got.Conflicts) != 1 || got.Conflicts[0].Subject != SubjectMessages {
		t.Fatalf("%+v", got.Conflicts)
	}
	got = Merge(base, mine, theirs, map[string]Choice{got.Conflicts[0].ID: ChooseTheirs})
	if v, _ := got.Topology.Messages.Get(MessagesVisibility); string(v) != `"self"` {
		t.Errorf("theirs was chosen: %s", v)
	}
}

// OC-3: an import brings the settings of the gateway, and keeps what is only in the draft.
func TestOC3_MessageSettingsAreImported(t *testing.T) {
	base, gateway := messaging("enabled", "true"), messaging("allow", `["a"]`)
	drawn := messaging("enabled", "true", "visibility", `"all"`)
	want := messaging("allow", `["a"]`, "visibility", `"all"`)
	if got := Adopt(drawn, gateway, base, Held{Messages: true}); !got.Messages.Equal(want.Messages) {
		t.Errorf("%s", got.Messages)
	}
	if got := Adopt(drawn, gateway, base, Held{}); !got.Messages.Equal(drawn.Messages) {
		t.Errorf("a source without them: %s", got.Messages)
	}
}

// OC-3: the list follows agents that get other IDs, and loses those that a gateway deletes. Patterns stay.
func TestOC3_MessageListsFollowAgents(t *testing.T) {
	team := messaging("allow", `["a","*",7,"a-*"]`)
	team.Agents = []Agent{{ID: "a"}}
	Apart(team, []AgentID{"a"})
	if v, _ := team.Messages.Get(MessagesAllow); string(v) != `["a-2","*",7,"a-*"]` {
		t.Errorf("another ID: %s", v)
	}
	if v, _ := WithoutAllowed(team.Messages, []AgentID{"a-2"}).Get(MessagesAllow); string(v) != `["*",7,"a-*"]` {
		t.Errorf("deleted: %s", v)
	}
	if left := WithoutAllowed(messaging("allow", `["a"]`).Messages, []AgentID{"a"}); len(left) > 0 {
		t.Errorf("the last one: %s", left)
	}
	mine := messaging("allow", `["a","b"]`)
	mine.Agents = []Agent{{ID: "a", Name: "Mine"}}
	theirs := &Topology{Agents: []Agent{{ID: "a", Name: "Theirs"}}}
	got := Merge(nil, mine, theirs, map[string]Choice{agentPlace("a", ""): ChooseBoth})
	if v, _ := got.Topology.Messages.Get(MessagesAllow); string(v) != `["a-2","b"]` {
		t.Errorf("mine beside theirs: %s", v)
	}
}
