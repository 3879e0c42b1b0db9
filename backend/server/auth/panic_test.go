package auth

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A panic about what a WebSocket's peer says ends that socket only.
func TestTR5_APanicInAReaderEndsOneSocket(t *testing.T) {
	read := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := Upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		go func() {
			defer close(read)
			Listen(conn, 1024, time.Minute, func([]byte) { panic("no") })
		}()
		<-read
	}))
	defer server.Close()
	conn, res, err := websocket.DefaultDialer.DialContext(t.Context(), strings.Replace(server.URL, "http", "ws", 1),
		http.Header{"Origin": {server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	defer func() { _ = conn.Close() }()
	if err := conn.WriteMessage(websocket.TextMessage, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-read:
	case <-time.After(time.Minute):
		t.Fatal("it reads on")
	}
	if _, _, err := conn.ReadMessage(); err == nil {
		t.Error("the socket goes on")
	}
}
