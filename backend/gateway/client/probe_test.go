package client_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

// A probe tells the dialect and leaves nothing there: no token, no login, no device that
// somebody would have to approve.
func TestGW1_ProbeTellsTheDialectAndLogsInNowhere(t *testing.T) {
	for _, d := range []client.Dialect{client.DialectFramed, client.DialectJSONRPC} {
		s := gatewaytest.Start(t, gatewaytest.Options{Dialect: d, Token: "-"})
		found, ok := client.Probe(ctx(t), s.URL, 3*time.Second)
		if !ok || found.Dialect != d || found.URL != s.URL {
			t.Errorf("%s: found %+v, %v", d, found, ok)
		}
		for _, h := range s.Upgrades() {
			if h.Get("Authorization") != "" {
				t.Errorf("%s: a token was sent", d)
			}
		}
		for _, c := range s.Calls() {
			if c.Method != "agentflow.probe" {
				t.Errorf("%s: it was called: %s", d, c.Method)
			}
		}
	}
}

func TestGW1_ProbeFindsNothingWhereNoGatewayIs(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	locked := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }),
	)
	defer locked.Close()
	mute := "ws://" + silent.Addr().String()
	for address, want := range map[string]bool{
		"ws" + web.URL[4:]: false, "ws://127.0.0.1:1": false, mute: false, "not an address": false,
		"ws" + locked.URL[4:]: true,
	} {
		patience := 30 * time.Second // for an answer that comes
		if address == mute {
			patience = 500 * time.Millisecond
		}
		if found, ok := client.Probe(ctx(t), address, patience); ok != want {
			t.Errorf("%s: %+v, %v", address, found, ok)
		}
	}
}
