package auth

import (
	"context"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"agentflow/backend/base/errcode"
)

// How many tasks a caller can submit: some at once, and so many a second from then on.
const (
	paceAtOnce    = 120
	pacePerSecond = 2
	maxPaced      = 1_000 // callers that are tracked; those idle for a while are dropped
)

// Pace bounds how fast each caller submits tasks. The owner has no bound. The zero value is ready.
type Pace struct {
	mu sync.Mutex
	of map[string]*rate.Limiter
}

// Submit reports why the caller can't submit a task now: RateLimited, with the time to wait. A nil
// Pace bounds nobody.
func (p *Pace) Submit(ctx context.Context) error {
	who := By(ctx)
	if p == nil || who.ID == "" {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	limit, ok := p.of[who.ID]
	if !ok {
		limit = rate.NewLimiter(pacePerSecond, paceAtOnce)
		p.keep(who.ID, limit)
	}
	r := limit.Reserve()
	wait := r.Delay()
	if wait == 0 {
		return nil
	}
	r.Cancel()
	return errcode.New(errcode.RateLimited, "%s submits tasks too fast: at most %d at once and %d a second. Submit this task again in %s", who.Name, paceAtOnce, pacePerSecond, wait.Round(time.Millisecond)).
		With(errcode.KeyRetryAfterMs, max(wait.Milliseconds(), 1))
}

func (p *Pace) keep(id string, limit *rate.Limiter) {
	if len(p.of) >= maxPaced {
		for other, l := range p.of {
			if l.Tokens() >= paceAtOnce {
				delete(p.of, other)
			}
		}
	}
	if p.of == nil {
		p.of = map[string]*rate.Limiter{}
	}
	p.of[id] = limit
}

// Bounds say how much of something callers can hold: Each for one of them, Most for all. The
// owner has all.
type Bounds struct {
	Most, Each int
	What       string // "readers of tasks"
}

// Shares counts how much each caller holds of something bounded, such as open streams. The zero
// value is ready.
type Shares struct {
	mu   sync.Mutex
	all  int
	held map[string]int
}

// Take counts one in; leave counts it out. Without room for it, the error says when to come back.
func (s *Shares) Take(ctx context.Context, b Bounds) (leave func(), bad *errcode.Error) {
	who := By(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.all >= b.Most:
		return nil, errcode.New(errcode.Unavailable,
			"the hub has %d %s, and takes no more. Try again later", s.all, b.What).
			With(errcode.KeyRetryAfterMs, time.Second.Milliseconds())
	case who.ID != "" && s.held[who.ID] >= b.Each:
		return nil, errcode.New(errcode.RateLimited,
			"%s has %d %s already. Close some first", who.Name, s.held[who.ID], b.What).
			With(errcode.KeyRetryAfterMs, time.Second.Milliseconds())
	}
	if s.held == nil {
		s.held = map[string]int{}
	}
	s.all++
	s.held[who.ID]++
	return sync.OnceFunc(func() { s.leave(who.ID) }), nil
}

func (s *Shares) leave(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.held[id]--; s.held[id] == 0 {
		delete(s.held, id)
	}
}

// IsCaller reports whether a Key is that of a caller, who has a share only.
func IsCaller(key string) bool { return strings.HasPrefix(key, CallerKey("")) }
