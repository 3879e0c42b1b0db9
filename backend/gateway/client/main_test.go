package client_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick makes every wait short enough for a test and long enough for a busy machine.
var quick = client.Timing{
	Dial: 5 * time.Second, ChallengeWait: 300 * time.Millisecond, Handshake: 3 * time.Second, Call: 5 * time.Second,
	Apply: 5 * time.Second, CallGrace: 5 * time.Second, Tick: 5 * time.Second, MinTick: 20 * time.Millisecond,
	BackoffMin: 10 * time.Millisecond, BackoffMax: 50 * time.Millisecond, SlowRetry: time.Minute, StartingFor: time.Minute,
}

func ctx(t *testing.T) context.Context {
	t.Helper()
	c, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return c
}

// run starts a client and stops it with the test.
func run(t *testing.T, opts client.Options) *client.Client {
	t.Helper()
	if opts.Timing == (client.Timing{}) {
		opts.Timing = quick
	}
	c, err := client.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	runCtx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(runCtx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Run: %v", err)
			}
		case <-time.After(5 * time.Second):
			t.Error("Run did not end within 5 s of its context")
		}
	})
	return c
}

func token(s string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return s, nil }
}

// dial starts a client of the server and waits until it is connected.
func dial(t *testing.T, s *gatewaytest.Server) *client.Client {
	t.Helper()
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token)})
	if err := c.WaitConnected(ctx(t)); err != nil {
		t.Fatal(err)
	}
	return c
}

// waitState waits until the client's status fits.
func waitState(t *testing.T, c *client.Client, what string, fits func(client.Status) bool) client.Status {
	t.Helper()
	sub := c.StatusEvents(256)
	defer sub.Close()
	deadline := time.After(15 * time.Second)
	for {
		if s := c.Status(); fits(s) {
			return s
		}
		select {
		case <-sub.C():
		case <-deadline:
			t.Fatalf("waiting for %s: the status is still %+v", what, c.Status())
		}
	}
}

func inState(want client.State) func(client.Status) bool {
	return func(s client.Status) bool { return s.State == want }
}
