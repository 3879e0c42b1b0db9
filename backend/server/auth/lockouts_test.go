package auth

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

// stand is a hub with a route, asked as from any address.
const rightToken = "right-and-long-enough-that-nobody-guesses-it"

type stand struct {
	t *testing.T
	*Control
	h http.Handler
}

func newStand(t *testing.T) *stand {
	c := New(rightToken, nil, func(w http.ResponseWriter, err *errcode.Error) { w.WriteHeader(err.HTTPStatus()) })
	callers, err := OpenCallers(filepath.Join(t.TempDir(), "callers.json"))
	if err != nil {
		t.Fatal(err)
	}
	c.Callers = callers
	c.Pattern = func(r *http.Request) string { return r.Method + " " + r.URL.Path }
	return &stand{t, c,
		c.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))}
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

// Who tries tokens is locked out, on this computer too: further guesses are refused unseen. Nobody
// is kept out by it who has a right token, from the same address or another.
func TestCH8_AG4_WhoTriesTokensIsLockedOut(t *testing.T) {
	s := newStand(t)
	_, caller, err := s.Callers.Make("build", Reader, Seat{})
	if err != nil {
		t.Fatal(err)
	}
	s.Agents = func(secret string) (string, bool) { return "dev-1", secret == "agents-secret" }
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
	for _, from := range []string{"192.0.2.7", "2001:db8::ffff", "127.0.0.1", "192.0.2.8"} {
		for token, want := range map[string]int{rightToken: 204, caller: 204, "agents-secret": 403, "": 401} {
			if got := s.ask(from, token); got != want {
				t.Errorf("%s with %q: %d, want %d", from, token, got, want)
			}
		}
	}
	all := s.Lockouts()
	if len(all) != 3 || all[0].Address != "192.0.2.7" || all[2].Address != "2001:db8::/64" || time.Until(all[0].Until) <= 0 || all[0].Tries != 3*wrongAtMost {
		t.Errorf("%+v", all)
	}
	for _, l := range all {
		if err := s.Lift(l.Address); err != nil {
			t.Error(err)
		}
	}
	if got := s.ask("192.0.2.7", "wrong"); got != 401 || len(s.Lockouts()) != 0 {
		t.Errorf("after it was lifted: %d, %+v", got, s.Lockouts())
	}
	if s.Lift("nonsense") == nil {
		t.Error("nonsense was lifted")
	}
}

// During guesses from this computer or from many addresses, tokens are compared with a weak one at most
// 20 times a second. The right one waits for its turn and always works.
func TestTR4_F10_AWeakTokenHasABrake(t *testing.T) {
	s := newStand(t)
	s.token = "x"
	took := func(from string, times int) time.Duration {
		began := time.Now()
		for range times {
			if got := s.ask(from, "x"); got != http.StatusNoContent {
				t.Errorf("the right token from %s: %d", from, got)
			}
		}
		return time.Since(began)
	}
	for n := range wrongAtMost + 1 {
		s.ask("127.0.0.1", fmt.Sprint("wrong", n))
	}
	if d := took("127.0.0.1", 10); d < 10*weakEvery {
		t.Errorf("it was looked at 10 times within %v", d)
	}
	if d := took("127.0.0.2", 10); d >= 10*weakEvery {
		t.Errorf("from an address without guesses it took %v", d)
	}
	var guesses sync.WaitGroup
	over := make(chan struct{})
	for n := range 5 {
		guesses.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				if got := s.ask("127.0.0.1", fmt.Sprint("wrong", n)); got != http.StatusTooManyRequests {
					t.Errorf("a guess: %d", got)
				}
			}
		})
	}
	took("127.0.0.1", 5)
	close(over)
	guesses.Wait()
	s.token = rightToken // so that what follows waits for nothing
	for n := range wrongInAll {
		s.ask(fmt.Sprintf("10.0.%d.%d", n/250, n%250+1), "wrong")
	}
	s.token = "x"
	if d := took("192.0.2.8", 10); d < 10*weakEvery {
		t.Errorf("while many addresses try it was looked at 10 times within %v", d)
	}
}

// A page's token, which no header can carry, counts likewise.
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
}

// Codes of one-time links are long and random: wrong ones, which any page can have a browser send,
// count nothing.
func TestTR4_F9_WrongLinksLockNobodyOut(t *testing.T) {
	s := newStand(t)
	pattern := s.Pattern
	for range 2 * wrongAtMost {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, linkPath+"wrong", nil)
		r.RemoteAddr, r.Host = "127.0.0.1:1", "127.0.0.1"
		s.Pattern = func(*http.Request) string { return "GET /open/{code}" }
		w := httptest.NewRecorder()
		s.Guard(http.HandlerFunc(s.ServeLink)).ServeHTTP(w, r)
		if w.Code != http.StatusForbidden {
			t.Fatal(w.Code)
		}
	}
	s.Pattern = pattern
	if got := s.ask("127.0.0.1", "wrong"); got != http.StatusUnauthorized || len(s.Lockouts()) != 0 {
		t.Errorf("after wrong links: %d, %+v", got, s.Lockouts())
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
	until, locked := l.wrong(from, now.Add(wrongWithin+2*time.Second))
	if !locked {
		t.Fatal("it is not locked out")
	}
	if _, locked := l.wrong(from, until); locked {
		t.Error("it does not end")
	}
	for n := range 2 * addressesKept {
		l.wrong(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), now)
	}
	if len(l.seen) > addressesKept {
		t.Errorf("%d addresses are kept", len(l.seen))
	}
}
