package webpush_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/work/webpush"
)

// The key pair is made once, at the first use, and only the secrets have its private half.
func TestOC5_TheKeyPairIsMadeOnce(t *testing.T) {
	s, b := newService(t), newBrowser(t)
	r := newRig(t, s.transport())
	private := r.secrets.all[config.PushKey]
	r.put(b.subscription("L1", s.endpoint("/1"), r.key))
	r.open(s.transport())
	if again, err := r.PublicKey(); err != nil || again != r.key || r.secrets.all[config.PushKey] != private {
		t.Errorf("%q, not %q: %v", again, r.key, err)
	}
	data, err := os.ReadFile(r.path)
	if err != nil || private == "" || strings.Contains(string(data), private) {
		t.Errorf("%v", err)
	}
	if about, err := os.Stat(r.path); err != nil || runtime.GOOS != "windows" && about.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", about, err)
	}
	if _, on := r.Browser("L1"); !on {
		t.Error("the browser isn't there after a restart")
	}
}

// A hub that lost its key can't sign for the browsers any more, so it doesn't keep them.
func TestOC5_BrowsersOfALostKeyAreRemoved(t *testing.T) {
	s, b := newService(t), newBrowser(t)
	r := newRig(t, s.transport())
	r.put(b.subscription("L1", s.endpoint("/1"), r.key))
	clear(r.secrets.all)
	r.open(s.transport())
	r.run()
	until(t, "the browser to be removed", func() bool { _, on := r.Browser("L1"); return !on })
	old := b.subscription("L1", s.endpoint("/1"), r.key)
	if err := r.Put(old, ""); errcode.From(err).Reason() != webpush.ReasonKey {
		t.Error(err)
	}
}

// Who is signed out gets nothing from that moment on, and nothing of the browser stays in the file.
func TestOC5_ABrowserThatIsSignedOutIsGone(t *testing.T) {
	s, one, two := newService(t), newBrowser(t), newBrowser(t)
	r := newRig(t, s.transport())
	r.put(one.subscription("ended", s.endpoint("/ended"), r.key))
	r.put(two.subscription("stays", s.endpoint("/stays"), r.key))
	r.run()
	r.logins.end("ended")
	if _, on := r.Browser("ended"); on {
		t.Error("it is still on")
	}
	r.questions.ask(approval("Writer"))
	if got := <-s.got; got.path != "/stays" {
		t.Error(got.path)
	}
	until(t, "the file to be written", func() bool {
		data, err := os.ReadFile(r.path)
		return err == nil && !strings.Contains(string(data), "/ended") && strings.Contains(string(data), "/stays")
	})
	if n := len(s.got); n != 0 {
		t.Errorf("%d pushes too many", n)
	}
}

func TestOC5_TheNumberOfBrowsersIsLimited(t *testing.T) {
	s, b := newService(t), newBrowser(t)
	r := newRig(t, s.transport())
	for i := range webpush.MaxBrowsers {
		r.put(b.subscription(fmt.Sprint("L", i), s.endpoint(fmt.Sprint("/", i)), r.key))
	}
	more := b.subscription("one more", s.endpoint("/more"), r.key)
	if err := r.Put(more, ""); errcode.From(err).Reason() != webpush.ReasonFull {
		t.Error(err)
	}
	r.put(b.subscription("L3", s.endpoint("/new"), r.key)) // replaces the one before
	if err := r.Remove("L4"); err != nil {
		t.Error(err)
	}
	r.put(more)
	r.put(b.subscription("signed in again", s.endpoint("/more"), r.key)) // the same browser
	if _, on := r.Browser("one more"); on {
		t.Error("one browser is listed twice")
	}
}

// What a browser sends isn't trusted: neither the address nor the keys.
func TestTR4_F22_APushServiceIsOnTheInternet(t *testing.T) {
	r, b := newRig(t, nil), newBrowser(t)
	for _, address := range []string{
		"http://push.example.net/1", "ftp://push.example.net/1", "push.example.net/1", "https:///1",
		"https://me:pw@push.example.net/1", "https://push.example.net/#1", "https://localhost/1",
		"https://LOCALHOST./1", "https://hub.localhost/1", "https://127.0.0.1/1", "https://127.1.2.3:18800/1",
		"https://10.0.0.1/1", "https://172.16.0.1/1", "https://192.168.1.1/1", "https://169.254.169.254/latest",
		"https://100.64.0.1/1", "https://0.0.0.0/1", "https://224.0.0.1/1", "https://255.255.255.255/1",
		"https://198.18.0.1/1", "https://[::1]/1", "https://[::]/1", "https://[fe80::1%25eth0]/1",
		"https://[fc00::1]/1", "https://[::ffff:127.0.0.1]/1", "https://[64:ff9b::7f00:1]/1",
		"https://[2002:7f00:1::]/1", "https://push.example.net/" + strings.Repeat("a", 2000),
		"https://push.example.net/\x00",
	} {
		err := r.Put(b.subscription("L1", address, r.key), "")
		if e := errcode.From(err); e.Code != errcode.Validation || e.Reason() != webpush.ReasonAddress {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{
		"https://fcm.googleapis.com/fcm/send/a", "https://1.1.1.1/1", "https://[2606:4700::1]/1",
		"https://push.example.net:8443/1",
	} {
		if err := r.Put(b.subscription("L1", address, r.key), ""); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, change := range []func(*webpush.Subscription){
		func(s *webpush.Subscription) { s.Auth = "AAAA" },
		func(s *webpush.Subscription) { s.Auth = "no base64!" },
		func(s *webpush.Subscription) { s.P256dh = base64.RawURLEncoding.EncodeToString(make([]byte, 65)) },
		func(s *webpush.Subscription) { s.P256dh = "" },
	} {
		s := b.subscription("L1", "https://push.example.net/1", r.key)
		change(&s)
		if err := r.Put(s, ""); !errcode.Is(err, errcode.Validation) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// A push service learns how to reach the owner only by a name that exists on the internet: Apple's rejects others.
func TestOC5_TheContactIsAPublicName(t *testing.T) {
	s, b := newService(t), newBrowser(t)
	r := newRig(t, s.transport())
	for origin, want := range map[string]string{
		"https://agents.shop.com:8443": "https://agents.shop.com", "https://hub": "agentflow@example.com",
		"https://192.168.1.5:18800": "agentflow@example.com", "https://hub.local": "agentflow@example.com",
		"http://127.0.0.1:18800": "agentflow@example.com", "http://agents.shop.com": "agentflow@example.com",
	} {
		if err := r.Put(b.subscription("L1", s.endpoint("/1"), r.key), origin); err != nil {
			t.Fatal(err)
		}
		if got, _ := r.Browser("L1"); got.Contact != want {
			t.Errorf("%s: %q, not %q", origin, got.Contact, want)
		}
	}
}
