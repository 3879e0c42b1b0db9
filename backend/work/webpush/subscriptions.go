package webpush

import (
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
)

// FileName is the file of the data folder that holds the browsers.
const FileName = "push.json"

// MaxBrowsers limits how many browsers get push notifications.
const MaxBrowsers = 50

// Reasons of errors.
const (
	ReasonFull = "push_full" // too many browsers get push notifications
	ReasonKey  = "push_key"  // the browser subscribed with another key than the hub's
	ReasonOff  = "push_off"  // push notifications are off in this browser
)

// Subscription is one browser that gets push notifications.
type Subscription struct {
	Login    string    `json:"login"` // by which the owner is signed in there
	Endpoint string    `json:"endpoint"`
	P256dh   string    `json:"p256dh"`
	Auth     string    `json:"auth"`
	Language string    `json:"language"` // en or ja
	Contact  string    `json:"contact"`  // for the push service, in each request
	Key      string    `json:"key"`      // the hub's public key that it was made with
	At       time.Time `json:"at"`
}

// Service returns the host of the push service. The rest of its address is a secret: it's enough to send something.
func (s *Subscription) Service() string {
	u, err := url.Parse(s.Endpoint)
	if err != nil {
		return ""
	}
	return u.Host
}

func (s *Subscription) check() error {
	if err := checkEndpoint(s.Endpoint); err != nil {
		return err
	}
	bad := func(field string) error {
		return errcode.New(errcode.Validation, "%s isn't a key of a push subscription", field).
			With(errcode.KeyField, field)
	}
	point, err := base64.RawURLEncoding.DecodeString(s.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(point)
	}
	if err != nil {
		return bad("p256dh")
	}
	if secret, err := base64.RawURLEncoding.DecodeString(s.Auth); err != nil || len(secret) != 16 {
		return bad("auth")
	}
	return nil
}

// contactOf returns who a push service can turn to: the hub at its public address. Apple's service rejects names that
// exist in a private network alone, so a hub without a public name gives an address that belongs to nobody.
func contactOf(origin string) string {
	const nobody = "agentflow@example.com"
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" {
		return nobody
	}
	host := strings.ToLower(u.Hostname())
	_, err = netip.ParseAddr(host)
	dot := strings.LastIndexByte(host, '.')
	private := []string{"local", "localhost", "internal", "lan", "home", "corp", "test", "invalid", "example", "arpa"}
	if err == nil || dot < 0 || slices.Contains(private, host[dot+1:]) {
		return nobody
	}
	return "https://" + host
}

// load reads the browsers of the file, if it is there.
func (m *Machine) load() error {
	data, err := os.ReadFile(m.o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, &m.browsers)
	}
	if err != nil {
		return errcode.Wrap(errcode.Validation, err,
			"%s cannot be read. It lists the browsers with push notifications: delete it, and turn them on again",
			m.o.Path).
			With(errcode.KeyFile, m.o.Path)
	}
	return nil
}

// write saves the browsers. The caller holds mu.
func (m *Machine) write(next []Subscription) error {
	data, err := json.MarshalIndent(next, "", "  ")
	if err == nil {
		err = atomicfile.Write(m.o.Path, data, 0o600)
	}
	if err != nil {
		return atomicfile.Full(errcode.Wrap(errcode.Unavailable, err,
			"%s cannot be written, so nothing was changed. %s", m.o.Path, atomicfile.Remedy(err)).
			With(errcode.KeyFile, m.o.Path))
	}
	m.browsers = next
	return nil
}

// keys returns the hub's key pair. With create it makes one at the first time; without, both are "" until then.
// The caller holds mu.
func (m *Machine) keys(create bool) (private, public string, err error) {
	if m.private == "" {
		kept, err := m.o.Secrets.Get(config.PushKey)
		if err != nil {
			return "", "", err
		}
		if kept == "" && create {
			if kept, _, err = webpush.GenerateVAPIDKeys(); err == nil {
				err = m.o.Secrets.Set(config.PushKey, kept)
			}
			if err != nil {
				return "", "", err
			}
		}
		m.private = kept
	}
	if m.private == "" {
		return "", "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(m.private)
	if err != nil {
		return "", "", errBadKey(err)
	}
	pair, err := ecdh.P256().NewPrivateKey(raw)
	if err != nil {
		return "", "", errBadKey(err)
	}
	return m.private, base64.RawURLEncoding.EncodeToString(pair.PublicKey().Bytes()), nil
}

func errBadKey(err error) error {
	return errcode.Wrap(errcode.Internal, err, "the saved key of push notifications is damaged")
}

// PublicKey returns the key with which a browser subscribes. The first call makes the hub's key pair.
func (m *Machine) PublicKey() (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, public, err := m.keys(true)
	return public, err
}

// Put turns push notifications on in the browser of a login, or replaces its subscription. origin is the address of the
// page.
func (m *Machine) Put(s Subscription, origin string) error {
	if err := s.check(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, public, err := m.keys(false)
	switch {
	case err != nil:
		return err
	case public == "" || s.Key != public:
		return errcode.New(errcode.Conflict, "the browser subscribed with another key than the hub's. Turn push "+
			"notifications on again").With(errcode.KeyReason, ReasonKey)
	}
	s.Contact, s.At = contactOf(origin), time.Now().UTC()
	// A browser that was signed in again has the same endpoint. It gets each notification once.
	next := slices.DeleteFunc(slices.Clone(m.browsers), func(b Subscription) bool {
		return b.Login == s.Login || b.Endpoint == s.Endpoint || !m.o.Logins.Valid(b.Login)
	})
	if len(next) >= MaxBrowsers {
		return errcode.New(errcode.Conflict, "%d browsers get push notifications already. Turn them off in another "+
			"one, or sign it out", len(next)).With(errcode.KeyReason, ReasonFull).With("most", MaxBrowsers)
	}
	return m.write(append(next, s))
}

// Browser returns the subscription of a login, if push notifications are on there.
func (m *Machine) Browser(login string) (Subscription, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.at(login)
	if i < 0 {
		return Subscription{}, false
	}
	return m.browsers[i], true
}

// at returns the index of the browser of a login that is still signed in, or -1. The caller holds mu.
func (m *Machine) at(login string) int {
	if login == "" || !m.o.Logins.Valid(login) {
		return -1
	}
	return slices.IndexFunc(m.browsers, func(b Subscription) bool { return b.Login == login })
}

// Remove turns push notifications off in the browser of a login. If they are off, it does nothing.
func (m *Machine) Remove(login string) error {
	return m.drop(func(b *Subscription) bool { return b.Login == login })
}

func (m *Machine) drop(which func(*Subscription) bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := slices.DeleteFunc(slices.Clone(m.browsers), func(b Subscription) bool { return which(&b) })
	if len(next) == len(m.browsers) {
		return nil
	}
	return m.write(next)
}

// prune drops the browsers that are signed out, and those that subscribed with a key that the hub lost.
func (m *Machine) prune() error {
	m.mu.Lock()
	none := len(m.browsers) == 0
	_, public, err := m.keys(false)
	m.mu.Unlock()
	if none || err != nil {
		return err
	}
	return m.drop(func(b *Subscription) bool {
		return !m.o.Logins.Valid(b.Login) || b.Key != public
	})
}
