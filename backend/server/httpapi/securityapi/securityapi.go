// Package securityapi serves who may reach the hub, who did, and what tasks may cost. It
// translates and holds nothing.
package securityapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/audit"
	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
)

// Listener is how the hub listens.
type Listener struct {
	Address     string `json:"address" doc:"URL of the hub."`
	Beyond      bool   `json:"beyond" doc:"Other computers can reach the hub."`
	Elsewhere   string `json:"elsewhere,omitempty" doc:"URL for other computers. Absent: none can reach the hub."`
	Readable    bool   `json:"readable" doc:"Others can read the traffic."`
	TLS         string `json:"tls" enum:"none,own,made" doc:"Certificate: none, your own, or one that the hub created (made)."`
	Fingerprint string `json:"fingerprint,omitempty" doc:"Fingerprint of the certificate."`
	ForOthers   string `json:"forOthers" doc:"Command that starts this hub so that other computers can reach it."`
	AllowFixed  bool   `json:"allowFixed" doc:"The list was given at the start and can't be changed."`
}

// Routes are the routes about them.
type Routes struct {
	Listener Listener
	Access   *auth.Control
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
	return httperr.Route(method, path, id, summary, tag)
}

// Stand is how the hub is guarded.
type Stand struct {
	Listener
	Allow         []string       `json:"allow" doc:"Networks that can connect, as CIDR. Empty: all."`
	Proxies       []string       `json:"proxies" doc:"Trusted proxies."`
	You           string         `json:"you" doc:"Address of this request."`
	Lockouts      []auth.Lockout `json:"lockouts" doc:"Addresses that sent too many wrong tokens."`
	WrongTokens   int            `json:"wrongTokens" doc:"Number of wrong tokens within the last 10 minutes."`
	Callers       []auth.Caller  `json:"callers" doc:"API tokens."`
	AuditsPrompts bool           `json:"auditsPrompts" doc:"Prompts to agents are written to the audit log."`
}

type standBody struct{ Body Stand }

type putNetworks struct {
	Body struct {
		Allow   []string `json:"allow" maxItems:"200" doc:"Networks that can connect, as CIDR or IP address, at most 200. Empty: all."`
		Proxies []string `json:"proxies" maxItems:"50" doc:"Trusted proxies, as CIDR or IP address, at most 50. Default: none."`
		Sure    bool     `json:"sure,omitempty" doc:"Also accept a list without the hub's own computer. Default: false."`
	}
}

type liftQuery struct {
	Address string `query:"address" required:"true" maxLength:"100" doc:"IP address or network, as the list of lockouts shows it."`
}

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	huma.Register(api, route(http.MethodGet, at, "getSecurity", "Get security settings\n"+
		"Shows how the hub can be reached, and by whom."), httperr.Handler(s.Logger, func(ctx context.Context, _ *struct{}) (*standBody, error) {
		return s.stand(ctx), nil
	}))
	huma.Register(api, route(http.MethodPut, at+"/networks", "putNetworks", "Update allowed networks\n"+
		"Counts at once. CONFLICT if the list leaves out the address of this request, or the hub's own computer "+
		"without `sure`."), httperr.Handler(s.Logger, s.putNetworks))
	huma.Register(api, route(http.MethodDelete, at+"/lockouts", "liftLockout", "Unlock an address\n"+
		"Accepts requests again from an address that sent too many wrong tokens."), httperr.Handler(s.Logger, func(ctx context.Context, in *liftQuery) (*standBody, error) {
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
	door := s.Listener
	door.Elsewhere = netlisten.OuterAddress(door.Address) // each time: networks come and go
	return &standBody{Stand{
		Listener: door, Allow: texts(allow), Proxies: texts(proxies), You: auth.From(ctx).String(),
		Lockouts: s.Access.Lockouts(), WrongTokens: s.Access.WrongTokens(), Callers: s.Access.Callers.List(), AuditsPrompts: s.Settings.Security().AuditsPrompts,
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
	if s.Listener.AllowFixed {
		return nil, errcode.New(errcode.Conflict,
			"the address list was given with --allow, and holds until the hub ends").
			With(errcode.KeyReason, "fixed")
	}
	allow, err := auth.ParseNetworks(in.Body.Allow)
	if err != nil {
		return nil, withField(err, "allow")
	}
	proxies, err := auth.ParseNetworks(in.Body.Proxies)
	if err != nil {
		return nil, withField(err, "proxies")
	}
	if you := auth.FromBehind(ctx, proxies); !auth.Within(allow, you) {
		return nil, errcode.New(errcode.Conflict,
			"the list leaves out %s, where you are: nobody could take it back from here", you).
			With(errcode.KeyReason, "locks_out").
			With("address", you.String())
	}
	here := auth.Within(allow, netip.AddrFrom4([4]byte{127, 0, 0, 1}))
	if !here && !in.Body.Sure {
		return nil, errcode.New(errcode.Conflict,
			"the list leaves out 127.0.0.1, the hub's own computer: its window and its command line would be refused").
			With(errcode.KeyReason, "locks_out_here")
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
