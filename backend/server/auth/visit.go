package auth

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
)

// visit is what is known of who sent a request. The Guard fills it in.
type visit struct {
	who    string // as the audit log has it
	agent  string // its id, where it is one
	owner  atomic.Bool
	login  string // its id, where the owner came by one
	caller Caller
	from   netip.Addr
	leave  context.CancelCauseFunc // ends it
	asked  *http.Request
	at     string
	said   atomic.Pointer[string]
}

type visitKey struct{}

// visited returns the request with a visit, which those after it share.
func visited(r *http.Request) (*http.Request, *visit) {
	if v, ok := r.Context().Value(visitKey{}).(*visit); ok {
		return r, v
	}
	ctx, leave := context.WithCancelCause(r.Context())
	v := &visit{leave: leave}
	return r.WithContext(context.WithValue(ctx, visitKey{}, v)), v
}

func visitOf(ctx context.Context) *visit {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v
	}
	return new(visit)
}

// Agent returns the agent that a request comes from, and whether it comes from one.
func Agent(ctx context.Context) (string, bool) {
	v := visitOf(ctx)
	return v.agent, v.agent != ""
}

// Who returns who sent a request, as the audit log has it; "" for nobody known.
func Who(ctx context.Context) string { return visitOf(ctx).who }

// Owner reports whether a request comes from the owner, by whatever way.
func Owner(ctx context.Context) bool { return visitOf(ctx).owner.Load() }

// Key names whose token or login a request came with, so that what it began can be ended with
// them: login:ID, caller:ID, owner, or "" for others.
func Key(ctx context.Context) string {
	switch v := visitOf(ctx); {
	case v.login != "":
		return LoginKey(v.login)
	case v.caller.ID != "":
		return CallerKey(v.caller.ID)
	case v.owner.Load():
		return OwnerKey
	}
	return ""
}

// LoginID returns the ID of the login that a request came with, or "" if it came with a token.
func LoginID(ctx context.Context) string { return visitOf(ctx).login }

// OwnerKey is the Key of what came with the owner's token.
const OwnerKey = "owner"

// LoginKey is the Key of a login.
func LoginKey(id string) string { return "login:" + id }

// CallerKey is the Key of a caller.
func CallerKey(id string) string { return "caller:" + id }

// By returns whose API token a request bears; nobody's, with an empty ID, is the owner's request. A
// request of which nothing is known is never taken for the owner's.
func By(ctx context.Context) Caller {
	switch v := visitOf(ctx); {
	case v.caller.ID != "":
		return v.caller
	case v.owner.Load():
		return Caller{}
	case v.agent != "":
		return Caller{ID: "agent:" + v.agent, Name: v.agent}
	}
	return Caller{ID: "unknown", Name: "unknown"}
}

// From returns the address that a request comes from. It is not valid where there is none.
func From(ctx context.Context) netip.Addr { return visitOf(ctx).from }

// FromBehind returns the address that a request would come from if these proxies were believed.
func FromBehind(ctx context.Context, proxies []netip.Prefix) netip.Addr {
	if asked := visitOf(ctx).asked; asked != nil {
		return (&networks{proxies: proxies}).client(asked)
	}
	return netip.Addr{}
}

// At returns under which address the hub was asked, as scheme://host: what a proxy that is
// believed says of it, or else what the request itself does.
func At(ctx context.Context) string { return visitOf(ctx).at }

// saidAtMost is how much of what was asked goes into the audit log.
const saidAtMost = 16 << 10

// Say tells the audit log what was asked, in case the owner wants it kept.
func Say(ctx context.Context, text string) {
	text = cut(text, saidAtMost)
	visitOf(ctx).said.Store(&text)
}

// letsIn reports whether the request is that of a one-time link.
func letsIn(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, linkPath) }

// The part of a path that is written down, and that of a stranger.
const (
	pathAtMost          = 2000
	strangersPathAtMost = 200
)

// publicPath is the path of a request as it may be written down: a one-time link's code
// is left out.
func publicPath(r *http.Request) string {
	if letsIn(r) {
		return linkPath
	}
	return cut(r.URL.Path, pathAtMost)
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
