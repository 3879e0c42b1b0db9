package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// TestAG5_WhoIsInsideIsSentAway: the streams that are open end when the list leaves their
// address out; those of others go on.
func TestAG5_WhoIsInsideIsSentAway(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	open := func(from, path string) *websocket.Conn {
		t.Helper()
		d := websocket.Dialer{NetDialContext: fromAddress(from)}
		conn, res, err := d.DialContext(t.Context(), "ws"+strings.TrimPrefix(h.URL(), "http")+path,
			http.Header{"Authorization": {"Bearer " + h.Token()}})
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	paths := []string{"/api/events", "/ws?room=dev", "/gateway"}
	var away []*websocket.Conn
	for _, p := range paths {
		away = append(away, open("127.0.0.2", p))
	}
	stays := open("127.0.0.1", "/ws?room=dev")
	asked[guarded](t, h, http.MethodPut, "/api/security/networks",
		map[string]any{"allow": []string{"127.0.0.1"}, "proxies": []string{}})
	for i, conn := range away {
		for {
			if _, _, err := conn.ReadMessage(); err != nil {
				break
			}
		}
		t.Log(paths[i], "has ended")
	}
	client := http.Client{Transport: &http.Transport{DialContext: fromAddress("127.0.0.2")}}
	defer client.CloseIdleConnections()
	res, err := client.Get(h.URL() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("from there: %d", res.StatusCode)
	}
	asked[struct{}](t, h, http.MethodPost, "/api/message",
		map[string]any{"room": "dev", "sender": "Aiko", "message": "still here"})
	if _, data, err := stays.ReadMessage(); err != nil || !strings.Contains(string(data), "still here") {
		t.Errorf("who may stay: %s %v", data, err)
	}
}
