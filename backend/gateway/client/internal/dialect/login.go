package dialect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
)

const (
	minProtocol = 3
	maxProtocol = 4
	defaultTick = 30 * time.Second
	maxTick     = 5 * time.Minute
	loginID     = "login"
)

type connectParams struct {
	MinProtocol int            `json:"minProtocol"`
	MaxProtocol int            `json:"maxProtocol"`
	Client      connectClient  `json:"client"`
	Role        string         `json:"role"`
	Scopes      []string       `json:"scopes"`
	Caps        []string       `json:"caps"`
	Auth        map[string]any `json:"auth,omitempty"`
	Device      device         `json:"device"`
}

type connectClient struct {
	ID          string `json:"id"`
	DisplayName string `json:"displayName"`
	Version     string `json:"version"`
	Platform    string `json:"platform"` // pinned by the gateway to this device: it must never change
	Mode        string `json:"mode"`
}

// helloOK is the gateway's welcome, as far as it is used.
type helloOK struct {
	Type     string `json:"type"`
	Protocol int    `json:"protocol"`
	Server   struct {
		Version string `json:"version"`
	} `json:"server"`
	Features struct {
		Methods []string `json:"methods"`
	} `json:"features"`
	Auth *struct {
		DeviceToken string   `json:"deviceToken"`
		Scopes      []string `json:"scopes"`
	} `json:"auth"`
	Policy struct {
		MaxPayload     int64   `json:"maxPayload"`
		TickIntervalMs float64 `json:"tickIntervalMs"`
	} `json:"policy"`
}

// openFramed answers the challenge and logs in.
func (o *Opener) openFramed(ctx context.Context, sock *socket, token string, ch challenge) (Link, error) {
	seed, err := o.Device.Seed()
	if err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "this installation's device key cannot be read")
	}
	if token == "" {
		token, _ = o.Device.DeviceToken(o.URL) // without any token the gateway says what it wants
	}
	params := connectParams{
		MinProtocol: minProtocol, MaxProtocol: maxProtocol,
		Client: connectClient{ID: clientID, DisplayName: DisplayName, Version: o.ClientVersion, Platform: runtime.GOOS, Mode: clientMode},
		Role:   clientRole, Scopes: askedScopes, Caps: o.caps(),
		Device: signDevice(seed, token, askedScopes, ch),
	}
	if token != "" {
		params.Auth = map[string]any{"token": token}
	}
	data, err := json.Marshal(requestFrame{Type: "req", ID: loginID, Method: "connect", Params: params})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timing.Handshake)
	defer cancel()
	if err := sock.write(ctx, data); err != nil {
		return nil, err
	}
	answer, err := awaitLogin(ctx, sock)
	if err != nil {
		return nil, err
	}
	return o.welcome(sock, answer)
}

// caps are what the gateway may send. A gateway since 2026.7 sends approvals only to who says that it shows them.
func (o *Opener) caps() []string {
	if o.Approver {
		return []string{"tool-events", "approvals"}
	}
	return []string{"tool-events"}
}

// awaitLogin returns the answer to connect. Events may come before it; they are
// of no use to a reader who starts from the whole picture.
func awaitLogin(ctx context.Context, sock *socket) (json.RawMessage, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the gateway did not answer the login in time: %w", context.Cause(ctx))
		case data, ok := <-sock.frames:
			if !ok {
				return nil, sock.err
			}
			if err := checkFrame(data); err != nil {
				return nil, fmt.Errorf("the gateway's answer to the login cannot be read: %w", err)
			}
			var f frame
			if json.Unmarshal(data, &f) != nil || f.Type != "res" || f.ID != loginID {
				continue
			}
			payload, err := f.result()
			var refused *Error
			if errors.As(err, &refused) {
				return nil, refused.login()
			}
			return payload, nil
		}
	}
}

// welcome makes the link of a hello-ok.
func (o *Opener) welcome(sock *socket, payload json.RawMessage) (Link, error) {
	var h helloOK
	if err := json.Unmarshal(payload, &h); err != nil || h.Type != "hello-ok" {
		return nil, refusedLogin(err, "the gateway's answer to the login is no hello-ok")
	}
	if h.Protocol < minProtocol || h.Protocol > maxProtocol {
		return nil, refusedLogin(nil, "the gateway speaks protocol %d; this AgentFlow speaks %d to %d", h.Protocol,
			minProtocol, maxProtocol)
	}
	l := newFramedLink(o, sock)
	l.hello = About{
		Dialect: Framed, Protocol: h.Protocol, Version: Clean(h.Server.Version),
		Features: framedFeatures(h.Protocol, h.Features.Methods),
	}
	if h.Auth != nil {
		l.hello.Scopes = h.Auth.Scopes
		if h.Auth.DeviceToken != "" {
			if err := o.Device.SetDeviceToken(o.URL, h.Auth.DeviceToken); err != nil {
				o.Log.Warn("gateway: the device token could not be kept", "error", err)
			}
		}
	}
	if !HasScope(l.hello.Scopes, ScopeRead) {
		return nil, NoScope(nil, ScopeRead, "reading the config")
	}
	if ms := h.Policy.TickIntervalMs; ms > 0 {
		l.tick = min(max(time.Duration(ms)*time.Millisecond, o.Timing.MinTick), maxTick)
	}
	if h.Policy.MaxPayload > 0 {
		sock.maxWrite.Store(h.Policy.MaxPayload)
	}
	sock.setSilence(2 * l.tick)
	return l, nil
}

// login gives a refused login its meaning.
func (w *Error) login() error {
	msg, d := Clean(w.Message), w.details()
	switch {
	case strings.Contains(d.Code, "RATE_LIMIT") || rateLimit.MatchString(msg):
		return errcode.Wrap(errcode.Gateway, w, "the gateway is limiting logins: %s", msg).
			With(errcode.KeyReason, errcode.ReasonRateLimited).With(errcode.KeyRetryAfterMs, w.retryAfterMs())
	case w.Code == "UNAVAILABLE":
		return &StartingError{RetryAfter: time.Duration(w.retryAfterMs()) * time.Millisecond, text: msg}
	case w.Code == "NOT_PAIRED" && d.Code != "DEVICE_IDENTITY_REQUIRED":
		return pairingRequired(w, d.RequestID)
	case strings.HasPrefix(d.Code, "AUTH_") || strings.HasPrefix(msg, "unauthorized"):
		return BadToken(w, msg)
	case strings.HasPrefix(msg, "protocol mismatch"):
		return refusedLogin(w, "the gateway speaks protocol %d; this AgentFlow speaks %d to %d", d.Expected,
			minProtocol, maxProtocol)
	}
	return refusedLogin(w, "the gateway rejected the login: %s", msg)
}

func refusedLogin(cause error, format string, args ...any) *errcode.Error {
	return errcode.Wrap(errcode.Gateway, cause, format, args...).With(errcode.KeyReason, errcode.ReasonRejected)
}
