package library_test

import (
	"fmt"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
)

const day = 24 * time.Hour

// aged is a team of 60 versions, one a day, the first of them 60 days old.
func aged(t *testing.T) (*library.Library, *library.Maintenance, library.Team, []library.VersionID) {
	t.Helper()
	l, s, d := start(t)
	ids := []library.VersionID{d.Head}
	first, err := l.Version(t.Context(), d.ID, d.Head)
	if err != nil {
		t.Fatal(err)
	}
	first.At = time.Now().Add(-60 * day)
	if err := s.PutTeam(t.Context(), d, &first); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 60; i++ {
		v := save(t, l, d.ID, "", "a", fmt.Sprint("b", i))
		v.At = time.Now().Add(-time.Duration(60-i) * day)
		if i == 7 {
			v.Snapshot = "needed"
		}
		if d, err = s.Team(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
		if err := s.PutTeam(t.Context(), d, &v); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, v.ID)
	}
	for i := range 20 {
		id := library.SnapshotID(fmt.Sprint("old", i))
		if i == 3 {
			id = "needed"
		}
		if err := s.PutSnapshot(t.Context(), library.Snapshot{ID: id, Gateway: "local", At: time.Now().Add(-90 * day), Config: []byte("12345")}); err != nil {
			t.Fatal(err)
		}
	}
	fresh := library.New(s, "Mika") // nothing is in its cache
	return fresh, library.NewMaintenance(fresh, s), d, ids
}

// APP-5: a clean-up takes what its preview said, and leaves what has a name, what a
// gateway runs, the head, and the last steps of undo.
func TestAPP5_ACleanUpLeavesWhatIsNeeded(t *testing.T) {
	l, up, d, ids := aged(t)
	if _, err := l.NameVersion(t.Context(), d.ID, ids[5], "v1"); err != nil {
		t.Fatal(err)
	}
	d, _, _, err := l.Save(
		t.Context(),
		d.ID,
		"",
		library.Step{
			Topology: team("z"),
			Cause:    library.Applied,
			Gateway:  "studio",
			Base:     &library.Base{Hash: "h"},
			Aside:    true,
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	base := d.Bases["studio"].Version
	rule := library.Sweep{Age: 30 * day, Newest: 10}
	before, err := up.Preview(t.Context(), rule)
	if err != nil {
		t.Fatal(err)
	}
	// Of 60, 29 are younger than 30 days; one has a name.
	if before.Versions != 30 || before.Teams != 1 || before.Snapshots != 10 || before.Bytes != 30*100+10*5 {
		t.Errorf("preview %+v", before)
	}
	took, err := up.Sweep(t.Context(), rule)
	if err != nil || took != before {
		t.Errorf("took %+v, preview %+v, %v", took, before, err)
	}
	for _, id := range []library.VersionID{ids[5], ids[59], base, ids[31]} {
		if _, err := l.Version(t.Context(), d.ID, id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if after, err := up.Preview(t.Context(), rule); err != nil || after.Versions != 0 {
		t.Errorf("a second time: %+v %v", after, err)
	}
}

// Undo ends at the oldest version that stayed; it never reaches one that is gone, nor
// jumps over those that are.
func TestAPP5_UndoEndsWhereTheHistoryWasCleared(t *testing.T) {
	l, up, d, ids := aged(t)
	for range 45 { // the head is old itself: its own last steps stay
		if _, _, err := l.Undo(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
	}
	d, _, err := l.Get(t.Context(), d.ID)
	if err != nil || d.Head != ids[14] {
		t.Fatal(d.Head, err)
	}
	took, err := up.Sweep(t.Context(), library.Sweep{Age: 2 * day, Newest: 10})
	if err != nil || took.Versions != 4 { // 15 to 59 can be redone, 4 to 14 undone
		t.Fatalf("%+v %v", took, err)
	}
	steps := 0
	for {
		d, v, err := l.Undo(t.Context(), d.ID)
		if errcode.HasReason(err, library.ReasonNothingToUndo) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		steps++
		if want := ids[14-steps]; d.Head != want || v.Topology == nil {
			t.Fatalf("step %d leads to %s, want %s", steps, d.Head, want)
		}
	}
	if steps != 10 {
		t.Errorf("%d steps of undo, want 10", steps)
	}
	for range 55 {
		if d, _, err = l.Redo(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
	}
	if d.Head != ids[59] {
		t.Errorf("redo ends at %s", d.Head)
	}
}

func TestACleanUpTellsItsReadersAndRefusesTooMuch(t *testing.T) {
	l, up, d, _ := aged(t)
	for field, rule := range map[string]library.Sweep{"days": {Age: time.Hour, Newest: 50}, "newest": {Age: day, Newest: 0}} {
		if _, err := up.Sweep(t.Context(), rule); !errcode.Is(err, errcode.Validation) || errcode.From(err).Details["field"] != field {
			t.Errorf("%+v: %v", rule, err)
		}
	}
	changes := l.Subscribe(8)
	defer changes.Close()
	if _, err := up.Sweep(t.Context(), library.Sweep{Age: 30 * day, Newest: 10}); err != nil {
		t.Fatal(err)
	}
	if told := <-changes.C(); told.ID != d.ID {
		t.Errorf("told of %s", told.ID)
	}
}
