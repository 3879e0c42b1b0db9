//go:build !windows

package proc

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A program's own deadline holds, whatever its caller's is; that the caller gives up does too.
func TestME6_ADeadlineOfItsOwn(t *testing.T) {
	c := shell("exec sleep 600")
	c.Timeout = 50 * time.Millisecond
	if _, err := Run(t.Context(), c); !errors.Is(err, ErrTimeout) {
		t.Errorf("ended with %v", err)
	}
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	c = shell("exit 3")
	c.Timeout = 5 * time.Minute
	if res, err := Run(late, c); err != nil || res.Code != 3 {
		t.Errorf("a caller's deadline reached it: %+v, %v", res, err)
	}
	stop := errors.New("stop")
	ctx, giveUp := context.WithCancelCause(t.Context())
	c = shell("echo; exec sleep 600")
	c.Timeout = 5 * time.Minute
	c.Output = func([]byte) error { giveUp(stop); return nil }
	if _, err := Run(ctx, c); !errors.Is(err, stop) {
		t.Errorf("ended with %v", err)
	}
}
