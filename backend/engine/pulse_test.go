package engine_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A page cannot see pings, so a window's stream answers when it is asked for a sign of life.
func TestTheStreamAnswersASignOfLife(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(),
		"ws"+strings.TrimPrefix(h.e.URL(), "http")+"/api/events",
		http.Header{"Authorization": {"Bearer " + h.e.Token()}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	next := func() (n struct {
		Seq   int64
		Reset bool
	}) {
		t.Helper()
		_ = conn.SetReadDeadline(time.Now().Add(15 * time.Second)) // less than the hub's own pings
		if err := conn.ReadJSON(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	last := next()
	if !last.Reset {
		t.Fatalf("the stream begins with %+v", last)
	}
	for range 3 {
		if err := conn.WriteJSON(map[string]bool{"pulse": true}); err != nil {
			t.Fatal(err)
		}
		n := next()
		if n.Seq != last.Seq+1 || n.Reset {
			t.Fatalf("after %+v came %+v", last, n)
		}
		last = n
	}
	if err := conn.WriteJSON(map[string]bool{"pulse": true, "resync": true}); err != nil {
		t.Fatal(err)
	}
	for !next().Reset {
	}
}
