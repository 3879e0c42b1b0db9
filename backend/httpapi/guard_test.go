package httpapi

import (
	"encoding/base64"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/fstest"

	"agentflow/backend/drawing"
	"agentflow/backend/drawing/drawingtest"
	"agentflow/backend/httpapi/access"
	"agentflow/backend/rollout"
)

const ownerToken = "owner-token-for-tests"

func serve(t *testing.T, page fs.FS, change func(*Options)) (*Server, *httptest.Server) {
	t.Helper()
	store := drawingtest.NewStore()
	library := drawing.New(store, "test")
	o := Options{
		Token: ownerToken, Library: library, Shelf: drawing.NewShelf(library, store), Rollout: rollout.New(library, nil), Page: page,
		Logger: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&o)
	}
	s := New(o)
	hub := httptest.NewServer(s.Handler())
	t.Cleanup(hub.Close)
	s.access.Listen(hub.Listener.Addr())
	return s, hub
}

func builtPage() fs.FS {
	return fstest.MapFS{
		"index.html":       {Data: []byte("<!doctype html><title>AgentFlow</title>")},
		"assets/app-1.js":  {Data: []byte("export {}")},
		"agentflow.svg":    {Data: []byte("<svg/>")},
		"assets/secret/..": {Data: []byte("")},
	}
}

type ask struct {
	method, path string
	header       map[string]string
	host         string
}

func send(t *testing.T, hub *httptest.Server, a ask) *http.Response {
	t.Helper()
	if a.method == "" {
		a.method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(t.Context(), a.method, hub.URL+a.path, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range a.header {
		req.Header.Set(k, v)
	}
	if a.host != "" {
		req.Host = a.host
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func TestGW8_CO7_WhoMayAsk(t *testing.T) {
	_, hub := serve(t, builtPage(), nil)
	bearer := "Bearer " + ownerToken
	_, port, _ := net.SplitHostPort(hub.Listener.Addr().String())
	cases := map[string]struct {
		ask  ask
		want int
	}{
		"api without token":            {ask{path: "/api/drawings"}, 401},
		"api with a wrong token":       {ask{path: "/api/drawings", header: map[string]string{"Authorization": "Bearer nope"}}, 401},
		"api with the token":           {ask{path: "/api/drawings", header: map[string]string{"Authorization": bearer}}, 200},
		"a token in the address":       {ask{path: "/api/drawings?token=" + ownerToken}, 401},
		"description without token":    {ask{path: "/openapi.json"}, 401},
		"local gateway without token":  {ask{path: "/gateway"}, 401},
		"unknown route without token":  {ask{method: "POST", path: "/nothing"}, 401},
		"unknown api route":            {ask{path: "/api/nothing", header: map[string]string{"Authorization": bearer}}, 404},
		"the page":                     {ask{path: "/"}, 200},
		"the page's file":              {ask{path: "/assets/app-1.js"}, 200},
		"a file that is not there":     {ask{path: "/assets/none.js"}, 404},
		"a place in the page":          {ask{path: "/settings"}, 200},
		"health":                       {ask{path: "/healthz"}, 200},
		"foreign host name":            {ask{path: "/healthz", host: "evil.example:" + port}, 403},
		"own name, other port":         {ask{path: "/healthz", host: "localhost:1"}, 403},
		"localhost":                    {ask{path: "/healthz", host: "localhost:" + port}, 200},
		"foreign page with the token":  {ask{path: "/api/drawings", header: map[string]string{"Authorization": bearer, "Origin": "https://evil.example"}}, 403},
		"page of another local port":   {ask{path: "/api/drawings", header: map[string]string{"Authorization": bearer, "Origin": "http://127.0.0.1:1"}}, 403},
		"sandboxed page":               {ask{path: "/api/drawings", header: map[string]string{"Authorization": bearer, "Origin": "null"}}, 403},
		"the window":                   {ask{path: "/api/drawings", header: map[string]string{"Authorization": bearer, "Origin": "wails://wails"}}, 200},
		"the window without token":     {ask{path: "/api/drawings", header: map[string]string{"Origin": "wails://wails"}}, 401},
		"the window asks first":        {ask{method: "OPTIONS", path: "/api/drawings", header: map[string]string{"Origin": "wails://wails"}}, 204},
		"a foreign page asks first":    {ask{method: "OPTIONS", path: "/api/drawings", header: map[string]string{"Origin": "https://evil.example"}}, 403},
		"token as websocket protocol":  {ask{path: "/api/events", header: map[string]string{"Sec-WebSocket-Protocol": "agentflow, bearer." + base64.RawURLEncoding.EncodeToString([]byte(ownerToken))}}, 400},
		"wrong protocol token":         {ask{path: "/api/events", header: map[string]string{"Sec-WebSocket-Protocol": "bearer.bm9wZQ"}}, 401},
		"a forged cookie":              {ask{path: "/api/drawings", header: map[string]string{"Cookie": access.CookieName + "_" + port + "=9999999999.forged"}}, 401},
		"an expired cookie":            {ask{path: "/api/drawings", header: map[string]string{"Cookie": access.CookieName + "_" + port + "=1." + access.New(ownerToken, nil, nil).Sign("1")}}, 401},
		"a cookie of another hub":      {ask{path: "/api/drawings", header: map[string]string{"Cookie": access.CookieName + "_" + port + "=9999999999." + access.New("other", nil, nil).Sign("9999999999")}}, 401},
		"a cookie signed by the token": {ask{path: "/api/drawings", header: map[string]string{"Cookie": access.CookieName + "_" + port + "=9999999999." + access.New(ownerToken, nil, nil).Sign("9999999999")}}, 200},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := send(t, hub, c.ask).StatusCode; got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

func TestTheOneTimeLinkWorksOnce(t *testing.T) {
	s, hub := serve(t, builtPage(), nil)
	link := s.OneTimeLink()
	first := send(t, hub, ask{path: link})
	if first.StatusCode != http.StatusSeeOther || first.Header.Get("Location") != "/" {
		t.Fatalf("%d to %q", first.StatusCode, first.Header.Get("Location"))
	}
	cookies := first.Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("cookies %+v", cookies)
	}
	in := send(t, hub, ask{path: "/api/drawings", header: map[string]string{"Cookie": cookies[0].Name + "=" + cookies[0].Value}})
	if in.StatusCode != http.StatusOK {
		t.Errorf("with the cookie: %d", in.StatusCode)
	}
	if again := send(t, hub, ask{path: link}); again.StatusCode != http.StatusForbidden || len(again.Cookies()) > 0 {
		t.Errorf("the second time: %d", again.StatusCode)
	}
}

func TestOnlyAllowedAddresses(t *testing.T) {
	_, hub := serve(t, builtPage(), func(o *Options) { o.Allow = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	if got := send(t, hub, ask{path: "/healthz"}).StatusCode; got != http.StatusForbidden {
		t.Errorf("from loopback: %d", got)
	}
}

func TestAHubWithoutAPageSaysSo(t *testing.T) {
	_, hub := serve(t, fstest.MapFS{}, nil)
	if got := send(t, hub, ask{path: "/"}).StatusCode; got != http.StatusOK {
		t.Errorf("%d", got)
	}
}
