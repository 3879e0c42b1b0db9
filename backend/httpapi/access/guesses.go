package access

import (
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The wrong tokens that an address may send: so many at once, then one a second.
const (
	guessesAtOnce = 100
	guessEvery    = time.Second
	addressesKept = 10_000
)

// guesses counts wrong tokens by address. The right one is never held up.
type guesses struct {
	mu     sync.Mutex
	byAddr map[netip.Addr]*rate.Limiter
}

// tooMany notes a refused request; it reports whether its address guesses tokens.
// A request without any token guesses nothing.
func (g *guesses) tooMany(r *http.Request, now time.Time) bool {
	if r.Header.Get("Authorization") == "" {
		return false
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	limiter := g.byAddr[from.Addr()]
	if limiter == nil {
		if g.byAddr == nil || len(g.byAddr) >= addressesKept {
			g.byAddr = map[netip.Addr]*rate.Limiter{}
		}
		limiter = rate.NewLimiter(rate.Every(guessEvery), guessesAtOnce)
		g.byAddr[from.Addr()] = limiter
	}
	return !limiter.AllowN(now, 1)
}
