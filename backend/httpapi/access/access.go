// Package access decides who may talk to the hub: the owner, by token or cookie, from
// allowed addresses, under the hub's own names, from its own page.
package access

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"agentflow/backend/errcode"
)

// Control is the hub's door-keeper. Make it with New.
type Control struct {
	*auth
	Allow []netip.Prefix                                  // addresses that may connect; empty: all
	Fail  func(w http.ResponseWriter, err *errcode.Error) // writes a refusal

	// Agents knows the agents by their secrets. They may report results, give parts of
	// their tasks on, ask the person and ask for the hub's status, nothing else. It may be nil.
	Agents func(secret string) (agent string, ok bool)

	hosts   hosts
	guesses guesses
}

// New returns a Control for the owner's token; fail writes its refusals.
func New(token string, allow []netip.Prefix, fail func(http.ResponseWriter, *errcode.Error)) *Control {
	return &Control{auth: newAuth(token), Allow: allow, Fail: fail}
}

// Listen tells the address under which the hub is reached. Until then any port is its own.
func (c *Control) Listen(addr net.Addr) { c.hosts = newHosts(addr) }

// Link returns the path of a new link that opens the page once.
func (c *Control) Link() string { return linkPath + c.newCode() }

const (
	sessionLife    = 30 * 24 * time.Hour
	codeLife       = 10 * time.Minute
	codesAtMost    = 64
	bearerProtocol = "bearer."
	linkPath       = "/open/"
)

// CookieName is how the names of the page's cookies begin, WebSocketProtocol what a page
// asks for beside its token.
const (
	CookieName        = "agentflow_session"
	WebSocketProtocol = "agentflow"
)

// windowOrigins are what the desktop window's page calls itself.
var windowOrigins = []string{"wails://wails", "wails://wails.localhost", "http://wails.localhost"}

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

// Who the owner comes as.
const (
	byToken = "owner"
	byPage  = "page"
)

// owner tells how the request comes from the owner: by the bearer token, by the page's
// cookie, or by a WebSocket subprotocol, since a page cannot set headers there. It is ""
// if it does not.
func (c *Control) owner(r *http.Request) string {
	as := func(who string, valid bool) string {
		if !valid {
			return ""
		}
		return who
	}
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "bearer") {
		return as(byToken, c.validToken(strings.TrimSpace(token)))
	}
	for _, p := range strings.Split(r.Header.Get("Sec-WebSocket-Protocol"), ",") {
		if encoded, ok := strings.CutPrefix(strings.TrimSpace(p), bearerProtocol); ok {
			token, err := base64.RawURLEncoding.DecodeString(encoded)
			return as(byPage, err == nil && c.validToken(string(token)))
		}
	}
	cookie, err := r.Cookie(c.cookieName(r))
	return as(byPage, err == nil && c.validCookie(cookie.Value))
}

// cookieName differs by port, because browsers share cookies between ports.
func (c *Control) cookieName(r *http.Request) string {
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return CookieName + "_" + port
	}
	return CookieName
}

// Guard checks where a request comes from before any route sees it.
func (c *Control) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		if !c.allowed(r.RemoteAddr) || !c.hosts.own(r.Host) {
			c.Fail(w, errcode.New(errcode.Forbidden, "this address may not talk to the hub"))
			return
		}
		origin := r.Header.Get("Origin")
		if origin != "" && !c.ownOrigin(origin, r) {
			c.Fail(w, errcode.New(errcode.Forbidden, "requests from the page %s are refused", origin))
			return
		}
		if slices.Contains(windowOrigins, origin) && cors(w, r, origin) {
			return
		}
		if public(r) {
			next.ServeHTTP(w, r)
			return
		}
		if who := c.owner(r); who != "" {
			found(r, who)
			next.ServeHTTP(w, r)
			return
		}
		agent, ok := c.agent(r)
		if ok {
			found(r, "agent:"+agent)
		}
		switch {
		case !ok && c.guesses.tooMany(r, time.Now()):
			c.Fail(w, errcode.New(errcode.RateLimited, "too many wrong tokens came from this address").With(errcode.KeyRetryAfterMs, guessEvery.Milliseconds()))
		case !ok:
			c.Fail(w, errcode.New(errcode.Unauthorized, "this needs the owner's token: send it as a bearer token, or open the hub's one-time link"))
		case !forAgents(r):
			c.Fail(w, errcode.New(errcode.Forbidden, "%s may report results, give parts of its task on and ask the person here, and nothing else", agent))
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), agentKey{}, agent)))
		}
	})
}

// agent returns the agent whose secret the request bears.
func (c *Control) agent(r *http.Request) (string, bool) {
	scheme, secret, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if c.Agents == nil || !ok || !strings.EqualFold(scheme, "bearer") || strings.TrimSpace(secret) == "" {
		return "", false
	}
	return c.Agents(strings.TrimSpace(secret))
}

// forAgents reports whether a route is one that agents may use (AG-6).
func forAgents(r *http.Request) bool {
	p := r.URL.Path
	return r.Method == http.MethodGet && p == "/status" ||
		r.Method == http.MethodPost && strings.HasPrefix(p, "/tasks/") && strings.HasSuffix(p, "/result") ||
		(r.Method == http.MethodPost || r.Method == http.MethodGet) && strings.HasPrefix(p, "/tasks/") && strings.Contains(p, "/delegations") ||
		r.Method == http.MethodPost && p == "/api/inbox/questions" || r.Method == http.MethodGet && strings.HasPrefix(p, "/api/inbox/questions/")
}

type agentKey struct{}

// Agent returns the agent that a request comes from, and whether it comes from one.
func Agent(ctx context.Context) (string, bool) {
	name, ok := ctx.Value(agentKey{}).(string)
	return name, ok
}

// cors lets the window's page in; it reports whether the request was only a question.
func cors(w http.ResponseWriter, r *http.Request, origin string) bool {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	if r.Method != http.MethodOptions {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// public reports whether a route needs no token: health, the page's own files and the
// one-time link.
func public(r *http.Request) bool {
	p := r.URL.Path
	switch {
	case p == "/healthz", p == "/readyz", strings.HasPrefix(p, linkPath):
		return true
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return false
	}
	for _, prefix := range []string{"/api/", "/gateway", "/openapi", "/docs", "/metrics", "/tasks", "/status", "/ws", "/mcp", "/a2a"} {
		if strings.HasPrefix(p, prefix) {
			return false
		}
	}
	return true
}

func (c *Control) ownOrigin(origin string, r *http.Request) bool {
	if slices.Contains(windowOrigins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host == r.Host
}

func (c *Control) allowed(remote string) bool {
	if len(c.Allow) == 0 {
		return true
	}
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(c.Allow, func(p netip.Prefix) bool { return p.Contains(ap.Addr().Unmap()) })
}

// hosts are the names under which the hub may be addressed; any other Host is a page
// that points its own name at us.
type hosts struct {
	names []string
	port  string
}

func newHosts(addr net.Addr) hosts {
	h := hosts{names: []string{"localhost"}}
	if host, port, err := net.SplitHostPort(addr.String()); err == nil {
		h.port = port
		h.names = append(h.names, host)
	}
	if name, err := os.Hostname(); err == nil {
		h.names = append(h.names, strings.ToLower(name), strings.ToLower(name)+".local")
	}
	return h
}

func (h hosts) own(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, h.port
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if h.port != "" && port != h.port {
		return false
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		return ip.IsValid() // a bare address cannot be pointed elsewhere
	}
	return slices.Contains(h.names, name)
}

// ServeLink trades a one-time code for the page's session cookie.
func (c *Control) ServeLink(w http.ResponseWriter, r *http.Request) {
	if !c.takeCode(r.PathValue("code")) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("This link has been used or has expired. Ask for a new one with: agentflow serve --open\nこのリンクは使用済みか期限切れです。agentflow serve --open で新しいリンクを発行できます。\n"))
		return
	}
	http.SetCookie(w, c.cookie(c.cookieName(r), r.TLS != nil))
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
