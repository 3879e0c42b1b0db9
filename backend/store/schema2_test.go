package store_test

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"agentflow/backend/plan/planner"
	"agentflow/backend/store"
	"agentflow/backend/talk/room"
	"agentflow/backend/team/library"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// holdsSchema2 reads everything that the database of schema 2 holds, with the program of today.
func holdsSchema2(t *testing.T, s *store.Store) {
	t.Helper()
	holdsTeamAndTask(t, s)
	ctx := t.Context()
	if v, err := s.Version(ctx, "d", "v2"); err != nil || v.Name != "named" || v.Topology.Name != "kept" {
		t.Errorf("a version: %+v, %v", v, err)
	}
	if all, err := s.Teams(ctx); err != nil || len(all) < 2 {
		t.Errorf("the teams: %+v, %v", all, err)
	}
	if snap, err := s.Snapshot(ctx, "snap"); err != nil || snap.Team != "d" || string(snap.Config) != "{}" {
		t.Errorf("the snapshot: %+v, %v", snap, err)
	}
	templates, err := (store.Archive{Store: s}).Templates(ctx)
	if err != nil || len(templates) != 1 || templates[0].Topology.Name != "kept" {
		t.Errorf("the templates: %+v, %v", templates, err)
	}
	if list, err := s.Messages(ctx, "agent:a:main", 5, 0); err != nil || len(list) != 1 || list[0].Text != "hello" {
		t.Errorf("the session: %+v, %v", list, err)
	}
	if text, there, err := s.LoadConfig(ctx); err != nil || !there || text != "{}" {
		t.Errorf("the config: %q, %v", text, err)
	}
	questions, err := store.Inbox(s).EndedEntries(ctx, inbox.Query{Limit: 5})
	if err != nil || len(questions) != 1 || questions[0].ID != "q" {
		t.Errorf("the questions: %+v, %v", questions, err)
	}
	if list, err := store.Plans(s).PlanVersions(ctx, "p"); err != nil || len(list) != 1 {
		t.Errorf("the plan's versions: %+v, %v", list, err)
	}
	records, err := store.Plans(s).PlanRecords(ctx)
	if err != nil || len(records) != 1 || records[0].Goal != `Add "wish": lists` {
		t.Errorf("the plans: %+v, %v", records, err)
	}
	if err == nil && (records[0].Work == nil || records[0].Work.State != planner.Stopped) {
		t.Errorf("the canceled run of the plan: %+v", records[0].Work)
	}
	proposals, err := store.Plans(s).Proposals(ctx, "p")
	if err != nil || len(proposals) != 2 {
		t.Fatalf("the proposals: %+v, %v", proposals, err)
	}
	slices.SortFunc(proposals, func(a, b planner.Proposal) int { return cmp.Compare(a.ID, b.ID) })
	if one := proposals[0]; one.State != planner.Refused || one.Request != "Add a switch" {
		t.Errorf("the refused proposal: %+v", one)
	}
	if one := proposals[1]; one.State != planner.Canceled || one.Request != `"state":"cancelled"` {
		t.Errorf("the canceled proposal: %+v", one)
	}
	rooms := s.Rooms()
	for _, word := range []string{"first", "第二の文"} { // the second by the index, as far as there is one
		if list, err := rooms.SearchMessages(ctx, room.Query{Text: word, Limit: 5}); err != nil || len(list) != 1 {
			t.Errorf("the messages with %q: %+v, %v", word, list, err)
		}
	}
	setups, err := rooms.Turns().Setups(ctx)
	if err != nil || len(setups) != 1 || setups[0].Cast.Team != "d" {
		t.Errorf("the setups: %+v, %v", setups, err)
	}
	for session, want := range map[string][]task.ID{
		"s": {"called-off", "done"}, "other": {"mentions"}, "\"quoted\" \\ 日本語 \x00": {"odd"}, "none": nil,
	} {
		list, err := store.Tasks(s).Recent(ctx, coordinator.Recent{Session: session, Limit: 5})
		var ids []task.ID
		for _, one := range list {
			ids = append(ids, one.ID)
		}
		if err != nil || !slices.Equal(ids, want) {
			t.Errorf("the tasks of the session %q: %v, want %v: %v", session, ids, want, err)
		}
	}
}

// A database that was made before there were migrations goes on working, and the next start changes nothing.
func TestAPP5_ADatabaseOfSchema2GoesOn(t *testing.T) {
	dir := t.TempDir()
	path := makeSchema2(t, dir)
	t.Run("first", func(t *testing.T) {
		s := open(t, dir)
		holdsSchema2(t, s)
		if rules, err := store.Inbox(s).Rules(t.Context()); err != nil || len(rules) != 1 {
			t.Errorf("the permissions: %+v, %v", rules, err)
		}
		if err := s.PutTeam(t.Context(), library.Team{ID: "new", Name: "new"}, nil); err != nil {
			t.Error(err)
		}
	})
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("again", func(t *testing.T) { holdsSchema2(t, open(t, dir)) })
	const header = 100 // it counts writes
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before[header:], after[header:]) {
		t.Errorf("the second start changed the file (%v)", err)
	}
}

// A backup that was made before there were migrations is restored into the program of today.
func TestAPP5_ABackupOfSchema2IsRestored(t *testing.T) {
	backup, err := os.ReadFile(makeSchema2(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Run("restore", func(t *testing.T) {
		up := store.Maintenance{Store: open(t, dir)}
		staged, err := up.Stage(t.Context(), bytes.NewReader(backup))
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int64{}
		for _, p := range staged.Parts {
			counts[p.Kind] = p.Count
		}
		if counts["teams"] != 2 || counts["versions"] != 2 || counts["tasks"] != 5 {
			t.Errorf("the backup has %v", counts)
		}
		if staged.Waits.Permissions != 1 || staged.Waits.Tasks != 2 {
			t.Errorf("it would bring %+v", staged.Waits)
		}
		if want := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC); !staged.Last.Equal(want) {
			t.Errorf("it was changed at %v, want %v", staged.Last, want)
		}
		if _, err := up.Restore(time.Now()); err != nil {
			t.Fatal(err)
		}
	})
	holdsSchema2(t, open(t, dir))
	if kept, _ := filepath.Glob(filepath.Join(dir, "agentflow-before-restore-*.db")); len(kept) != 1 {
		t.Errorf("kept aside: %v", kept)
	}
}
