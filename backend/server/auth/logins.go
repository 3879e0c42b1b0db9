package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
)

// A login is proved by two values that only fit together: the cookie, which no script can read but
// which browsers send to every port of this computer, and the page key, which the page keeps in a
// storage that is bound to its port, and names in each request. Neither opens anything alone.
const (
	loginLife     = 30 * 24 * time.Hour
	loginsAtMost  = 200
	browserAtMost = 300
	hostPrefix    = "__Host-" // browsers take such a cookie from nobody but this very host, over TLS

	// PageKeyHeader carries the page key. A page cannot set headers on a WebSocket, and names it as
	// a subprotocol that begins with pageProtocol.
	PageKeyHeader = "AgentFlow-Page-Key"
	pageProtocol  = "page."
)

// Login is a browser in which the owner is signed in.
type Login struct {
	ID        string    `json:"id" doc:"ID of the sign-in."`
	Browser   string    `json:"browser" doc:"Name that the browser reports."`
	Address   string    `json:"address" doc:"Address of the last request."`
	CreatedAt time.Time `json:"createdAt"`
	SeenAt    time.Time `json:"seenAt" doc:"Time of the last request."`
	Current   bool      `json:"current,omitempty" doc:"This request uses the sign-in."`
}

// keptLogin is a login as the file has it: of its two secrets only the digests.
type keptLogin struct {
	Login
	Cookie  string `json:"cookie"`
	PageKey string `json:"pageKey"`
}

// Logins keeps the owner's logins, in a file that only the owner can read. Make it with OpenLogins.
// Methods may be called from anywhere.
type Logins struct {
	path string // "": in memory only

	ended event.Topic[struct{}]

	mu      sync.Mutex
	all     []keptLogin
	written time.Time // when a use was last written down
	serving map[*served]struct{}
}

// OpenLogins reads the logins of the file, if it is there. What cannot be read is no login.
func OpenLogins(path string) (*Logins, error) {
	l := &Logins{path: path, serving: map[*served]struct{}{}}
	if path == "" {
		return l, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &l.all)
	}
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err,
			"%s cannot be read. It holds in which browsers you are signed in: delete it to sign in again", path).
			With(errcode.KeyFile, path)
	}
	return l, nil
}

// List returns all that are valid, the one that was used last first.
func (l *Logins) List() []Login {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []Login{}
	for _, k := range l.all {
		if k.valid(time.Now()) {
			out = append(out, k.Login)
		}
	}
	slices.SortFunc(out, func(a, b Login) int { return b.SeenAt.Compare(a.SeenAt) })
	return out
}

// Subscribe signals each time that logins were ended.
func (l *Logins) Subscribe(buffer int) *event.Subscription[struct{}] {
	return l.ended.Subscribe(buffer)
}

// Valid reports whether a browser is still signed in by the login with this ID.
func (l *Logins) Valid(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.all, func(k keptLogin) bool { return k.ID == id && k.valid(time.Now()) })
}

func (k *keptLogin) valid(now time.Time) bool { return now.Sub(k.CreatedAt) < loginLife }

// begin adds a login and returns its two secrets. The oldest makes room where there are too many.
func (l *Logins) begin(browser, address string) (made Login, cookie, pageKey string, err error) {
	cookie, pageKey = secret(), secret()
	now := time.Now().UTC()
	made = Login{
		ID:        ulid.Make().String(),
		Browser:   cut(strings.ToValidUTF8(browser, ""), browserAtMost),
		Address:   address,
		CreatedAt: now,
		SeenAt:    now,
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	next := slices.DeleteFunc(slices.Clone(l.all), func(k keptLogin) bool { return !k.valid(now) })
	slices.SortFunc(next, func(a, b keptLogin) int { return a.SeenAt.Compare(b.SeenAt) })
	if extra := len(next) - loginsAtMost + 1; extra > 0 {
		next = next[extra:]
	}
	return made, cookie, pageKey, l.write(append(next, keptLogin{made, digest(cookie), digest(pageKey)}))
}

func secret() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// enter returns the login that both values belong to, and a context of the request that ends with
// it; done must be called.
func (l *Logins) enter(
	ctx context.Context,
	cookie, pageKey, address string,
) (who string, until context.Context, done func(), is bool) {
	if cookie == "" || pageKey == "" {
		return "", ctx, func() {}, false
	}
	first, second := digest(cookie), digest(pageKey)
	now := time.Now().UTC()
	l.mu.Lock()
	defer l.mu.Unlock()
	found := -1
	for i := range l.all {
		same := subtle.ConstantTimeCompare([]byte(first), []byte(l.all[i].Cookie)) & subtle.ConstantTimeCompare([]byte(second), []byte(l.all[i].PageKey))
		if same == 1 && l.all[i].valid(now) {
			found = i
		}
	}
	if found < 0 {
		return "", ctx, func() {}, false
	}
	l.all[found].SeenAt, l.all[found].Address = now, address
	if now.Sub(l.written) >= seenEvery {
		l.written = now
		_ = l.write(l.all) // the request is served all the same, and the next hour writes it again
	}
	until, leave := context.WithCancelCause(ctx)
	s := &served{l.all[found].ID, leave}
	l.serving[s] = struct{}{}
	return l.all[found].ID, until, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.serving, s)
		leave(nil)
	}, true
}

// End ends one login, and what is open in its browser.
func (l *Logins) End(id string) error {
	return l.end(func(k keptLogin) bool { return k.ID == id }, errcode.New(errcode.NotFound, "login not found"))
}

// EndAll ends all logins but one; "" is none.
func (l *Logins) EndAll(but string) error {
	return l.end(func(k keptLogin) bool { return k.ID != but }, nil)
}

func (l *Logins) end(which func(keptLogin) bool, none *errcode.Error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := slices.DeleteFunc(slices.Clone(l.all), which)
	if len(next) == len(l.all) {
		if none == nil {
			return nil
		}
		return none
	}
	if err := l.write(next); err != nil {
		return err
	}
	for s := range l.serving {
		if !slices.ContainsFunc(next, func(k keptLogin) bool { return k.ID == s.caller }) {
			s.leave(errcode.New(errcode.Unauthorized, "this browser was signed out"))
		}
	}
	return nil
}

func (l *Logins) write(next []keptLogin) error {
	if l.path != "" {
		data, err := json.MarshalIndent(next, "", "  ")
		if err == nil {
			err = atomicfile.Write(l.path, data, 0o600)
		}
		if err != nil {
			return atomicfile.Full(errcode.Wrap(errcode.Unavailable, err,
				"%s cannot be written, so nothing was changed. %s", l.path, atomicfile.Remedy(err)))
		}
	}
	gone := func(k keptLogin) bool {
		return !slices.ContainsFunc(next, func(n keptLogin) bool { return n.ID == k.ID })
	}
	fewer := slices.ContainsFunc(l.all, gone)
	l.all = next
	if fewer {
		l.ended.Publish(struct{}{})
	}
	return nil
}

// SignIn begins a login for who sent a request, and returns the cookie and the page key.
func (c *Control) SignIn(ctx context.Context) (cookie *http.Cookie, pageKey string, err error) {
	v := visitOf(ctx)
	login, value, pageKey, err := c.Logins.begin(v.asked.UserAgent(), v.from.String())
	if err != nil {
		return nil, "", err
	}
	v.who, v.login = byPage, login.ID
	return c.cookie(v, value, login.CreatedAt.Add(loginLife)), pageKey, nil
}

// SignOut ends the login of a request, and returns the cookie that takes the browser's back.
func (c *Control) SignOut(ctx context.Context) (*http.Cookie, error) {
	v := visitOf(ctx)
	if v.login == "" {
		return nil, errcode.New(errcode.Conflict, "this request has no login: it came with a token").
			With(errcode.KeyReason, "no_login")
	}
	gone := c.cookie(v, "", time.Unix(1, 0))
	gone.MaxAge = -1
	return gone, c.Logins.End(v.login)
}

// ListLogins returns all logins, that of the request marked.
func (c *Control) ListLogins(ctx context.Context) []Login {
	all := c.Logins.List()
	for i := range all {
		all[i].Current = all[i].ID == visitOf(ctx).login
	}
	return all
}

func (c *Control) cookie(v *visit, value string, expires time.Time) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(v), Value: value, Path: "/", Expires: expires,
		HttpOnly: true, Secure: overTLS(v), SameSite: http.SameSiteStrictMode,
	}
}

// overTLS reports whether the browser speaks TLS, to the hub or to a proxy that is believed.
func overTLS(v *visit) bool { return strings.HasPrefix(v.at, "https://") }

// cookieName differs by port, because browsers share cookies between ports.
func cookieName(v *visit) string {
	name := CookieName
	if _, port, err := net.SplitHostPort(v.asked.Host); err == nil {
		name += "_" + port
	}
	if overTLS(v) {
		return hostPrefix + name
	}
	return name
}

// loginOf is what a request says of its login.
func loginOf(r *http.Request, v *visit) (cookie, pageKey string) {
	if c, err := r.Cookie(cookieName(v)); err == nil {
		cookie = c.Value
	}
	if pageKey = r.Header.Get(PageKeyHeader); pageKey == "" {
		pageKey, _ = protocolWith(r, pageProtocol)
	}
	return cookie, pageKey
}
