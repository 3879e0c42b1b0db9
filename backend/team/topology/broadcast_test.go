package topology

import (
	"encoding/json"
	"slices"
	"testing"
)

func casting(pairs ...string) *Topology {
	t := &Topology{}
	for i := 0; i < len(pairs); i += 2 {
		t.Broadcast = t.Broadcast.With(pairs[i], json.RawMessage(pairs[i+1]))
	}
	return t
}

// OC-3: each broadcast group is one change, which can be made without the others.
func TestOC3_BroadcastGroupsAreCompared(t *testing.T) {
	base := casting("telegram:7", `["a","b"]`, "1@g.us", `["a"]`)
	draft := casting("strategy", `"sequential"`, "telegram:7", `["b","a"]`)
	cs := Diff(base, draft)
	ids := []string{"broadcast:strategy", "broadcast:telegram%3A7", "broadcast:1@g.us"}
	ops := []Op{Added, Changed, Removed}
	if len(cs) != 3 {
		t.Fatalf("%+v", cs)
	}
	for i, c := range cs {
		if c.ID != ids[i] || c.Op != ops[i] || c.Subject != SubjectBroadcast {
			t.Errorf("%+v", c)
		}
	}
	if got, err := Apply(base, cs); err != nil || !got.Equal(draft) {
		t.Errorf("%v %s", err, got.Broadcast)
	}
	if got, err := Apply(base, cs[2:]); err != nil || !got.Equal(casting("telegram:7", `["a","b"]`)) {
		t.Errorf("one of them: %v %s", err, got.Broadcast)
	}
	for _, c := range []Change{{Subject: SubjectBroadcast}, {Subject: SubjectBroadcast, Op: Added, Field: "x"}} {
		if _, err := Apply(base, ChangeSet{c}); err == nil {
			t.Errorf("%+v was made", c)
		}
	}
	if err := casting("x", `[`).Validate(); err == nil {
		t.Error("what isn't JSON is valid")
	}
}

// OC-3: groups are merged one by one, and the agents of one that both sides changed come together.
func TestOC3_BroadcastGroupsAreMerged(t *testing.T) {
	for name, c := range map[string]struct{ base, mine, theirs, want, conflict string }{
		"both add an agent":   {`["a"]`, `["a","b"]`, `["a","c"]`, `["a","c","b"]`, ""},
		"only theirs":         {`["a"]`, `["a"]`, `["b"]`, `["b"]`, ""},
		"both add the group":  {"", `["a"]`, `["b"]`, `["a"]`, ReasonBothAdded},
		"removed there":       {`["a"]`, `["a","b"]`, "", `["a","b"]`, ReasonRemovedThere},
		"removed here":        {`["a"]`, "", `["a","b"]`, "", ReasonRemovedHere},
		"removed, unchanged":  {`["a"]`, `["a"]`, "", "", ""},
		"with other settings": {`["a"]`, `["a","b"]`, `{"agents":["a"]}`, `["a","b"]`, ReasonBothChanged},
	} {
		of := func(group string) *Topology {
			if group == "" {
				return casting("other:1", `["x"]`)
			}
			return casting("other:1", `["x"]`, "telegram:7", group)
		}
		got, reason := Merge(of(c.base), of(c.mine), of(c.theirs), nil), ""
		for _, x := range got.Conflicts {
			reason = x.Reason
		}
		if !got.Topology.Broadcast.Equal(of(c.want).Broadcast) || reason != c.conflict {
			t.Errorf("%s: %s, conflict %q", name, got.Topology.Broadcast, reason)
		}
	}
}

// OC-3: groups follow agents that get other IDs, and lose those that a gateway deletes. The rest of a group stays.
func TestOC3_BroadcastGroupsFollowAgents(t *testing.T) {
	team := casting("x:1", `["a",7,"b"]`, "x:2", `{"maxRounds":2,"agents":["a"]}`, "strategy", `"parallel"`,
		"x:3", `"a"`)
	team.Agents = []Agent{{ID: "a"}}
	Apart(team, []AgentID{"a"})
	want := casting("x:1", `["a-2",7,"b"]`, "x:2", `{"maxRounds":2,"agents":["a-2"]}`, "strategy", `"parallel"`,
		"x:3", `"a"`)
	if !team.Broadcast.Equal(want.Broadcast) {
		t.Errorf("another ID: %s", team.Broadcast)
	}
	left := WithoutBroadcast(team.Broadcast, []AgentID{"a-2", "b"})
	if !left.Equal(casting("strategy", `"parallel"`, "x:3", `"a"`).Broadcast) || !team.Broadcast.Equal(want.Broadcast) {
		t.Errorf("deleted: %s", left)
	}
	if some := WithoutBroadcast(team.Broadcast, []AgentID{"b"}); string(some.Value("x:1")) != `["a-2",7]` {
		t.Errorf("one deleted: %s", some)
	}
	mine := casting("x:1", `["a","b"]`, "x:2", `["a"]`)
	mine.Agents = []Agent{{ID: "a", Name: "Mine"}}
	theirs := &Topology{Agents: []Agent{{ID: "a", Name: "Theirs"}}, Broadcast: casting("x:2", `["a"]`).Broadcast}
	got := Merge(casting("x:2", `["a"]`), mine, theirs, map[string]Choice{agentPlace("a", ""): ChooseBoth})
	if !got.Topology.Broadcast.Equal(casting("x:1", `["a-2","b"]`, "x:2", `["a"]`).Broadcast) {
		t.Errorf("mine beside theirs: %s", got.Topology.Broadcast)
	}
}

// OC-3: an import brings the groups of the gateway, as it brings its bindings.
func TestOC3_BroadcastGroupsAreImported(t *testing.T) {
	drawn, gateway := casting("x:1", `["a"]`), casting("x:2", `["b"]`)
	if got := Adopt(drawn, gateway, nil, Held{Broadcast: true}); !got.Broadcast.Equal(gateway.Broadcast) {
		t.Errorf("%s", got.Broadcast)
	}
	if got := Adopt(drawn, gateway, nil, Held{}); !got.Broadcast.Equal(drawn.Broadcast) {
		t.Errorf("a source without them: %s", got.Broadcast)
	}
}

func TestOC3_BroadcastToReadsEveryForm(t *testing.T) {
	for group, want := range map[string][]AgentID{
		`["a","b"]`: {"a", "b"}, `{"agents":["a"],"maxTurns":3}`: {"a"}, `"parallel"`: nil, `null`: nil, `{}`: nil,
		`["a",{}]`: {"a"}, `[`: nil,
	} {
		if got := BroadcastTo("x:1", json.RawMessage(group)); !slices.Equal(got, want) {
			t.Errorf("%s: %q", group, got)
		}
	}
	if got := BroadcastTo(BroadcastStrategy, json.RawMessage(`["a"]`)); got != nil {
		t.Errorf("the strategy has agents %q", got)
	}
}
