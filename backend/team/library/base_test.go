package library_test

import (
	"testing"
	"time"

	"agentflow/backend/team/library"
	"agentflow/backend/team/librarytest"
)

// based says what the team's base has, "" for none.
func based(t *testing.T, l *library.Library, id library.ID) (agents string) {
	t.Helper()
	d, _, err := l.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	base, err := l.BaseTopology(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if base != nil {
		for _, a := range base.Agents {
			agents += string(a.ID)
		}
	}
	return agents
}

func applied(t *testing.T, l *library.Library, id library.ID, snapshot library.SnapshotID, names ...string) {
	t.Helper()
	if _, _, _, err := l.Save(t.Context(), id, "", library.Step{
		Topology: team(names...), Cause: library.Applied, Gateway: "local", Snapshot: snapshot,
		Base: &library.Base{Snapshot: snapshot, Hash: string(snapshot)},
	}); err != nil {
		t.Fatal(err)
	}
}

func step(t *testing.T, do func() error) {
	t.Helper()
	if err := do(); err != nil {
		t.Fatal(err)
	}
}

// old takes from a team what older versions of the program did not note with its base.
func old(t *testing.T, s *librarytest.Store, id library.ID) {
	t.Helper()
	d, err := s.Team(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	b := d.Bases["local"]
	b.First = ""
	d.Bases = map[string]library.Base{"local": b}
	if err := s.PutTeam(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
}

// APP-5: the first apply brings the gateway's own agents x and y into the team. Where it is undone
// they are not missing from the team as if they had been deleted: there was no base then. It is
// one write, so a crash leaves no state between; a redo brings the base back.
func TestAPP5_UndoPastTheFirstApplyHasNoBase(t *testing.T) {
	for _, before := range []string{"noted", "stored before it was noted"} {
		l, s, d := start(t)
		undo := func() error { _, _, err := l.Undo(t.Context(), d.ID); return err }
		redo := func() error { _, _, err := l.Redo(t.Context(), d.ID); return err }
		applied(t, l, d.ID, "first", "a", "x", "y")
		save(t, l, d.ID, "", "a", "b", "x", "y")
		applied(t, l, d.ID, "second", "a", "b", "x", "y")
		if before != "noted" {
			old(t, s, d.ID)
		}
		for range 2 {
			step(t, undo) // the second apply, which the gateway holds still
			step(t, undo) // the edit
			if got := based(t, l, d.ID); got != "abxy" {
				t.Fatalf("%s: before the first apply is undone the base is %q", before, got)
			}
			step(t, undo)
			l = library.New(s, "Mika") // a hub that was started again
			if got := based(t, l, d.ID); got != "" {
				t.Fatalf("%s: with the first apply undone the base is %q", before, got)
			}
			step(t, redo)
			if got := based(t, l, d.ID); got != "abxy" {
				t.Fatalf("%s: with it redone the base is %q", before, got)
			}
			step(t, redo)
			step(t, redo)
		}
	}
}

// A team that came from the gateway has a base wherever it goes: what is deleted in it is meant.
func TestAPP5_UndoOfALaterApplyKeepsTheBase(t *testing.T) {
	for _, before := range []string{"noted", "stored before it was noted"} {
		s := librarytest.NewStore()
		l := library.New(s, "Mika")
		d, _, err := l.Create(t.Context(), library.Step{
			Topology: team(
				"x",
				"y",
			),
			Cause:    library.Imported,
			Gateway:  "local",
			Snapshot: "read",
			Base:     &library.Base{Snapshot: "read"},
		})
		if err != nil {
			t.Fatal(err)
		}
		save(t, l, d.ID, "", "x")
		applied(t, l, d.ID, "first", "x")
		if before != "noted" {
			old(t, s, d.ID)
		}
		step(t, func() error { _, _, err := l.Undo(t.Context(), d.ID); return err })
		if got := based(t, l, d.ID); got != "x" {
			t.Errorf("%s: the base is %q", before, got)
		}
	}
}

// OC-5: which team a gateway runs is clear, since each team says when it was applied last. An
// import or an edit changes nothing about it.
func TestOC5_ATeamSaysWhenItWasAppliedLast(t *testing.T) {
	l, _, d := start(t)
	appliedAt := func() (at time.Time) {
		t.Helper()
		d, _, err := l.Get(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := d.Base("local")
		return b.AppliedAt
	}
	imported := func() {
		t.Helper()
		if _, _, _, err := l.Save(t.Context(), d.ID, "", library.Step{
			Topology: team("a", "x"), Cause: library.Imported, Gateway: "local", Snapshot: "i",
			Base: &library.Base{Snapshot: "i", Hash: "i"},
		}); err != nil {
			t.Fatal(err)
		}
	}
	imported()
	if at := appliedAt(); !at.IsZero() {
		t.Errorf("after an import: applied at %v", at)
	}
	applied(t, l, d.ID, "s1", "a", "b")
	first := appliedAt()
	if first.IsZero() {
		t.Error("after an apply: never applied")
	}
	save(t, l, d.ID, "", "a")
	imported()
	if at := appliedAt(); !at.Equal(first) {
		t.Errorf("after an edit and an import: applied at %v, want %v", at, first)
	}
	applied(t, l, d.ID, "s2", "a", "b", "c")
	if at := appliedAt(); !at.After(first) {
		t.Errorf("after another apply: applied at %v, not after %v", at, first)
	}
}
