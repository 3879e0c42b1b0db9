package store

import (
	"context"
	"log/slog"
	"testing"
)

// Every table counts as some kind, so that no part of the database is left out of what is shown. The list of the
// migrations belongs to the database, like its own tables.
func TestAPP5_EveryTableCountsAsSomeKind(t *testing.T) {
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
	size, err := Maintenance{s}.Size(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var shown, all int64
	for _, p := range size.Parts {
		shown += p.Bytes
	}
	const counted = "SELECT SUM(pgsize) FROM dbstat WHERE aggregate = 1 AND name NOT LIKE 'sqlite!_s%' ESCAPE '!'" +
		" AND name <> 'goose_db_version'"
	if err := s.read.Raw(counted).Scan(&all).Error; err != nil {
		t.Fatal(err)
	}
	if shown != all || all == 0 {
		t.Errorf("%d of %d bytes are shown", shown, all)
	}
}
