package store_test

import (
	"log/slog"
	"testing"
	"time"

	"agentflow/backend/store"
	"agentflow/backend/team/gatewayguard"
	"agentflow/backend/team/library"
)

// OC-4: alarms are kept alike in SQLite and PostgreSQL.
func TestOC4_Alarms(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { keepsAlarms(t, open(t, t.TempDir())) })
	t.Run("postgres", func(t *testing.T) {
		server := startPostgres(t)
		s, err := store.Database(t.Context(), t.TempDir(), server.dsn(server.create(t)), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		runStore(t, s)
		keepsAlarms(t, s)
	})
}

func keepsAlarms(t *testing.T, s *store.Store) {
	t.Helper()
	ctx, alarms := t.Context(), store.Alarms{Store: s}
	put := func(snap library.Snapshot) {
		t.Helper()
		snap.Config = []byte(`{}`)
		if err := s.PutSnapshot(ctx, snap); err != nil {
			t.Fatal(err)
		}
	}
	lost := []gatewayguard.Lost{{Kind: gatewayguard.Agents, Before: 7, After: 1}}
	for _, id := range []library.SnapshotID{"01", "02", "03"} {
		put(library.Snapshot{ID: id, Gateway: "g", Cause: "elsewhere", Agents: 7})
	}
	put(library.Snapshot{ID: "04", Gateway: "g", Cause: "elsewhere", Agents: 1, Losses: lost, Good: "01"})
	put(library.Snapshot{ID: "05", Gateway: "g", Cause: "read"})
	put(library.Snapshot{ID: "06", Gateway: "other", Cause: "elsewhere"})

	if err := alarms.TrimSnapshots(ctx, "g", "elsewhere", 1); err != nil {
		t.Fatal(err)
	}
	if got := idsOf(t, s, "g"); got != "05 04 01 " { // 01 is needed for the restore, 05 has another cause
		t.Errorf("after the trim: %s", got)
	}
	if got := idsOf(t, s, "other"); got != "06 " {
		t.Errorf("another gateway: %s", got)
	}

	a, err := alarms.Alarm(ctx, "g")
	if err != nil || a == nil || a.ID != "04" || len(a.Losses) != 1 || a.Losses[0] != lost[0] ||
		a.Before.ID != "01" || a.Before.Agents != 7 {
		t.Fatalf("alarm %+v, %v", a, err)
	}
	if a, err := alarms.Alarm(ctx, "other"); a != nil || err != nil {
		t.Errorf("another gateway has the alarm %+v, %v", a, err)
	}
	if err := alarms.SettleAlarms(ctx, "g", time.Now()); err != nil {
		t.Fatal(err)
	}
	if a, err := alarms.Alarm(ctx, "g"); a != nil || err != nil {
		t.Errorf("after it was settled: %+v, %v", a, err)
	}
	kept, err := s.Snapshot(ctx, "04")
	if err != nil || len(kept.Losses) != 1 || kept.SettledAt.IsZero() {
		t.Errorf("the snapshot lost what was found in it: %+v, %v", kept, err)
	}
	if err := alarms.TrimSnapshots(ctx, "g", "elsewhere", 1); err != nil {
		t.Fatal(err)
	}
	if got := idsOf(t, s, "g"); got != "05 04 " { // nothing needs 01 any more
		t.Errorf("after the second trim: %s", got)
	}
}

func idsOf(t *testing.T, s *store.Store, gateway string) (out string) {
	t.Helper()
	list, err := s.Snapshots(t.Context(), gateway, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, snap := range list {
		out += string(snap.ID) + " "
	}
	return out
}
