package roomsapi

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

const (
	maxMessage   = 1 << 20 // bytes, in all its frames
	readChunk    = 16 << 10
	frameTimeout = 30 * time.Second // from the first byte of a message to its last
	controlBurst = 100              // pings and pongs between two messages
	discardLimit = 8 << 20
)

// broken is a peer that does not keep to the protocol, or one that takes its leave.
type broken struct {
	code ws.StatusCode
	why  string
}

func (b *broken) Error() string { return fmt.Sprintf("websocket: %d %s", b.code, b.why) }

// closed answers a close frame with its own code.
func closed(payload []byte) error {
	if len(payload) == 0 {
		return &broken{ws.StatusNormalClosure, ""}
	}
	code, why := ws.ParseCloseFrameData(payload)
	if err := ws.CheckCloseFrameData(code, why); err != nil || len(payload) == 1 {
		return &broken{ws.StatusProtocolError, "bad close frame"}
	}
	return &broken{code, ""}
}

// reader reads a WebSocket's messages. Between them it holds no buffer where the system
// can tell when there is something to read.
type reader struct {
	socket  *socket
	early   []byte // what came with the handshake
	buf     *bufio.Reader
	waiter  waiter
	partial []byte // the frames of a message so far
	inside  bool   // a message
	control int
}

// opNothing is a part of a message.
const opNothing ws.OpCode = 0xff

var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4096) }}

func newReader(s *socket, early []byte) *reader {
	return &reader{socket: s, early: early, waiter: newWaiter(s.conn)}
}

// wait returns once there is something to read.
func (r *reader) wait() error {
	if r.buf == nil && r.early == nil && r.waiter != nil {
		if err := r.waiter.wait(); err != nil {
			return err
		}
	}
	if r.buf == nil {
		r.buf, _ = buffers.Get().(*bufio.Reader)
		from := io.Reader(r.socket.conn)
		if r.early != nil {
			from, r.early = io.MultiReader(bytes.NewReader(r.early), from), nil
		}
		r.buf.Reset(from)
	}
	_, err := r.buf.Peek(1)
	return err
}

func (r *reader) pending() bool { return r.buf.Buffered() > 0 }

// rest gives the buffer back until there is something to read again.
func (r *reader) rest() {
	if r.waiter != nil {
		r.buf.Reset(nil)
		buffers.Put(r.buf)
		r.buf = nil
	}
}

// next reads a frame. It returns a control frame, a message that is now complete, or opNothing.
func (r *reader) next() (ws.OpCode, []byte, error) {
	if !r.inside {
		r.socket.readBy(time.Now().Add(frameTimeout))
	}
	op, payload, err := r.frame()
	if !r.inside {
		r.socket.readBy(time.Time{})
	}
	return op, payload, err
}

func (r *reader) frame() (ws.OpCode, []byte, error) {
	h, err := r.header()
	if err != nil {
		return 0, nil, err
	}
	if h.OpCode.IsControl() {
		if r.control++; r.control > controlBurst {
			return 0, nil, &broken{ws.StatusPolicyViolation, "too many pings"}
		}
		payload, err := r.payload(nil, h)
		return h.OpCode, payload, err
	}
	if h.OpCode == ws.OpBinary {
		return 0, nil, &broken{ws.StatusUnsupportedData, "messages are text"}
	}
	if r.partial, err = r.payload(r.partial, h); err != nil {
		return 0, nil, err
	}
	if r.inside = !h.Fin; r.inside {
		return opNothing, nil, nil
	}
	message := r.partial
	r.partial, r.control = nil, 0
	if !utf8.Valid(message) {
		return 0, nil, &broken{ws.StatusInvalidFramePayloadData, "a message is not UTF-8"}
	}
	return ws.OpText, message, nil
}

func (r *reader) header() (ws.Header, error) {
	state := ws.StateServerSide
	if r.inside {
		state |= ws.StateFragmented
	}
	h, err := ws.ReadHeader(r.buf)
	if errors.Is(err, ws.ErrHeaderLengthMSB) || errors.Is(err, ws.ErrHeaderLengthUnexpected) {
		return h, &broken{ws.StatusProtocolError, "bad frame length"}
	}
	if err != nil {
		return h, err
	}
	if err := ws.CheckHeader(h, state); err != nil || !h.Masked {
		return h, &broken{ws.StatusProtocolError, "bad frame header"}
	}
	return h, nil
}

// payload appends a frame's content to had. It grows with what has arrived, whatever the
// header promises.
func (r *reader) payload(had []byte, h ws.Header) ([]byte, error) {
	if h.Length > int64(maxMessage-len(had)) {
		return nil, &broken{ws.StatusMessageTooBig, "a message has at most 1 MiB"}
	}
	for left := int(h.Length); left > 0; {
		n := min(left, readChunk)
		from := len(had)
		had = append(had, make([]byte, n)...)
		if _, err := io.ReadFull(r.buf, had[from:]); err != nil {
			return nil, err
		}
		ws.Cipher(had[from:], h.Mask, int(h.Length)-left)
		left -= n
	}
	return had, nil
}

// discard reads until the peer closes.
func (r *reader) discard() {
	if r.buf != nil {
		r.buf.Reset(nil)
		r.buf = nil
	}
	_, _ = io.CopyN(io.Discard, r.socket.conn, discardLimit)
}
