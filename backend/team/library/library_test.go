package library_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
	"agentflow/backend/team/librarytest"
	"agentflow/backend/team/topology"
)

func team(names ...string) *topology.Topology {
	t := &topology.Topology{Name: "Team", Layout: map[topology.AgentID]topology.Point{}}
	for i, n := range names {
		t.Agents = append(t.Agents, topology.Agent{ID: topology.AgentID(n), Name: n})
		t.Layout[topology.AgentID(n)] = topology.Point{X: float64(i) * 100}
	}
	return t
}

func start(t *testing.T) (*library.Library, *librarytest.Store, library.Team) {
	t.Helper()
	s := librarytest.NewStore()
	l := library.New(s, "Mika")
	d, _, err := l.Create(t.Context(), library.Step{Topology: team("a"), Gateway: "local"})
	if err != nil {
		t.Fatal(err)
	}
	return l, s, d
}

func save(t *testing.T, l *library.Library, d library.ID, coalesce string, names ...string) library.Version {
	t.Helper()
	_, v, _, err := l.Save(t.Context(), d, "",
		library.Step{Topology: team(names...), Cause: library.Edited, Label: fmt.Sprint(names), Coalesce: coalesce})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAPP5_UndoAndRedoSurviveARestart(t *testing.T) {
	l, s, d := start(t)
	save(t, l, d.ID, "", "a", "b")
	save(t, l, d.ID, "", "a", "b", "c")
	if _, _, err := l.Undo(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}

	l = library.New(s, "Mika") // what a new process knows
	_, v, err := l.Undo(t.Context(), d.ID)
	if err != nil || len(v.Topology.Agents) != 1 {
		t.Fatalf("undo after the restart: %d agents, %v", len(v.Topology.Agents), err)
	}
	if _, _, err := l.Undo(t.Context(), d.ID); !errcode.HasReason(err, library.ReasonNothingToUndo) {
		t.Errorf("undo at the first version: %v", err)
	}
	for want := 2; want <= 3; want++ {
		_, v, err := l.Redo(t.Context(), d.ID)
		if err != nil || len(v.Topology.Agents) != want {
			t.Fatalf("redo: %d agents, want %d, %v", len(v.Topology.Agents), want, err)
		}
	}
	if _, _, err := l.Redo(t.Context(), d.ID); !errcode.HasReason(err, library.ReasonNothingToRedo) {
		t.Errorf("redo at the end: %v", err)
	}
}

func TestAPP5_WhatWasUndoneStaysInTheHistory(t *testing.T) {
	l, _, d := start(t)
	lost := save(t, l, d.ID, "", "a", "precious")
	if _, _, err := l.Undo(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	save(t, l, d.ID, "", "a", "other")
	if _, _, err := l.Redo(t.Context(), d.ID); !errcode.HasReason(err, library.ReasonNothingToRedo) {
		t.Errorf("a new edit must end the redo line, got %v", err)
	}
	_, v, err := l.Restore(t.Context(), d.ID, lost.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := v.Topology.Agent("precious"); !ok || v.Cause != library.Restored {
		t.Errorf("restore brought %+v", v)
	}
	if want := "restore|" + lost.At.UTC().Format(time.RFC3339); v.Label != want {
		t.Errorf("the restore is called %q, want %q", v.Label, want)
	}
	_, v, err = l.Undo(t.Context(), d.ID)
	if _, ok := v.Topology.Agent("other"); !ok || err != nil {
		t.Errorf("the restore could not be undone: %v", err)
	}
	if _, err := l.NameVersion(t.Context(), d.ID, lost.ID, "v1"); err != nil {
		t.Fatal(err)
	}
	if _, v, err = l.Restore(t.Context(), d.ID, lost.ID); err != nil || !strings.HasSuffix(v.Label, "|v1") {
		t.Errorf("a version with a name was restored as %q, %v", v.Label, err)
	}
}

func TestTypingIsOneUndoStep(t *testing.T) {
	l, _, d := start(t)
	for _, name := range []string{"レ", "レビ", "レビュー"} {
		topo := team("a")
		topo.Agents[0].Name = name
		if _, _, _, err := l.Save(t.Context(), d.ID, "", library.Step{Topology: topo, Cause: library.Edited, Coalesce: "a.name"}); err != nil {
			t.Fatal(err)
		}
	}
	_, v, err := l.Undo(t.Context(), d.ID)
	if err != nil || v.Topology.Agents[0].Name != "a" {
		t.Errorf("undo gave %q, %v", v.Topology.Agents[0].Name, err)
	}
	_, v, err = l.Redo(t.Context(), d.ID)
	if err != nil || v.Topology.Agents[0].Name != "レビュー" {
		t.Errorf("redo gave %q, %v", v.Topology.Agents[0].Name, err)
	}
}

func TestTwoWindowsAreMerged(t *testing.T) {
	l, _, d := start(t)
	seen := d.Head
	if _, _, merged, err := l.Save(t.Context(), d.ID, seen, library.Step{Topology: team("a", "mine"), Cause: library.Edited}); merged || err != nil {
		t.Fatal(merged, err)
	}
	_, v, merged, err := l.Save(t.Context(), d.ID, seen,
		library.Step{Topology: team("a", "yours"), Cause: library.Edited})
	if err != nil || !merged {
		t.Fatal(merged, err)
	}
	for _, id := range []topology.AgentID{"a", "mine", "yours"} {
		if _, ok := v.Topology.Agent(id); !ok {
			t.Errorf("%s was lost", id)
		}
	}
}

// A window that was cut off sends two edits, of which the second takes back what the first has added. Somebody else
// saved meanwhile: the first is merged, and the second is an edit of the first, not of what both windows had seen.
func TestSave_ASecondEditOfAWindowThatWasCutOff(t *testing.T) {
	l, _, d := start(t)
	seen := d.Head
	save := func(s library.Step) library.Version {
		t.Helper()
		s.Cause = library.Edited
		_, v, _, err := l.Save(t.Context(), d.ID, seen, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	save(library.Step{Topology: team("a", "yours")})
	first := team("a", "agent-1")
	seen = save(library.Step{Topology: first}).ID
	v := save(library.Step{Topology: team("a", "mine"), Before: first})
	var got []topology.AgentID
	for i := range v.Topology.Agents {
		got = append(got, v.Topology.Agents[i].ID)
	}
	slices.Sort(got)
	if want := []topology.AgentID{"a", "mine", "yours"}; !slices.Equal(got, want) {
		t.Errorf("agents %v, want %v", got, want)
	}
}

// An edit of one window that joins a version is not overwritten by another window that saw the
// version before.
func TestSave_MergesWithAnEditThatJoinedTheVersion(t *testing.T) {
	l, _, d := start(t)
	named := func(name, persona string) *topology.Topology {
		out := team("a")
		out.Agents[0].Name, out.Agents[0].Persona = name, persona
		return out
	}
	edit := func(seen library.Version, coalesce string, to *topology.Topology) (library.Version, bool) {
		t.Helper()
		_, v, merged, err := l.Save(t.Context(), d.ID, seen.ID,
			library.Step{Topology: to, Cause: library.Edited, Coalesce: coalesce, Seen: seen.Revision()})
		if err != nil {
			t.Fatal(err)
		}
		return v, merged
	}
	first, _ := edit(library.Version{}, "name", named("L", ""))
	joined, merged := edit(first, "name", named("Le", ""))
	if joined.ID != first.ID || joined.Revision() == first.Revision() || merged {
		t.Fatalf("%s after %s, merged %v", joined.ID, first.ID, merged)
	}
	both, merged := edit(first, "persona", named("L", "Be brief."))
	if a := both.Topology.Agents[0]; !merged || a.Name != "Le" || a.Persona != "Be brief." {
		t.Errorf("merged %v: %+v", merged, a)
	}
	if _, again := edit(both, "persona", named("Le", "Be brief!")); again {
		t.Error("an edit on what was seen last is merged")
	}
}

func TestFaultAnEditThatIsSentTwiceIsOneStep(t *testing.T) {
	l, _, d := start(t)
	seen := d.Head
	step := func() library.Step {
		return library.Step{Topology: team("a", "b"), Cause: library.Edited, Label: "edit.add"}
	}
	first, _, _, err := l.Save(t.Context(), d.ID, seen, step())
	if err != nil {
		t.Fatal(err)
	}
	again, v, merged, err := l.Save(t.Context(), d.ID, seen, step())
	if err != nil || !merged || again.Head != first.Head || v.ID != first.Head {
		t.Errorf("sent again: head %s and version %s after %s, merged %t, %v", again.Head, v.ID, first.Head, merged,
			err)
	}
	if _, v, err = l.Undo(t.Context(), d.ID); err != nil || v.ID != seen {
		t.Errorf("undo led to %s, %v; want %s", v.ID, err, seen)
	}
}

func TestFaultARefusedWriteChangesNothing(t *testing.T) {
	l, s, d := start(t)
	s.Fail = errors.New("disk full")
	if _, _, _, err := l.Save(t.Context(), d.ID, "", library.Step{Topology: team("a", "b"), Cause: library.Edited}); err == nil {
		t.Fatal("the save was acknowledged")
	}
	s.Fail = nil
	_, v, err := l.Get(context.Background(), d.ID)
	if err != nil || len(v.Topology.Agents) != 1 {
		t.Errorf("after the failure: %d agents, %v", len(v.Topology.Agents), err)
	}
}

func TestRenameIsAnEdit(t *testing.T) {
	l, _, d := start(t)
	got, err := l.Rename(t.Context(), d.ID, "新しい名前")
	if err != nil || got.Name != "新しい名前" {
		t.Fatal(got.Name, err)
	}
	got, _, err = l.Undo(t.Context(), d.ID)
	if err != nil || got.Name != "Team" {
		t.Errorf("undo left the name %q, %v", got.Name, err)
	}
	for _, bad := range []string{"", "  "} {
		if _, err := l.Rename(t.Context(), d.ID, bad); !errcode.Is(err, errcode.Validation) {
			t.Errorf("the name %q: %v", bad, err)
		}
	}
}

func TestDeletedTeamsComeBack(t *testing.T) {
	l, _, d := start(t)
	if _, err := l.SetDeleted(t.Context(), d.ID, true); err != nil {
		t.Fatal(err)
	}
	if all, err := l.List(t.Context()); err != nil || len(all) != 0 {
		t.Fatal(all, err)
	}
	if _, _, _, err := l.Save(t.Context(), d.ID, "", library.Step{Topology: team("x"), Cause: library.Edited}); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an edit of a deleted team: %v", err)
	}
	if _, err := l.SetDeleted(t.Context(), d.ID, false); err != nil {
		t.Fatal(err)
	}
	if all, err := l.List(t.Context()); err != nil || len(all) != 1 {
		t.Error(all, err)
	}
}

func TestBaseIsTheTeamAsItWasApplied(t *testing.T) {
	l, _, d := start(t)
	d, _, _, err := l.Save(t.Context(), d.ID, "", library.Step{
		Topology: team("a", "b"), Cause: library.Applied, Gateway: "local", Base: &library.Base{Hash: "h1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	save(t, l, d.ID, "", "a", "b", "c")
	d, _, err = l.Get(t.Context(), d.ID)
	if err != nil {
		t.Fatal(err)
	}
	base, err := l.BaseTopology(t.Context(), d)
	if err != nil || len(base.Agents) != 2 || d.Bases["local"].Hash != "h1" {
		t.Errorf("base %+v, %v", base, err)
	}
}
