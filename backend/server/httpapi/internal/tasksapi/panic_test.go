package tasksapi

import (
	"testing"
	"time"
)

// A panic while a reader is given a sign of life ends that reader's stream only.
func TestTR5_APanicInASignOfLifeEndsOneStream(t *testing.T) {
	gone := make(chan struct{})
	stop := everyNow(time.Millisecond, func() error { panic("no") }, func() { close(gone) })
	defer stop()
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Fatal("the stream goes on")
	}
}
