package store

import (
	"context"
	"log/slog"
	"testing"

	"gorm.io/gorm"

	"agentflow/backend/base/errcode"
)

// A panic in one write fails that write; those that share its transaction are made.
func TestTR5_APanicEndsOneWrite(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, beside := range []int{0, 3} { // alone, and in a batch
		w := newWriter(s.writes.db)
		write := func(change func(tx *gorm.DB) error) chan error {
			result := make(chan error, 1)
			w.queue <- &job{change: change, result: result}
			return result
		}
		broken := write(func(*gorm.DB) error { panic("no") })
		var fine []chan error
		for range beside {
			fine = append(fine, write(func(tx *gorm.DB) error { return tx.Exec("SELECT 1").Error }))
		}
		ctx, end := context.WithCancel(t.Context())
		end() // what waits is written
		if err := w.run(ctx); err != nil {
			t.Fatal(err)
		}
		if err := <-broken; !errcode.Is(err, errcode.Internal) {
			t.Errorf("the write that panicked: %v", err)
		}
		for _, one := range fine {
			if err := <-one; err != nil {
				t.Errorf("beside it: %v", err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
