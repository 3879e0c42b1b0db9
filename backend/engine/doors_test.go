package engine_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/talk/room"
)

// Images of a foreign page that name one-time links, and guesses, keep nobody out of a real hub.
func TestTR4_F9_F10_StrangersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	who := asked[guardedCaller](t, h, http.MethodPost, "/api/security/callers",
		map[string]string{"name": "build box", "role": "reader"})
	get := func(path, token string, header ...string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	for range 50 {
		if got := get("/open/guess", "", "Sec-Fetch-Dest", "image", "Sec-Fetch-Site", "cross-site"); got != http.StatusForbidden {
			t.Fatal(got)
		}
		get("/open/guess", "")
		get("/tasks", "guessed")
	}
	for name, token := range map[string]string{"the owner": h.Token(), "a caller": who.Token} {
		if got := get("/tasks", token); got != http.StatusOK {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// The owner's token is changed while the hub runs; the old one is nobody's at once, and what it had
// opened ends. The new one holds after a restart.
func TestTR4_F15_TheOwnersTokenIsRotated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := enginetest.Start(t, engine.Options{DataDir: dir})
	old := h.Client()
	stream, res, err := old.Dialer().DialContext(t.Context(), old.WebSocketURL("/api/events", nil), old.Header())
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	defer func() { _ = stream.Close() }()
	room, res, err := old.Dialer().
		DialContext(t.Context(), old.WebSocketURL("/ws", url.Values{"room": {"r"}}), old.Header())
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	defer func() { _ = room.Close() }()
	var made struct{ Token string }
	if err := old.Call(t.Context(), http.MethodPost, "/api/token/rotate", nil, &made); err != nil || made.Token == "" || made.Token != h.Token() {
		t.Fatalf("%v %v", err, made.Token == h.Token())
	}
	for _, socket := range []*websocket.Conn{stream, room} { // both end, or the test does not
		for err = nil; err == nil; {
			_, _, err = socket.ReadMessage()
		}
	}
	if err := old.Call(t.Context(), http.MethodGet, "/api/about", nil, nil); !errcode.Is(err, errcode.Unauthorized) {
		t.Errorf("the old token: %v", err)
	}
	if err := h.Client().Call(t.Context(), http.MethodGet, "/api/about", nil, nil); err != nil {
		t.Errorf("the new token: %v", err)
	}
	h.Stop()
	again := enginetest.Start(t, engine.Options{DataDir: dir})
	c, err := hubclient.New(again.URL(), made.Token)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Call(t.Context(), http.MethodGet, "/api/about", nil, nil); err != nil {
		t.Errorf("after a restart: %v", err)
	}
}

// A token that could be guessed opens nothing that other computers can reach.
func TestTR4_F15_AWeakTokenStaysHere(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("AGENTFLOW_TOKEN", "x")
	for listen, beyond := range map[string]bool{
		"0.0.0.0:0": true, "[::]:0": true, ":0": true, "[::ffff:0.0.0.0]:0": true,
		"127.0.0.1:0": false, "127.0.0.2:0": false, "[::1]:0": false, "localhost:0": false,
	} {
		e, err := engine.New(t.Context(), engine.Options{DataDir: t.TempDir(), Listen: listen, InsecureHTTP: true})
		if err == nil {
			_ = e.Close()
		}
		if errcode.HasReason(err, "weak_token") != beyond {
			t.Errorf("%s: %v", listen, err)
		}
	}
	t.Setenv("AGENTFLOW_TOKEN", strings.Repeat("x", 32))
	e, err := engine.New(t.Context(), engine.Options{DataDir: t.TempDir(), Listen: "0.0.0.0:0", InsecureHTTP: true})
	if err != nil {
		t.Fatal("32 bytes:", err)
	}
	_ = e.Close()
}

// seesItsRooms: the list of rooms has those of the token, and no others.
func seesItsRooms(t *testing.T, h *enginetest.Hub, c *hubclient.Client) {
	t.Helper()
	asked[any](t, h, http.MethodPost, "/api/rooms", map[string]any{"name": "secret"})
	var list struct{ Rooms []room.Summary }
	if err := c.Call(t.Context(), http.MethodGet, "/api/rooms", nil, &list); err != nil ||
		len(list.Rooms) != 1 || list.Rooms[0].Name != "dev" {
		t.Errorf("its rooms: %+v, %v", list.Rooms, err)
	}
}

// The role rooms is for an agent elsewhere: it talks in its rooms, under its name, and does
// nothing else.
func TestTR4_F14_ATokenForRoomsOpensNothingElse(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	who := asked[guardedCaller](t, h, http.MethodPost, "/api/security/callers",
		map[string]any{"name": "laptop", "role": "rooms", "rooms": []string{"dev"}, "as": "Planner"})
	c, err := hubclient.New(h.URL(), who.Token)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	said := func(room, sender string) error {
		return c.Call(t.Context(), http.MethodPost, "/api/message",
			map[string]string{"room": room, "sender": sender, "message": "hello", "type": "chat"}, nil)
	}
	joined := func(query url.Values) error {
		conn, res, err := c.Dialer().DialContext(t.Context(), c.WebSocketURL("/ws", query), c.Header())
		if res != nil {
			_ = res.Body.Close()
		}
		if err == nil {
			return conn.Close()
		}
		return err
	}
	for what, err := range map[string]error{
		"a message": said("dev", "Planner"),
		"no name":   said("dev", ""),
		"a look":    joined(url.Values{"room": {"dev"}}),
		"a seat":    joined(url.Values{"room": {"dev"}, "sender": {"Planner"}, "agent": {"cli-1"}}),
		"the past":  c.Call(t.Context(), http.MethodGet, "/api/messages?room=dev", nil, nil),
		"who is in": c.Call(t.Context(), http.MethodGet, "/api/agents?room=dev", nil, nil),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, err := range map[string]error{
		"another room":           said("secret", "Planner"),
		"another name":           said("dev", "Boss"),
		"another room's past":    c.Call(t.Context(), http.MethodGet, "/api/messages?room=secret", nil, nil),
		"another room's agents":  c.Call(t.Context(), http.MethodGet, "/api/agents?room=secret", nil, nil),
		"a search":               c.Call(t.Context(), http.MethodGet, "/api/messages/search?q=x", nil, nil),
		"tasks":                  c.Call(t.Context(), http.MethodGet, "/tasks", nil, nil),
		"another agent's asking": c.Call(t.Context(), http.MethodPost, "/api/inbox/questions", map[string]any{"key": "k", "room": "dev", "agent": "Boss", "text": "?"}, nil),
	} {
		if !errcode.Is(err, errcode.Forbidden) {
			t.Errorf("%s: %v", what, err)
		}
	}
	onlyPlannerTalked(t, h)
	seesItsRooms(t, h, c)
	for _, query := range []url.Values{
		{"room": {"secret"}, "sender": {"Planner"}},
		{"room": {"dev"}, "sender": {"Boss"}},
	} {
		if joined(query) == nil {
			t.Errorf("%v was joined", query)
		}
	}
	conn, res, err := c.Dialer().
		DialContext(t.Context(), c.WebSocketURL("/ws", url.Values{"room": {"dev"}, "sender": {"Planner"}}), c.Header())
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	defer func() { _ = conn.Close() }()
	if err := h.Client().Call(t.Context(), http.MethodDelete, "/api/security/callers/"+who.ID, nil, nil); err != nil {
		t.Fatal(err)
	}
	for err == nil { // ends, or the test does not
		_, _, err = conn.ReadMessage()
	}
}

// onlyPlannerTalked checks the senders in the room dev.
func onlyPlannerTalked(t *testing.T, h *enginetest.Hub) {
	t.Helper()
	var dev struct{ Messages []struct{ Sender string } }
	err := h.Client().Call(t.Context(), http.MethodGet, "/api/messages?room=dev", nil, &dev)
	if err != nil || len(dev.Messages) < 2 {
		t.Errorf("the messages are %+v: %v", dev.Messages, err)
	}
	for _, m := range dev.Messages {
		if m.Sender != "Planner" {
			t.Errorf("%s said something", m.Sender)
		}
	}
}
