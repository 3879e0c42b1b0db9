package crowd

import (
	"io"
	"strings"
	"testing"
	"time"
)

// The bare loop passes on to all what the first one says, and each is heard as often as said.
func TestBareLoop(t *testing.T) {
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- BareLoop(in) }()
	buf := make([]byte, 64)
	n, err := out.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	a, err := listeners(t.Context(), strings.TrimSpace(string(buf[:n])))
	if err != nil {
		t.Fatal(err)
	}
	took, err := a.perThousand(t.Context(), func() time.Duration { return time.Duration(time.Now().UnixNano()) })
	if err != nil || took.Wall <= 0 || took.CPU <= 0 {
		t.Errorf("%v, %v", took, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
