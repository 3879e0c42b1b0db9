package dialect

import (
	"testing"

	"agentflow/backend/base/safego"
)

// A panic in the reader of a gateway's socket, which has a goroutine of its own, ends that socket;
// who waits for its frames is told why.
func TestTR5_APanicInTheReaderEndsOneSocket(t *testing.T) {
	s := &socket{frames: make(chan []byte, frameQueue)} // without a connection
	go s.read()
	if _, more := <-s.frames; more || !safego.Is(s.err) {
		t.Errorf("more %v, %v", more, s.err)
	}
}
