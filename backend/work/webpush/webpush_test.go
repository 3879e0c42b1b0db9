package webpush_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/webpush"
)

func dialTo(address string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

func approval(agent string) inbox.Entry {
	e := inbox.Entry{AskedAt: time.Now(), State: inbox.Waiting}
	e.Agent, e.Tool, e.Arguments = agent, "shell_exec", json.RawMessage(`{"command":"rm -rf secret-plan"}`)
	e.Said = "I need the secret-plan"
	return e
}

// A browser gets what it needs to show who asks and where, and nothing of the request.
func TestOC5_APushIsEncryptedSignedAndSaysLittle(t *testing.T) {
	s, b := newService(t), newBrowser(t)
	r := newRig(t, s.transport())
	r.put(b.subscription("L1", s.endpoint("/send/abc"), r.key))
	r.run()
	id := r.questions.ask(approval("Writer"))
	got := <-s.got
	if got.path != "/send/abc" || got.header.Get("Content-Encoding") != "aes128gcm" ||
		got.header.Get("Urgency") != "high" || got.header.Get("TTL") != "86400" {
		t.Errorf("%s %v", got.path, got.header)
	}
	claims := signedBy(t, got.header.Get("Authorization"), r.key)
	if claims["aud"] != "https://push.example.net" || claims["sub"] != "https://hub.example.org" {
		t.Errorf("%v", claims)
	}
	if exp, _ := claims["exp"].(float64); exp > float64(time.Now().Add(24*time.Hour).Unix()) {
		t.Errorf("the signature is good for longer than a day: %v", exp)
	}
	want := map[string]any{"kind": "approval", "name": "Writer", "place": "#/inbox/" + string(id), "language": "ja"}
	if text := b.open(t, got.body); fmt.Sprint(text) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", text, want)
	}
	r.questions.ask(question("A planner with a far longer name than the other one", "Friday?"))
	if second := <-s.got; len(second.body) != len(got.body) {
		t.Errorf("the length tells of the content: %d and %d", len(got.body), len(second.body))
	} else if text := b.open(t, second.body); text["kind"] != "question" {
		t.Errorf("%v", text)
	}
}

func question(agent, words string) inbox.Entry {
	e := inbox.Entry{AskedAt: time.Now(), State: inbox.Waiting}
	e.Agent, e.Text = agent, words
	return e
}

// What waited before the browser could hear of it isn't news, and what was answered isn't any more.
func TestOC5_OnlyWhatIsNewAndStillWaitsIsPushed(t *testing.T) {
	s, b := newService(t), newBrowser(t)
	r := newRig(t, s.transport())
	r.put(b.subscription("L1", s.endpoint("/1"), r.key))
	r.questions.ask(approval("Old"))
	r.open(s.transport())
	r.run()
	blocked, free := make(chan struct{}), make(chan struct{})
	s.answers(func(w http.ResponseWriter, _ *http.Request) {
		close(blocked)
		<-free
		s.answersStatus(http.StatusCreated)
		w.WriteHeader(http.StatusCreated)
	})
	r.questions.ask(approval("First"))
	first := <-s.got
	<-blocked
	// While one push is on its way, the others wait, and become one.
	r.questions.ask(approval("Answered at once"))
	r.questions.clear()
	for range 5 {
		r.questions.ask(approval("Later"))
	}
	r.questions.changes.Publish(struct{}{})
	close(free)
	second := b.open(t, (<-s.got).body)
	if text := b.open(t, first.body); text["name"] != "First" {
		t.Errorf("%v", text)
	}
	if second["kind"] != "several" || second["count"] != float64(5) || second["name"] != nil {
		t.Errorf("%v", second)
	}
}

// A request of a gateway that waits for a minute isn't worth delivering for a day.
func TestOC5_APushLivesNoLongerThanItsRequest(t *testing.T) {
	s, b := newService(t), newBrowser(t)
	r := newRig(t, s.transport())
	r.put(b.subscription("L1", s.endpoint("/1"), r.key))
	r.run()
	e := approval("main")
	e.Gateway = &inbox.AtGateway{Name: "Office", ExpiresAt: time.Now().Add(10 * time.Minute)}
	r.questions.ask(e)
	if ttl := (<-s.got).header.Get("TTL"); ttl != "599" && ttl != "600" {
		t.Error(ttl)
	}
}

func TestOC5_ABrowserThatIsGoneGetsNoMorePushes(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		s, b := newService(t), newBrowser(t)
		r := newRig(t, s.transport())
		r.put(b.subscription("L1", s.endpoint("/1"), r.key))
		r.run()
		s.answersStatus(status)
		r.questions.ask(approval("Writer"))
		<-s.got
		until(t, "the browser to be removed", func() bool { _, on := r.Browser("L1"); return !on })
		if data, err := os.ReadFile(r.path); err != nil || strings.Contains(string(data), "push.example.net") {
			t.Errorf("%s %v", data, err)
		}
	}
}

// A push service that never answers delays neither another browser nor the end of the hub.
func TestOC5_AHangingServiceDelaysNothingElse(t *testing.T) {
	slow, quick, one, two := newService(t), newService(t), newBrowser(t), newBrowser(t)
	free := make(chan struct{})
	t.Cleanup(func() { close(free) }) // after the end of the machine
	slow.answers(func(http.ResponseWriter, *http.Request) { <-free })
	r := newRig(t, byHost{"slow.example.net": slow.transport(), "quick.example.net": quick.transport()})
	r.put(one.subscription("slow", "https://slow.example.net/1", r.key))
	r.put(two.subscription("quick", "https://quick.example.net/1", r.key))
	r.run()
	for i := range 20 {
		r.questions.ask(approval(fmt.Sprint("Writer ", i)))
		text := two.open(t, (<-quick.got).body)
		if text["name"] != fmt.Sprint("Writer ", i) {
			t.Fatalf("%d: %v", i, text)
		}
		r.questions.clear()
	}
	if n := len(slow.got); n != 1 {
		t.Errorf("%d requests wait at the slow service, not 1", n)
	}
	// The end of the test ends the machine while the slow service still hangs.
}

type byHost map[string]http.RoundTripper

func (b byHost) RoundTrip(r *http.Request) (*http.Response, error) { return b[r.URL.Host].RoundTrip(r) }

// A service that is busy is asked again when it wants that, three times in all; nothing waits longer.
func TestOC5_ABusyServiceIsAskedAgain(t *testing.T) {
	b := newBrowser(t)
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		start := time.Now()
		r := newRig(t, answering(func(*http.Request) *http.Response {
			at = append(at, time.Since(start).Round(time.Second))
			res := &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{}, Body: http.NoBody}
			res.Header.Set("Retry-After", "30")
			return res
		}))
		r.put(b.subscription("L1", "https://push.example.net/1", r.key))
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		synctest.Wait()
		r.questions.ask(approval("Writer"))
		<-time.After(time.Hour) // of the test's own clock
		synctest.Wait()
		if want := "[0s 30s 1m0s]"; fmt.Sprint(at) != want {
			t.Errorf("%v, not %s", at, want)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if log := r.log.String(); !strings.Contains(log, "429") || strings.Contains(log, "push.example.net/1") {
			t.Error(log)
		}
	})
}

type answering func(*http.Request) *http.Response

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// The test says what the service said, and what happened to the browser.
func TestOC5_ATestSaysWhatThePushServiceSaid(t *testing.T) {
	s, b := newService(t), newBrowser(t)
	r := newRig(t, s.transport())
	reason := func() string {
		_, err := r.Test(t.Context(), "L1")
		return errcode.From(err).Reason()
	}
	if got := reason(); got != webpush.ReasonOff {
		t.Error(got)
	}
	r.put(b.subscription("L1", s.endpoint("/1"), r.key))
	if _, err := r.Test(t.Context(), "L1"); err != nil {
		t.Error(err)
	}
	if text := b.open(t, (<-s.got).body); text["kind"] != "test" || text["place"] != "#/inbox" {
		t.Errorf("%v", text)
	}
	redirected := false
	s.answers(func(w http.ResponseWriter, q *http.Request) {
		redirected = redirected || q.URL.Path == "/elsewhere"
		http.Redirect(w, q, s.endpoint("/elsewhere"), http.StatusTemporaryRedirect)
	})
	if got := reason(); got != webpush.ReasonRefused || redirected {
		t.Errorf("%q, redirected: %v", got, redirected)
	}
	s.answersStatus(http.StatusForbidden)
	if got := reason(); got != webpush.ReasonRefused {
		t.Error(got)
	}
	s.answersStatus(http.StatusGone)
	if got := reason(); got != webpush.ReasonGone {
		t.Error(got)
	}
	if got := reason(); got != webpush.ReasonOff {
		t.Error(got)
	}
	r.put(b.subscription("L1", s.endpoint("/secret-path"), r.key))
	s.Close()
	_, err := r.Test(t.Context(), "L1")
	if e := errcode.From(err); e.Reason() != webpush.ReasonUnreachable || strings.Contains(err.Error(), "secret-path") {
		t.Errorf("%v", err)
	}
}
