// Package security serves who may reach the hub, who did, and what tasks may cost. It
// translates and holds nothing.
package security

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/audit"
	"agentflow/backend/config"
	"agentflow/backend/errcode"
	"agentflow/backend/exposure"
	"agentflow/backend/httpapi/access"
	"agentflow/backend/httpapi/answer"
)

// Door is how the hub listens.
type Door struct {
	Address     string `json:"address" doc:"where it is reached"`
	Beyond      bool   `json:"beyond" doc:"other computers can reach it"`
	Elsewhere   string `json:"elsewhere,omitempty" doc:"the address for other computers, as far as this one knows; absent: none can reach it"`
	Readable    bool   `json:"readable" doc:"others can read what goes over it"`
	TLS         string `json:"tls" enum:"none,own,made" doc:"the certificate: none, a given one, one that the hub made"`
	Fingerprint string `json:"fingerprint,omitempty" doc:"of the certificate, as clients name it"`
	AllowFixed  bool   `json:"allowFixed" doc:"the address list was given at the start, and holds until the end"`
}

// Routes are the routes about them.
type Routes struct {
	Door     Door
	Access   *access.Control
	Settings *config.Settings
	Audit    *audit.Log
	Logger   *slog.Logger

	// Cut ends the sockets, beside the requests, of who may not stay.
	Cut func(stays func(from netip.Addr, key string) bool)

	// NewToken makes and keeps another token of the owner's.
	NewToken func() (string, error)
}

const (
	tag = "security"
	at  = "/api/security"
)

func route(method, path, id, summary string) huma.Operation {
	return answer.Route(method, path, id, summary, tag)
}

// Stand is how the hub is guarded.
type Stand struct {
	Door
	Allow         []string         `json:"allow" doc:"networks that may connect, as CIDR; none: all"`
	Proxies       []string         `json:"proxies" doc:"proxies that are believed when they say for whom they ask"`
	You           string           `json:"you" doc:"the address that this request came from"`
	Lockouts      []access.Lockout `json:"lockouts"`
	Callers       []access.Caller  `json:"callers"`
	AuditsPrompts bool             `json:"auditsPrompts" doc:"what is asked of agents is written into the audit log"`
}

type standBody struct{ Body Stand }

type putNetworks struct {
	Body struct {
		Allow   []string `json:"allow" maxItems:"200" doc:"networks as CIDR, or addresses; none: all"`
		Proxies []string `json:"proxies" maxItems:"50" doc:"likewise"`
		Sure    bool     `json:"sure,omitempty" doc:"also where the hub's own computer is left out"`
	}
}

type liftQuery struct {
	Address string `query:"address" required:"true" maxLength:"100"`
}

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	huma.Register(api, route(http.MethodGet, at, "getSecurity", "Who may reach the hub, and how"), answer.Handler(s.Logger, func(ctx context.Context, _ *struct{}) (*standBody, error) {
		return s.stand(ctx), nil
	}))
	huma.Register(api, route(http.MethodPut, at+"/networks", "putNetworks", "Which networks may connect, from now on"), answer.Handler(s.Logger, s.putNetworks))
	huma.Register(api, route(http.MethodDelete, at+"/lockouts", "liftLockout", "Let an address in again that sent too many wrong tokens"), answer.Handler(s.Logger, func(ctx context.Context, in *liftQuery) (*standBody, error) {
		if err := s.Access.Lift(in.Address); err != nil {
			return nil, err
		}
		return s.stand(ctx), nil
	}))
	s.registerCallers(api)
	s.registerAudit(api)
	s.registerLinks(api)
	s.registerLogins(api)
	s.registerBudgets(api)
}

func (s *Routes) stand(ctx context.Context) *standBody {
	allow, proxies := s.Access.Networks()
	door := s.Door
	door.Elsewhere = exposure.Elsewhere(door.Address) // each time: networks come and go
	return &standBody{Stand{
		Door: door, Allow: texts(allow), Proxies: texts(proxies), You: access.From(ctx).String(),
		Lockouts: s.Access.Lockouts(), Callers: s.Access.Callers.List(), AuditsPrompts: s.Settings.Security().AuditsPrompts,
	}}
}

func texts(networks []netip.Prefix) []string {
	out := make([]string, 0, len(networks))
	for _, n := range networks {
		out = append(out, n.String())
	}
	return out
}

// putNetworks refuses a list that locks out who asks, and asks again before it locks out the
// hub's own computer, where the window and the command line are.
func (s *Routes) putNetworks(ctx context.Context, in *putNetworks) (*standBody, error) {
	if s.Door.AllowFixed {
		return nil, errcode.New(errcode.Conflict, "the address list was given with --allow, and holds until the hub ends").With(errcode.KeyReason, "fixed")
	}
	allow, err := access.ParseNetworks(in.Body.Allow)
	if err != nil {
		return nil, withField(err, "allow")
	}
	proxies, err := access.ParseNetworks(in.Body.Proxies)
	if err != nil {
		return nil, withField(err, "proxies")
	}
	if you := access.FromBehind(ctx, proxies); !access.Within(allow, you) {
		return nil, errcode.New(errcode.Conflict, "the list leaves out %s, where you are: nobody could take it back from here", you).With(errcode.KeyReason, "locks_out").With("address", you.String())
	}
	here := access.Within(allow, netip.AddrFrom4([4]byte{127, 0, 0, 1}))
	if !here && !in.Body.Sure {
		return nil, errcode.New(errcode.Conflict, "the list leaves out 127.0.0.1, the hub's own computer: its window and its command line would be refused").With(errcode.KeyReason, "locks_out_here")
	}
	if err := s.Settings.SetSecurity(func(of *config.Security) { of.Allow, of.Proxies = allow, proxies }); err != nil {
		return nil, err
	}
	s.Access.SetNetworks(allow, proxies)
	s.Cut(func(from netip.Addr, _ string) bool { return s.Access.Allowed(from) })
	return s.stand(ctx), nil
}

func withField(err error, field string) error {
	return errcode.From(err).With(errcode.KeyField, field)
}
