package store_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
	"agentflow/backend/store/database"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// APP-5: on a real database a clean-up takes what is old, ends undo where it must, and
// gives the room back to the disk.
func TestAPP5_ACleanUpMakesTheDatabaseSmaller(t *testing.T) {
	s := open(t, t.TempDir())
	up := store.Maintenance{Store: s}
	before, after := sweep(t, s)
	if after.Bytes > before.Bytes/4 {
		t.Errorf("%d bytes before, %d after", before.Bytes, after.Bytes)
	}
	if size, err := up.Size(t.Context()); err != nil || size.Elsewhere {
		t.Error(size, err)
	}
}

// sweepsElsewhere: in PostgreSQL the past is cleared away as in SQLite, and backups are
// left to the server.
func sweepsElsewhere(t *testing.T, s *store.Store) {
	up := store.Maintenance{Store: s}
	if before, _ := sweep(t, s); !before.Elsewhere || before.Bytes == 0 || before.Parts[1].Count != 700 {
		t.Errorf("size %+v", before)
	}
	_, backup := up.Backup(t.Context())
	_, stage := up.Stage(t.Context(), strings.NewReader("x"))
	_, restore := up.Restore(time.Now())
	for what, err := range map[string]error{"backup": backup, "stage": stage, "restore": restore} {
		if !errcode.HasReason(err, database.ReasonElsewhere) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// sweep makes 700 old versions, clears all but 21 away, and returns the sizes.
func sweep(t *testing.T, s *store.Store) (before, after database.Size) {
	t.Helper()
	up := store.Maintenance{Store: s}
	old := time.Now().Add(-100 * 24 * time.Hour)
	d := library.Team{ID: "d", Name: "D"}
	for i := range 700 { // more than one statement takes
		noise := make([]byte, 1024)
		_, _ = rand.Read(noise)
		v := library.Version{ID: library.VersionID(fmt.Sprintf("%04d", i)), Team: "d", Parent: d.Head, At: old, StartedAt: old, Cause: library.Edited, Topology: &topology.Topology{
			Agents: []topology.Agent{{ID: "a", Persona: fmt.Sprintf("%x", noise)}},
		}}
		d.Head = v.ID
		if err := s.PutTeam(t.Context(), d, &v); err != nil {
			t.Fatal(err)
		}
	}
	before, err := up.Size(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l := library.New(s, "Mika")
	took, err := library.NewMaintenance(l, up).Sweep(t.Context(), library.Sweep{Age: 30 * 24 * time.Hour, Newest: 20})
	if err != nil || took.Versions != 679 || took.Bytes < 679*1024 {
		t.Fatalf("%+v %v", took, err)
	}
	if after, err = up.Size(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, _, err := l.Undo(t.Context(), "d"); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := s.Version(t.Context(), "d", "0679"); err != nil || v.Parent != "" {
		t.Errorf("the oldest that is left has the parent %q, %v", v.Parent, err)
	}
	return before, after
}
