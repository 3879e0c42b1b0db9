package client_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

// A redirect is reported and not followed: the token stays with its address.
func TestFaultRedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	other := gatewaytest.Start(t, gatewaytest.Options{})
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetFaults(gatewaytest.Faults{Status: 307, Location: strings.Replace(other.URL, "ws://", "http://", 1)})
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token)})
	st := waitState(t, c, "the redirect", inState(client.StateDown))
	if !strings.Contains(st.Error.Message, other.Addr()) || len(other.Upgrades()) != 0 {
		t.Fatalf("error %v, %d upgrades elsewhere", st.Error, len(other.Upgrades()))
	}
}

// A token goes to another computer with TLS only, or where that was accepted, which is flagged.
func TestTR4_F16_TokenIsNotSentInClear(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		url, token, stored            string
		accepted, refused, inTheClear bool
	}{
		{url: "ws://192.0.2.1:9", token: "secret", refused: true},
		{url: "ws://192.0.2.1:9", token: "secret", accepted: true, inTheClear: true},
		{url: "ws://192.0.2.1:9", stored: "device", refused: true},
		{url: "ws://192.0.2.1:9"},
		{url: "wss://192.0.2.1:9", token: "secret"},
		{url: "ws://127.9.9.9:9", token: "secret"},
		{url: "ws://[::1]:9", token: "secret", stored: "device"},
		{url: "ws://localhost:9", token: "secret"},
	} {
		device := client.NewFileDeviceStore(t.TempDir())
		if address, err := client.NormalizeURL(tc.url); err != nil || device.SetDeviceToken(address, tc.stored) != nil {
			t.Fatal(err)
		}
		timing := quick
		timing.Dial = 100 * time.Millisecond
		c := run(t,
			client.Options{URL: tc.url, Token: token(tc.token), Device: device, Insecure: tc.accepted, Timing: timing})
		st := waitState(t, c, "a verdict", func(s client.Status) bool { return s.Error != nil })
		if refused := errcode.HasReason(st.Error, errcode.ReasonReadable); refused != tc.refused || refused && (st.State != client.StateUnauthorized || !strings.Contains(st.Error.Message, "wss://")) {
			t.Errorf("%+v: %s, %v", tc, st.State, st.Error)
		}
		if st.Insecure != tc.inTheClear {
			t.Errorf("%+v: insecure is %v", tc, st.Insecure)
		}
	}
}

// A caller that waits in vain learns why.
func TestWaitConnectedSaysWhy(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.Down()
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token)})
	short, cancel := context.WithTimeout(ctx(t), 300*time.Millisecond)
	defer cancel()
	err := c.WaitConnected(short)
	if !errcode.HasReason(err, errcode.ReasonLinkDown) || !strings.Contains(err.Error(), "refused") || !strings.Contains(err.Error(), s.Addr()) {
		t.Fatalf("got %v", err)
	}
	if _, err := c.ConfigGet(ctx(t)); !errcode.HasReason(err, errcode.ReasonLinkDown) {
		t.Fatalf("a call gave %v", err)
	}
}

// After a while, an absent gateway is no longer called starting.
func TestFaultAbsentForLongIsDown(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	timing := quick
	timing.StartingFor = 100 * time.Millisecond
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token), Timing: timing})
	waitState(t, c, "connected", inState(client.StateConnected))
	s.Down()
	waitState(t, c, "starting", inState(client.StateStarting))
	waitState(t, c, "down", inState(client.StateDown))
	s.Up()
	waitState(t, c, "the return", inState(client.StateConnected))
}

// A gateway that nobody has seen isn't called starting because it refuses connections.
func TestGW1_AnAddressWhereNothingListensIsDown(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.Down()
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token)})
	for range 2 { // the second time because somebody asked for it
		st := waitState(t, c, "a failure", func(st client.Status) bool { return st.Error != nil })
		if st.State != client.StateDown {
			t.Fatalf("%+v", st)
		}
		c.Reconnect()
	}
	s.Up()
	waitState(t, c, "the return", inState(client.StateConnected))
}

// A server that takes connections and says nothing holds nobody up for ever.
func TestFaultSilentServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") // its backlog takes the connection; nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	timing := quick
	timing.Dial = 100 * time.Millisecond
	c := run(t, client.Options{URL: "ws://" + l.Addr().String(), Timing: timing})
	st := waitState(t, c, "a failure", func(st client.Status) bool { return st.Error != nil })
	if st.State != client.StateDown || st.Error.Reason() != errcode.ReasonLinkDown {
		t.Fatalf("status %+v", st)
	}
}

// A gateway that opens the socket and then answers nothing is recognized in time.
func TestFaultSilentGateway(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC})
	s.SetFaults(gatewaytest.Faults{Stall: map[string]bool{"*": true}})
	timing := quick
	timing.Handshake = 200 * time.Millisecond
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token), Timing: timing})
	st := waitState(t, c, "a failure", func(st client.Status) bool { return st.Error != nil })
	if st.State != client.StateDown || !strings.Contains(st.Error.Message, "answers nothing") {
		t.Fatalf("status %+v", st)
	}
}

// Where answers carry no ids, an answer that comes too late is never taken for the next call's.
func TestNoIDsLateAnswer(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC, NoIDs: true})
	c := dial(t, s)
	s.SetFaults(gatewaytest.Faults{Hold: map[string]int{"config.get": 2}})
	short, cancel := context.WithTimeout(ctx(t), 50*time.Millisecond)
	defer cancel()
	if _, err := c.ConfigGet(short); !errcode.Is(err, errcode.Timeout) {
		t.Fatalf("got %v", err)
	}
	s.SetFaults(gatewaytest.Faults{})
	if list, err := c.SessionsList(ctx(t), client.SessionsQuery{}); err != nil || len(list) != 0 {
		t.Fatalf("sessions %+v, %v", list, err)
	}
	if n := len(s.Upgrades()); n != 2 {
		t.Fatalf("%d sockets: the one with an open answer must not be used again", n)
	}
}

// Run ends at once with its context, even in the middle of an upgrade nobody answers.
func TestFaultStopDuringUpgrade(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	timing := quick
	timing.Dial = time.Minute
	c, err := client.New(client.Options{URL: "ws://" + l.Addr().String(), Timing: timing})
	if err != nil {
		t.Fatal(err)
	}
	runCtx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(runCtx) }()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Read(make([]byte, 1)); err != nil { // the upgrade is under way
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(3 * time.Second):
		t.Fatal("Run goes on")
	}
}
