package access

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"agentflow/backend/errcode"
)

// stand is a hub with a route, asked as from any address.
type stand struct {
	t *testing.T
	*Control
	h http.Handler
}

func newStand(t *testing.T) *stand {
	c := New("right", nil, func(w http.ResponseWriter, err *errcode.Error) { w.WriteHeader(err.HTTPStatus()) })
	callers, err := OpenCallers(filepath.Join(t.TempDir(), "callers.json"))
	if err != nil {
		t.Fatal(err)
	}
	c.Callers = callers
	c.Pattern = func(r *http.Request) string { return r.Method + " " + r.URL.Path }
	return &stand{t, c, c.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))}
}

func (s *stand) ask(from, token string, headers ...string) int {
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, "/tasks", nil)
	r.RemoteAddr, r.Host = netip.AddrPortFrom(netip.MustParseAddr(from), 1).String(), "127.0.0.1"
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.h.ServeHTTP(w, r)
	return w.Code
}

// Who tries tokens is locked out, whatever comes next from there, until the time is over or
// somebody lifts it; on this computer the owner never is.
func TestCH8_AG4_WhoTriesTokensIsLockedOut(t *testing.T) {
	s := newStand(t)
	_, caller, err := s.Callers.Make("build", Reader)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 * wrongAtMost {
		want := http.StatusUnauthorized
		if n >= wrongAtMost {
			want = http.StatusTooManyRequests
		}
		for _, from := range []string{"192.0.2.7", "127.0.0.1", fmt.Sprintf("2001:db8::%x", n+1)} {
			if got := s.ask(from, fmt.Sprint("wrong", n)); got != want {
				t.Fatalf("wrong token %d from %s: %d, want %d", n+1, from, got, want)
			}
		}
	}
	for _, c := range []struct {
		from, token string
		want        int
	}{
		{"192.0.2.7", "right", 429}, {"192.0.2.7", caller, 429}, {"192.0.2.7", "", 401},
		{"192.0.2.8", "right", 204}, {"192.0.2.8", caller, 204},
		{"2001:db8::ffff", "right", 429}, {"2001:db8:0:1::1", "right", 204},
		{"127.0.0.1", "right", 204}, {"127.0.0.1", caller, 429},
	} {
		if got := s.ask(c.from, c.token); got != c.want {
			t.Errorf("%s with %q: %d, want %d", c.from, c.token, got, c.want)
		}
	}
	cookie := (&http.Cookie{Name: CookieName, Value: "9999999999." + s.Sign("9999999999")}).String()
	if got := s.ask("192.0.2.7", "", "Cookie", cookie); got != 204 {
		t.Errorf("a page that is open: %d", got)
	}
	all := s.Lockouts()
	if len(all) != 3 || all[0].Address != "192.0.2.7" || all[2].Address != "2001:db8::/64" || time.Until(all[0].Until) <= 0 || all[0].Tries != wrongAtMost+1 {
		t.Errorf("%+v", all)
	}
	for _, l := range all {
		if err := s.Lift(l.Address); err != nil {
			t.Error(err)
		}
	}
	if got := s.ask("192.0.2.7", caller); got != 204 || len(s.Lockouts()) != 0 {
		t.Errorf("after it was lifted: %d, %+v", got, s.Lockouts())
	}
	if s.Lift("nonsense") == nil {
		t.Error("nonsense was lifted")
	}
}

// A page's token, which no header can carry, and one-time links count likewise.
func TestAG4_EveryWayToGuessCounts(t *testing.T) {
	s := newStand(t)
	for range wrongAtMost {
		if got := s.ask("192.0.2.7", "", "Sec-WebSocket-Protocol", "agentflow, bearer.d3Jvbmc"); got != 401 {
			t.Fatal(got)
		}
	}
	if got := s.ask("192.0.2.7", "", "Sec-WebSocket-Protocol", "agentflow, bearer.d3Jvbmc"); got != 429 {
		t.Errorf("by a page's token: %d", got)
	}
	link := func() int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, linkPath+"wrong", nil)
		r.RemoteAddr, r.Host = "192.0.2.9:1", "127.0.0.1"
		c := &stand{t, s.Control, s.Guard(http.HandlerFunc(s.ServeLink))}
		s.Pattern = func(*http.Request) string { return "GET /open/{code}" }
		w := httptest.NewRecorder()
		c.h.ServeHTTP(w, r)
		return w.Code
	}
	for range wrongAtMost + 1 {
		if got := link(); got != 403 {
			t.Fatal(got)
		}
	}
	if got := link(); got != 429 {
		t.Errorf("by links: %d", got)
	}
}

func TestAG4_ALockoutEndsByItself(t *testing.T) {
	var l lockouts
	from, now := netip.MustParseAddr("192.0.2.7"), time.Now()
	for range wrongAtMost {
		if _, locked := l.wrong(from, now); locked {
			t.Fatal("too early")
		}
	}
	if _, locked := l.wrong(from, now.Add(wrongWithin+time.Second)); locked {
		t.Error("what was long ago counts")
	}
	for range wrongAtMost {
		l.wrong(from, now.Add(wrongWithin+time.Second))
	}
	until, locked := l.locked(from, now.Add(wrongWithin+2*time.Second))
	if !locked {
		t.Fatal("it is not locked out")
	}
	if _, locked := l.locked(from, until); locked {
		t.Error("it does not end")
	}
	for n := range 2 * addressesKept {
		l.wrong(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), now)
	}
	if len(l.seen) > addressesKept {
		t.Errorf("%d addresses are kept", len(l.seen))
	}
}
