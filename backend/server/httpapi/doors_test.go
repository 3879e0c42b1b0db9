package httpapi

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/server/auth"
)

// browser is what a browser sends along once a link has signed it in.
type browser struct {
	cookie  *http.Cookie
	pageKey string
}

var pageKeyIn = regexp.MustCompile(`setItem\("agentflow\.pageKey", "([^"]+)"\)`)

func signedIn(t *testing.T, s *Server, hub *httptest.Server) browser {
	t.Helper()
	res := send(t, hub,
		ask{path: s.OneTimeLink(), header: map[string]string{"Sec-Fetch-Dest": "document", "User-Agent": "Test/1"}})
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	m := pageKeyIn.FindSubmatch(body)
	if res.StatusCode != http.StatusOK || len(res.Cookies()) != 1 || m == nil {
		t.Fatalf("%s, %v, %s", res.Status, res.Cookies(), body)
	}
	return browser{res.Cookies()[0], string(m[1])}
}

func (b browser) header() map[string]string {
	return map[string]string{"Cookie": b.cookie.Name + "=" + b.cookie.Value, auth.PageKeyHeader: b.pageKey}
}

// The link signs in once, and neither its address nor a request of another page gives anything away.
func TestTR4_F9_TheOneTimeLinkWorksOnce(t *testing.T) {
	s, hub := serve(t, builtPage(), nil)
	link := s.OneTimeLink()
	for _, dest := range []string{"image", "script", "iframe", "empty"} {
		if res := send(t, hub, ask{path: link, header: map[string]string{"Sec-Fetch-Dest": dest, "Sec-Fetch-Site": "cross-site"}}); res.StatusCode != http.StatusForbidden || len(res.Cookies()) > 0 {
			t.Errorf("as %s: %s", dest, res.Status)
		}
	}
	first := send(t, hub, ask{path: link})
	if c := first.Cookies(); first.StatusCode != http.StatusOK || len(c) != 1 || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("%s, %v", first.Status, c)
	}
	again := send(t, hub, ask{path: link, header: map[string]string{"Accept-Language": "ja,en;q=0.5"}})
	body, err := io.ReadAll(again.Body)
	if err != nil || again.StatusCode != http.StatusForbidden || len(again.Cookies()) > 0 || !strings.Contains(string(body), "このリンクは使用できません") || !strings.Contains(string(body), "agentflow login --url http://127.0.0.1:") || !strings.Contains(string(body), `history.replaceState(null, "", "/"`) {
		t.Errorf("the second time: %s %s %v", again.Status, body, err)
	}
}

// Browsers send the cookie to every port of this computer. A server there that passes the cookie
// on gets no access without the page key, which the browser sends to no other port.
func TestTR4_F15_ACookieOfAnotherPortIsNoOwner(t *testing.T) {
	s, hub := serve(t, builtPage(), nil)
	b, other := signedIn(t, s, hub), signedIn(t, s, hub)
	if got := send(t, hub, ask{path: "/api/teams", header: b.header()}).StatusCode; got != http.StatusOK {
		t.Fatalf("the page itself: %d", got)
	}
	for name, header := range map[string]map[string]string{
		"the cookie alone":                {"Cookie": b.header()["Cookie"]},
		"the page key alone":              {auth.PageKeyHeader: b.pageKey},
		"a cookie and another page's key": {"Cookie": b.header()["Cookie"], auth.PageKeyHeader: other.pageKey},
		"the cookie in place of the key":  {"Cookie": b.header()["Cookie"], auth.PageKeyHeader: b.cookie.Value},
	} {
		if got := send(t, hub, ask{path: "/api/teams", header: header}).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, got)
		}
		if got := send(t, hub, ask{method: http.MethodPost, path: "/api/links", header: header}).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("a link by %s: %d", name, got)
		}
	}
}

// A login ends for everything that was opened with it, sockets too, and for nothing else.
func TestTR4_F15_LoginsAreListedAndEnded(t *testing.T) {
	s, hub := serve(t, builtPage(), nil)
	b, other := signedIn(t, s, hub), signedIn(t, s, hub)
	list := func(by browser) []auth.Login {
		t.Helper()
		var got struct{ Logins []auth.Login }
		res := send(t, hub, ask{path: "/api/logins", header: by.header()})
		if err := json.NewDecoder(res.Body).Decode(&got); err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s %v", res.Status, err)
		}
		return got.Logins
	}
	all := list(b)
	if len(all) != 2 || !all[0].Current || all[1].Current || all[0].Browser != "Test/1" || all[0].Address != "127.0.0.1" || all[0].CreatedAt.IsZero() {
		t.Fatalf("%+v", all)
	}
	s.mux.HandleFunc("GET /test-socket", func(w http.ResponseWriter, r *http.Request) {
		conn, err := auth.Upgrader.Upgrade(w, r, nil)
		if err == nil {
			<-r.Context().Done()
			_ = conn.Close()
		}
	})
	socket := func(of browser) *websocket.Conn {
		t.Helper()
		dialer := websocket.Dialer{Subprotocols: []string{auth.WebSocketProtocol, "page." + of.pageKey}}
		conn, res, err := dialer.Dial("ws"+strings.TrimPrefix(hub.URL, "http")+"/test-socket",
			http.Header{"Cookie": {of.header()["Cookie"]}})
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	ended, stays := socket(other), socket(b)
	if got := send(t, hub, ask{method: http.MethodDelete, path: "/api/logins/" + all[1].ID, header: b.header()}).StatusCode; got != http.StatusOK {
		t.Fatal(got)
	}
	if _, _, err := ended.ReadMessage(); err == nil {
		t.Error("a socket of the login that ended goes on")
	}
	if got := send(t, hub, ask{path: "/api/teams", header: other.header()}).StatusCode; got != http.StatusUnauthorized {
		t.Errorf("the login that ended: %d", got)
	}
	if err := stays.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)); err != nil || len(list(b)) != 1 {
		t.Errorf("the other login: %v", err)
	}
	third := signedIn(t, s, hub)
	if got := send(t, hub, ask{method: http.MethodDelete, path: "/api/logins?others=true", header: third.header()}).StatusCode; got != http.StatusOK || len(list(third)) != 1 {
		t.Errorf("all others: %d", got)
	}
	out := send(t, hub, ask{method: http.MethodPost, path: "/api/logout", header: third.header()})
	if out.StatusCode != http.StatusNoContent || len(out.Cookies()) != 1 || out.Cookies()[0].MaxAge >= 0 {
		t.Errorf("signing out: %s %v", out.Status, out.Cookies())
	}
	if got := send(t, hub, ask{path: "/api/logins", header: third.header()}).StatusCode; got != http.StatusUnauthorized {
		t.Errorf("signed out: %d", got)
	}
}

// A page that is not signed in can be, by the token; a wrong one counts as everywhere.
func TestTR4_B13_ABrowserSignsInByTheToken(t *testing.T) {
	_, hub := serve(t, builtPage(), nil)
	signIn := func(token string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, hub.URL+"/api/login",
			strings.NewReader(`{"token":"`+token+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		return res
	}
	if res := signIn("wrong"); res.StatusCode != http.StatusUnauthorized || len(res.Cookies()) > 0 {
		t.Errorf("a wrong token: %s", res.Status)
	}
	res := signIn(ownerToken)
	var got struct{ PageKey string }
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || res.StatusCode != http.StatusOK || len(res.Cookies()) != 1 {
		t.Fatalf("%s %v %v", res.Status, res.Cookies(), err)
	}
	if status := send(t, hub, ask{path: "/api/teams", header: browser{res.Cookies()[0], got.PageKey}.header()}).StatusCode; status != http.StatusOK {
		t.Errorf("signed in: %d", status)
	}
}

// An API token can't sign a browser in, and its holder learns why; it counts as a wrong one, and others learn nothing.
func TestTR4_B13_AnAPITokenThatCantSignInNamesItsRole(t *testing.T) {
	callers, err := auth.OpenCallers(filepath.Join(t.TempDir(), "callers.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, talker, err := callers.Make("Guest", auth.Talker, auth.Seat{Rooms: []string{"dev"}, As: "Guest"})
	if err != nil {
		t.Fatal(err)
	}
	_, hub := serve(t, builtPage(), func(o *Options) { o.Callers = callers })
	signIn := func(token string) (int, string, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, hub.URL+"/api/login",
			strings.NewReader(`{"token":"`+token+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		var got struct {
			Error struct {
				Details struct{ Reason, Role string }
			}
		}
		if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, got.Error.Details.Reason, got.Error.Details.Role
	}
	status, reason, role := signIn(talker)
	if status != http.StatusUnauthorized || reason != "not_the_owner" || role != "rooms" {
		t.Errorf("an API token: %d %s %s", status, reason, role)
	}
	status, reason, role = signIn(talker + "x")
	if status != http.StatusUnauthorized || reason != "wrong_token" || role != "" {
		t.Errorf("a wrong token: %d %s %s", status, reason, role)
	}
	for range 20 {
		signIn(talker)
	}
	if status, reason, _ := signIn(talker); status != http.StatusTooManyRequests || reason != "locked_out" {
		t.Errorf("after many: %d %s", status, reason)
	}
}

// A wrong method gets an error with the right one, and only the page's own addresses return the page.
func TestTR4_K5_ThePageAnswersOnlyForItself(t *testing.T) {
	_, hub := serve(t, builtPage(), nil)
	bearer := map[string]string{"Authorization": "Bearer " + ownerToken}
	for path, allow := range map[string]string{"/submit_task": "POST", "/tasks/x/result": "POST", "/a2a": "POST", "/api/links": "POST", "/api/logins": "DELETE"} {
		method := http.MethodGet
		if allow == "DELETE" {
			method = http.MethodPut
		}
		res := send(t, hub, ask{method: method, path: path, header: bearer})
		if res.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(res.Header.Get("Allow"), allow) || res.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %s, %q, %s", method, path, res.Status, res.Header.Get("Allow"), res.Header.Get("Content-Type"))
		}
	}
	for _, path := range []string{"/nothing", "/API/about", "/schemas/x"} {
		if res := send(t, hub, ask{path: path, header: bearer}); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
}

// Headers for browsers: nothing is cached, embedded or connected elsewhere.
func TestTR4_F17_AnswersAreGuarded(t *testing.T) {
	_, hub := serve(t, builtPage(), nil)
	api := send(t, hub, ask{path: "/api/teams", header: map[string]string{"Authorization": "Bearer " + ownerToken}})
	for name, want := range map[string]string{"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox", "Cross-Origin-Opener-Policy": "same-origin", "Strict-Transport-Security": ""} {
		if got := api.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if policy := send(t, hub, ask{path: "/"}).Header.Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'self';") {
		t.Error(policy)
	}
	if got := send(t, hub, ask{path: "/api/teams", header: map[string]string{"Authorization": "Bearer " + ownerToken, "Origin": "wails://wails"}}).StatusCode; got != http.StatusForbidden {
		t.Errorf("a window's page where there is no window: %d", got)
	}
}
