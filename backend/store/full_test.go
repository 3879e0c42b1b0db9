package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
)

// TestAPP5_FaultAFullDiskLosesNothing uses SQLite's own page limit: the same error, without
// filling a disk.
func TestAPP5_FaultAFullDiskLosesNothing(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.PutSnapshot(ctx, library.Snapshot{ID: "before", Config: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 1<<20)
	_, _ = rand.Read(noise)
	big := library.Snapshot{ID: "big", Config: bytes.Clone(noise)}
	if err := s.writes.db.Exec("PRAGMA max_page_count = 60").Error; err != nil {
		t.Fatal(err)
	}
	err = s.PutSnapshot(ctx, big)
	if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("a full disk: %v", err)
	}
	if _, err := s.Snapshot(ctx, "before"); err != nil {
		t.Errorf("what was there before: %v", err)
	}
	if err := s.writes.db.Exec("PRAGMA max_page_count = 100000").Error; err != nil {
		t.Fatal(err)
	}
	if err := s.PutSnapshot(ctx, big); err != nil {
		t.Errorf("once there is room again: %v", err)
	}
}
