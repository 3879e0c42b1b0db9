package llm

import (
	"context"
	"errors"
	"time"

	"agentflow/backend/base/errcode"
)

// Waits bound how long a provider may say nothing. Zero fields take the defaults.
type Waits struct {
	First time.Duration // until the first piece of an answer; a local model may have to be loaded first: 3 min
	Idle  time.Duration // between two pieces: 1 min
	Retry time.Duration // before the second try, doubled twice: 1 s
}

func (w Waits) orDefaults() Waits {
	if w.First <= 0 {
		w.First = 3 * time.Minute
	}
	if w.Idle <= 0 {
		w.Idle = time.Minute
	}
	if w.Retry <= 0 {
		w.Retry = time.Second
	}
	return w
}

var errSilence = errors.New("the provider said nothing for too long")

// idleTimer ends its context when nothing comes for too long.
type idleTimer struct {
	timer  *time.Timer
	idle   time.Duration
	cancel context.CancelCauseFunc
}

func (w Waits) withIdleTimer(ctx context.Context) (context.Context, *idleTimer) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &idleTimer{timer: time.AfterFunc(w.First, func() { cancel(errSilence) }), idle: w.Idle, cancel: cancel}
}

// bound is the context of one try.
func (r Request) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.Timeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, r.Timeout, context.DeadlineExceeded)
}

func (w *idleTimer) touch() { w.timer.Reset(w.idle) }

func (w *idleTimer) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// cut says why a context ended a stream. The caller's own cause is returned as it is.
func cut(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, errSilence) || errors.Is(cause, context.DeadlineExceeded) {
		return errcode.Wrap(errcode.Timeout, cause, "the model took too long to answer").
			With(errcode.KeyReason, ReasonTooSlow)
	}
	return cause
}

const (
	maxTries      = 4
	maxRetryAfter = 30 * time.Second // who asks for more is not waited for
)

// retryBackoff are the waits between tries: 1, 2, 4 times first, or what the provider asks for
// where that is more.
type retryBackoff struct {
	first, next, asked time.Duration
}

// allow reports whether asking again is safe and may help.
func (p *retryBackoff) allow(err error) bool {
	e, ok := errors.AsType[*errcode.Error](err)
	if !ok {
		return false
	}
	_, failed := e.Details[keyStatus]
	ms, _ := e.Details[errcode.KeyRetryAfterMs].(int64)
	p.asked = time.Duration(ms) * time.Millisecond
	return (e.Code == errcode.RateLimited || e.Code == errcode.Timeout || failed) && p.asked <= maxRetryAfter
}

// NextBackOff implements backoff.BackOff.
func (p *retryBackoff) NextBackOff() time.Duration {
	wait := max(p.next, p.asked)
	p.next *= 2
	return wait
}

// Reset implements backoff.BackOff.
func (p *retryBackoff) Reset() { p.next = p.first }
