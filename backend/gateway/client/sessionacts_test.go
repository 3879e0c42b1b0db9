package client_test

import (
	"fmt"
	"slices"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

// OC-5: a session is reset, compacted and forked on each kind of gateway that offers it. The others refuse it.
func TestOC5_SessionActs(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, o gatewaytest.Options) {
		peer := gatewaytest.Start(t, o)
		c := run(t, client.Options{URL: peer.URL, Token: token(peer.Token)})
		const key = "agent:main:main"
		for _, text := range []string{"one", "two"} {
			if _, err := c.ChatSend(ctx(t), client.ChatMessage{SessionKey: key, Message: text}); err != nil {
				t.Fatal(err)
			}
		}
		acts := client.SessionActs(c.Features())
		left := func(key string) int {
			said, err := c.ChatHistory(ctx(t), key, 0)
			if err != nil {
				t.Fatal(err)
			}
			return len(said)
		}
		fork, err := c.SessionFork(ctx(t), key)
		if slices.Contains(acts, client.ActFork) {
			if err != nil || fork == key || left(fork) != 4 {
				t.Errorf("forked into %q with %d messages: %v", fork, left(fork), err)
			}
		} else if errcode.From(err).Code != errcode.Gateway {
			t.Errorf("a fork that isn't offered gave %v", err)
		}
		done, err := c.SessionCompact(ctx(t), key)
		if o.Dialect == client.DialectJSONRPC {
			reset := c.SessionReset(ctx(t), key)
			if errcode.From(err).Code != errcode.Gateway || errcode.From(reset).Code != errcode.Gateway {
				t.Errorf("a gateway without sessions.compact and sessions.reset gave %+v, %v", done, err)
			}
			return
		}
		if want := o.Generation == gatewaytest.Newest; slices.Contains(acts, client.ActFork) != want {
			t.Errorf("it offers %v", acts)
		}
		if err != nil || !done.Compacted || left(key) != 3 {
			t.Errorf("compacted: %+v, %v, %d messages", done, err, left(key))
		}
		if err := c.SessionReset(ctx(t), key); err != nil || left(key) != 0 {
			t.Errorf("%d messages after a reset: %v", left(key), err)
		}
		if done, err := c.SessionCompact(ctx(t), key); err != nil || done.Compacted || done.Reason == "" {
			t.Errorf("an empty session was compacted: %+v, %v", done, err)
		}
	})
}

// OC-5: what a gateway doesn't list isn't offered and isn't sent. An empty answer is no success.
func TestOC5_SessionActsThatLie(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	peer.SetFaults(gatewaytest.Faults{Lacks: []string{"sessions.reset", "sessions.fork"}, RawAnswer: map[string]string{
		"sessions.compact": `{"type":"res","id":$ID,"ok":true,"payload":{"ok":true}}`,
	}})
	c := run(t, client.Options{URL: peer.URL, Token: token(peer.Token)})
	if _, err := c.SessionsList(ctx(t), client.SessionsQuery{}); err != nil {
		t.Fatal(err)
	}
	want := []client.SessionAct{client.ActStop, client.ActCompact}
	if got := client.SessionActs(c.Features()); !slices.Equal(got, want) {
		t.Errorf("it offers %v", got)
	}
	if err := c.SessionReset(ctx(t), "agent:main:main"); errcode.From(err).Code != errcode.Gateway {
		t.Errorf("a reset that isn't offered gave %v", err)
	}
	if n := peer.Count("sessions.reset"); n != 0 {
		t.Errorf("it was sent %d times all the same", n)
	}
	_, err := c.SessionCompact(ctx(t), "agent:main:main")
	if !errcode.HasReason(err, errcode.ReasonUnknown) {
		t.Errorf("an answer that says nothing gave %v", err)
	}
}

// OC-5: a list of sessions is believed only as far as it can be: rows without a key, rows of another shape and
// repeated ones are left out, numbers have bounds, and there are at most MaxSessions.
func TestOC5_AListThatLies(t *testing.T) {
	t.Parallel()
	rows := `{"key":"agent:web:subagent:1","hasActiveRun":true,"totalTokens":1e300,"estimatedCostUsd":-4,` +
		`"spawnedBy":"agent:lead:main","startedAt":1795745132741},{"key":"agent:web:subagent:1"},{"key":7},7,{}`
	for i := range 2 * client.MaxSessions {
		rows += fmt.Sprintf(`,{"key":"agent:main:s%d"}`, i)
	}
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	peer.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{
		"sessions.list": `{"type":"res","id":$ID,"ok":true,"payload":{"sessions":[` + rows + `]}}`,
	}})
	c := run(t, client.Options{URL: peer.URL, Token: token(peer.Token)})
	got, err := c.SessionsList(ctx(t), client.SessionsQuery{})
	if err != nil || len(got) != client.MaxSessions {
		t.Fatalf("%d sessions, %v", len(got), err)
	}
	s := got[0]
	if s.Parent != "agent:lead:main" || !s.Running || s.TotalTokens != 1e15 || s.CostUSD != 0 || s.StartedAt.IsZero() ||
		got[1].SessionKey != "agent:main:s0" {
		t.Errorf("%+v, then %+v", s, got[1])
	}
}
