// Package access decides who may talk to the hub: the owner, by token or cookie; callers and
// agents, by tokens of their own and within their roles; from allowed addresses, under the
// hub's own names, from its own page.
package access

import (
	"context"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"agentflow/backend/errcode"
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

	networks networks
	hosts    hosts
	lockouts lockouts
}

// New returns a Control for the owner's token; fail writes its refusals.
func New(token string, allow []netip.Prefix, fail func(http.ResponseWriter, *errcode.Error)) *Control {
	c := &Control{auth: newAuth(token), Fail: fail}
	c.SetNetworks(allow, nil)
	return c
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

// Who the owner comes as.
const (
	byToken = "owner"
	byPage  = "page"
)

// Guard checks where a request comes from, and from whom, before any route sees it. A request
// whose sender may not stay, as the address list or the callers change, is cancelled.
func (c *Control) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		r, v := visited(r)
		allowed := c.networks.enter(r, v)
		defer c.networks.left(v)
		v.asked, v.at = r, c.networks.asked(r)
		if !allowed || !c.hosts.own(r.Host) {
			c.Fail(w, errcode.New(errcode.Forbidden, "this address may not talk to the hub"))
			return
		}
		origin := r.Header.Get("Origin")
		if origin != "" && !ownOrigin(origin, r.Host, v.at) {
			c.Fail(w, errcode.New(errcode.Forbidden, "requests from the page %s are refused", origin))
			return
		}
		if slices.Contains(windowOrigins, origin) && cors(w, r, origin) {
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

// admit finds out who sent a request, and whether they may get to the route. The context that
// it returns ends when they are not let in any more; done must be called.
func (c *Control) admit(r *http.Request, v *visit, pattern string) (ctx context.Context, done func(), refusal *errcode.Error) {
	done = func() {}
	token, who := token(r)
	if token == "" && c.validPage(r) {
		v.who, v.owner = byPage, true
		return r.Context(), done, nil
	}
	if token == "" {
		return r.Context(), done, errcode.New(errcode.Unauthorized, "this needs the owner's token: send it as a bearer token, or open the hub's one-time link")
	}
	owner := c.validToken(token)
	if until, locked := c.lockouts.locked(v.from, time.Now()); locked && (!owner || !v.from.IsLoopback()) {
		return r.Context(), done, lockedOut(until)
	}
	if owner {
		v.who, v.owner = who, true
		return r.Context(), done, nil
	}
	if c.Callers != nil {
		if caller, ctx, done, is := c.Callers.enter(r.Context(), token); is {
			v.who = "caller:" + caller.Name
			if !permits(pattern, caller.Role) {
				return ctx, done, errcode.New(errcode.Forbidden, "the role %s of %s does not permit this", caller.Role, caller.Name)
			}
			return ctx, done, nil
		}
	}
	if c.Agents != nil {
		if agent, is := c.Agents(token); is {
			v.who, v.agent = "agent:"+agent, agent
			if !permits(pattern, agents) {
				return r.Context(), done, errcode.New(errcode.Forbidden, "%s may report results, give parts of its task on and ask the person here, and nothing else", agent)
			}
			return r.Context(), done, nil
		}
	}
	if until, locked := c.lockouts.wrong(v.from, time.Now()); locked {
		return r.Context(), done, lockedOut(until)
	}
	return r.Context(), done, errcode.New(errcode.Unauthorized, "this is nobody's token: send the owner's as a bearer token, or open the hub's one-time link")
}

// token returns the token that a request bears, and what the owner is called who bears it so:
// a page cannot set headers on a WebSocket, and names it as a subprotocol.
func token(r *http.Request) (token, owner string) {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "bearer") {
		return strings.TrimSpace(token), byToken
	}
	for _, p := range strings.Split(r.Header.Get("Sec-WebSocket-Protocol"), ",") {
		if encoded, ok := strings.CutPrefix(strings.TrimSpace(p), bearerProtocol); ok {
			if token, err := base64.RawURLEncoding.DecodeString(encoded); err == nil {
				return string(token), byPage
			}
			return encoded, byPage // nobody's
		}
	}
	return "", ""
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
