package auth

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
)

// The wrong tokens that an address may send within a time before it is locked out, and for how
// long it is; likewise for all addresses together.
const (
	wrongAtMost   = 20
	wrongInAll    = 1000
	wrongWithin   = 10 * time.Minute
	lockedFor     = 15 * time.Minute
	addressesKept = 10_000
	weakEvery     = 50 * time.Millisecond
)

// Lockout is an address whose guesses are refused unseen, because it sent too many wrong tokens.
// The right token and logins still work from there. If the owner's token is weak, it waits for its turn
// among the guesses.
type Lockout struct {
	Address string    `json:"address" doc:"IP address, or an IPv6 network."`
	Until   time.Time `json:"until" doc:"End of the lockout."`
	Tries   int       `json:"tries" doc:"Number of wrong tokens."`
}

// lockouts count wrong tokens by address.
type lockouts struct {
	mu   sync.Mutex
	seen map[netip.Prefix]*tries
	all  tries // of all addresses

	turns sync.Mutex // locked for weakEvery per comparison; waiting requests get it in order
}

type tries struct {
	since time.Time // the first of them
	count int
	until time.Time // zero: not locked out
}

// over reports whether they count no more.
func (t *tries) over(now time.Time) bool {
	return t.until.IsZero() && now.Sub(t.since) > wrongWithin || !t.until.IsZero() && !now.Before(t.until)
}

// behind is what counts as one sender: an address, or a network of IPv6 as a computer gets it.
func behind(a netip.Addr) netip.Prefix {
	bits := a.BitLen()
	if a.Is6() && !a.IsLoopback() {
		bits = 64
	}
	p, _ := a.Prefix(bits) // an address that is not valid is one sender, too
	return p
}

// wrong notes a wrong token, and reports whether its sender is locked out by it.
func (l *lockouts) wrong(from netip.Addr, now time.Time) (until time.Time, locked bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	who := behind(from)
	t := l.seen[who]
	if t == nil || t.over(now) {
		l.makeRoom(now)
		t = &tries{since: now}
		l.seen[who] = t
	}
	t.add(now, wrongAtMost)
	if l.all.over(now) {
		l.all = tries{since: now}
	}
	l.all.add(now, wrongInAll)
	return t.until, !t.until.IsZero()
}

// add counts one more.
func (t *tries) add(now time.Time, most int) {
	t.count++
	if t.count > most && t.until.IsZero() {
		t.until = now.Add(lockedFor)
	}
}

// turn waits until a token can be compared with a weak one. During a lockout of its sender, or of all
// senders together, one comparison is made per weakEvery. No token is rejected here, so the right one works.
func (l *lockouts) turn(ctx context.Context, from netip.Addr) error {
	if !l.brakes(from, time.Now()) {
		return nil
	}
	l.turns.Lock()
	defer l.turns.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err() // the next request doesn't wait for it
	case <-time.After(weakEvery):
		return nil
	}
}

func (l *lockouts) brakes(from netip.Addr, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.seen[behind(from)]
	return t != nil && !t.until.IsZero() && !t.over(now) || !l.all.until.IsZero() && !l.all.over(now)
}

// makeRoom forgets what counts no more, and, of too many senders, those that are not locked out.
func (l *lockouts) makeRoom(now time.Time) {
	if l.seen == nil {
		l.seen = map[netip.Prefix]*tries{}
	}
	if len(l.seen) < addressesKept {
		return
	}
	for who, t := range l.seen {
		if t.over(now) || t.until.IsZero() {
			delete(l.seen, who)
		}
	}
	if len(l.seen) >= addressesKept {
		clear(l.seen)
	}
}

func lockedOut(until time.Time) *errcode.Error {
	return errcode.New(errcode.RateLimited,
		"too many wrong tokens came from this address: wait, then send the right one").
		With(errcode.KeyReason, "locked_out").
		With(errcode.KeyRetryAfterMs, max(0, time.Until(until).Milliseconds()))
}

// Lockouts are those of now, the one that ends first before the others.
func (c *Control) Lockouts() []Lockout {
	l, now := &c.lockouts, time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []Lockout{}
	for who, t := range l.seen {
		if t.until.IsZero() || t.over(now) {
			continue
		}
		name := who.String()
		if who.IsSingleIP() {
			name = who.Addr().String()
		}
		out = append(out, Lockout{Address: name, Until: t.until.UTC(), Tries: t.count})
	}
	slices.SortFunc(out, func(a, b Lockout) int { return a.Until.Compare(b.Until) })
	return out
}

// Lift lets an address, as Lockouts names it, in again at once.
func (c *Control) Lift(address string) error {
	nets, err := ParseNetworks([]string{address})
	if err != nil {
		return err
	}
	c.lockouts.mu.Lock()
	defer c.lockouts.mu.Unlock()
	delete(c.lockouts.seen, nets[0])
	return nil
}
