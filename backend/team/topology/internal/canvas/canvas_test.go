package canvas

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology/internal/change"
)

func base() Sheet {
	return Sheet{
		Layout: map[AgentID]Point{"a": {X: 1, Y: 2}, "b": {X: 3, Y: 4, Locked: true}},
		Groups: []Group{{ID: "g1", Name: "One", Members: []AgentID{"a", "b"}}, {ID: "g2"}},
		Notes:  []Note{{ID: "n1", Text: "hello", X: 5}, {ID: "n2"}},
	}
}

func edited() Sheet {
	return Sheet{
		Layout: map[AgentID]Point{"a": {X: 9, Y: 2, Locked: true}, "c": {}},
		Groups: []Group{
			{ID: "g3", Parent: "g1"}, {ID: "g1", Name: "Uno", Color: 2, Members: []AgentID{"b"}},
			{ID: "g2", Members: []AgentID{"c", "a"}},
		},
		Notes: []Note{{ID: "n2", Width: 7, Height: 8, Locked: true}, {ID: "n3", Text: "new"}},
	}
}

func diff(from, to Sheet) (cs change.Set) {
	Diff(from, to, func(c change.Change) { cs = append(cs, c) })
	return cs
}

// text is a sheet in one line, to compare two.
func text(t *testing.T, s Sheet) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What Diff finds is what Apply makes, in both directions, and equal sheets differ in nothing.
func TestApply_MakesWhatDiffFound(t *testing.T) {
	for name, c := range map[string]struct{ from, to func() Sheet }{
		"edits": {base, edited}, "the way back": {edited, base},
		"from nothing": {func() Sheet { return Sheet{} }, base},
		"nothing":      {base, base},
	} {
		got, want := c.from(), c.to()
		cs := diff(got, want)
		if (len(cs) == 0) != (name == "nothing") {
			t.Errorf("%s: %d changes", name, len(cs))
		}
		if err := Apply(&got, cs); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if g, w := text(t, got), text(t, want); g != w {
			t.Errorf("%s:\n%s, want\n%s", name, g, w)
		}
	}
}

// A chosen part that lacks what it rests on is rejected by its ID.
func TestApply_RejectsAPartWithoutItsGround(t *testing.T) {
	cs := diff(Sheet{}, Sheet{
		Layout: map[AgentID]Point{"a": {Locked: true}},
		Groups: []Group{{ID: "g1", Members: []AgentID{"a"}}},
	})
	for _, wanted := range []string{FieldLocked, FieldGroup} {
		i := slices.IndexFunc(cs, func(c change.Change) bool { return c.Field == wanted })
		if i < 0 {
			t.Fatalf("no change of the field %s among %+v", wanted, cs)
		}
		s := Sheet{}
		err := Apply(&s, cs[i:i+1])
		if !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), cs[i].ID) {
			t.Errorf("%s alone: %v", cs[i].ID, err)
		}
	}
}

// Each part of what both sides edited is merged alone; mine counts where both changed the same.
func TestMerge_TakesBothSides(t *testing.T) {
	mine, theirs := base(), base()
	mine.Groups[0].Name, theirs.Groups[0].Name, theirs.Groups[0].Color = "Mine", "Theirs", 3
	mine.Layout["a"] = Point{X: 10}
	theirs.Layout["b"] = Point{X: 3, Y: 4}
	theirs.Notes = theirs.Notes[:1]         // they removed n2
	mine.Notes = mine.Notes[1:]             // n1 is removed here and unchanged there
	theirs.Groups[0].Members = nil          // b leaves there
	mine.Groups[1].Members = []AgentID{"a"} // and a moves to g2 here
	mine.Groups[0].Members = []AgentID{"b"}
	got := Merge(base(), mine, theirs, func(AgentID, bool, bool) bool { return false })
	want := Sheet{
		Layout: map[AgentID]Point{"a": {X: 10}, "b": {X: 3, Y: 4}},
		Groups: []Group{{ID: "g1", Name: "Mine", Color: 3}, {ID: "g2", Members: []AgentID{"a"}}},
	}
	if g, w := text(t, got), text(t, want); g != w {
		t.Errorf("%s, want\n%s", g, w)
	}
	got = Merge(base(), base(), base(), func(id AgentID, _, _ bool) bool { return id == "a" })
	if len(got.Layout) != 1 || len(got.Groups[0].Members) != 1 {
		t.Errorf("an agent that is gone is still there: %s", text(t, got))
	}
}

// An agent stays where it is if it, its group or the group around that is locked.
func TestHeld_CountsOuterGroups(t *testing.T) {
	s := Sheet{
		Layout: map[AgentID]Point{"locked": {Locked: true}, "free": {}},
		Groups: []Group{
			{ID: "outer", Locked: true}, {ID: "inner", Parent: "outer", Members: []AgentID{"within"}},
			{ID: "other", Members: []AgentID{"free"}},
		},
	}
	if got := s.Held(); len(got) != 2 || !got["locked"] || !got["within"] {
		t.Errorf("%v", got)
	}
}
