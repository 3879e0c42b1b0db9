// Package webpush tells the owner's browsers what waits in the inbox, by push notifications that arrive while the page
// is closed (RFC 8030). Each is encrypted for its browser (RFC 8291) and signed by the hub (RFC 8292). It says who asks
// and where the request is shown, nothing of the request.
package webpush

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/event"
	"agentflow/backend/work/inbox"
)

// Inbox is what waits for the owner.
type Inbox interface {
	Waiting() []inbox.Entry
	Subscribe(buffer int) *event.Subscription[struct{}]
}

// Logins are the browsers in which the owner is signed in.
type Logins interface {
	Valid(login string) bool
	Subscribe(buffer int) *event.Subscription[struct{}]
}

// Secrets saves the hub's private key.
type Secrets interface {
	Get(key string) (string, error)
	Set(key, secret string) error
}

// Options configure a Machine.
type Options struct {
	Path      string // the file of the browsers
	Inbox     Inbox
	Logins    Logins
	Secrets   Secrets
	Name      func(e *inbox.Entry) string // who asks, as the page names them; nil: the agent's ID
	Transport http.RoundTripper           // nil: to addresses on the internet alone
	Logger    *slog.Logger
}

// Machine sends push notifications. Create it with New; Run sends one for each new entry of the inbox.
type Machine struct {
	o      Options
	client *http.Client

	mu       sync.Mutex
	browsers []Subscription
	private  string
	boxes    map[string]*outbox // by login

	known map[inbox.ID]bool // what waited at the last look; of New, then of Run
}

// outbox has the entries that one browser is still to hear of. Only one push at a time is on its way to a browser: what
// comes meanwhile becomes one push, so a slow push service makes no queue.
type outbox struct{ entries []inbox.ID }

// sendTimeout limits one request to a push service.
const sendTimeout = 10 * time.Second

// New reads the browsers that get push notifications. What waits in the inbox by now isn't news to them.
func New(o Options) (*Machine, error) {
	m := &Machine{o: o, boxes: map[string]*outbox{}}
	m.fresh()
	if o.Transport == nil {
		o.Transport = outgoing()
	}
	m.client = &http.Client{
		Transport: o.Transport, Timeout: sendTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return m, m.load()
}

const buffer = 16

// Run sends a push for each entry that is new in the inbox, until ctx ends.
func (m *Machine) Run(ctx context.Context) error {
	var senders errgroup.Group
	changes, ended := m.o.Inbox.Subscribe(buffer), m.o.Logins.Subscribe(buffer)
	defer func() {
		changes.Close()
		ended.Close()
		_ = senders.Wait() // a sender returns no error
		m.client.CloseIdleConnections()
	}()
	m.clean(ctx)
	for {
		for _, login := range m.post(m.fresh()) {
			senders.Go(func() error {
				m.send(ctx, login)
				return nil
			})
		}
		select {
		case <-ctx.Done():
			return nil
		case _, open := <-changes.C():
			if !open { // it lagged: what waits is read whole in any case
				changes = m.o.Inbox.Subscribe(buffer)
			}
		case _, open := <-ended.C():
			if !open {
				ended = m.o.Logins.Subscribe(buffer)
			}
			m.clean(ctx)
		}
	}
}

func (m *Machine) clean(ctx context.Context) {
	if err := m.prune(); err != nil {
		m.o.Logger.ErrorContext(ctx, "couldn't remove browsers that are signed out from the push notifications",
			slog.Any("error", err))
	}
}

// fresh returns the entries that weren't there at the last look.
func (m *Machine) fresh() []inbox.ID {
	waiting := m.o.Inbox.Waiting()
	now := make(map[inbox.ID]bool, len(waiting))
	var out []inbox.ID
	for i := range waiting {
		id := waiting[i].ID
		now[id] = true
		if !m.known[id] {
			out = append(out, id)
		}
	}
	m.known = now
	return out
}

// post puts entries into the outbox of each browser, and returns the logins of those that need a sender.
func (m *Machine) post(fresh []inbox.ID) (idle []string) {
	if len(fresh) == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.browsers {
		login := m.browsers[i].Login
		if !m.o.Logins.Valid(login) {
			continue
		}
		box := m.boxes[login]
		if box == nil {
			box = new(outbox)
			m.boxes[login] = box
			idle = append(idle, login)
		}
		box.entries = append(box.entries, fresh...)
	}
	return idle
}
