package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/server/httpapi"
)

// A gateway's certificate is trusted by the fingerprint that is saved with the gateway. It belongs to the URL.
func TestGW1_AGatewaysCertificateIsTrustedByItsFingerprint(t *testing.T) {
	t.Parallel()
	other, dir := enginetest.Start(t, engine.Options{TLSSelfSigned: true}), t.TempDir()
	url, pin := "wss"+strings.TrimPrefix(other.URL(), "https")+"/gateway", other.Exposed().Fingerprint()
	h := startHub(t, dir)
	put := func(url string, more ...string) map[string]any {
		body := map[string]any{"name": "far", "url": url, "token": other.Token()}
		for i := 0; i < len(more); i += 2 {
			body[more[i]] = more[i+1]
		}
		return body
	}
	test := func(body map[string]any) httpapi.Gateway {
		t.Helper()
		var g httpapi.Gateway
		h.must("POST", "/api/gateway-test", body, &g)
		return g
	}
	refused := func(g httpapi.Gateway, cause string) {
		t.Helper()
		if g.State != "down" || g.Error == nil || g.Error.Details["cause"] != cause ||
			g.Error.Details["fingerprint"] != pin {
			t.Errorf("%s, %+v", g.State, g.Error)
		}
	}
	connected := func() {
		t.Helper()
		enginetest.Until(t, "the gateway is connected", func() bool { return h.gateway("far").State == "connected" })
	}
	wrong := "sha256:" + strings.Repeat("0", 64)
	refused(test(put(url)), "certificate")
	refused(test(put(url, "fingerprint", wrong)), "certificate_changed")
	if g := test(put(url, "fingerprint", pin)); g.State != "connected" {
		t.Errorf("%s, %v", g.State, g.Error)
	}
	for _, bad := range []map[string]any{
		put(url, "fingerprint", "sha256:12"), put("ws://127.0.0.1:1", "fingerprint", pin),
	} {
		status, fail := h.call("POST", "/api/gateways", bad, nil)
		if status != 400 || fail.Details[errcode.KeyField] != "fingerprint" {
			t.Errorf("%v: %d %v", bad, status, fail)
		}
	}
	var made httpapi.Gateway
	h.must("POST", "/api/gateways", put(url, "fingerprint", pin), &made)
	connected()
	file, err := os.ReadFile(filepath.Join(dir, "agentflow.yaml"))
	if err != nil || !strings.Contains(string(file), pin) {
		t.Fatalf("the file: %v %s", err, file)
	}
	h.must("PUT", "/api/gateways/far", map[string]any{"name": "far", "url": url}, &made)
	connected()
	if g := test(put(url)); g.State != "connected" || made.Fingerprint != pin {
		t.Errorf("an edit that doesn't name it forgets it: %q, %s %v", made.Fingerprint, g.State, g.Error)
	}
	h.must("PUT", "/api/gateways/far", put("wss://192.0.2.1:9/gateway"), nil)
	if h.gateway("far").Fingerprint != "" {
		t.Error("it holds for another address")
	}
	h.must("PUT", "/api/gateways/far", put(url, "fingerprint", wrong), &made)
	enginetest.Until(t, "the changed certificate is refused", func() bool {
		g := h.gateway("far")
		return g.Error != nil && g.Error.Details["cause"] == "certificate_changed"
	})
}
