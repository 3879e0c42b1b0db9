package auth

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// as returns the context of a request with the token.
func (s *stand) as(token string) context.Context {
	var got context.Context
	h := s.Guard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Context() }))
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, "/tasks", nil)
	r.RemoteAddr, r.Host = "127.0.0.1:1", "127.0.0.1"
	r.Header.Set("Authorization", "Bearer "+token)
	h.ServeHTTP(httptest.NewRecorder(), r)
	if got == nil {
		s.t.Fatal("the token was not taken")
	}
	return got
}

func (s *stand) caller(name string) context.Context {
	_, token, err := s.Callers.Make(name, Tasker, Seat{})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.as(token)
}

// A caller that submits without end is slowed, and nobody else with it.
func TestTR4_F18_ACallerSubmitsAtItsPace(t *testing.T) {
	s := newStand(t)
	fast, other, owner := s.caller("fast"), s.caller("other"), s.as(rightToken)
	pace := new(Pace)
	var slowed error
	for range paceAtOnce * 2 { // what comes back each second is far less
		if err := pace.Submit(owner); err != nil {
			t.Fatalf("the owner: %v", err)
		}
		if err := pace.Submit(fast); err != nil && slowed == nil {
			slowed = err
		}
	}
	if !errcode.Is(slowed, errcode.RateLimited) || errcode.From(slowed).Details[errcode.KeyRetryAfterMs].(int64) < 1 || !strings.Contains(slowed.Error(), "fast") {
		t.Errorf("it went on: %v", slowed)
	}
	if err := pace.Submit(other); err != nil {
		t.Errorf("another caller: %v", err)
	}
	if err := pace.Submit(context.Background()); err != nil {
		t.Errorf("an unknown caller, for the first time: %v", err)
	}
}

// One caller can't take all that is bounded; what it gives back can be had again.
func TestTR4_F18_ACallerHasItsShare(t *testing.T) {
	s := newStand(t)
	greedy, other, owner := s.caller("greedy"), s.caller("other"), s.as(rightToken)
	streams, bounds := new(Shares), Bounds{Most: 5, Each: 2, What: "streams"}
	take := func(who context.Context) func() {
		t.Helper()
		leave, err := streams.Take(who, bounds)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	leave := take(greedy)
	take(greedy)
	if _, err := streams.Take(greedy, bounds); err == nil || err.Code != errcode.RateLimited || err.Details[errcode.KeyRetryAfterMs] == nil {
		t.Errorf("a third of two: %v", err)
	}
	take(other)
	leave()
	leave() // twice is once
	take(greedy)
	take(owner)
	take(owner)
	if _, err := streams.Take(owner, bounds); err == nil || err.Code != errcode.Unavailable || err.Details[errcode.KeyRetryAfterMs] == nil {
		t.Errorf("a sixth of five: %v", err)
	}
}

// Strict-Transport-Security is sent over TLS only, and never for a loopback address.
func TestTR4_F17_StrictTransportSecurity(t *testing.T) {
	s := newStand(t)
	for _, c := range []struct {
		host string
		tls  bool
		want string
	}{
		{"team.example:18871", true, "max-age=31536000"},
		{"192.0.2.7:18871", true, "max-age=31536000"},
		{"team.example:18871", false, ""},
		{"127.0.0.1:18871", true, ""}, // it would hold for every port of this computer
		{"localhost:18871", true, ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/tasks", nil)
		r.RemoteAddr, r.Host = "192.0.2.1:1", c.host
		if c.tls {
			r = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+c.host+"/tasks", nil)
			r.RemoteAddr = "192.0.2.1:1"
		}
		w := httptest.NewRecorder()
		s.h.ServeHTTP(w, r)
		if got := w.Header().Get("Strict-Transport-Security"); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Over TLS to the hub or to a trusted proxy, the login cookie is Secure and has the prefix __Host-. Without
// TLS, browsers wouldn't store such a cookie. It is HttpOnly and SameSite=Strict everywhere.
func TestTR4_F15_TheCookieOfALoginIsForThisHostOverTLS(t *testing.T) {
	s := newStand(t)
	s.SetNetworks(nil, []netip.Prefix{netip.MustParsePrefix("192.0.2.9/32")})
	s.Pattern = func(*http.Request) string { return "GET /open/{code}" }
	for name, c := range map[string]struct {
		address, from, proto string
		secure               bool
	}{
		"http":                     {"http://127.0.0.1:18800", "192.0.2.1", "", false},
		"TLS":                      {"https://127.0.0.1:18800", "192.0.2.1", "", true},
		"TLS at a proxy":           {"http://127.0.0.1:18800", "192.0.2.9", "https", true},
		"http at a proxy":          {"http://127.0.0.1:18800", "192.0.2.9", "http", false},
		"a claim of TLS by others": {"http://127.0.0.1:18800", "192.0.2.1", "https", false},
	} {
		link := s.Link()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.address+link, nil)
		r.SetPathValue("code", strings.TrimPrefix(link, linkPath))
		r.RemoteAddr = c.from + ":1"
		if c.proto != "" {
			r.Header.Set("X-Forwarded-Proto", c.proto)
			r.Header.Set("X-Forwarded-For", "192.0.2.1")
		}
		w := httptest.NewRecorder()
		s.Guard(http.HandlerFunc(s.ServeLink)).ServeHTTP(w, r)
		got := w.Result().Cookies()
		if len(got) != 1 {
			t.Fatalf("%s: %d %v", name, w.Code, got)
		}
		one := got[0]
		if one.Secure != c.secure || strings.HasPrefix(one.Name, "__Host-") != c.secure || one.Path != "/" || one.Domain != "" {
			t.Errorf("%s: %s", name, one)
		}
		if !one.HttpOnly || one.SameSite != http.SameSiteStrictMode {
			t.Errorf("%s: %s", name, one)
		}
	}
}
