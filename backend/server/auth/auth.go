// Package auth decides who may talk to the hub: the owner, by token or cookie; callers and
// agents, by tokens of their own and within their roles; from allowed addresses, under the
// hub's own names, from its own page.
package auth

import (
	"context"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
)

// Control is the hub's door-keeper. Make it with New.
type Control struct {
	*auth
	Fail func(w http.ResponseWriter, err *errcode.Error) // writes a refusal

	// Pattern names the route that a request leads to, as the mux has it; "" is none. Nobody but
	// the owner gets to a route that the table of grants does not name.
	Pattern func(r *http.Request) string

	// Agents knows the agents by their secrets. It may be nil.
	Agents func(secret string) (agent string, ok bool)

	// Callers are those beside the owner; nil is nobody.
	Callers *Callers

	// Logins are the browsers in which the owner is signed in.
	Logins *Logins

	// Window says that the hub has a desktop window, whose page comes from the window's own origins.
	Window bool

	networks networks
	hosts    hosts
	lockouts lockouts
}

// New returns a Control for the owner's token; fail writes its refusals.
func New(token string, allow []netip.Prefix, fail func(http.ResponseWriter, *errcode.Error)) *Control {
	c := &Control{auth: newAuth(token), Fail: fail, Logins: &Logins{serving: map[*served]struct{}{}}}
	c.SetNetworks(allow, nil)
	return c
}

// Listen tells the address under which the hub is reached. Until then any port is its own.
func (c *Control) Listen(addr net.Addr) { c.hosts = newHosts(addr) }

// Link returns the path of a new link that opens the page once.
func (c *Control) Link() string { return linkPath + c.newCode() }

const (
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

// Who the owner comes as.
const (
	byToken = "owner"
	byPage  = "page"
)

// Guard checks the sender of a request, and its address, before any route sees it. A request
// whose sender loses access, as the address list, the callers or the logins change, is canceled.
func (c *Control) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, v := visited(r)
		allowed := c.networks.enter(r, v)
		defer c.networks.left(v)
		v.asked, v.at = r, c.networks.asked(r)
		protect(w, v)
		if !allowed || !c.hosts.own(r.Host) {
			c.Fail(w, errcode.New(errcode.Forbidden, "this address isn't allowed to connect to the hub"))
			return
		}
		if refusal := c.foreign(r, v); refusal != nil {
			c.Fail(w, refusal)
			return
		}
		if origin := r.Header.Get("Origin"); slices.Contains(windowOrigins, origin) && cors(w, r, origin) {
			return
		}
		if hasNUL(r) {
			c.Fail(w, errcode.New(errcode.Validation, "an address has no NUL character"))
			return
		}
		pattern := ""
		if c.Pattern != nil {
			pattern = c.Pattern(r)
		}
		if public(pattern, r.Method) {
			next.ServeHTTP(w, r)
			return
		}
		// What a token opens stays in no cache and is no page, a sketch neither.
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
		ctx, done, err := c.admit(r, v, pattern)
		defer done()
		if err != nil {
			c.Fail(w, err)
			return
		}
		if ctx != r.Context() {
			r = r.WithContext(ctx)
		}
		next.ServeHTTP(w, r)
	})
}

// protect tells browsers what nobody else may do with an answer.
func protect(w http.ResponseWriter, v *visit) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if overTLS(v) || here(v.at) { // elsewhere browsers ignore it, and say so
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if overTLS(v) && !here(v.at) {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// here reports whether an address is this computer's: browsers would apply the header to
// every port, so to the person's other servers as well.
func here(at string) bool {
	u, err := url.Parse(at)
	return err != nil || netlisten.Local(u.Hostname())
}

// foreign refuses what a page sends that is not the hub's own.
func (c *Control) foreign(r *http.Request, v *visit) *errcode.Error {
	origin := r.Header.Get("Origin")
	if origin != "" && !c.ownOrigin(origin, r, v) {
		return errcode.New(errcode.Forbidden, "requests from the page %s are refused", cut(origin, originAtMost))
	}
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	site := r.Header.Get("Sec-Fetch-Site")
	if origin == "" && !reads && (site == "cross-site" || site == "same-site") {
		return errcode.New(errcode.Forbidden, "requests from other pages are refused")
	}
	return nil
}

const originAtMost = 200

// hasNUL reports a character that no name and no text of an address has, and that databases refuse.
func hasNUL(r *http.Request) bool {
	return strings.Contains(r.URL.Path, "\x00") || strings.Contains(r.URL.RawQuery, "%00") ||
		strings.Contains(r.URL.RawQuery, "\x00")
}

// admit finds out who sent a request, and whether they may get to the route. The context that
// it returns ends when they are not let in any more; done must be called. A right secret is
// never refused because others guessed.
func (c *Control) admit(
	r *http.Request,
	v *visit,
	pattern string,
) (ctx context.Context, done func(), refusal *errcode.Error) {
	done = func() {}
	token, who := token(r)
	if token == "" {
		cookie, pageKey := loginOf(r, v)
		login, ctx, done, is := c.Logins.enter(r.Context(), cookie, pageKey, v.from.String())
		if is {
			v.who, v.login = byPage, login
			v.owner.Store(true)
			return ctx, done, nil
		}
		return ctx, done, errcode.New(errcode.Unauthorized,
			"this needs the owner's token: send it as a bearer token, or open the hub's one-time link")
	}
	if c.Callers != nil {
		if caller, ctx, done, is := c.Callers.enter(r.Context(), token); is {
			v.who, v.caller = "caller:"+caller.Name, caller
			if !permits(pattern, caller.Role) {
				return ctx, done, errcode.New(errcode.Forbidden, "the role %s of %s does not permit this", caller.Role,
					caller.Name)
			}
			return ctx, done, nil
		}
	}
	if c.Agents != nil {
		if agent, is := c.Agents(token); is {
			v.who, v.agent = "agent:"+agent, agent
			if !permits(pattern, agents) {
				return r.Context(), done, errcode.New(errcode.Forbidden,
					"%s may report results, give parts of its task on and ask the person here, and nothing else", agent)
			}
			return r.Context(), done, nil
		}
	}
	if refusal := c.ownersToken(r.Context(), v, token); refusal != nil {
		return r.Context(), done, refusal
	}
	v.who = who
	v.owner.Store(true)
	if !c.validToken(token) { // it was changed in this moment
		return r.Context(), done, errWrong()
	}
	return r.Context(), done, nil
}

// ownersToken refuses what is not the owner's token. Wrong ones are counted by address and in all;
// if the owner's token is short enough to be guessed, each token then waits for its turn.
func (c *Control) ownersToken(ctx context.Context, v *visit, token string) *errcode.Error {
	if c.weak() {
		if err := c.lockouts.turn(ctx, v.from); err != nil {
			return errcode.From(err)
		}
	}
	if c.validToken(token) {
		return nil
	}
	now := time.Now()
	if until, locked := c.lockouts.wrong(v.from, now); locked {
		return lockedOut(until)
	}
	return errWrong()
}

const reasonWrong = "wrong_token"

func errWrong() *errcode.Error {
	return errcode.New(errcode.Unauthorized,
		"the token isn't valid or was revoked. Use the owner's token, or ask the owner of the hub for a new one.").
		With(errcode.KeyReason, reasonWrong)
}

// CheckOwner refuses a token that is not the owner's, as the door does, for who signs in by it. The holder of another
// valid token learns that it has a role; it counts as a wrong one.
func (c *Control) CheckOwner(ctx context.Context, token string) error {
	refusal := c.ownersToken(ctx, visitOf(ctx), token)
	if refusal == nil {
		return nil
	}
	if role := c.roleOf(token); role != "" && refusal.Reason() == reasonWrong {
		return errcode.New(errcode.Unauthorized, "this token is for agents and programs (role: %s). "+
			"Sign in with the owner's token or a one-time link.", role).
			With(errcode.KeyReason, "not_the_owner").With("role", string(role))
	}
	return refusal
}

// roleOf returns the role of a token that isn't the owner's, or "" if it isn't valid.
func (c *Control) roleOf(token string) Role {
	if c.Callers != nil {
		if role := c.Callers.roleOf(token); role != "" {
			return role
		}
	}
	if c.Agents != nil {
		if _, is := c.Agents(token); is {
			return agents
		}
	}
	return ""
}

// token returns the token that a request bears, and what the owner is called who bears it so:
// a page cannot set headers on a WebSocket, and names it as a subprotocol.
func token(r *http.Request) (token, owner string) {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "bearer") {
		return strings.TrimSpace(token), byToken
	}
	if encoded, ok := protocolWith(r, bearerProtocol); ok {
		if token, err := base64.RawURLEncoding.DecodeString(encoded); err == nil {
			return string(token), byPage
		}
		return encoded, byPage // nobody's
	}
	return "", ""
}

// protocolWith returns the rest of the WebSocket subprotocol that begins so.
func protocolWith(r *http.Request, prefix string) (rest string, ok bool) {
	for _, p := range strings.Split(r.Header.Get("Sec-WebSocket-Protocol"), ",") {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(p), prefix); ok {
			return rest, true
		}
	}
	return "", false
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
