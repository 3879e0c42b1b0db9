// Package enginetest runs a whole hub on a real port and a real folder, for tests.
package enginetest

import (
	"context"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/engine"
)

// endsWithin is how long a hub may take to end before the test fails instead of hanging.
const endsWithin = 20 * time.Second

// leaveThePerson keeps tests from the keyring and the token of the person who runs them. It holds for the whole
// process, so that tests can run in parallel. It is not done in init, because a test binary that a test starts as
// the program needs the token that it is given.
var leaveThePerson = sync.OnceFunc(func() {
	_ = os.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	_ = os.Unsetenv("AGENTFLOW_TOKEN")
})

// Hub is a hub that answers, and ends with the test.
type Hub struct {
	*engine.Engine
	t    *testing.T
	stop func()
}

// Start runs a hub. Without DataDir it gets a new folder; without Listen it takes a
// free port of this computer.
func Start(t *testing.T, opts engine.Options) *Hub {
	t.Helper()
	leaveThePerson()
	if opts.DataDir == "" {
		opts.DataDir = t.TempDir()
	}
	if opts.Listen == "" {
		opts.Listen = "127.0.0.1:0"
	}
	e, err := engine.New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	h := &Hub{Engine: e, t: t, stop: sync.OnceFunc(func() {
		cancel()
		http.DefaultClient.CloseIdleConnections()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(endsWithin):
			t.Error("the hub did not end")
		}
	})}
	t.Cleanup(h.Stop)
	select {
	case <-e.Ready():
	case err := <-ended:
		t.Fatalf("the hub ended: %v", err)
	}
	return h
}

// Until waits until something is so. After a minute the test fails and names it.
func Until(t testing.TB, what string, is func() bool) {
	t.Helper()
	limit := time.After(time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// Stop ends the hub before the test ends.
func (h *Hub) Stop() { h.stop() }

// Client returns a client with the owner's token; it is closed with the test.
func (h *Hub) Client() *hubclient.Client {
	h.t.Helper()
	c, err := hubclient.New(h.URL(), h.Token())
	if err != nil {
		h.t.Fatal(err)
	}
	if pin := h.Exposed().Fingerprint(); pin != "" {
		if err := c.Pin(pin); err != nil {
			h.t.Fatal(err)
		}
	}
	h.t.Cleanup(c.Close)
	return c
}

// Apply gives the local gateway a config.
func (h *Hub) Apply(config string) {
	h.t.Helper()
	c := h.Client()
	var now, done struct{ BaseHash string }
	if err := c.Call(h.t.Context(), http.MethodPost, "/api/gateway/config/get", map[string]any{}, &now); err != nil {
		h.t.Fatal(err)
	}
	change := map[string]any{"baseHash": now.BaseHash, "reason": "test", "raw": config}
	if err := c.Call(h.t.Context(), http.MethodPost, "/api/gateway/config/apply", change, &done); err != nil {
		h.t.Fatal(err)
	}
}

// Trust allows the agents of the applied team what they ask of this computer, as its owner does
// who was shown it.
func (h *Hub) Trust() {
	h.t.Helper()
	Trust(h.t, h.Client(), "local")
}

// Trust allows the agents of a team what they ask of the hub's computer.
func Trust(t *testing.T, c *hubclient.Client, team string) {
	t.Helper()
	var asked struct {
		Agents []struct{ Agent, Hash, State string }
	}
	if err := c.Call(t.Context(), http.MethodGet, "/api/trust/"+team, nil, &asked); err != nil {
		t.Fatal(err)
	}
	if len(asked.Agents) == 0 {
		t.Fatal("the team asks for nothing")
	}
	shown := []map[string]string{}
	for _, a := range asked.Agents {
		shown = append(shown, map[string]string{"agent": a.Agent, "hash": a.Hash})
	}
	if err := c.Call(t.Context(), http.MethodPost, "/api/trust/"+team+"/allow", map[string]any{"agents": shown}, nil); err != nil {
		t.Fatal(err)
	}
}
