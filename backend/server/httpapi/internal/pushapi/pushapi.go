// Package pushapi serves push notifications: each browser in which the owner is signed in turns them on or off for
// itself.
package pushapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/work/webpush"
)

// Routes are the routes about push notifications.
type Routes struct {
	Push   *webpush.Machine
	Logger *slog.Logger
}

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	const tag = "inbox"
	route := func(method, path, id, text string) huma.Operation {
		return httperr.Route(method, path, id, text, tag)
	}
	huma.Register(api, route(http.MethodGet, "/api/push", "getPush", "Get push notifications\n"+
		"Shows whether the browser that sends this request gets push notifications."), httperr.Handler(s.Logger, s.get))
	huma.Register(api, route(http.MethodGet, "/api/push/key", "getPushKey", "Get the push key\n"+
		"Returns the public key of the hub, with which a browser subscribes. The first request creates the key pair. "+
		"The private key is saved with the other secrets."), httperr.Handler(s.Logger, s.key))
	huma.Register(api, route(http.MethodPut, "/api/push", "putPush", "Turn on push notifications\n"+
		"Sends a push notification to the browser of this sign-in for each new inbox entry, until the sign-in ends. "+
		"CONFLICT for a request with a token: only a signed-in browser can turn them on."),
		httperr.Handler(s.Logger, s.put))
	huma.Register(api, httperr.Status(http.StatusNoContent, route(http.MethodDelete, "/api/push", "deletePush",
		"Turn off push notifications\nIn the browser that sends this request.")), httperr.Handler(s.Logger, s.remove))
	huma.Register(api, httperr.Also(route(http.MethodPost, "/api/push/test", "testPush", "Send a test notification\n"+
		"Answers when the push service of this browser accepted the test. CONFLICT if it doesn't know the browser any "+
		"more, UNAVAILABLE if it refused the test or wasn't reached within 10 seconds."),
		http.StatusServiceUnavailable), httperr.Handler(s.Logger, s.test))
}

// Push is how push notifications are set up in one browser.
type Push struct {
	On       bool      `json:"on" doc:"This browser gets push notifications."`
	Endpoint string    `json:"endpoint,omitempty" doc:"Address of the browser at its push service."`
	Language string    `json:"language,omitempty" enum:"en,ja" doc:"Language of the notifications."`
	At       time.Time `json:"at,omitzero" doc:"Time when they were turned on."`
}

type pushBody struct{ Body Push }

type pushKey struct {
	Body struct {
		Key string `json:"key" doc:"Public key, as base64url: applicationServerKey of the browser's subscription."`
	}
}

type putPush struct {
	Body struct {
		Endpoint string `json:"endpoint" minLength:"1" maxLength:"2000" doc:"Address that the browser got from its push service, at most 2000 characters. It must be an https address on the internet."`
		P256dh   string `json:"p256dh" minLength:"1" maxLength:"200" doc:"Public key of the browser, as base64url."`
		Auth     string `json:"auth" minLength:"1" maxLength:"100" doc:"Authentication secret of the browser, as base64url."`
		Key      string `json:"key" minLength:"1" maxLength:"200" doc:"Public key of the hub with which the browser subscribed."`
		Language string `json:"language" enum:"en,ja" doc:"Language of the notifications."`
	}
}

type testedPush struct {
	Body struct {
		Service string `json:"service" doc:"Host of the push service that accepted the test."`
	}
}

// login returns the sign-in of a request.
func login(ctx context.Context) (string, error) {
	if id := auth.LoginID(ctx); id != "" {
		return id, nil
	}
	return "", errcode.New(errcode.Conflict, "only a signed-in browser gets push notifications, and this request came "+
		"with a token").With(errcode.KeyReason, "no_login")
}

func (s *Routes) get(ctx context.Context, _ *struct{}) (*pushBody, error) {
	b, on := s.Push.Browser(auth.LoginID(ctx))
	return &pushBody{Push{On: on, Endpoint: b.Endpoint, Language: b.Language, At: b.At}}, nil
}

func (s *Routes) key(ctx context.Context, _ *struct{}) (*pushKey, error) {
	if _, err := login(ctx); err != nil {
		return nil, err
	}
	out := new(pushKey)
	var err error
	out.Body.Key, err = s.Push.PublicKey()
	return out, err
}

func (s *Routes) put(ctx context.Context, in *putPush) (*pushBody, error) {
	id, err := login(ctx)
	if err != nil {
		return nil, err
	}
	b := in.Body
	err = s.Push.Put(webpush.Subscription{
		Login: id, Endpoint: b.Endpoint, P256dh: b.P256dh, Auth: b.Auth, Key: b.Key, Language: b.Language,
	}, auth.At(ctx))
	if err != nil {
		return nil, err
	}
	return s.get(ctx, nil)
}

func (s *Routes) remove(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, s.Push.Remove(auth.LoginID(ctx))
}

func (s *Routes) test(ctx context.Context, _ *struct{}) (*testedPush, error) {
	id, err := login(ctx)
	if err != nil {
		return nil, err
	}
	b, err := s.Push.Test(ctx, id)
	if err != nil {
		return nil, err
	}
	out := new(testedPush)
	out.Body.Service = b.Service()
	return out, nil
}
