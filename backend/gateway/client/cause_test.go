package client_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agentflow/backend/gateway/client"
)

// Why a gateway is not there is said in a word, so that it can be told in any language.
func TestGW1_DownSaysWhy(t *testing.T) {
	t.Parallel()
	nothing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	plain, secret := httptest.NewServer(nothing), httptest.NewTLSServer(nothing)
	t.Cleanup(plain.Close)
	t.Cleanup(secret.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	for want, url := range map[string]string{
		"refused":     "ws://" + closed.Addr().String(),
		"no_host":     "ws://no-such-computer.invalid:18789",
		"no_gateway":  "ws" + strings.TrimPrefix(plain.URL, "http"),
		"certificate": "wss" + strings.TrimPrefix(secret.URL, "https"),
		"no_tls":      "wss" + strings.TrimPrefix(plain.URL, "http"),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			c := run(t, client.Options{URL: url, Timing: quick})
			waitState(t, c, want,
				func(st client.Status) bool { return st.Error != nil && st.Error.Details["cause"] == want })
		})
	}
}
