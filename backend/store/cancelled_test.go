package store

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"gorm.io/gorm"
)

// A write that has begun is completed, even if its caller has left; one that hasn't is never made.
func TestTR5_ACancelledWriteIsDoneOrNeverBegun(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(running) }()
	left, leave := context.WithCancel(t.Context())
	began, finish, outcome := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	done := false
	go func() {
		outcome <- s.writes.do(left, func(*gorm.DB) error {
			close(began)
			<-finish
			done = true // no race: do returns after it
			return nil
		})
	}()
	<-began
	leave()
	if err := s.writes.do(left, func(*gorm.DB) error { t.Error("it was begun after its caller had left"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a write that waits: %v", err)
	}
	select {
	case err := <-outcome:
		t.Errorf("it returned while the write was running: %v", err)
	default:
	}
	close(finish)
	if err := <-outcome; err != nil || !done {
		t.Errorf("%v, done %v", err, done)
	}
	if err := s.writes.do(t.Context(), func(*gorm.DB) error { return nil }); err != nil {
		t.Error(err)
	}
	stop()
	if err := errors.Join(<-ended, s.Close()); err != nil {
		t.Error(err)
	}
}
