package topology

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

func ids(cs ChangeSet) []string {
	out := []string{}
	for _, c := range cs {
		out = append(out, string(c.Op)+" "+c.ID)
	}
	return out
}

func changeOf(cs ChangeSet, id string) *Change {
	for i := range cs {
		if cs[i].ID == id {
			return &cs[i]
		}
	}
	return nil
}

func edited(t *Topology, f func(*Topology)) *Topology {
	c := t.Clone()
	f(c)
	return c
}

// APP-3: every field is found by its name, in a stable order.
func TestDiffFields(t *testing.T) {
	heat, most := 0.5, 100
	base := team("a > b")
	draft := edited(base, func(t *Topology) {
		a := &t.Agents[0]
		a.Name, a.Role, a.Model, a.Fallbacks, a.Persona, a.Workspace = "A", "r", "m", []string{"f"}, "p", "w"
		a.Description, a.Tools, a.Temperature, a.MaxTokens = "d", &Tools{Allow: []string{"x"}}, &heat, &most
		a.URL, a.SecretEnv, a.Fingerprint, a.AllowAny, a.Extra = "u", "S", "sha256:0", true, Extra{
			{Key: "sandbox", Value: json.RawMessage(`{"mode":"all"}`)},
		}
		a.Connections[0].Label = "l"
		t.Layout = map[AgentID]Point{"a": {X: 1, Y: 2}}
		t.Groups = []Group{{ID: "g"}}
		t.Notes = []Note{{ID: "n"}}
		t.Name, t.Extra = "team", Extra{{Key: "x", Value: nil}}
	})
	want := []string{}
	for _, f := range []string{"name", "role", "model", "fallbacks", "persona", "workspace", "description", "tools", "temperature", "maxTokens",
		"url", "secretEnv", "fingerprint", "allowAny", "extra.sandbox"} {
		want = append(want, "changed agent:a:"+f)
	}
	want = append(want, "changed connection:a:command:b:label", "added layout:a", "added group:g", "added note:n",
		"changed team:name", "changed team:extra.x")
	if got := ids(Diff(base, draft)); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	c := changeOf(Diff(base, draft), "agent:a:model")
	if string(c.Before) != `"demo/echo"` || string(c.After) != `"m"` || c.Field != "model" || c.Agent != "a" {
		t.Errorf("%+v", c)
	}
	if got := ids(Diff(draft, draft.Clone())); len(got) > 0 {
		t.Errorf("nothing differs, and yet %q", got)
	}
}

func TestDiffTeam(t *testing.T) {
	base := team("a > b", "c > b")
	for _, c := range []struct {
		name string
		edit func(*Topology)
		want []string
	}{
		{"added", func(t *Topology) {
			t.Agents = append(t.Agents, Agent{ID: "d", Connections: []Connection{{TargetID: "a", Type: Command}}})
		}, []string{"added agent:d", "added connection:d:command:a"}},
		{"removed with its connections", func(t *Topology) {
			t.Agents[0].Connections = nil
			t.Agents[2].Connections = nil
			t.Agents = slices.Delete(t.Agents, 1, 2)
		},
			[]string{"removed connection:a:command:b", "removed connection:c:command:b", "removed agent:b"}},
		{"removed, connections left to lead nowhere", func(t *Topology) { t.Agents = slices.Delete(t.Agents, 1, 2) },
			[]string{"changed connection:a:command:b", "changed connection:c:command:b", "removed agent:b"}},
		{"order", func(t *Topology) { slices.Reverse(t.Agents) }, []string{"changed team:order"}},
		{"double", func(t *Topology) {
			t.Agents[0].Connections = append(t.Agents[0].Connections, t.Agents[0].Connections[0])
		},
			[]string{"added connection:a:command:b#2"}},
		{"kind", func(t *Topology) { t.Agents[0].Connections[0].Type = "x:y" },
			[]string{"added connection:a:x%3Ay:b", "removed connection:a:command:b"}},
	} {
		if got := ids(Diff(base, edited(base, c.edit))); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// APP-3: what changes on the canvas alone is named thing by thing: who went from group to
// group, which group is new, renamed or gone, what is locked.
func TestDiffCanvas(t *testing.T) {
	base := team("a", "b", "c", "d")
	base.Layout = map[AgentID]Point{"a": {}, "b": {}}
	base.Groups = []Group{{ID: "g", Name: "Build", Members: []AgentID{"a", "b"}},
		{ID: "h", Members: []AgentID{"c", "d"}}}
	base.Notes = []Note{{ID: "n", Text: "t"}}
	for _, c := range []struct {
		name string
		edit func(*Topology)
		want []string
	}{
		{"into another group", func(t *Topology) { t.Groups[0].Members, t.Groups[1].Members = []AgentID{"a"}, []AgentID{"c", "d", "b"} }, []string{"moved member:b"}},
		{"to a place in between", func(t *Topology) { t.Groups[0].Members, t.Groups[1].Members = []AgentID{"a"}, []AgentID{"b", "c", "d"} }, []string{"moved member:b", "moved group:h:order"}},
		{"out of its group", func(t *Topology) { t.Groups[0].Members = []AgentID{"b"} }, []string{"moved member:a"}},
		{"renamed, folded and locked", func(t *Topology) { t.Groups[0].Name, t.Groups[0].Collapsed, t.Groups[0].Locked = "Make", true, true },
			[]string{"changed group:g:name", "changed group:g:collapsed", "moved group:g:locked"}},
		{"a new group around one of another", func(t *Topology) {
			t.Groups[1].Members = []AgentID{"c"}
			t.Groups = append(t.Groups, Group{ID: "i", Members: []AgentID{"d"}, Parent: "g"})
		}, []string{"added group:i", "moved member:d"}},
		{"ungrouped", func(t *Topology) { t.Groups = t.Groups[1:] }, []string{"removed group:g", "moved member:a", "moved member:b"}},
		{"locked", func(t *Topology) { t.Layout["a"], t.Layout["b"] = Point{Locked: true}, Point{X: 1, Locked: true} }, []string{"moved layout:a:locked", "moved layout:b", "moved layout:b:locked"}},
		{"a note moved, sized, colored", func(t *Topology) { t.Notes[0].X, t.Notes[0].Width, t.Notes[0].Color, t.Notes[0].Text = 1, 200, 4, "u" },
			[]string{"changed note:n:text", "moved note:n:place", "moved note:n:size", "changed note:n:color"}},
	} {
		cs := Diff(base, edited(base, c.edit))
		if got := ids(cs); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	b := changeOf(Diff(base, edited(base, func(t *Topology) { t.Groups[0].Members, t.Groups[1].Members = []AgentID{"a"}, []AgentID{"c", "d", "b"} })), "member:b")
	if b.Agent != "b" || b.Subject != SubjectGroup || string(b.Before) != `"g"` || string(b.After) != `"h"` {
		t.Errorf("%+v", b)
	}
	if _, err := Apply(team("a"), ChangeSet{*b}); !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), `no group "h"; choose its addition too`) {
		t.Errorf("into a group that was not chosen: %v", err)
	}
}

// A value that is only spelled otherwise is no change.
func TestDiffSpelling(t *testing.T) {
	a, b := team("a"), team("a")
	a.Agents[0].Extra = Extra{{Key: "x", Value: json.RawMessage(`{"a":1,"b":"<"}`)}, {Key: "y", Value: nil}}
	b.Agents[0].Extra = Extra{{Key: "y", Value: json.RawMessage(`null`)},
		{Key: "x", Value: json.RawMessage(`{ "b": "\u003c", "a": 1 }`)}}
	b.Agents[0].Connections = []Connection{}
	b.Groups = []Group{}
	if cs := Diff(a, b); len(cs) > 0 || !a.Equal(b) {
		t.Errorf("%q", ids(cs))
	}
	b.Agents[0].Extra[0].Value = json.RawMessage(`1`)
	if cs := Diff(a, b); len(cs) != 1 || a.Equal(b) {
		t.Errorf("%q", ids(cs))
	}
}

func TestApplyPart(t *testing.T) {
	base := team("a > b", "c")
	draft := edited(base, func(t *Topology) {
		t.Agents = append(t.Agents, Agent{ID: "d%"})
		t.Agents[2].Connections = []Connection{{TargetID: "d%", Type: Command}, {TargetID: "a", Type: Review}}
		t.Agents[0].Connections = nil
		t.Agents = slices.Delete(t.Agents, 1, 2)
	})
	all := Diff(base, draft)
	only := func(want ...string) ChangeSet {
		var cs ChangeSet
		for _, id := range want {
			c := changeOf(all, id)
			if c == nil {
				t.Fatalf("no change %s in %q", id, ids(all))
			}
			cs = append(cs, *c)
		}
		return cs
	}
	got, err := Apply(base, only("agent:b"))
	if a, _ := got.Agent("a"); err != nil || len(got.Agents) != 2 || len(a.Connections) != 0 {
		t.Errorf("a removed agent takes the connections to it along: %v %s", err, show(got))
	}
	_, err = Apply(base, only("connection:c:command:d%25"))
	if e := errcode.From(err); e == nil || e.Code != errcode.Validation || e.Details[errcode.KeyField] != "connection:c:command:d%25" ||
		!strings.Contains(e.Message, `no agent "d%"`) {
		t.Errorf("a connection to an agent that was not chosen: %v", err)
	}
	got, err = Apply(base, only("connection:c:review:a"))
	if c, _ := got.Agent("c"); err != nil || len(c.Connections) != 1 {
		t.Errorf("%v", err)
	}
	twice, err := Apply(got, only("connection:c:review:a"))
	if err != nil || !twice.Equal(got) {
		t.Errorf("a connection that is there already is not added again: %v", err)
	}
}

// Change sets come from outside, too; nothing in them may break or panic.
func TestApplyRefuses(t *testing.T) {
	base := team("a > b")
	base.Groups = []Group{{ID: "g"}}
	for name, c := range map[string]Change{
		"agent twice":        {ID: "x", Op: Added, Subject: SubjectAgent, Agent: "a", After: json.RawMessage(`{"id":"a"}`)},
		"no value":           {ID: "x", Op: Added, Subject: SubjectAgent, Agent: "n"},
		"unknown agent":      {ID: "x", Op: Changed, Subject: SubjectAgent, Agent: "n", Field: "model", After: json.RawMessage(`"m"`)},
		"unknown field":      {ID: "x", Op: Changed, Subject: SubjectAgent, Agent: "a", Field: "modell", After: json.RawMessage(`"m"`)},
		"wrong type":         {ID: "x", Op: Changed, Subject: SubjectAgent, Agent: "a", Field: "model", After: json.RawMessage(`1`)},
		"unknown source":     {ID: "x", Op: Added, Subject: SubjectConnection, Agent: "n", Target: "a", Kind: Command, After: json.RawMessage(`{}`)},
		"connection's field": {ID: "x", Op: Changed, Subject: SubjectConnection, Agent: "a", Target: "b", Kind: Command, Field: "color"},
		"place":              {ID: "x", Op: Moved, Subject: SubjectLayout, Agent: "a", After: json.RawMessage(`"here"`)},
		"group twice":        {ID: "x", Op: Added, Subject: SubjectGroup, Item: "g", After: json.RawMessage(`{"id":"g"}`)},
		"group's field":      {ID: "x", Op: Changed, Subject: SubjectGroup, Item: "g", Field: "shape", After: json.RawMessage(`"round"`)},
		"no such group":      {ID: "x", Op: Changed, Subject: SubjectGroup, Item: "h", Field: "name", After: json.RawMessage(`"n"`)},
		"group's color":      {ID: "x", Op: Changed, Subject: SubjectGroup, Item: "g", Field: "color", After: json.RawMessage(`"red"`)},
		"lock in the air":    {ID: "x", Op: Moved, Subject: SubjectLayout, Agent: "a", Field: "locked", After: json.RawMessage(`true`)},
		"another group's id": {ID: "x", Op: Added, Subject: SubjectGroup, Item: "i", After: json.RawMessage(`{"id":"h"}`)},
		"order":              {ID: "x", Op: Changed, Subject: SubjectTeam, Field: FieldOrder, After: json.RawMessage(`1`)},
		"team's field":       {ID: "x", Op: Changed, Subject: SubjectTeam, Field: "motto", After: json.RawMessage(`"m"`)},
	} {
		if got, err := Apply(base, ChangeSet{c}); !errcode.Is(err, errcode.Validation) || got != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkMerge10k(b *testing.B) {
	base := randomTeam(10_000, 10_000)
	mine := edited(base, func(t *Topology) { t.Agents[1].Model = "mine" })
	theirs := edited(base, func(t *Topology) { t.Agents[2].Model = "theirs" })
	for b.Loop() {
		Merge(base, mine, theirs, nil)
	}
}
