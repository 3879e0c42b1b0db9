package webui

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func serve(t *testing.T, files fs.FS) *httptest.Server {
	t.Helper()
	hub := httptest.NewServer(Page{Files: files, Missing: http.NotFound})
	t.Cleanup(hub.Close)
	return hub
}

func get(t *testing.T, hub *httptest.Server, path, accept string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, hub.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", accept)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func read(t *testing.T, res *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// APP-1: the smallest form that the reader takes, kept for ever where the name says what is in it.
func TestAPP1_FilesOfThePageAreServedCompressed(t *testing.T) {
	hub := serve(t, fstest.MapFS{
		"index.html":         {Data: []byte("<!doctype html>")},
		"assets/app-1.js":    {Data: []byte("plain")},
		"assets/app-1.js.br": {Data: []byte("brotli")},
		"assets/app-1.js.gz": {Data: []byte("gzip")},
		"favicon.svg":        {Data: []byte("<svg/>")},
	})
	for _, c := range []struct{ accept, encoding, body string }{
		{"gzip, deflate, br, zstd", "br", "brotli"}, {"gzip", "gzip", "gzip"}, {"GZIP;q=0.8", "gzip", "gzip"},
		{"br;q=0, gzip", "gzip", "gzip"}, {"br;q=0.000, gzip;q=0", "", "plain"}, {"identity", "", "plain"},
	} {
		t.Run(c.accept, func(t *testing.T) {
			res := get(t, hub, "/assets/app-1.js", c.accept)
			if got := res.Header.Get("Content-Encoding"); got != c.encoding {
				t.Errorf("encoding %q, want %q", got, c.encoding)
			}
			if body := read(t, res); body != c.body {
				t.Errorf("body %q, want %q", body, c.body)
			}
			if kind := res.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/javascript") {
				t.Errorf("type %q", kind)
			}
			if got := res.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
				t.Errorf("cache %q", got)
			}
			if got := res.Header.Get("Vary"); got != "Accept-Encoding" {
				t.Errorf("vary %q", got)
			}
		})
	}
	if got := get(t, hub, "/assets/gone.js", "br"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a file that is not there: %d", got.StatusCode)
	}
	if got := get(t, hub, "/favicon.svg", "").Header.Get("Cache-Control"); strings.Contains(got, "immutable") {
		t.Errorf("a file without a hash in its name is kept for ever: %q", got)
	}
}

// APP-1: no inline script at all, and an inline style only with a nonce that no second load has.
func TestAPP1_ThePolicyOfThePageIsStrict(t *testing.T) {
	hub := serve(t,
		fstest.MapFS{"index.html": {Data: []byte(`<!doctype html><meta property="csp-nonce" nonce="{{nonce}}">`)}})
	seen := map[string]bool{}
	for _, path := range []string{"/", "/index.html", "/history"} {
		res := get(t, hub, path, "")
		policy, body := res.Header.Get("Content-Security-Policy"), read(t, res)
		m := regexp.MustCompile(`style-src 'self' 'nonce-([A-Z2-7]{26})'`).FindStringSubmatch(policy)
		if m == nil || seen[m[1]] {
			t.Fatalf("%s: no nonce, or an old one: %s", path, policy)
		}
		seen[m[1]] = true
		if !bytes.Contains([]byte(body), []byte(`nonce="`+m[1]+`"`)) {
			t.Errorf("%s: the page has another nonce: %s", path, body)
		}
		if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'self'") {
			t.Errorf("%s: %s", path, policy)
		}
		if got := res.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s is kept: %q", path, got)
		}
	}
}

// OC-5: browsers find a newer service worker, and it can load and connect nothing.
func TestOC5_TheServiceWorkerHasNoRights(t *testing.T) {
	hub := serve(t, fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, Worker: {Data: []byte("listen()")}})
	res := get(t, hub, "/"+Worker, "br, gzip")
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cache-Control": "no-cache",
		"Content-Type": "text/javascript; charset=utf-8", "Service-Worker-Allowed": "",
	} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if body := read(t, res); body != "listen()" {
		t.Error(body)
	}
}
