package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

func faultKinds() map[string]gatewaytest.Options {
	return map[string]gatewaytest.Options{"framed": {}, "jsonrpc": {Dialect: client.DialectJSONRPC}}
}

func eachDialect(t *testing.T, test func(t *testing.T, o gatewaytest.Options)) {
	for name, o := range faultKinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, o)
		})
	}
}

func TestFaultRateLimited(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	s.SetFaults(gatewaytest.Faults{RateLimitMs: 58105})
	_, err := c.ConfigApply(ctx(t), client.ApplyRequest{Raw: "{}", BaseHash: s.Hash()})
	if e := errcode.From(err); e.Reason() != errcode.ReasonRateLimited || e.Details[errcode.KeyRetryAfterMs] != int64(58105) {
		t.Fatalf("got %v %v", err, e.Details)
	}
}

// GW-3: a link lost during an apply leaves the outcome unknown, and nothing is sent again.
func TestGW3_FaultCutDuringApply(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		for _, done := range []bool{false, true} {
			s := gatewaytest.Start(t, o)
			c := dial(t, s)
			cfg, err := c.ConfigGet(ctx(t))
			if err != nil {
				t.Fatal(err)
			}
			cut := map[string]bool{"config.apply": true}
			if done {
				s.SetFaults(gatewaytest.Faults{CutAfter: cut})
			} else {
				s.SetFaults(gatewaytest.Faults{Cut: cut})
			}
			_, err = c.ConfigApply(
				ctx(t),
				client.ApplyRequest{Raw: addAgent(t, cfg.Parsed, "dev-1"), BaseHash: cfg.Hash},
			)
			if !errcode.Is(err, errcode.Gateway) || !errcode.HasReason(err, errcode.ReasonUnknown) {
				t.Fatalf("done %v: got %v", done, err)
			}
			after, err := c.ConfigGet(ctx(t)) // it waits for the link that is coming back
			if err != nil || strings.Contains(string(after.Parsed), "dev-1") != done {
				t.Fatalf("done %v: %s, %v", done, after.Parsed, err)
			}
			if n := s.Count("config.apply"); n != 1 {
				t.Fatalf("config.apply was sent %d times", n)
			}
		}
	})
}

// A call cut in two fails with link_down, a late one with a timeout; both leave nothing behind.
func TestFaultStallAndCut(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		s.SetFaults(gatewaytest.Faults{Stall: map[string]bool{"chat.history": true, "config.apply": true}})
		short, cancel := context.WithTimeout(ctx(t), 50*time.Millisecond)
		defer cancel()
		if _, err := c.ChatHistory(short, "k", 1); !errcode.Is(err, errcode.Timeout) {
			t.Fatalf("a stalled read gave %v", err)
		}
		gone, cancel2 := context.WithCancel(ctx(t))
		time.AfterFunc(30*time.Millisecond, cancel2)
		if _, err := c.ChatHistory(gone, "k", 1); !errcode.Is(err, errcode.Unavailable) {
			t.Fatalf("a stopped read gave %v", err)
		}
		short2, cancel3 := context.WithTimeout(ctx(t), 50*time.Millisecond)
		defer cancel3()
		if _, err := c.ConfigApply(short2, client.ApplyRequest{Raw: "{}", BaseHash: "x"}); !errcode.HasReason(err, errcode.ReasonUnknown) {
			t.Fatalf("a stalled apply gave %v", err)
		}
		if _, err := c.ConfigGet(ctx(t)); err != nil {
			t.Fatalf("a stalled call cost the link: %v", err)
		}
		s.SetFaults(gatewaytest.Faults{Cut: map[string]bool{"chat.history": true}})
		if _, err := c.ChatHistory(ctx(t), "k", 1); !errcode.HasReason(err, errcode.ReasonLinkDown) {
			t.Fatalf("a cut read gave %v", err)
		}
	})
}

// Answers may come in any order, many at once.
func TestFaultAnswersOutOfOrder(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		const n = 32
		for i := range n {
			if _, err := c.ChatSend(ctx(t), client.ChatMessage{SessionKey: fmt.Sprint("agent:main:", i), Message: fmt.Sprint("m", i)}); err != nil {
				t.Fatal(err)
			}
		}
		s.SetFaults(gatewaytest.Faults{Hold: map[string]int{"chat.history": n}})
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				h, err := c.ChatHistory(ctx(t), fmt.Sprint("agent:main:", i), 0)
				if err != nil || len(h) != 2 || h[0].Text() != fmt.Sprint("m", i) {
					t.Errorf("session %d: %+v, %v", i, h, err)
				}
			})
		}
		wg.Wait()
	})
}

// Nonsense between the frames neither panics nor costs the link, until it is too much.
func TestFaultNonsenseFrames(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		nonsense := []string{
			"", "{", "null", "[]", "7", "\xff\xfe", gatewaytest.Deep(100_000), `{"type":"res","id":"999","ok":true,"payload":{}}`[:20],
			`{"jsonrpc":"2.0","id":999,"result":{}}`[:30], `{"type":7}`, `{"id":{}}`, strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70),
		}
		for _, text := range nonsense {
			s.SendRaw(text)
		}
		if _, err := c.ConfigGet(ctx(t)); err != nil {
			t.Fatal(err)
		}
		if len(s.Upgrades()) != 1 {
			t.Fatalf("%d sockets: a little nonsense cost the link", len(s.Upgrades()))
		}
		for range 64 {
			s.SendRaw("{")
		}
		waitState(t, c, "the end of patience", func(client.Status) bool { return len(s.Upgrades()) > 1 })
		waitState(t, c, "a new link", inState(client.StateConnected))
	})
}

// A frame beyond 32 MiB ends the link with a reason; one of 20 MiB does not.
func TestFaultHugeFrames(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		timing := quick
		timing.Call, timing.Handshake = 5*time.Minute, time.Minute // megabytes take their time under the race detector
		c := run(t, client.Options{URL: s.URL, Token: token(s.Token), Timing: timing})
		if err := c.WaitConnected(ctx(t)); err != nil {
			t.Fatal(err)
		}
		answer := func(size int) map[string]string {
			if o.Dialect == client.DialectJSONRPC {
				return map[string]string{"config.get": `{"jsonrpc":"2.0","id":$ID,"result":{"baseHash":"h","config":{"x":"` + strings.Repeat("x", size) + `"}}}`}
			}
			return map[string]string{"config.get": `{"type":"res","id":$ID,"ok":true,"payload":{"hash":"h","parsed":{"x":"` + strings.Repeat("x", size) + `"}}}`}
		}
		s.SetFaults(gatewaytest.Faults{RawAnswer: answer(20 << 20)})
		if cfg, err := c.ConfigGet(t.Context()); err != nil || len(cfg.Parsed) < 20<<20 {
			t.Fatalf("%d bytes, %v", len(cfg.Parsed), err)
		}
		s.SetFaults(gatewaytest.Faults{RawAnswer: answer(33 << 20)})
		if _, err := c.ConfigGet(t.Context()); !errcode.HasReason(err, errcode.ReasonLinkDown) || !strings.Contains(err.Error(), "limit") {
			t.Fatalf("got %v", err)
		}
	})
}

// What is larger than the gateway takes is not sent at all.
func TestFaultWriteGuard(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetFaults(gatewaytest.Faults{MaxPayload: 2000})
	c := dial(t, s)
	_, err := c.ConfigApply(ctx(t), client.ApplyRequest{Raw: strings.Repeat("x", 3000), BaseHash: "x"})
	if !errcode.HasReason(err, errcode.ReasonRejected) || errcode.From(err).Details["limit"] != int64(2000) || s.Count("config.apply") != 0 {
		t.Fatalf("got %v", err)
	}
}

// GW-9: lost events are reported; a flood cuts slow readers only.
func TestGW9_FaultGapAndFlood(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	events, slow := c.Events(1<<14), c.Events(4)
	defer events.Close()
	defer slow.Close()
	s.Emit("a", 1)
	s.Emit("huge", strings.Repeat("x", 5<<20))
	s.EmitGap("b", map[string]any{"x": 1})
	var names []string
	for e := range events.C() {
		if e.Resync {
			names = append(names, "resync:"+e.Reason)
			continue
		}
		if names = append(names, e.Name); e.Name == "b" {
			if e.Seq == 0 || !json.Valid(e.Payload) {
				t.Fatalf("event %+v", e)
			}
			break
		}
	}
	if got := strings.Join(names, " "); got != "a resync:too_large resync:gap b" {
		t.Fatalf("events %s", got)
	}
	for i := range 5000 {
		s.EmitGap("flood", i)
	}
	s.Emit("end", nil)
	resyncs, deadline := 0, time.After(15*time.Second)
	for done := false; !done; {
		select {
		case e := <-events.C():
			if e.Resync {
				resyncs++
			}
			done = e.Name == "end"
		case <-deadline:
			t.Fatal("the flood did not end")
		}
	}
	if resyncs > 16 {
		t.Fatalf("%d resyncs for one flood", resyncs)
	}
	for range slow.C() {
	}
	if !errors.Is(slow.Err(), event.ErrLagged) {
		t.Fatalf("the slow reader ended with %v", slow.Err())
	}
	if _, err := c.ConfigGet(ctx(t)); err != nil {
		t.Fatal(err)
	}
}
