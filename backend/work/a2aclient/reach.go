package a2aclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/worker"
)

const (
	callWithin = 20 * time.Second
	maxAnswer  = 64 << 20 // bytes of one answer or stream
)

// Cause codes of failures to reach an agent.
const (
	causeNoCard     = "a2a_card"
	causeLeadsAway  = "a2a_elsewhere"
	causeUnreached  = "agent_unreached"
	causeSecret     = "agent_secret"
	causeNoProtocol = "a2a_protocol"
	keyURL          = "url"
)

// guard limits requests to one origin, so that neither a card nor a redirect can send the secret elsewhere.
type guard struct {
	next   http.RoundTripper
	origin string
	secret string // "" if the agent needs none
}

func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if at := origin(r.URL); at != g.origin {
		return nil, leadsAway(g.origin, at)
	}
	r = r.Clone(r.Context())
	if g.secret != "" {
		r.Header.Set("Authorization", "Bearer "+g.secret)
	}
	resp, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	var bad error
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		bad = errcode.New(errcode.Unauthorized, "the agent at %s refused the hub's secret", g.origin).
			With(errcode.KeyCause, causeSecret)
	case code >= http.StatusMultipleChoices && code < http.StatusBadRequest:
		to, _ := resp.Location() // without one, the target is unknown
		bad = leadsAway(g.origin, origin(to))
	}
	if bad != nil {
		_ = resp.Body.Close()
		return nil, bad
	}
	resp.Body = &bounded{ReadCloser: resp.Body, left: maxAnswer}
	return resp, nil
}

func leadsAway(from, to string) *errcode.Error {
	return errcode.New(errcode.Validation,
		"the agent at %s leads to %s: the hub speaks with nobody but the address that it was given", from, to).
		With(errcode.KeyCause, causeLeadsAway).
		With(keyURL, to)
}

// bounded is a body that fails once it is too long.
type bounded struct {
	io.ReadCloser
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// origin returns the normalized scheme, host and port of a URL.
func origin(u *url.URL) string {
	if u == nil {
		return "another address"
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// line is a client for one agent, with the relevant properties of its card.
type line struct {
	*a2aclient.Client
	streams bool
}

// reach fetches the agent's card and returns a client.
func (p *Peer) reach(ctx context.Context) (*line, error) {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	base := Address(p.URL)
	at, err := url.Parse(base)
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err, "the agent's url cannot be used").
			With(errcode.KeyField, keyURL)
	}
	next := p.HTTP.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	client := &http.Client{
		Transport:     &guard{next: next, origin: origin(at), secret: p.Secret},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	card, err := (&agentcard.Resolver{Client: client, CardParser: parseCard}).Resolve(ctx, base)
	if err != nil {
		return nil, p.unread(ctx, err)
	}
	if err := keepHere(card, at); err != nil {
		return nil, err
	}
	made, err := a2aclient.NewFactory(
		a2aclient.WithJSONRPCTransport(client),
		a2aclient.WithRESTTransport(client),
		a2av0.WithJSONRPCTransport(
			a2av0.JSONRPCTransportConfig{Client: client},
		),
		a2av0.WithRESTTransport(a2av0.RESTTransportConfig{Client: client}),
	).CreateFromCard(ctx, card)
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err, "the agent at %s speaks A2A by means that the hub does not know: JSON-RPC or HTTP+JSON of 1.0 or 0.3 is needed", base).
			With(errcode.KeyCause, causeNoProtocol).
			With(keyURL, base)
	}
	return &line{Client: made, streams: card.Capabilities.Streaming}, nil
}

// unread converts the failure to fetch a card.
func (p *Peer) unread(ctx context.Context, err error) error {
	var status *agentcard.ErrStatusNotOK
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	if errors.As(err, &status) && status.StatusCode < http.StatusInternalServerError || errors.As(err, &syntax) || errors.As(err, &typ) || errors.Is(err, errTooMuch) {
		return errcode.Wrap(errcode.Validation, err, "there is no A2A agent card at %s", Address(p.URL)).With(errcode.KeyCause, causeNoCard).With(keyURL, Address(p.URL))
	}
	e := p.unreached(ctx, err)
	if said, ok := errors.AsType[*errcode.Error](e); ok && !p.Attach && worker.NobodyListens(err) {
		return said.With(errcode.KeyReason, worker.ReasonUnreachable)
	}
	return e
}

// unreached converts the failure of a call for the coordinator.
func (p *Peer) unreached(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	if said, ok := errors.AsType[*errcode.Error](err); ok {
		return said
	}
	if said, ok := errors.AsType[*a2a.Error](err); ok {
		return refused(said)
	}
	if errors.Is(err, errTooMuch) {
		return tooMuch()
	}
	return errcode.Wrap(errcode.Unavailable, err, "the agent at %s cannot be reached", Address(p.URL)).
		With(errcode.KeyCause, causeUnreached).
		With(keyURL, Address(p.URL))
}

// parseCard parses a card of A2A 1.0 or 0.3.
func parseCard(data []byte) (*a2a.AgentCard, error) {
	card, err := a2av0.NewAgentCardParser()(data)
	if err != nil || len(card.SupportedInterfaces) > 0 {
		return card, err
	}
	var old struct { // without preferredTransport, JSON-RPC is the default
		URL             string              `json:"url"`
		ProtocolVersion a2a.ProtocolVersion `json:"protocolVersion"`
	}
	if err := json.Unmarshal(data, &old); err != nil {
		return nil, err
	}
	if old.URL != "" {
		if old.ProtocolVersion == "" {
			old.ProtocolVersion = a2av0.Version
		}
		card.SupportedInterfaces = []*a2a.AgentInterface{
			{URL: old.URL, ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: old.ProtocolVersion},
		}
	}
	return card, nil
}

// keepHere removes the interfaces of other origins from a card.
func keepHere(card *a2a.AgentCard, at *url.URL) error {
	here := card.SupportedInterfaces[:0]
	away := ""
	for _, i := range card.SupportedInterfaces {
		u, err := url.Parse(i.URL)
		if err != nil || origin(u) != origin(at) {
			away = i.URL
			continue
		}
		here = append(here, i)
	}
	card.SupportedInterfaces = here
	if len(here) > 0 {
		return nil
	}
	if away == "" {
		return errcode.New(errcode.Validation, "the agent card at %s names no address", at).
			With(errcode.KeyCause, causeNoCard).
			With(keyURL, at.String())
	}
	return leadsAway(origin(at), away)
}
