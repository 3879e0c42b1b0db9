package auth

import (
	"context"
	"errors"
	"io"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/safego"
)

const (
	controlBurst = 100 // pings and pongs within the time in which a peer has to give a sign of life
	discardLimit = 8 << 20
	farewell     = time.Second
)

// Listen reads a WebSocket whose peer mostly receives, until the peer leaves, breaks the
// protocol, or gives no sign of life within silent. What it says goes to said, which may be nil.
// A peer that breaks the protocol, or floods, is closed with the matching code. A panic here,
// which would end the program, ends only this socket.
func Listen(conn *websocket.Conn, most int64, silent time.Duration, said func([]byte)) {
	_ = safego.Call(context.Background(), nil, "the reader of a WebSocket", func() error {
		listen(conn, most, silent, said)
		return nil
	})
}

func listen(conn *websocket.Conn, most int64, silent time.Duration, said func([]byte)) {
	l := &listener{conn: conn, silent: silent}
	conn.SetReadLimit(most)
	conn.SetPongHandler(func(string) error { return l.control() })
	conn.SetPingHandler(func(data string) error {
		if err := l.control(); err != nil {
			return err
		}
		_ = conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(farewell)) // who lags gets none
		return nil
	})
	for l.alive() == nil {
		kind, data, err := conn.ReadMessage()
		switch {
		case err != nil:
			return
		case kind != websocket.TextMessage:
			_ = l.refuse(websocket.CloseUnsupportedData, "only text is understood")
			return
		case !utf8.Valid(data):
			_ = l.refuse(websocket.CloseInvalidFramePayloadData, "this is no UTF-8")
			return
		case said != nil:
			said(data)
		}
	}
}

type listener struct {
	conn     *websocket.Conn
	silent   time.Duration
	since    time.Time
	controls int // since then
}

func (l *listener) alive() error { return l.conn.SetReadDeadline(time.Now().Add(l.silent)) }

func (l *listener) control() error {
	if now := time.Now(); now.Sub(l.since) > l.silent {
		l.since, l.controls = now, 0
	}
	if l.controls++; l.controls > controlBurst {
		return l.refuse(websocket.ClosePolicyViolation, "too many pings")
	}
	return l.alive()
}

var errRefused = errors.New("websocket: the peer was closed")

func (l *listener) refuse(code int, why string) error {
	_ = l.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, why), time.Now().Add(farewell))
	return errRefused
}

// Leave closes a WebSocket with a code, unless it was closed with another before. read is closed
// once nobody listens to it any more. What the peer still sends is read for a moment: else the
// system would take the close frame back.
func Leave(conn *websocket.Conn, code int, read <-chan struct{}) {
	_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(farewell))
	under := conn.NetConn()
	late := time.AfterFunc(farewell, func() { _ = under.Close() })
	defer late.Stop()
	if half, can := under.(interface{ CloseWrite() error }); can {
		_ = half.CloseWrite()
	}
	<-read
	_, _ = io.CopyN(io.Discard, under, discardLimit)
	_ = under.Close()
}
