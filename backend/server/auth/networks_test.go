package auth

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestAG5_WhoAsksAndFromWhere(t *testing.T) {
	parse := func(texts ...string) []netip.Prefix {
		list, err := ParseNetworks(texts)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, c := range []struct {
		allow, proxies, from, forwarded string
		want                            bool
	}{
		{"", "", "192.0.2.1", "", true},
		{"192.0.2.0/24", "", "192.0.2.1", "", true},
		{"192.0.2.0/24", "", "192.0.3.1", "", false},
		{"192.0.2.0/24", "", "::ffff:192.0.2.1", "", true},
		{"::ffff:192.0.2.0/120", "", "192.0.2.1", "", true},
		{"fe80::/10", "", "fe80::1%eth0", "", true},
		{"192.0.2.1", "", "192.0.2.1", "", true},
		{"192.0.2.1", "", "192.0.2.2", "", false},
		{"192.0.2.1", "", "198.51.100.1", "192.0.2.1", false},            // nobody is believed
		{"192.0.2.1", "198.51.100.1", "198.51.100.1", "192.0.2.1", true}, // but a proxy that is named
		{"192.0.2.1", "198.51.100.1", "198.51.100.2", "192.0.2.1", false},
		{"192.0.2.1", "198.51.100.1", "198.51.100.1", "192.0.2.1, 203.0.113.9", false}, // what the client wrote itself
		{"192.0.2.1", "198.51.100.0/24", "198.51.100.1", "192.0.2.1, 198.51.100.7", true},
		{"192.0.2.1", "198.51.100.1", "198.51.100.1", "nonsense", false},
		{"198.51.100.1", "198.51.100.1", "198.51.100.1", "", true},
	} {
		s := newStand(t)
		var allow, proxies []netip.Prefix
		if c.allow != "" {
			allow = parse(c.allow)
		}
		if c.proxies != "" {
			proxies = parse(c.proxies)
		}
		s.SetNetworks(allow, proxies)
		var headers []string
		if c.forwarded != "" {
			headers = []string{"X-Forwarded-For", c.forwarded}
		}
		if got := s.ask(c.from, rightToken, headers...) == http.StatusNoContent; got != c.want {
			t.Errorf("%+v: let in is %v", c, got)
		}
	}
	if got := parse(" 192.0.2.9/24 ", "192.0.2.0/24", "::1"); !slices.Equal(got, []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("::1/128")}) {
		t.Errorf("%v", got)
	}
	if _, err := ParseNetworks([]string{"192.0.2.0/33"}); err == nil || !strings.Contains(err.Error(), "192.0.2.0/33") {
		t.Errorf("%v", err)
	}
}

// The address under which the hub was asked is taken from a trusted proxy, and from nobody else.
func TestAG7_UnderWhichAddressItWasAsked(t *testing.T) {
	s := newStand(t)
	s.SetNetworks(nil, []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")})
	for _, c := range []struct{ from, host, proto, want string }{
		{"198.51.100.1", "", "", "http://127.0.0.1"},
		{"198.51.100.1", "Team.example", "https", "https://team.example"},
		{"198.51.100.1", "team.example:8443", "https", "https://team.example:8443"},
		{"198.51.100.1", "forged.example, team.example", "http, https", "https://team.example"},
		{"198.51.100.1", "", "https", "https://127.0.0.1"},
		{"198.51.100.1", "team.example", "javascript", "http://team.example"},
		{"198.51.100.1", "who@team.example", "https", "https://127.0.0.1"},
		{"198.51.100.1", "team.example/path", "https", "https://127.0.0.1"},
		{"198.51.100.1", "team.example?q", "https", "https://127.0.0.1"},
		{"198.51.100.1", "a b", "https", "https://127.0.0.1"},
		{"203.0.113.1", "team.example", "https", "http://127.0.0.1"},
	} {
		got := ""
		h := s.Guard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = At(r.Context()) }))
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/tasks", nil)
		r.RemoteAddr, r.Host = c.from+":1", "127.0.0.1"
		r.Header.Set("Authorization", "Bearer "+rightToken)
		r.Header.Set("X-Forwarded-Host", c.host)
		r.Header.Set("X-Forwarded-Proto", c.proto)
		h.ServeHTTP(httptest.NewRecorder(), r)
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A request that is being served ends when its address, or its caller, may not stay.
func TestAG5_WhoMayNotStayIsSentAway(t *testing.T) {
	s := newStand(t)
	who, caller, err := s.Callers.Make("watcher", Reader, Seat{})
	if err != nil {
		t.Fatal(err)
	}
	inside, left := make(chan struct{}), make(chan struct{})
	h := s.Guard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		inside <- struct{}{}
		<-r.Context().Done()
		left <- struct{}{}
	}))
	watch := func(from, token string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/tasks", nil)
		r.RemoteAddr, r.Host = from+":1", "127.0.0.1"
		r.Header.Set("Authorization", "Bearer "+token)
		go h.ServeHTTP(httptest.NewRecorder(), r)
		<-inside
	}
	for name, send := range map[string]func() error{
		"networks": func() error { s.SetNetworks([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, nil); return nil },
		"role":     func() error { _, err := s.Callers.Change(who.ID, "watcher", Tasker, Seat{}); return err },
		"token":    func() (err error) { _, caller, err = s.Callers.Rotate(who.ID); return err },
	} {
		s.SetNetworks(nil, nil)
		watch("192.0.2.7", caller)
		if err := send(); err != nil {
			t.Fatal(name, err)
		}
		<-left
	}
	s.SetNetworks(nil, nil)
	watch("192.0.2.7", caller)
	if err := s.Callers.Revoke(who.ID); err != nil {
		t.Fatal(err)
	}
	<-left
	if got := s.ask("192.0.2.7", caller); got != http.StatusUnauthorized {
		t.Errorf("who was revoked: %d", got)
	}
}
