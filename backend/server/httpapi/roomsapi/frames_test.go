package roomsapi

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
)

// An invalid frame closes the connection with the matching code; nobody else notices
// (fault 11).
func TestFault11_BadFramesAreClosedWithTheRightCode(t *testing.T) {
	h := open(t)
	witness := h.dial("room=r")
	huge := binary.BigEndian.AppendUint64([]byte{finText, 0x80 | 127}, 1<<40)
	tooBig := binary.BigEndian.AppendUint64([]byte{finText, 0x80 | 127}, maxMessage+1)
	endless := bytes.Repeat(frame(byte(ws.OpContinuation), make([]byte, 64<<10)), 17)
	mask := []byte{0, 0, 0, 0}
	pings := bytes.Repeat(frame(0x80|byte(ws.OpPing), nil), controlBurst+1)
	cases := map[string]struct {
		send []byte
		want ws.StatusCode
	}{
		"not masked":         {[]byte{finText, 2, 'h', 'i'}, ws.StatusProtocolError},
		"a reserved bit":     {frame(finText|0x40, []byte("{}")), ws.StatusProtocolError},
		"an unknown opcode":  {frame(0x83, nil), ws.StatusProtocolError},
		"an unknown control": {frame(0x8b, nil), ws.StatusProtocolError},
		"continues nothing":  {frame(0x80, nil), ws.StatusProtocolError},
		"begins twice": {
			append(frame(byte(ws.OpText), nil), frame(finText, nil)...),
			ws.StatusProtocolError,
		},
		"a fragmented ping": {frame(byte(ws.OpPing), nil), ws.StatusProtocolError},
		"a long ping":       {frame(0x80|byte(ws.OpPing), make([]byte, 126)), ws.StatusProtocolError},
		"a length beyond all": {
			append([]byte{finText, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, mask...),
			ws.StatusProtocolError,
		},
		"a terabyte":               {append(huge, mask...), ws.StatusMessageTooBig},
		"a byte too much":          {append(tooBig, mask...), ws.StatusMessageTooBig},
		"too much in parts":        {append(frame(byte(ws.OpText), nil), endless...), ws.StatusMessageTooBig},
		"binary":                   {frame(0x80|byte(ws.OpBinary), []byte("{}")), ws.StatusUnsupportedData},
		"invalid UTF-8":            {frame(finText, []byte("\"\xff\"")), ws.StatusInvalidFramePayloadData},
		"UTF-8 cut by the message": {frame(finText, []byte("\xe6\x97")), ws.StatusInvalidFramePayloadData},
		"a flood of pings":         {pings, ws.StatusPolicyViolation},
		"goodbye": {
			frame(0x80|byte(ws.OpClose), ws.NewCloseFrameBody(ws.StatusNormalClosure, "")),
			ws.StatusNormalClosure,
		},
		"goodbye without a word":    {frame(0x80|byte(ws.OpClose), nil), ws.StatusNormalClosure},
		"goodbye with a bad code":   {frame(0x80|byte(ws.OpClose), []byte{0, 1}), ws.StatusProtocolError},
		"goodbye with half a code":  {frame(0x80|byte(ws.OpClose), []byte{3}), ws.StatusProtocolError},
		"goodbye with a broken why": {frame(0x80|byte(ws.OpClose), []byte{3, 0xe8, 0xff}), ws.StatusProtocolError},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := h.dial("room=r")
			p.t = t
			p.write(c.send)
			p.closedWith(c.want)
		})
	}
	witness.write(say("still here"))
	if got := witness.text(); !strings.Contains(got, `"id":1`) || !strings.Contains(got, "still here") {
		t.Errorf("got %s", got)
	}
}

func TestCH2_AMessageInPieces(t *testing.T) {
	h := open(t)
	text := `{"sender":"s","message":"日本語"}`
	p := h.dial("room=r", frame(finText, []byte(text))...) // together with the handshake
	if got := p.text(); !strings.Contains(got, "日本語") {
		t.Errorf("what came with the handshake: %s", got)
	}
	// One byte a frame, with a ping in between, and one byte a packet.
	var pieces []byte
	for i := range len(text) {
		first := byte(ws.OpContinuation)
		if i == 0 {
			first = byte(ws.OpText)
		}
		if i == len(text)-1 {
			first |= 0x80
		}
		pieces = append(pieces, frame(first, []byte{text[i]})...)
		if i == 30 {
			pieces = append(pieces, frame(0x80|byte(ws.OpPing), []byte("there?"))...)
		}
	}
	for _, b := range pieces {
		p.write([]byte{b})
	}
	if op, payload := p.next(); op != ws.OpPong || payload != "there?" {
		t.Errorf("a ping within a message was answered by %x %q", op, payload)
	}
	if got := p.text(); !strings.Contains(got, `"id":2`) || !strings.Contains(got, "日本語") {
		t.Errorf("in pieces: %s", got)
	}
	long := strings.Repeat("x", 60_000)
	p.write(say(long))
	if got := p.text(); !strings.Contains(got, long) {
		t.Errorf("%d bytes came back", len(got))
	}
}

// A peer that has gone without a word is found out by its silence.
func TestFault14_SilenceIsFoundOut(t *testing.T) {
	h := open(t)
	p := h.dial("room=r&sender=ghost")
	awaitAgents(t, h, "online")
	s := h.door.all()[0]
	s.lastActive.Store(time.Now().Add(-pingEvery).Unix())
	if op, _ := p.next(); op != ws.OpPing {
		t.Fatalf("a silent peer got %x", op)
	}
	s.lastActive.Store(time.Now().Add(-silentLimit - time.Second).Unix())
	awaitAgents(t, h, "offline")
}

func awaitAgents(t *testing.T, h *house, state string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		if list := h.hub.Agents("r"); len(list) == 1 && string(list[0].Status) == state {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("agents are %+v, want %s", h.hub.Agents("r"), state)
		}
		tick(t)
	}
}

// tick is the time between two looks.
func tick(t *testing.T) {
	timer := time.NewTimer(5 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}
