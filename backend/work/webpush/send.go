package webpush

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	webpush "github.com/SherClockHolmes/webpush-go"
	"github.com/cenkalti/backoff/v5"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/work/inbox"
)

// Kinds of a message.
const (
	kindApproval = "approval" // an agent wants to do something
	kindQuestion = "question" // an agent asks something
	kindSeveral  = "several"
	kindTest     = "test"
)

// message is what a browser gets, and all of it. The browser finds the words.
type message struct {
	Kind     string `json:"kind"`
	Name     string `json:"name,omitempty"` // who asks
	Count    int    `json:"count,omitempty"`
	Place    string `json:"place"` // of the page
	Language string `json:"language"`
}

const (
	maxName    = 80   // characters
	recordSize = 2048 // each push has this length, so the length says nothing about it
	longest    = 24 * time.Hour
	tries      = 3
	maxPause   = time.Minute
)

// Reasons of errors of a push service.
const (
	ReasonGone        = "push_gone"        // it doesn't know the browser any more
	ReasonRefused     = "push_refused"     // it answered with an error
	ReasonUnreachable = "push_unreachable" // it didn't answer
)

// send empties the outbox of one browser.
func (m *Machine) send(ctx context.Context, login string) {
	for {
		b, entries, more := m.take(ctx, login)
		if !more {
			return
		}
		text, ttl, any := m.about(entries, b.Language)
		if !any {
			continue // answered meanwhile
		}
		err := safego.Call(ctx, m.o.Logger, "a push notification", func() error {
			pauses := backoff.NewExponentialBackOff()
			pauses.InitialInterval = 2 * time.Second
			_, err := backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, m.push(ctx, &b, text, ttl) },
				backoff.WithBackOff(pauses), backoff.WithMaxTries(tries), backoff.WithMaxElapsedTime(0))
			return err
		})
		if err != nil && ctx.Err() == nil {
			m.o.Logger.WarnContext(ctx, "a push notification wasn't delivered", slog.String("service", b.Service()),
				slog.Any("error", err))
		}
	}
}

// take returns what a browser is to hear of, and empties its outbox. When there is no more, the outbox is gone.
func (m *Machine) take(ctx context.Context, login string) (b Subscription, entries []inbox.ID, more bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	box, i := m.boxes[login], m.at(login)
	if i < 0 || len(box.entries) == 0 || ctx.Err() != nil {
		delete(m.boxes, login)
		return b, nil, false
	}
	entries, box.entries = box.entries, nil
	return m.browsers[i], entries, true
}

// about returns what a browser hears of those entries that still wait, and how long that is of use.
func (m *Machine) about(entries []inbox.ID, language string) (text message, ttl time.Duration, any bool) {
	waiting := slices.DeleteFunc(m.o.Inbox.Waiting(), func(e inbox.Entry) bool {
		return !slices.Contains(entries, e.ID) ||
			e.Gateway != nil && !e.Gateway.ExpiresAt.IsZero() && !e.Gateway.ExpiresAt.After(time.Now())
	})
	if len(waiting) == 0 {
		return text, 0, false
	}
	first := &waiting[0]
	text = message{Kind: kindQuestion, Place: "#/inbox/" + string(first.ID), Language: language}
	switch {
	case len(waiting) > 1:
		text.Kind, text.Count = kindSeveral, len(waiting)
		return text, longest, true
	case first.Tool != "":
		text.Kind = kindApproval
	}
	name := first.Agent
	if m.o.Name != nil {
		name = m.o.Name(first)
	}
	text.Name = short(name)
	ttl = longest
	if first.Gateway != nil && !first.Gateway.ExpiresAt.IsZero() {
		ttl = min(ttl, time.Until(first.Gateway.ExpiresAt))
	}
	return text, ttl, true
}

func short(name string) string {
	if utf8.RuneCountInString(name) <= maxName {
		return name
	}
	return string([]rune(name)[:maxName]) + "…"
}

// push sends one message once. An error that another try could mend isn't permanent.
func (m *Machine) push(ctx context.Context, b *Subscription, text message, ttl time.Duration) error {
	m.mu.Lock()
	private, public, err := m.keys(false)
	m.mu.Unlock()
	if err != nil {
		return backoff.Permanent(err)
	}
	payload, err := json.Marshal(text)
	if err != nil {
		return backoff.Permanent(err)
	}
	res, err := webpush.SendNotificationWithContext(ctx, payload,
		&webpush.Subscription{Endpoint: b.Endpoint, Keys: webpush.Keys{Auth: b.Auth, P256dh: b.P256dh}},
		&webpush.Options{
			HTTPClient: m.client, RecordSize: recordSize, Subscriber: b.Contact,
			TTL:     int(max(ttl, time.Minute).Seconds()),
			Urgency: webpush.UrgencyHigh, VAPIDPublicKey: public, VAPIDPrivateKey: private,
		})
	if err != nil {
		return unreachable(b, err)
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.CopyN(io.Discard, res.Body, 4<<10) // so that the connection can be used again
	return m.answered(b, res)
}

// unreachable explains why a push service wasn't reached. The cause has the address, which is a secret, so it stays
// out.
func unreachable(b *Subscription, err error) error {
	if errors.Is(err, errPrivate) {
		return backoff.Permanent(errPrivate)
	}
	late := ""
	if timeout, is := errors.AsType[interface {
		error
		Timeout() bool
	}](err); is && timeout.Timeout() {
		late = " in time"
	}
	return errcode.New(errcode.Unavailable, "the push service %s wasn't reached%s", b.Service(), late).
		With(errcode.KeyReason, ReasonUnreachable).With("service", b.Service())
}

// answered reads the answer of a push service. A browser that it doesn't know any more gets no more pushes.
func (m *Machine) answered(b *Subscription, res *http.Response) error {
	switch status := res.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusNotFound || status == http.StatusGone:
		err := m.drop(func(x *Subscription) bool { return x.Login == b.Login && x.Endpoint == b.Endpoint })
		gone := errcode.New(errcode.Conflict, "the push service %s doesn't know this browser any more, so push "+
			"notifications were turned off for it", b.Service()).With(errcode.KeyReason, ReasonGone)
		return backoff.Permanent(errors.Join(err, gone))
	default:
		refused := errcode.New(errcode.Unavailable, "the push service %s answered with status %d", b.Service(), status).
			With(errcode.KeyReason, ReasonRefused).With("service", b.Service()).With("status", status)
		if status != http.StatusTooManyRequests && status < 500 {
			return backoff.Permanent(refused)
		}
		pause, err := strconv.Atoi(cmp.Or(res.Header.Get("Retry-After"), "0"))
		switch wait := time.Duration(pause) * time.Second; {
		case err != nil || wait <= 0:
			return refused
		case wait > maxPause:
			return backoff.Permanent(refused)
		default:
			return errors.Join(refused, backoff.RetryAfter(pause))
		}
	}
}

// Test sends a test to the browser of a login, once, and returns what its push service said.
func (m *Machine) Test(ctx context.Context, login string) (Subscription, error) {
	b, on := m.Browser(login)
	if !on {
		return b, errcode.New(errcode.Conflict, "push notifications are off in this browser").
			With(errcode.KeyReason, ReasonOff)
	}
	err := m.push(ctx, &b, message{Kind: kindTest, Place: "#/inbox", Language: b.Language}, time.Minute)
	if permanent, is := errors.AsType[*backoff.PermanentError](err); is {
		err = permanent.Unwrap()
	}
	return b, err
}
