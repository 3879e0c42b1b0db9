package engine_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

func TestCH8_BadRequestsAreRefusedAndSayWhy(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	long := strings.Repeat("長", room.MaxText)
	quote := func(text string) string { b, _ := json.Marshal(text); return string(b) }
	body := func(text string) string {
		return `{"room":"r","sender":"s","type":"chat","message":` + quote(text) + `}`
	}
	bad := map[string]struct {
		method, path, body string
		status             int
		says               string
	}{
		"no json":             {"POST", "/api/message", `hello`, 400, "JSON"},
		"an array":            {"POST", "/api/message", `[]`, 400, "JSON"},
		"null":                {"POST", "/api/message", `null`, 400, "JSON"},
		"cut":                 {"POST", "/api/message", `{"room":"r"`, 400, "JSON"},
		"empty message":       {"POST", "/api/message", body(""), 400, "message is empty"},
		"blank message":       {"POST", "/api/message", body(" \n　"), 400, "message is empty"},
		"no room":             {"POST", "/api/message", `{"sender":"s","message":"m","type":"chat"}`, 400, "room is empty"},
		"no sender":           {"POST", "/api/message", `{"room":"r","message":"m","type":"chat"}`, 400, "sender is empty"},
		"unknown type":        {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","type":"shout"}`, 400, "shout"},
		"a number":            {"POST", "/api/message", `{"room":"r","sender":"s","message":5}`, 400, "message"},
		"a huge number":       {"POST", "/api/message", `{"room":1e999999,"sender":"s","message":"m"}`, 400, "room"},
		"unknown key":         {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","colour":"x"}`, 400, "colour"},
		"a key twice":         {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","message":"n"}`, 400, "twice"},
		"a key in capitals":   {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","Message":"n"}`, 400, "Message"},
		"invalid UTF-8":       {"POST", "/api/message", "{\"room\":\"r\",\"sender\":\"s\",\"message\":\"\xff\"}", 400, "UTF-8"},
		"half a pair":         {"POST", "/api/message", `{"room":"r","sender":"s","message":"\ud83d x"}`, 400, "surrogate"},
		"the other half":      {"POST", "/api/message", `{"room":"r","sender":"s","message":"\udca9"}`, 400, "surrogate"},
		"NUL":                 {"POST", "/api/message", `{"room":"r","sender":"s","message":"a\u0000b"}`, 400, "U+0000"},
		"deep":                {"POST", "/api/message", strings.Repeat("[", 20_000), 400, "JSON"},
		"too long":            {"POST", "/api/message", body(long + "長"), 400, "65537"},
		"too large":           {"POST", "/api/message", body(strings.Repeat("x", 1<<20)), 413, ""},
		"a time that is none": {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","timestamp":"yesterday"}`, 400, "yesterday"},
		"a chat with a cause": {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","cause":{"code":"x"}}`, 400, "only a system message"},
		"a stopped answer": {
			"POST", "/api/message", `{"room":"r","sender":"s","message":"m","cause":{"code":"answer_stopped"}}`,
			400, "only a system message",
		},
		"a cause of no word":     {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","type":"system","cause":{"code":"a b"}}`, 400, "code of cause"},
		"a cause of too much":    {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","type":"system","cause":{"code":"x","params":{"p":"` + strings.Repeat("x", 301) + `"}}}`, 400, "300"},
		"a cause that is a text": {"POST", "/api/message", `{"room":"r","sender":"s","message":"m","type":"system","cause":"x"}`, 400, "cause"},
		"a line break in a name": {"POST", "/api/message", `{"room":"r\n","sender":"s","message":"m"}`, 400, "room"},
		"a turned name":          {"POST", "/api/message", `{"room":"r","sender":"a\u202eb","message":"m"}`, 400, "U+202E"},
		"a name of spaces":       {"POST", "/api/message", `{"room":" ","sender":"s","message":"m"}`, 400, "space"},
		"a long name":            {"POST", "/api/message", `{"room":"` + strings.Repeat("r", 101) + `","sender":"s","message":"m"}`, 400, "100"},
		"list without a room":    {"GET", "/api/messages", "", 400, "room"},
		"list of too many":       {"GET", "/api/messages?room=r&limit=501", "", 400, "limit"},
		"list of none":           {"GET", "/api/messages?room=r&limit=0", "", 400, "limit"},
		"list of what":           {"GET", "/api/messages?room=r&limit=x", "", 400, "limit"},
		"before what":            {"GET", "/api/messages?room=r&before=x", "", 400, "before"},
		"agents without a room":  {"GET", "/api/agents", "", 400, "room"},
		"search for nothing":     {"GET", "/api/messages/search?q=%20", "", 400, "search"},
		"no such room":           {"DELETE", "/api/rooms/none", "", 404, "none"},
		"export of none":         {"GET", "/api/rooms/none/export", "", 404, "none"},
		"prune of what":          {"POST", "/api/messages/prune", `{}`, 400, "may go"},
		"prune by nonsense":      {"POST", "/api/messages/prune", `{"olderThan":"old"}`, 400, "olderThan"},
		"a room without a name":  {"POST", "/api/rooms", `{"name":""}`, 400, "name"},
		"ws without upgrade":     {"GET", "/ws?room=r", "", 400, "WebSocket"},
		"ws without a room":      {"GET", "/ws", "", 400, "room"},
		"ws after what":          {"GET", "/ws?room=r&after=-1", "", 400, "after"},
	}
	for name, c := range bad {
		t.Run(name, func(t *testing.T) {
			status, e := h.raw(t, c.method, c.path, c.body)
			if status != c.status || e == nil || !strings.Contains(e.Message, c.says) {
				t.Errorf("%d %+v, want %d and %q", status, e, c.status, c.says)
			}
		})
	}
	if status, e := h.raw(t, "POST", "/api/message", body(long)); status != 201 {
		t.Errorf("the longest message: %d %+v", status, e)
	}
	if got := h.messages("room=r"); len(got) != 1 || got[0].Text != long {
		t.Errorf("%d messages are stored", len(got))
	}
}

// raw sends bytes as they are.
func (h *hub) raw(t *testing.T, method, path, body string) (int, *errcode.Error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, h.e.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.e.Token())
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var failed struct{ Error *errcode.Error }
	if res.StatusCode >= 400 && (json.Unmarshal(data, &failed) != nil || failed.Error == nil) {
		t.Errorf("%d without an error body: %s", res.StatusCode, data)
	}
	return res.StatusCode, failed.Error
}

// A socket refuses the same, and goes on.
func TestCH8_ASocketRefusesAndGoesOn(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	m := h.join("room=r&sender=s")
	for _, bad := range []string{`{`, `{"message":""}`, `{"message":"m","type":"x"}`, `{"message":"m","room":"other"}`, `{"message":"m","sender":"other"}`, `{"message":"\ud800"}`, `null`} {
		m.say(bad)
		if e := m.failure(); e.Code != errcode.Validation {
			t.Errorf("%s: %+v", bad, e)
		}
	}
	m.say(`{"message":"good"}`)
	if got := m.next(); got.ID != 1 || got.Text != "good" {
		t.Errorf("got %+v", got)
	}
}

func TestCH1_WhoMayEnterARoom(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	bearer := "Bearer " + h.e.Token()
	host := strings.TrimPrefix(h.e.URL(), "http://")
	cookie, page := ownerLogin(t, h)
	cases := map[string]struct {
		header http.Header
		want   int
	}{
		"nobody":                            {http.Header{}, 401},
		"a wrong token":                     {http.Header{"Authorization": {"Bearer x"}}, 401},
		"the owner":                         {http.Header{"Authorization": {bearer}}, 101},
		"the page":                          {http.Header{"Cookie": {cookie}, "Sec-WebSocket-Protocol": {page}, "Origin": {h.e.URL()}}, 101},
		"the page's cookie alone":           {http.Header{"Cookie": {cookie}, "Origin": {h.e.URL()}}, 401},
		"a foreign page":                    {http.Header{"Cookie": {cookie}, "Sec-WebSocket-Protocol": {page}, "Origin": {"https://evil.example"}}, 403},
		"a foreign page that has the token": {http.Header{"Authorization": {bearer}, "Origin": {"http://127.0.0.1:1"}}, 403},
		"another name for us":               {http.Header{"Authorization": {bearer}, "Host": {"evil.example"}}, 403},
		"our own name":                      {http.Header{"Authorization": {bearer}, "Host": {host}}, 101},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			conn, res, err := h.dial("room=r", c.header)
			if err == nil {
				_ = conn.Close()
			}
			if res == nil || res.StatusCode != c.want {
				t.Errorf("got %v, %v, want %d", res, err, c.want)
			}
		})
	}
}

// ownerLogin opens the page by the one-time link, and returns the login as a socket carries it.
func ownerLogin(t *testing.T, h *hub) (cookie, protocol string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", h.e.OneTimeLink(), nil)
	if err != nil {
		t.Fatal(err)
	}
	client := new(http.Client)
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	client.CloseIdleConnections()
	key := regexp.MustCompile(`"agentflow\.pageKey", "([^"]+)"`).FindSubmatch(body)
	if err != nil || key == nil {
		t.Fatalf("no page key: %v %s", err, body)
	}
	if len(res.Cookies()) != 1 {
		t.Fatalf("cookies %v", res.Cookies())
	}
	return res.Cookies()[0].Name + "=" + res.Cookies()[0].Value, "agentflow, page." + string(key[1])
}
