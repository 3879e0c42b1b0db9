package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// auth knows the owner. A session cookie is signed with the token, so that it outlives a
// restart of the hub and ends when the token changes.
type auth struct {
	token string
	mu    sync.Mutex
	codes map[string]time.Time
}

func newAuth(token string) *auth { return &auth{token: token, codes: map[string]time.Time{}} }

func (a *auth) newCode() string {
	raw := make([]byte, 18)
	_, _ = rand.Read(raw)
	code := base64.RawURLEncoding.EncodeToString(raw)
	a.mu.Lock()
	defer a.mu.Unlock()
	for c, until := range a.codes {
		if time.Now().After(until) || len(a.codes) >= codesAtMost {
			delete(a.codes, c)
		}
	}
	a.codes[code] = time.Now().Add(codeLife)
	return code
}

func (a *auth) takeCode(code string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	until, ok := a.codes[code]
	delete(a.codes, code)
	return ok && time.Now().Before(until)
}

// Sign returns the signature of a cookie that ends at expiry, in seconds since 1970.
func (a *auth) Sign(expiry string) string {
	mac := hmac.New(sha256.New, []byte(a.token))
	mac.Write([]byte("session|" + expiry))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (a *auth) cookie(name string, secure bool) *http.Cookie {
	expires := time.Now().Add(sessionLife)
	expiry := strconv.FormatInt(expires.Unix(), 10)
	return &http.Cookie{
		Name: name, Value: expiry + "." + a.Sign(expiry), Path: "/", Expires: expires,
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode,
	}
}

func (a *auth) validCookie(value string) bool {
	expiry, sig, ok := strings.Cut(value, ".")
	seconds, err := strconv.ParseInt(expiry, 10, 64)
	return ok && err == nil && time.Now().Unix() < seconds && hmac.Equal([]byte(sig), []byte(a.Sign(expiry)))
}

func (a *auth) validToken(token string) bool {
	given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(a.token))
	return token != "" && subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// cookieName differs by port, because browsers share cookies between ports.
func (c *Control) cookieName(r *http.Request) string {
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return CookieName + "_" + port
	}
	return CookieName
}

// ServeLink trades a one-time code for the page's session cookie.
func (c *Control) ServeLink(w http.ResponseWriter, r *http.Request) {
	if until, locked := c.lockouts.locked(From(r.Context()), time.Now()); locked && !From(r.Context()).IsLoopback() {
		c.Fail(w, lockedOut(until))
		return
	}
	if !c.takeCode(r.PathValue("code")) {
		c.lockouts.wrong(From(r.Context()), time.Now())
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("This link has been used or has expired. Ask for a new one with: agentflow serve --open\nこのリンクは使用済みか期限切れです。agentflow serve --open で新しいリンクを発行できます。\n"))
		return
	}
	http.SetCookie(w, c.cookie(c.cookieName(r), r.TLS != nil))
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// validPage reports whether a request comes from a page that the owner has opened.
func (c *Control) validPage(r *http.Request) bool {
	cookie, err := r.Cookie(c.cookieName(r))
	return err == nil && c.validCookie(cookie.Value)
}
