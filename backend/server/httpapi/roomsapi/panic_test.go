package roomsapi

import (
	"io"
	"strings"
	"testing"
)

// A panic in one connection ends that one; others in the room go on.
func TestTR5_APanicEndsOneConnection(t *testing.T) {
	h := open(t)
	witness := h.dial("room=r")
	broken := h.dial("room=r&sender=Ann&agent=one") // this handler has no turns, which it would need
	if _, err := io.ReadAll(broken.in); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Fatal(err)
	}
	witness.write(say("still here"))
	if got := witness.text(); !strings.Contains(got, "still here") {
		t.Errorf("got %s", got)
	}
}
