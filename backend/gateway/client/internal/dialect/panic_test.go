package dialect

import (
	"testing"

	"agentflow/backend/base/safego"
)

// A panic in the reader of a gateway's socket, which runs in a separate goroutine, ends that
// socket; a caller that waits for its frames gets the reason.
func TestTR5_APanicInTheReaderEndsOneSocket(t *testing.T) {
	s := &socket{frames: make(chan []byte, frameQueue)} // without a connection
	go s.read()
	if _, more := <-s.frames; more || !safego.Is(s.err) {
		t.Errorf("more %v, %v", more, s.err)
	}
}
