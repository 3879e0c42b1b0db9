package engine_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// Behind a proxy that ends TLS, the agent card names the address under which the proxy is
// asked, and the page there is the hub's own; but only of a proxy that is believed.
func TestAG7_BehindAProxyThatEndsTLS(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	hub, err := url.Parse(h.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(hub) // and with it the Host that the hub knows
		r.SetXForwarded()
	}})
	t.Cleanup(proxy.Close)
	interfaces := func(header ...string) (urls []string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, proxy.URL+"/.well-known/agent-card.json",
			nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		res, err := proxy.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		var card struct {
			URL                 string
			SupportedInterfaces []struct{ URL string }
		}
		if err := json.NewDecoder(res.Body).Decode(&card); err != nil || len(card.SupportedInterfaces) == 0 {
			t.Fatalf("%s: %v %+v", res.Status, err, card)
		}
		for _, i := range card.SupportedInterfaces {
			urls = append(urls, i.URL)
		}
		return append(urls, card.URL)
	}
	all := func(what string, urls []string, want string) {
		t.Helper()
		for _, u := range urls {
			if u != want+"/a2a" {
				t.Errorf("%s: the card names %s, want %s/a2a", what, u, want)
			}
		}
	}
	save := func() int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, proxy.URL+"/api/links",
			strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+h.Token())
		req.Header.Set("Origin", proxy.URL)
		res, err := proxy.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}

	all("nobody is believed", interfaces(), h.URL())
	if got := save(); got != http.StatusForbidden {
		t.Errorf("a page of an address that nobody vouches for: %d", got)
	}
	asked[guarded](t, h, http.MethodPut, "/api/security/networks",
		map[string]any{"allow": []string{}, "proxies": []string{"127.0.0.1"}})
	all("the proxy is believed", interfaces(), proxy.URL)
	all("what the client says is not", interfaces("X-Forwarded-Host", "evil.example", "X-Forwarded-Proto", "http"),
		proxy.URL)
	if got := save(); got != http.StatusOK {
		t.Errorf("the page behind the proxy: %d", got)
	}
}
