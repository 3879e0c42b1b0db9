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

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/auth"
	"agentflow/backend/team/library"
	"agentflow/backend/team/librarytest"
)

const ownerToken = "owner-token-for-tests"

func serve(t *testing.T, page fs.FS, change func(*Options)) (*Server, *httptest.Server) {
	t.Helper()
	store := librarytest.NewStore()
	lib := library.New(store, "test")
	o := Options{
		Token:   ownerToken,
		Library: lib,
		Archive: library.NewArchive(lib, store),
		Rollout: rollout.New(lib, nil, nil),
		Page:    page,
		Logger:  slog.New(slog.DiscardHandler),
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
	_, hub := serve(t, builtPage(), func(o *Options) { o.Window = true })
	bearer := "Bearer " + ownerToken
	_, port, _ := net.SplitHostPort(hub.Listener.Addr().String())
	cases := map[string]struct {
		ask  ask
		want int
	}{
		"api without token":           {ask{path: "/api/teams"}, 401},
		"api with a wrong token":      {ask{path: "/api/teams", header: map[string]string{"Authorization": "Bearer nope"}}, 401},
		"api with the token":          {ask{path: "/api/teams", header: map[string]string{"Authorization": bearer}}, 200},
		"a token in the address":      {ask{path: "/api/teams?token=" + ownerToken}, 401},
		"description without token":   {ask{path: "/openapi.json"}, 401},
		"local gateway without token": {ask{path: "/gateway"}, 401},
		"unknown route without token": {ask{method: "POST", path: "/nothing"}, 401},
		"an address that is no place": {ask{path: "/nothing"}, 404},
		"unknown api route":           {ask{path: "/api/nothing", header: map[string]string{"Authorization": bearer}}, 404},
		"the page":                    {ask{path: "/"}, 200},
		"the page's file":             {ask{path: "/assets/app-1.js"}, 200},
		"a file that is not there":    {ask{path: "/assets/none.js"}, 404},
		"a place in the page":         {ask{path: "/settings"}, 200},
		"health":                      {ask{path: "/healthz"}, 200},
		"foreign host name":           {ask{path: "/healthz", host: "evil.example:" + port}, 403},
		"own name, other port":        {ask{path: "/healthz", host: "localhost:1"}, 403},
		"localhost":                   {ask{path: "/healthz", host: "localhost:" + port}, 200},
		"foreign page with the token": {ask{path: "/api/teams", header: map[string]string{"Authorization": bearer, "Origin": "https://evil.example"}}, 403},
		"page of another local port":  {ask{path: "/api/teams", header: map[string]string{"Authorization": bearer, "Origin": "http://127.0.0.1:1"}}, 403},
		"sandboxed page":              {ask{path: "/api/teams", header: map[string]string{"Authorization": bearer, "Origin": "null"}}, 403},
		"the window":                  {ask{path: "/api/teams", header: map[string]string{"Authorization": bearer, "Origin": "wails://wails"}}, 200},
		"a page over another scheme":  {ask{path: "/api/teams", header: map[string]string{"Authorization": bearer, "Origin": strings.Replace(hub.URL, "http:", "https:", 1)}}, 403},
		"the hub's own page":          {ask{path: "/api/teams", header: map[string]string{"Authorization": bearer, "Origin": hub.URL}}, 200},
		"an address of somebody else": {ask{path: "/healthz", host: "8.8.8.8:" + port}, 403},
		"a form of another page":      {ask{method: "POST", path: "/api/links", header: map[string]string{"Authorization": bearer, "Sec-Fetch-Site": "cross-site"}}, 403},
		"a form of our own":           {ask{method: "POST", path: "/api/links", header: map[string]string{"Authorization": bearer, "Sec-Fetch-Site": "same-origin"}}, 200},
		"a NUL in a search":           {ask{path: "/api/messages/search?q=abc%00def", header: map[string]string{"Authorization": bearer}}, 400},
		"the window without token":    {ask{path: "/api/teams", header: map[string]string{"Origin": "wails://wails"}}, 401},
		"the window asks first":       {ask{method: "OPTIONS", path: "/api/teams", header: map[string]string{"Origin": "wails://wails"}}, 204},
		"a foreign page asks first":   {ask{method: "OPTIONS", path: "/api/teams", header: map[string]string{"Origin": "https://evil.example"}}, 403},
		"token as websocket protocol": {ask{path: "/api/events", header: map[string]string{"Sec-WebSocket-Protocol": "agentflow, bearer." + base64.RawURLEncoding.EncodeToString([]byte(ownerToken))}}, 400},
		"wrong protocol token":        {ask{path: "/api/events", header: map[string]string{"Sec-WebSocket-Protocol": "bearer.bm9wZQ"}}, 401},
		"a forged cookie":             {ask{path: "/api/teams", header: map[string]string{"Cookie": auth.CookieName + "_" + port + "=forged", auth.PageKeyHeader: "forged"}}, 401},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := send(t, hub, c.ask).StatusCode; got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
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
