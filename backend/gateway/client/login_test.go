package client_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

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
	if st := c.Status(); st.Dialect != client.DialectFramed || len(s.Upgrades()) != 2 {
		t.Fatalf("dialect %q after %d sockets", st.Dialect, len(s.Upgrades()))
	}
	c.Reconnect()
	waitState(t, c, "the second connection", func(st client.Status) bool {
		return st.State == client.StateConnected && len(s.Upgrades()) >= 3
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
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token), Timing: timing})
	st := waitState(t, c, "a failure", func(st client.Status) bool { return st.Error != nil })
	if !strings.Contains(st.Error.Error(), "greet") {
		t.Fatalf("the error says %v", st.Error)
	}
	s.SetFaults(gatewaytest.Faults{})
	waitState(t, c, "recovery", inState(client.StateConnected))
}

// Another server at the same address may speak the other dialect.
func TestGW10_DialectChanges(t *testing.T) {
	t.Parallel()
	framed := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, framed)
	framed.Down()
	waitState(t, c, "the loss", inState(client.StateStarting))
	plain := gatewaytest.StartAt(t, gatewaytest.Options{Dialect: client.DialectJSONRPC, Token: framed.Token},
		framed.Addr())
	st := waitState(t, c, "the other dialect", inState(client.StateConnected))
	if st.Dialect != client.DialectJSONRPC || plain.Connections() != 1 {
		t.Fatalf("status %+v", st)
	}
}

// A refused token stops the hammering at once, and Reconnect tries the new one.
func TestGW1_FaultWrongToken(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		var mu sync.Mutex
		secret := "wrong"
		c := run(t, client.Options{URL: s.URL, Token: func(context.Context) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			return secret, nil
		}})
		err := c.WaitConnected(ctx(t))
		if !errcode.Is(err, errcode.Unauthorized) || !errcode.HasReason(err, errcode.ReasonBadToken) {
			t.Fatalf("got %v", err)
		}
		st := c.Status()
		if st.State != client.StateUnauthorized || time.Until(st.NextRetry) < 30*time.Second {
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
		waitState(t, c, "the right token", inState(client.StateConnected))
	})
}

func TestFaultUnusableToken(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(context.Context) (string, error){
		"line break": token("abc\ndef"),
		"failure":    func(context.Context) (string, error) { return "", errors.New("keyring locked") },
	} {
		s := gatewaytest.Start(t, gatewaytest.Options{})
		c := run(t, client.Options{URL: s.URL, Token: f})
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
	device := client.NewFileDeviceStore(t.TempDir())
	connect := func(secret string) (*client.Client, error) {
		c := run(t, client.Options{URL: s.URL, Token: token(secret), Device: device})
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
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token)})
	err := c.WaitConnected(ctx(t))
	e := errcode.From(err)
	if e.Reason() != errcode.ReasonPairing || e.Details["requestId"] != "6e2b5363-2627" || e.Details["remedy"] != "openclaw devices approve 6e2b5363-2627" {
		t.Fatalf("got %v %v", err, e.Details)
	}
	if st := c.Status(); st.State != client.StatePairing || st.PairingRequestID != "6e2b5363-2627" {
		t.Fatalf("status %+v", st)
	}
	s.SetFaults(gatewaytest.Faults{PairingRequest: "x; rm -rf /"}) // it ends in a command that is copied
	c.Reconnect()
	st := waitState(t, c, "the second refusal",
		func(st client.Status) bool { return st.State == client.StatePairing && st.PairingRequestID == "" })
	if strings.Contains(st.Error.Message, "rm -rf") {
		t.Fatalf("message %q", st.Error.Message)
	}
	s.SetFaults(gatewaytest.Faults{})
	c.Reconnect()
	if st := waitState(t, c, "approval", inState(client.StateConnected)); st.PairingRequestID != "" || st.Error != nil {
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
	_, err := c.ConfigApply(ctx(t), client.ApplyRequest{Raw: "{}", BaseHash: s.Hash()})
	if !errcode.HasReason(err, errcode.ReasonNoScope) || errcode.From(err).Details["missingScope"] != "operator.admin" || s.Count("config.apply") != 0 {
		t.Fatalf("got %v after %d applies", err, s.Count("config.apply"))
	}
	s.SetFaults(gatewaytest.Faults{Scopes: []string{}})
	c.Reconnect()
	waitState(t, c, "a login without rights", inState(client.StateNoScope))
	if err := c.WaitConnected(ctx(t)); !errcode.HasReason(err, errcode.ReasonNoScope) {
		t.Fatalf("got %v", err)
	}
}

// GW-1: the client reconnects automatically, and readers are notified to read again.
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
			waitState(t, c, fmt.Sprint("reconnect ", i), func(st client.Status) bool {
				return st.State == client.StateConnected && len(s.Upgrades()) >= i+2
			})
			if !nextResync(events.C()) {
				t.Fatalf("no resync after loss %d", i)
			}
		}
		s.Down()
		st := waitState(t, c, "the loss", inState(client.StateStarting))
		if st.Error == nil || st.Error.Reason() != errcode.ReasonLinkDown {
			t.Fatalf("status %+v", st)
		}
		s.Up()
		waitState(t, c, "the return", inState(client.StateConnected))
	})
}

func nextResync(events <-chan client.Event) bool {
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

// A booting gateway is "starting", however it reports that; other servers are not.
func TestFaultStartingAndDown(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		faults gatewaytest.Faults
		want   client.State
		says   string
	}{
		"503":         {gatewaytest.Faults{Status: 503}, client.StateStarting, "503"},
		"unavailable": {gatewaytest.Faults{Unavailable: true}, client.StateStarting, "starting"},
		"404":         {gatewaytest.Faults{Status: 404}, client.StateDown, "404"},
		"401":         {gatewaytest.Faults{Status: 401}, client.StateUnauthorized, "token"},
		"redirect":    {gatewaytest.Faults{Status: 302, Location: "http://127.0.0.1:1/x?token=zzz"}, client.StateDown, "redirect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := gatewaytest.Start(t, gatewaytest.Options{})
			s.SetFaults(tc.faults)
			c := run(t, client.Options{URL: s.URL, Token: token(s.Token)})
			st := waitState(t, c, name, func(st client.Status) bool { return st.Error != nil })
			if st.State != tc.want || !strings.Contains(st.Error.Error(), tc.says) || strings.Contains(st.Error.Error(), "zzz") {
				t.Fatalf("state %s, error %v", st.State, st.Error)
			}
			if st.State == client.StateStarting {
				s.SetFaults(gatewaytest.Faults{})
				waitState(t, c, "the start", inState(client.StateConnected))
			}
		})
	}
}

// A dead link is noticed within two ticks, though TCP says nothing.
func TestFaultDeadLink(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		o.Tick = 200 * time.Millisecond
		s := gatewaytest.Start(t, o)
		s.SetFaults(gatewaytest.Faults{IgnorePings: true})
		timing := quick
		timing.Tick = 200 * time.Millisecond
		c := run(t, client.Options{URL: s.URL, Token: token(s.Token), Timing: timing})
		waitState(t, c, "the first link", inState(client.StateConnected))
		began := time.Now()
		s.SetFaults(gatewaytest.Faults{})
		waitState(t, c, "the loss and the return", func(st client.Status) bool {
			return st.State == client.StateConnected && len(s.Upgrades()) >= 2
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
	c, err := client.New(client.Options{URL: s.URL, Token: token(s.Token), Timing: quick})
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
	if _, err := c.ConfigGet(ctx(t)); !errcode.HasReason(err, errcode.ReasonLinkDown) || c.Status().State != client.StateClosed {
		t.Fatalf("after the end: %v, %s", err, c.Status().State)
	}
}

// A gateway that repeats our token does not get it into errors, and so into logs.
func TestFaultTokenIsScrubbed(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		answer := `{"type":"res","id":$ID,"ok":false,"error":{"code":"INVALID_REQUEST","message":"bad ` + s.Token + `","details":{"issues":[{"path":"` + s.Token + `","message":"x"}]}}}`
		if o.Dialect == client.DialectJSONRPC {
			answer = `{"id":$ID,"error":{"code":"VALIDATION_ERROR","message":"bad ` + s.Token + `"}}`
		}
		s.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{"config.get": answer}})
		_, err := c.ConfigGet(ctx(t))
		if err == nil || strings.Contains(fmt.Sprint(err, errcode.From(err).Details), s.Token) || !strings.Contains(err.Error(), "bad ***") {
			t.Fatalf("got %v %v", err, errcode.From(err).Details)
		}
	})
}
