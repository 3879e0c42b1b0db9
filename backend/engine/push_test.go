package engine_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/gateway/gatewaytest"
)

// pushes are the requests that reach push services.
type pushes chan string

func (p pushes) RoundTrip(r *http.Request) (*http.Response, error) {
	_, err := io.Copy(io.Discard, r.Body)
	p <- r.URL.String() + " " + r.Header.Get("Content-Encoding")
	return &http.Response{StatusCode: http.StatusCreated, Header: http.Header{}, Body: http.NoBody, Request: r}, err
}

// signedInBrowser is a browser in which the owner signed in by the token.
type signedInBrowser struct {
	h      *hub
	client *http.Client
	key    string
}

func (h *hub) browser() *signedInBrowser {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	b := &signedInBrowser{h: h, client: &http.Client{Jar: jar}}
	var got struct{ PageKey string }
	if status := b.call(http.MethodPost, "/api/login", map[string]string{"token": h.e.Token()}, &got); status != 200 {
		h.t.Fatal(status)
	}
	b.key = got.PageKey
	return b
}

func (b *signedInBrowser) call(method, path string, body, out any) int {
	b.h.t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		b.h.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(b.h.t.Context(), method, b.h.e.URL()+path, strings.NewReader(string(sent)))
	if err != nil {
		b.h.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("AgentFlow-Page-Key", b.key)
	res, err := b.client.Do(r)
	if err != nil {
		b.h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if out != nil {
		if err := json.NewDecoder(res.Body).Decode(out); err != nil {
			b.h.t.Fatal(err)
		}
	}
	return res.StatusCode
}

// subscribe turns push notifications on.
func (b *signedInBrowser) subscribe(endpoint string) {
	b.h.t.Helper()
	var hub struct{ Key string }
	if status := b.call(http.MethodGet, "/api/push/key", nil, &hub); status != 200 {
		b.h.t.Fatal(status)
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		b.h.t.Fatal(err)
	}
	body := map[string]string{
		"endpoint": endpoint, "p256dh": base64.RawURLEncoding.EncodeToString(own.PublicKey().Bytes()),
		"auth": base64.RawURLEncoding.EncodeToString(make([]byte, 16)), "key": hub.Key, "language": "en",
	}
	var state struct {
		On       bool
		Endpoint string
	}
	status := b.call(http.MethodPut, "/api/push", body, &state)
	if status != 200 || !state.On || state.Endpoint != endpoint {
		b.h.t.Fatal(status, state)
	}
}

// OC-5: a request of a gateway goes to each browser that is signed in and wants it, until the sign-in ends; the audit
// log has when it was turned on and off, and the key is where secrets are.
func TestOC5_ARequestIsPushedToSignedInBrowsers(t *testing.T) {
	t.Parallel()
	sent := make(pushes, 100)
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHubWith(t, engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), PushTransport: sent})
	h.connected("studio")
	one, two, off := h.browser(), h.browser(), h.browser()
	one.subscribe("https://push.example.net/one")
	two.subscribe("https://push.example.net/two")
	off.subscribe("https://push.example.net/off")
	if status := off.call(http.MethodDelete, "/api/push", nil, nil); status != http.StatusNoContent {
		t.Error(status)
	}
	peer.Asks.Add(push("main"))
	got := <-sent + "\n" + <-sent
	for _, want := range []string{"https://push.example.net/one aes128gcm", "https://push.example.net/two aes128gcm"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q isn't in %q", want, got)
		}
	}
	var logins struct {
		Logins []struct {
			ID      string
			Current bool
		}
	}
	two.call(http.MethodGet, "/api/logins", nil, &logins)
	for _, l := range logins.Logins {
		if l.Current {
			h.must("DELETE", "/api/logins/"+l.ID, nil, nil)
		}
	}
	peer.Asks.Add(push("next"))
	if got := <-sent; !strings.Contains(got, "/one") {
		t.Error(got)
	}
	file := filepath.Join(h.dir, "push.json")
	poll(t, func() bool {
		data, err := os.ReadFile(file)
		return err == nil && !strings.Contains(string(data), "/two") && strings.Contains(string(data), "/one")
	})
	h.asked(2)
	if len(sent) != 0 {
		t.Errorf("one push too many: %s", <-sent)
	}
	var log struct {
		Entries []struct{ Who, Method, Path string }
	}
	h.must("GET", "/api/security/audit?text=/api/push", nil, &log)
	count := map[string]int{}
	for _, e := range log.Entries {
		count[e.Who+" "+e.Method+" "+e.Path]++
	}
	if count["page PUT /api/push"] != 3 || count["page DELETE /api/push"] != 1 {
		t.Errorf("%v", count)
	}
	var about struct{ SecretsIn, Secrets string }
	h.must("GET", "/api/about", nil, &about)
	info, err := os.Stat(about.Secrets)
	if about.SecretsIn != "file" || err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%+v %v", about, err)
	}
}

// OC-5: what isn't a signed-in browser turns nothing on: a token has no browser, and other roles get nowhere.
func TestOC5_OnlyASignedInBrowserGetsPushes(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	for _, of := range []struct{ method, path string }{{"GET", "/api/push/key"}, {"POST", "/api/push/test"}} {
		if _, err := h.call(of.method, of.path, nil, nil); err == nil || err.Reason() != "no_login" {
			t.Errorf("%s %s with a token: %v", of.method, of.path, err)
		}
	}
	var state struct{ On bool }
	h.must("GET", "/api/push", nil, &state)
	if state.On {
		t.Error("a token has push notifications")
	}
	var made struct{ Token string }
	h.must("POST", "/api/security/callers", map[string]any{"name": "reader", "role": "reader"}, &made)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.e.URL()+"/api/push", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+made.Token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("a reader: %s", res.Status)
	}
	var about struct{ SecretsIn string }
	h.must("GET", "/api/about", nil, &about)
	if about.SecretsIn != "none" {
		t.Errorf("a key was made that nobody wanted: %+v", about)
	}
}
