package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// member is one WebSocket in a room.
type member struct {
	t    *testing.T
	conn *websocket.Conn
}

func (h *hub) wsURL(query string) string {
	return "ws" + strings.TrimPrefix(h.e.URL(), "http") + "/ws?" + query
}

func (h *hub) dial(query string, header http.Header) (*websocket.Conn, *http.Response, error) {
	if header == nil {
		header = http.Header{"Authorization": {"Bearer " + h.e.Token()}}
	}
	return websocket.DefaultDialer.DialContext(h.t.Context(), h.wsURL(query), header)
}

func (h *hub) join(query string) *member {
	h.t.Helper()
	conn, _, err := h.dial(query, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	return &member{h.t, conn}
}

// next is the next frame, which must be a message.
func (m *member) next() room.Message {
	m.t.Helper()
	var got struct {
		room.Message
		Error *errcode.Error
	}
	_ = m.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if err := m.conn.ReadJSON(&got); err != nil {
		m.t.Fatal(err)
	}
	if got.Error != nil {
		m.t.Fatalf("got the error %+v", got.Error)
	}
	return got.Message
}

func (m *member) failure() *errcode.Error {
	m.t.Helper()
	var got struct{ Error *errcode.Error }
	_ = m.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if err := m.conn.ReadJSON(&got); err != nil {
		m.t.Fatal(err)
	}
	if got.Error == nil {
		m.t.Fatal("got no error")
	}
	return got.Error
}

func (m *member) say(text string) {
	m.t.Helper()
	if err := m.conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		m.t.Fatal(err)
	}
}

func (h *hub) post(d room.Draft) room.Message {
	h.t.Helper()
	var m room.Message
	h.must("POST", "/api/message", d, &m)
	return m
}

func (h *hub) messages(query string) []room.Message {
	h.t.Helper()
	var out struct{ Messages []room.Message }
	h.must("GET", "/api/messages?"+query, nil, &out)
	return out.Messages
}

func TestCH2_AMessageReachesEverybodyInTheRoom(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	person, agent, other := h.join("room=dev&after=0"), h.join("room=dev&sender=agent&after=0"), h.join("room=other&after=0")
	person.say(`{"room":"dev","sender":"human","message":"Hello <b>","timestamp":"2026-11-21T09:00:00Z","type":"chat"}`)
	want := room.Message{
		ID:        1,
		Room:      "dev",
		Sender:    "human",
		Text:      "Hello <b>",
		Timestamp: "2026-11-21T09:00:00Z",
		Type:      room.Chat,
	}
	for _, m := range []*member{person, agent} {
		if got := m.next(); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
	agent.say(`{"message":"短い","type":"system","clientMessageId":"c-1"}`)
	for _, m := range []*member{person, agent} {
		got := m.next()
		if _, err := time.Parse(time.RFC3339, got.Timestamp); err != nil {
			t.Error(err)
		}
		got.Timestamp = ""
		if want := (room.Message{ID: 2, Room: "dev", Sender: "agent", Text: "短い", Type: room.System, ClientID: "c-1"}); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
	if m := h.post(room.Draft{Room: "other", Sender: "human", Text: "there"}); m.ID != 3 || other.next() != m {
		t.Errorf("posted %+v", m)
	}
	if m := h.post(room.Draft{Room: "dev", Sender: "human", Text: "here"}); person.next() != m {
		t.Errorf("posted %+v", m)
	}
	if got := h.messages("room=dev&limit=2"); len(got) != 2 || got[0].ID != 2 || got[1].ID != 4 {
		t.Errorf("the newest two: %+v", got)
	}
}

func TestCH2_TheSameClientMessageIDStoresNothingTwice(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	d := room.Draft{Room: "dev", Sender: "human", Text: "once", ClientID: "k"}
	first := h.post(d)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if again := h.post(d); again != first {
				t.Errorf("again gave %+v", again)
			}
		})
	}
	wg.Wait()
	m := h.join("room=dev&sender=human")
	m.say(`{"message":"once","clientMessageId":"k"}`)
	if e := m.failure(); e.Code != errcode.Conflict || e.Reason() != "duplicate" || e.Details["id"] != float64(first.ID) || e.Details["clientMessageId"] != "k" {
		t.Errorf("the socket was told %+v", e)
	}
	if got := h.messages("room=dev"); len(got) != 1 {
		t.Errorf("stored %+v", got)
	}
}

// Readers come and go while others write; each sees every message once, in the order of ids.
func TestCH2_ResumeWithoutGapOrDouble(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	const writers, each = 4, 150
	var writing, reading sync.WaitGroup
	for w := range writers {
		m := h.join(fmt.Sprintf("room=busy&after=0&sender=w%d", w)) // the others write already
		writing.Go(func() {
			for i := range each {
				m.say(fmt.Sprintf(`{"message":"%d","clientMessageId":"%d"}`, i, i))
			}
			for range writers * each { // what comes back is read, or the writer would be cut
				m.next()
			}
		})
	}
	for r := range 4 {
		reading.Go(func() {
			last, seen := int64(0), 0
			for seen < writers*each {
				conn, _, err := h.dial(fmt.Sprintf("room=busy&after=%d", last), nil)
				if err != nil {
					t.Error(err)
					return
				}
				for range 7 + 13*r {
					var m room.Message
					_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
					if seen == writers*each {
						break
					}
					if err := conn.ReadJSON(&m); err != nil {
						t.Error(err)
						return
					}
					if m.ID != last+1 {
						t.Errorf("after %d came %d", last, m.ID)
						return
					}
					last = m.ID
					seen++
				}
				_ = conn.Close()
			}
		})
	}
	writing.Wait()
	reading.Wait()
}

func TestCH1_RoomsAreMadeListedSearchedExportedAndDeleted(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var made room.Summary
	h.must("POST", "/api/rooms", map[string]string{"name": "設計/レビュー"}, &made)
	if status, e := h.call("POST", "/api/rooms", map[string]string{"name": "設計/レビュー"}, nil); status != 409 || e.Code != errcode.Conflict {
		t.Errorf("a second one: %d %+v", status, e)
	}
	h.post(room.Draft{Room: "設計/レビュー", Sender: "human", Text: "# 設計\n## 目的\nsave it"})
	h.post(room.Draft{
		Room:      "設計/レビュー",
		Sender:    "*agent*",
		Text:      "done",
		Type:      room.System,
		Timestamp: "2026-11-21T09:00:00Z",
	})
	h.post(room.Draft{Room: "b", Sender: "human", Text: "save that"})
	var list struct{ Rooms []room.Summary }
	h.must("GET", "/api/rooms", nil, &list)
	if len(list.Rooms) != 2 || list.Rooms[0].Name != "b" || list.Rooms[1].Last.Text != "done" || list.Rooms[1].CreatedAt.IsZero() {
		t.Errorf("rooms %+v", list.Rooms)
	}
	if got := h.search("q=SAVE"); got != "save that|# 設計\n## 目的\nsave it" {
		t.Errorf("found %q", got)
	}
	if got := h.search("q=" + url.QueryEscape("設計") + "&room=" + url.QueryEscape("設計/レビュー")); got != "# 設計\n## 目的\nsave it" {
		t.Errorf("found %q", got)
	}
	path := "/api/rooms/" + url.PathEscape("設計/レビュー")
	text := h.get(path + "/export")
	if !strings.HasPrefix(text, "# 設計/レビュー\n\n## human — 20") || !strings.HasSuffix(text, "\n\n# 設計\n\\## 目的\nsave it\n\n## \\*agent\\* (system) — "+nineHere+"\n\ndone\n") {
		t.Errorf("Markdown:\n%s", text)
	}
	var file struct {
		Room     string
		Messages []room.Message
	}
	if err := json.Unmarshal([]byte(h.get(path+"/export?format=json")), &file); err != nil || file.Room != "設計/レビュー" || len(file.Messages) != 2 {
		t.Errorf("JSON: %+v, %v", file, err)
	}
	m := h.join("after=2&room=" + url.QueryEscape("設計/レビュー"))
	h.post(room.Draft{Room: "設計/レビュー", Sender: "human", Text: "read"})
	m.next() // so it has entered
	h.must("DELETE", path, nil, nil)
	if _, _, err := m.conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("the reader of a deleted room got %v", err)
	}
	if got := h.search("q=" + url.QueryEscape("設計")); got != "" {
		t.Errorf("after deletion found %q", got)
	}
}

func (h *hub) search(query string) string {
	h.t.Helper()
	var out struct{ Messages []room.Message }
	h.must("GET", "/api/messages/search?"+query, nil, &out)
	var found []string
	for _, m := range out.Messages {
		found = append(found, m.Text)
	}
	return strings.Join(found, "|")
}

func (h *hub) get(path string) string {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), "GET", h.e.URL()+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.e.Token())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var b bytes.Buffer
	if _, err := b.ReadFrom(res.Body); err != nil || res.StatusCode != http.StatusOK {
		h.t.Fatalf("%s: %d %v %s", path, res.StatusCode, err, b.String())
	}
	return b.String()
}

func TestCH11_HistoryIsPruned(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	for i := range 5 {
		h.post(room.Draft{Room: "r", Sender: "s", Text: fmt.Sprintf("message %d", i)})
	}
	var out struct{ Deleted int }
	h.must("POST", "/api/messages/prune", map[string]any{"room": "r", "keep": 2}, &out)
	if out.Deleted != 3 || len(h.messages("room=r")) != 2 {
		t.Errorf("by number %d were deleted", out.Deleted)
	}
	h.must("POST", "/api/messages/prune", map[string]any{"olderThan": "1ns"}, &out)
	var list struct{ Rooms []room.Summary }
	h.must("GET", "/api/rooms", nil, &list)
	if out.Deleted != 2 || len(list.Rooms) != 1 || list.Rooms[0].Last != nil {
		t.Errorf("by age %d were deleted, the room is %+v", out.Deleted, list.Rooms)
	}
	if m := h.post(room.Draft{Room: "r", Sender: "s", Text: "next"}); m.ID != 6 {
		t.Errorf("the next id is %d", m.ID)
	}
}

func TestCH3_WhoIsInARoomSurvivesARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agents := func(h *hub) map[string]room.State {
		var out struct{ Agents []room.Agent }
		h.must("GET", "/api/agents?room=dev", nil, &out)
		states := map[string]room.State{}
		for _, a := range out.Agents {
			states[a.Name] = a.Status
			if a.LastSeen.IsZero() {
				t.Errorf("%s was never seen", a.Name)
			}
		}
		return states
	}
	h := startHub(t, dir)
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "x"})
	a, b := h.join("room=dev&sender=a"), h.join("room=dev&sender=b")
	second := h.join("room=dev&sender=a")
	poll(t, func() bool { s := agents(h); return s["a"] == room.Online && s["b"] == room.Online })
	_ = b.conn.Close()
	_ = a.conn.Close()
	poll(t, func() bool { s := agents(h); return s["a"] == room.Online && s["b"] == room.Offline })
	_ = second
	h.stop()
	if s := agents(startHub(t, dir)); len(s) != 2 || s["a"] != room.Offline || s["b"] != room.Offline {
		t.Errorf("after a restart: %v", s)
	}
}

// The window's stream tells of rooms; nothing is polled (CH-9).
func TestCH9_TheStreamTellsOfRooms(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.post(room.Draft{Room: "a", Sender: "human", Text: "before"})
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(),
		"ws"+strings.TrimPrefix(h.e.URL(), "http")+"/api/events",
		http.Header{"Authorization": {"Bearer " + h.e.Token()}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	known := map[string]string{}
	until := func(what string, done func() bool) {
		t.Helper()
		for !done() {
			var n struct {
				Reset     bool
				Rooms     []room.Summary
				RoomsGone []string
			}
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			if err := conn.ReadJSON(&n); err != nil {
				t.Fatalf("%s: %v, known %v", what, err, known)
			}
			for _, r := range n.Rooms {
				known[r.Name] = ""
				if r.Last != nil {
					known[r.Name] = r.Last.Text
				}
			}
			for _, name := range n.RoomsGone {
				delete(known, name)
			}
		}
	}
	until("the whole picture", func() bool { return known["a"] == "before" })
	h.post(room.Draft{Room: "b", Sender: "human", Text: "new"})
	for i := range 200 {
		h.post(room.Draft{Room: "a", Sender: "human", Text: fmt.Sprint(i)})
	}
	until("changes", func() bool { return known["a"] == "199" && known["b"] == "new" })
	h.must("DELETE", "/api/rooms/b", nil, nil)
	until("deletion", func() bool { _, there := known["b"]; return !there })
}
