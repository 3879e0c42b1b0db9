package client_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
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

// The certificate that a fingerprint names is trusted, and no other. What was presented can be compared.
func TestGW1_ACertificateIsTrustedByItsFingerprint(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	back, err := url.Parse("http" + strings.TrimPrefix(s.URL, "ws"))
	if err != nil {
		t.Fatal(err)
	}
	secret := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(back))
	t.Cleanup(secret.Close)
	address := "wss" + strings.TrimPrefix(secret.URL, "https")
	pin := netlisten.FingerprintOf(secret.Certificate().Raw)
	c := run(t, client.Options{URL: address, Token: token(s.Token), Fingerprint: strings.ToUpper(pin)})
	if err := c.WaitConnected(ctx(t)); err != nil {
		t.Error(err)
	}
	upgrades := len(s.Upgrades())
	for pinned, cause := range map[string]string{
		"": client.CauseCertificate, "sha256:" + strings.Repeat("0", 64): client.CauseChanged,
	} {
		c := run(t, client.Options{URL: address, Token: token(s.Token), Fingerprint: pinned})
		st := waitState(t, c, "a verdict", func(st client.Status) bool { return st.Error != nil })
		if st.State != client.StateDown || st.Error.Details["cause"] != cause ||
			st.Error.Details["fingerprint"] != pin || st.Error.Reason() != errcode.ReasonLinkDown {
			t.Errorf("%q: %s, %+v", pinned, st.State, st.Error)
		}
	}
	if len(s.Upgrades()) != upgrades {
		t.Error("something was sent")
	}
	for _, wrong := range []client.Options{{URL: address, Fingerprint: "sha256:12"}, {URL: s.URL, Fingerprint: pin}} {
		if _, err := client.New(wrong); !errcode.Is(err, errcode.Validation) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}
