package library_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
	"agentflow/backend/team/librarytest"
	"agentflow/backend/team/topology"
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

// OC-4: a clean-up leaves the newest snapshots of each file, and counts a text once, if no snapshot has it any more.
func TestOC4_ACleanUpLeavesTheNewestFiles(t *testing.T) {
	l, s, _ := start(t)
	files := librarytest.Files{Store: s}
	put := func(n int, agent topology.AgentID, hash string, at time.Time) {
		t.Helper()
		f := library.FileSnapshot{
			ID: library.FileID(fmt.Sprintf("%02d", n)), Gateway: "g", Agent: agent, Name: "SOUL.md", Hash: hash,
			Size: 100, At: at,
		}
		if err := files.PutFile(t.Context(), f, library.FileBounds{}); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-90 * day)
	for n := range 15 { // the oldest two have the same text, the third that of the other agent
		hash := fmt.Sprint("h", n)
		switch n {
		case 1:
			hash = "h0"
		case 2:
			hash = "shared"
		}
		put(n, "a", hash, old)
	}
	put(15, "b", "shared", old)
	up := library.NewMaintenance(l, s)
	sweep := library.Sweep{Age: 30 * day, Newest: 10}
	for _, took := range []func(context.Context, library.Sweep) (library.Swept, error){up.Preview, up.Sweep} {
		if got, err := took(t.Context(), sweep); err != nil || got != (library.Swept{Files: 5, Bytes: 300}) {
			t.Errorf("took %+v, %v", got, err)
		}
	}
	if left, err := files.Files(t.Context(), "g", 99); err != nil || len(left) != 11 || left[10].ID != "05" {
		t.Errorf("left %+v, %v", left, err)
	}
	put(16, "b", "new", time.Now())
	if got, err := up.Preview(t.Context(), library.Sweep{Age: 30 * day, Newest: 10}); err != nil || got.Files != 0 {
		t.Errorf("would take %+v, %v", got, err)
	}
}
