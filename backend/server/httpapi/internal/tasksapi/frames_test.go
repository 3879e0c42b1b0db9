package tasksapi

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
)

// frame is a client's frame, masked.
func frame(first byte, payload []byte) []byte {
	out := []byte{first}
	switch n := len(payload); {
	case n < 126:
		out = append(out, 0x80|byte(n))
	default:
		out = binary.BigEndian.AppendUint16(append(out, 0x80|126), uint16(n)) //nolint:gosec // it is short
	}
	mask := [4]byte{1, 2, 3, 4}
	body := bytes.Clone(payload)
	ws.Cipher(body, mask, 0)
	return append(append(out, mask[:]...), body...)
}

// An invalid frame ends the stream with the matching code, and a compressed bomb isn't
// understood; nobody else notices (fault 11).
func TestCO5_Fault11_BadFramesToATasksStream(t *testing.T) {
	p := open(t)
	witness := p.dial(true, "witness=1")
	const fin, text = 0x80, byte(ws.OpText)
	long := binary.BigEndian.AppendUint64([]byte{fin | text, 0x80 | 127}, 1<<40)
	for name, c := range map[string]struct {
		send []byte
		want ws.StatusCode
	}{
		"not masked":              {[]byte{fin | text, 2, 'h', 'i'}, ws.StatusProtocolError},
		"compressed":              {frame(fin|0x40|text, []byte("bomb")), ws.StatusProtocolError},
		"an unknown opcode":       {frame(fin|3, nil), ws.StatusProtocolError},
		"continues nothing":       {frame(fin, nil), ws.StatusProtocolError},
		"a fragmented ping":       {frame(byte(ws.OpPing), nil), ws.StatusProtocolError},
		"a long ping":             {frame(fin|byte(ws.OpPing), make([]byte, 126)), ws.StatusProtocolError},
		"a terabyte":              {append(long, 0, 0, 0, 0), ws.StatusMessageTooBig},
		"too much in parts":       {append(frame(text, nil), bytes.Repeat(frame(byte(ws.OpContinuation), make([]byte, 500)), 3)...), ws.StatusMessageTooBig},
		"binary":                  {frame(fin|byte(ws.OpBinary), []byte("{}")), ws.StatusUnsupportedData},
		"invalid UTF-8":           {frame(fin|text, []byte("\"\xff\"")), ws.StatusInvalidFramePayloadData},
		"a flood of pings":        {bytes.Repeat(frame(fin|byte(ws.OpPing), []byte("there?")), 1000), ws.StatusPolicyViolation},
		"a flood of pongs":        {bytes.Repeat(frame(fin|byte(ws.OpPong), nil), 1000), ws.StatusPolicyViolation},
		"goodbye":                 {frame(fin|byte(ws.OpClose), ws.NewCloseFrameBody(ws.StatusNormalClosure, "")), ws.StatusNormalClosure},
		"goodbye with a bad code": {frame(fin|byte(ws.OpClose), []byte{0, 1}), ws.StatusProtocolError},
	} {
		t.Run(name, func(t *testing.T) {
			r := p.dial(true, "")
			r.t = t
			if _, err := r.conn.Write(c.send); err != nil {
				t.Fatal(err)
			}
			for {
				op, payload, err := r.frame()
				if err != nil {
					t.Fatal(err)
				}
				if op != ws.OpClose {
					continue
				}
				if got, why := ws.ParseCloseFrameData(payload); got != c.want {
					t.Errorf("closed with %d %q, want %d", got, why, c.want)
				}
				break
			}
			_ = r.conn.SetReadDeadline(time.Now().Add(time.Minute))
			if n, err := io.Copy(io.Discard, r.in); n > 0 || err != nil && !strings.Contains(err.Error(), "reset") {
				t.Errorf("after the close frame came %d bytes, %v", n, err)
			}
		})
	}
	p.talk <- "still here"
	if seq := int64(0); !witness.until(&seq, said("still here")) {
		t.Error("another reader was cut")
	}
}
