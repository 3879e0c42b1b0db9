package auth

import (
	"net/http"

	"github.com/gorilla/websocket"
)

// Upgrader makes WebSockets of requests that the Guard has let through: it has checked
// origin and host already.
var Upgrader = websocket.Upgrader{
	CheckOrigin:  func(*http.Request) bool { return true },
	Subprotocols: []string{WebSocketProtocol},
}
