package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// DefaultURL is where an OpenClaw gateway listens if nobody said otherwise.
const DefaultURL = "ws://127.0.0.1:18789"

// Found is a gateway that answered a Probe.
type Found struct {
	URL     string
	Dialect Dialect // DialectUnknown: it asks for a token before it says anything
}

// question is JSON-RPC that any peer of that dialect answers and none acts on. A framed
// gateway has greeted before it reads it.
const question = `{"jsonrpc":"2.0","id":1,"method":"agentflow.probe","params":{}}`

// Probe asks whether a gateway answers at the address, for at most wait, without logging
// in: neither a token nor this installation's identity is sent, so that nothing has to be
// approved there. It returns false when nothing that looks like a gateway answers.
func Probe(ctx context.Context, address string, wait time.Duration) (Found, bool) {
	normalized, err := NormalizeURL(address)
	if err != nil {
		return Found{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	found := Found{URL: normalized}
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: wait}
	conn, resp, err := dialer.DialContext(ctx, normalized, nil) //nolint:bodyclose // the library has read it
	if err != nil {
		return found, resp != nil && resp.StatusCode == http.StatusUnauthorized
	}
	defer func() { _ = conn.Close() }()
	conn.SetReadLimit(1 << 20)
	until := time.Now().Add(wait)
	if conn.SetReadDeadline(until) != nil || conn.SetWriteDeadline(until) != nil || conn.WriteMessage(websocket.TextMessage, []byte(question)) != nil {
		return found, false
	}
	_, frame, err := conn.ReadMessage()
	found.Dialect = spoken(frame, err)
	return found, found.Dialect != DialectUnknown
}

// spoken tells the dialect by the first that is heard.
func spoken(frame []byte, err error) Dialect {
	if closed := (*websocket.CloseError)(nil); errors.As(err, &closed) && closed.Code == websocket.ClosePolicyViolation {
		return DialectFramed // it has read what it takes for a bad login
	}
	var f struct {
		JSONRPC string `json:"jsonrpc"`
		Event   string `json:"event"`
	}
	switch {
	case err != nil || json.Unmarshal(frame, &f) != nil:
		return DialectUnknown
	case f.Event == "connect.challenge":
		return DialectFramed
	case f.JSONRPC == "2.0":
		return DialectJSONRPC
	}
	return DialectUnknown
}
