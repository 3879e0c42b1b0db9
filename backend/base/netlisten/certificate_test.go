package netlisten_test

import (
	"crypto/tls"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
)

func serve(t *testing.T, dir string) (url, fingerprint string) {
	t.Helper()
	e, err := netlisten.Open(netlisten.Options{Listen: "127.0.0.1:0", SelfSigned: dir})
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(tls.NewListener(e, e.TLS))
	}()
	t.Cleanup(func() { _ = s.Close(); <-done })
	return "https://" + e.Addr().String(), e.Fingerprint()
}

func get(t *testing.T, url, fingerprint string) error {
	t.Helper()
	trust, err := netlisten.Pin(fingerprint)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trust, DisableKeepAlives: true}}
	res, err := client.Get(url)
	if err == nil {
		err = res.Body.Close()
	}
	return err
}

// The certificate is made once, kept where only its owner reads it, and trusted by its
// fingerprint alone.
func TestAG7_ACertificateIsMadeAndPinned(t *testing.T) {
	dir := t.TempDir()
	url, pin := serve(t, dir)
	again, same := serve(t, dir)
	if pin != same || !strings.HasPrefix(pin, "sha256:") || len(pin) != len("sha256:")+64 {
		t.Errorf("fingerprints %q and %q", pin, same)
	}
	info, err := os.Stat(filepath.Join(dir, "tls-self-signed.pem"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("kept: %v %v", info, err)
	}
	digits := strings.TrimPrefix(pin, "sha256:")
	var pairs []string
	for i := 0; i < len(digits); i += 2 {
		pairs = append(pairs, digits[i:i+2])
	}
	for _, form := range []string{pin, digits, strings.ToUpper(strings.Join(pairs, ":")), " " + pin + "\n"} {
		if err := get(t, again, form); err != nil {
			t.Errorf("%q: %v", form, err)
		}
	}
	_, other := serve(t, t.TempDir())
	var fail *errcode.Error
	if err := get(t, url, other); !errors.As(err, &fail) || fail.Code != errcode.Unauthorized {
		t.Errorf("another's fingerprint: %v", err)
	}
	for _, bad := range []string{"", "sha256:", "sha256:12", digits + "00", strings.Repeat("x", 64)} {
		if _, err := netlisten.Pin(bad); !errcode.Is(err, errcode.Validation) {
			t.Errorf("Pin(%q): %v", bad, err)
		}
	}
	if res, err := http.Get(url); err == nil {
		_ = res.Body.Close()
		t.Error("without a fingerprint it is trusted")
	}
}

func TestAG7_ADamagedCertificateIsLeftAsItIs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tls-self-signed.pem")
	if err := os.WriteFile(path, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := netlisten.Open(netlisten.Options{Listen: "127.0.0.1:0", SelfSigned: dir}); !errcode.Is(err, errcode.Validation) {
		t.Errorf("damaged: %v", err)
	}
	if now, _ := os.ReadFile(path); string(now) != "no certificate" {
		t.Errorf("it was written over: %q", now)
	}
	if _, err := netlisten.Open(netlisten.Options{Listen: "127.0.0.1:0", SelfSigned: filepath.Join(dir, "missing")}); !errcode.Is(err, errcode.Unavailable) {
		t.Errorf("no folder: %v", err)
	}
}
