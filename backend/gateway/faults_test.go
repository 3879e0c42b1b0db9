package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/event"
	"agentflow/backend/gateway"
	"agentflow/backend/gateway/gatewaytest"
)

func faultKinds() map[string]gatewaytest.Options {
	return map[string]gatewaytest.Options{"framed": {}, "jsonrpc": {Dialect: gateway.DialectJSONRPC}}
}

func eachDialect(t *testing.T, test func(t *testing.T, o gatewaytest.Options)) {
	for name, o := range faultKinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, o)
		})
	}
}

// GW-1: the token is sent at connect, and no Origin ever.
func TestGW1_Upgrade(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		dial(t, s)
		for _, h := range s.Upgrades() {
			if h.Get("Authorization") != "Bearer "+s.Token || h.Get("Origin") != "" {
				t.Fatalf("headers %v", h)
			}
		}
	})
}

// A framed gateway that is slow to greet is still recognised, and costs one more socket at most.
func TestGW10_LateChallenge(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetFaults(gatewaytest.Faults{ChallengeDelay: 2 * quick.ChallengeWait})
	c := dial(t, s)
	if st := c.Status(); st.Dialect != gateway.DialectFramed || len(s.Upgrades()) != 2 {
		t.Fatalf("dialect %q after %d sockets", st.Dialect, len(s.Upgrades()))
	}
	c.Reconnect()
	waitState(t, c, "the second connection", func(st gateway.Status) bool {
		return st.State == gateway.StateConnected && len(s.Upgrades()) >= 3
	})
	if n := len(s.Upgrades()); n != 3 {
		t.Fatalf("what was learnt is forgotten: %d sockets", n)
	}
}

// A framed gateway that never greets refuses our JSON-RPC; that is said, not hidden.
func TestGW10_NoChallenge(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetFaults(gatewaytest.Faults{NoChallenge: true})
	timing := quick
	timing.Handshake = 400 * time.Millisecond
	c := run(t, gateway.Options{URL: s.URL, Token: token(s.Token), Timing: timing})
	st := waitState(t, c, "a failure", func(st gateway.Status) bool { return st.Error != nil })
	if !strings.Contains(st.Error.Error(), "greet") {
		t.Fatalf("the error says %v", st.Error)
	}
	s.SetFaults(gatewaytest.Faults{})
	waitState(t, c, "recovery", inState(gateway.StateConnected))
}

// Another server at the same address may speak the other dialect.
func TestGW10_DialectChanges(t *testing.T) {
	t.Parallel()
	framed := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, framed)
	framed.Down()
	waitState(t, c, "the loss", inState(gateway.StateStarting))
	plain := gatewaytest.StartAt(t, gatewaytest.Options{Dialect: gateway.DialectJSONRPC, Token: framed.Token}, framed.Addr())
	st := waitState(t, c, "the other dialect", inState(gateway.StateConnected))
	if st.Dialect != gateway.DialectJSONRPC || plain.Connections() != 1 {
		t.Fatalf("status %+v", st)
	}
}

// A refused token stops the hammering at once, and Reconnect tries the new one.
func TestGW1_WrongToken(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		var mu sync.Mutex
		secret := "wrong"
		c := run(t, gateway.Options{URL: s.URL, Token: func(context.Context) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			return secret, nil
		}})
		err := c.WaitConnected(ctx(t))
		if !errcode.Is(err, errcode.Unauthorized) || !errcode.HasReason(err, errcode.ReasonBadToken) {
			t.Fatalf("got %v", err)
		}
		st := c.Status()
		if st.State != gateway.StateUnauthorized || time.Until(st.NextRetry) < 30*time.Second {
			t.Fatalf("status %+v", st)
		}
		if _, err := c.ConfigGet(ctx(t)); !errcode.Is(err, errcode.Unauthorized) {
			t.Fatalf("a call gave %v", err)
		}
		if n := len(s.Upgrades()); n > 2 {
			t.Fatalf("%d attempts with a refused token", n)
		}
		mu.Lock()
		secret = s.Token
		mu.Unlock()
		c.Reconnect()
		waitState(t, c, "the right token", inState(gateway.StateConnected))
	})
}

func TestUnusableToken(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(context.Context) (string, error){
		"line break": token("abc\ndef"),
		"failure":    func(context.Context) (string, error) { return "", errors.New("keyring locked") },
	} {
		s := gatewaytest.Start(t, gatewaytest.Options{})
		c := run(t, gateway.Options{URL: s.URL, Token: f})
		err := c.WaitConnected(ctx(t))
		if !errcode.HasReason(err, errcode.ReasonBadToken) || strings.Contains(err.Error(), "abc") || len(s.Upgrades()) != 0 {
			t.Errorf("%s: %v after %d upgrades", name, err, len(s.Upgrades()))
		}
	}
}

// The device token is a fallback for a refused shared token, and is dropped when it is dead.
func TestGW10_DeviceTokenFallback(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	device := gateway.NewFileDeviceStore(t.TempDir())
	connect := func(secret string) (*gateway.Client, error) {
		c := run(t, gateway.Options{URL: s.URL, Token: token(secret), Device: device})
		return c, c.WaitConnected(ctx(t))
	}
	first, err := connect(s.Token)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := device.DeviceToken(first.URL())
	if err != nil || !strings.HasPrefix(kept, "device-") {
		t.Fatalf("kept %q, %v", kept, err)
	}
	if other, _ := device.DeviceToken("ws://127.0.0.1:1/"); other != "" {
		t.Fatal("another address got the token")
	}
	for _, secret := range []string{"rotated", ""} {
		if _, err := connect(secret); err != nil {
			t.Fatalf("the device token did not help with shared token %q: %v", secret, err)
		}
	}
	s.ForgetDevices()
	if _, err := connect("rotated"); !errcode.HasReason(err, errcode.ReasonBadToken) {
		t.Fatalf("got %v", err)
	}
	if kept, _ := device.DeviceToken(first.URL()); kept != "" {
		t.Fatal("a dead device token is kept")
	}
}

func TestGW10_Pairing(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetFaults(gatewaytest.Faults{PairingRequest: "6e2b5363-2627"})
	c := run(t, gateway.Options{URL: s.URL, Token: token(s.Token)})
	err := c.WaitConnected(ctx(t))
	e := errcode.From(err)
	if e.Reason() != errcode.ReasonPairing || e.Details["requestId"] != "6e2b5363-2627" || e.Details["remedy"] != "openclaw devices approve 6e2b5363-2627" {
		t.Fatalf("got %v %v", err, e.Details)
	}
	if st := c.Status(); st.State != gateway.StatePairing || st.PairingRequestID != "6e2b5363-2627" {
		t.Fatalf("status %+v", st)
	}
	s.SetFaults(gatewaytest.Faults{PairingRequest: "x; rm -rf /"}) // it ends in a command that is copied
	c.Reconnect()
	st := waitState(t, c, "the second refusal", func(st gateway.Status) bool { return st.State == gateway.StatePairing && st.PairingRequestID == "" })
	if strings.Contains(st.Error.Message, "rm -rf") {
		t.Fatalf("message %q", st.Error.Message)
	}
	s.SetFaults(gatewaytest.Faults{})
	c.Reconnect()
	if st := waitState(t, c, "approval", inState(gateway.StateConnected)); st.PairingRequestID != "" || st.Error != nil {
		t.Fatalf("status %+v", st)
	}
}

// Scopes are checked from the welcome, and what needs more is refused here already.
func TestGW10_Scopes(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetFaults(gatewaytest.Faults{Scopes: []string{"operator.read"}})
	c := dial(t, s)
	if _, err := c.ConfigGet(ctx(t)); err != nil {
		t.Fatal(err)
	}
	_, err := c.ConfigApply(ctx(t), gateway.ApplyRequest{Raw: "{}", BaseHash: s.Hash()})
	if !errcode.HasReason(err, errcode.ReasonNoScope) || errcode.From(err).Details["missingScope"] != "operator.admin" || s.Count("config.apply") != 0 {
		t.Fatalf("got %v after %d applies", err, s.Count("config.apply"))
	}
	s.SetFaults(gatewaytest.Faults{Scopes: []string{}})
	c.Reconnect()
	waitState(t, c, "a login without rights", inState(gateway.StateNoScope))
	if err := c.WaitConnected(ctx(t)); !errcode.HasReason(err, errcode.ReasonNoScope) {
		t.Fatalf("got %v", err)
	}
}

func TestRateLimited(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	s.SetFaults(gatewaytest.Faults{RateLimitMs: 58105})
	_, err := c.ConfigApply(ctx(t), gateway.ApplyRequest{Raw: "{}", BaseHash: s.Hash()})
	if e := errcode.From(err); e.Reason() != errcode.ReasonRateLimited || e.Details[errcode.KeyRetryAfterMs] != int64(58105) {
		t.Fatalf("got %v %v", err, e.Details)
	}
}

// GW-3: a link lost during an apply leaves the outcome unknown, and nothing is sent again.
func TestGW3_CutDuringApply(t *testing.T) {
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
			_, err = c.ConfigApply(ctx(t), gateway.ApplyRequest{Raw: addAgent(t, cfg.Parsed, "dev-1"), BaseHash: cfg.Hash})
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

// A call cut in two says link_down; one that ran out of time says so; both leave nothing behind.
func TestStallAndCut(t *testing.T) {
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
		if _, err := c.ConfigApply(short2, gateway.ApplyRequest{Raw: "{}", BaseHash: "x"}); !errcode.HasReason(err, errcode.ReasonUnknown) {
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
func TestAnswersOutOfOrder(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		const n = 32
		for i := range n {
			if _, err := c.ChatSend(ctx(t), gateway.ChatMessage{SessionKey: fmt.Sprint("agent:main:", i), Message: fmt.Sprint("m", i)}); err != nil {
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
func TestNonsenseFrames(t *testing.T) {
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
		waitState(t, c, "the end of patience", func(gateway.Status) bool { return len(s.Upgrades()) > 1 })
		waitState(t, c, "a new link", inState(gateway.StateConnected))
	})
}

// A frame beyond 32 MiB ends the link with a reason; one of 20 MiB does not.
func TestHugeFrames(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		answer := func(size int) map[string]string {
			if o.Dialect == gateway.DialectJSONRPC {
				return map[string]string{"config.get": `{"jsonrpc":"2.0","id":$ID,"result":{"baseHash":"h","config":{"x":"` + strings.Repeat("x", size) + `"}}}`}
			}
			return map[string]string{"config.get": `{"type":"res","id":$ID,"ok":true,"payload":{"hash":"h","parsed":{"x":"` + strings.Repeat("x", size) + `"}}}`}
		}
		s.SetFaults(gatewaytest.Faults{RawAnswer: answer(20 << 20)})
		if cfg, err := c.ConfigGet(ctx(t)); err != nil || len(cfg.Parsed) < 20<<20 {
			t.Fatalf("%d bytes, %v", len(cfg.Parsed), err)
		}
		s.SetFaults(gatewaytest.Faults{RawAnswer: answer(33 << 20)})
		if _, err := c.ConfigGet(ctx(t)); !errcode.HasReason(err, errcode.ReasonLinkDown) || !strings.Contains(err.Error(), "limit") {
			t.Fatalf("got %v", err)
		}
	})
}

// What is larger than the gateway takes is not sent at all.
func TestWriteGuard(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetFaults(gatewaytest.Faults{MaxPayload: 2000})
	c := dial(t, s)
	_, err := c.ConfigApply(ctx(t), gateway.ApplyRequest{Raw: strings.Repeat("x", 3000), BaseHash: "x"})
	if !errcode.HasReason(err, errcode.ReasonRejected) || errcode.From(err).Details["limit"] != int64(2000) || s.Count("config.apply") != 0 {
		t.Fatalf("got %v", err)
	}
}

// GW-9: lost events are told; a flood cuts slow readers only.
func TestGW9_GapAndFlood(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	events, slow := c.Events(1<<14), c.Events(4)
	defer events.Close()
	defer slow.Close()
	s.Emit("a", 1)
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
	if got := strings.Join(names, " "); got != "a resync:gap b" {
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

// GW-1: the link comes back by itself, and readers are told to read afresh.
func TestGW1_Reconnects(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		events := c.Events(256)
		defer events.Close()
		for i, lose := range []func(){
			func() { s.Disconnect(1006, "") }, func() { s.Disconnect(1012, "service restart") },
			func() { s.Disconnect(1013, "gateway starting") }, s.Restart,
		} {
			lose()
			waitState(t, c, fmt.Sprint("reconnect ", i), func(st gateway.Status) bool {
				return st.State == gateway.StateConnected && len(s.Upgrades()) >= i+2
			})
			if !nextResync(events.C()) {
				t.Fatalf("no resync after loss %d", i)
			}
		}
		s.Down()
		st := waitState(t, c, "the loss", inState(gateway.StateStarting))
		if st.Error == nil || st.Error.Reason() != errcode.ReasonLinkDown {
			t.Fatalf("status %+v", st)
		}
		s.Up()
		waitState(t, c, "the return", inState(gateway.StateConnected))
	})
}

func nextResync(events <-chan gateway.Event) bool {
	deadline := time.After(5 * time.Second)
	for {
		select {
		case e := <-events:
			if e.Resync {
				return e.Reason == "reconnected"
			}
		case <-deadline:
			return false
		}
	}
}

// A booting gateway is "starting", whatever way it says so; other servers are not.
func TestStartingAndDown(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		faults gatewaytest.Faults
		want   gateway.State
		says   string
	}{
		"503":         {gatewaytest.Faults{Status: 503}, gateway.StateStarting, "503"},
		"unavailable": {gatewaytest.Faults{Unavailable: true}, gateway.StateStarting, "starting"},
		"404":         {gatewaytest.Faults{Status: 404}, gateway.StateDown, "404"},
		"401":         {gatewaytest.Faults{Status: 401}, gateway.StateUnauthorized, "token"},
		"redirect":    {gatewaytest.Faults{Status: 302, Location: "http://127.0.0.1:1/x?token=zzz"}, gateway.StateDown, "redirect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := gatewaytest.Start(t, gatewaytest.Options{})
			s.SetFaults(tc.faults)
			c := run(t, gateway.Options{URL: s.URL, Token: token(s.Token)})
			st := waitState(t, c, name, func(st gateway.Status) bool { return st.Error != nil })
			if st.State != tc.want || !strings.Contains(st.Error.Error(), tc.says) || strings.Contains(st.Error.Error(), "zzz") {
				t.Fatalf("state %s, error %v", st.State, st.Error)
			}
			if st.State == gateway.StateStarting {
				s.SetFaults(gatewaytest.Faults{})
				waitState(t, c, "the start", inState(gateway.StateConnected))
			}
		})
	}
}

// A dead link is noticed within two ticks, though TCP says nothing.
func TestDeadLink(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		o.Tick = 200 * time.Millisecond
		s := gatewaytest.Start(t, o)
		s.SetFaults(gatewaytest.Faults{IgnorePings: true})
		timing := quick
		timing.Tick = 200 * time.Millisecond
		c := run(t, gateway.Options{URL: s.URL, Token: token(s.Token), Timing: timing})
		waitState(t, c, "the first link", inState(gateway.StateConnected))
		began := time.Now()
		s.SetFaults(gatewaytest.Faults{})
		waitState(t, c, "the loss and the return", func(st gateway.Status) bool {
			return st.State == gateway.StateConnected && len(s.Upgrades()) >= 2
		})
		if took := time.Since(began); took > 3*time.Second {
			t.Fatalf("it took %v", took)
		}
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for c.Status().LatencyMs == 0 {
			select {
			case <-tick.C:
			case <-ctx(t).Done():
				t.Fatal("no latency was measured")
			}
		}
	})
}

func TestRunTwiceAndAfterEnd(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c, err := gateway.New(gateway.Options{URL: s.URL, Token: token(s.Token), Timing: quick})
	if err != nil {
		t.Fatal(err)
	}
	runCtx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- c.Run(runCtx) }()
	if err := c.WaitConnected(ctx(t)); err != nil {
		t.Fatal(err)
	}
	if err := c.Run(runCtx); err == nil {
		t.Fatal("Run can be called twice")
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, err := c.ConfigGet(ctx(t)); !errcode.HasReason(err, errcode.ReasonLinkDown) || c.Status().State != gateway.StateClosed {
		t.Fatalf("after the end: %v, %s", err, c.Status().State)
	}
}
