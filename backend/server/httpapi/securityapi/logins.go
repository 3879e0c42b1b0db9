package securityapi

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
)

type signInBody struct {
	Body struct {
		Token string `json:"token" minLength:"1" maxLength:"4096" doc:"Owner's token, 1 to 4096 characters."`
	}
}

type signedInBody struct {
	Body struct {
		PageKey string `json:"pageKey" doc:"Page key. Send it in the header AgentFlow-Page-Key of each request, with the cookie."`
	}
	SetCookie    http.Cookie `header:"Set-Cookie"`
	CacheControl string      `header:"Cache-Control"`
}

type signedOutBody struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
}

type loginsBody struct {
	Body struct {
		Logins []auth.Login `json:"logins" doc:"Signed-in browsers, the last used first."`
	}
}

type endLogins struct {
	Others bool `query:"others" doc:"Keep the browser that sends this request signed in. Default: false."`
}

type newTokenBody struct {
	Body struct {
		Token string `json:"token" doc:"New token. It's returned once. The hub stores it in its data folder."`
	}
	CacheControl string `header:"Cache-Control"`
}

func (s *Routes) registerLogins(api huma.API) {
	in := httperr.Route(http.MethodPost, "/api/login", "signIn", "Sign in\n"+
		"Signs this browser in with the owner's token. Sets a cookie and returns the page key that belongs to "+
		"it. RATE_LIMITED after too many wrong tokens.", tag)
	in.Security = []map[string][]string{}
	huma.Register(api, in, httperr.Handler(s.Logger, s.signIn))
	huma.Register(api, httperr.Status(http.StatusNoContent, route(http.MethodPost, "/api/logout", "signOut", "Sign this browser out")), httperr.Handler(s.Logger, func(ctx context.Context, _ *struct{}) (*signedOutBody, error) {
		key := auth.Key(ctx)
		gone, err := s.Access.SignOut(ctx)
		if err != nil {
			return nil, err
		}
		s.cut(key)
		return &signedOutBody{*gone}, nil
	}))
	huma.Register(api, route(http.MethodGet, "/api/logins", "listLogins", "List signed-in browsers\n"+
		"The browser that was used last comes first."), httperr.Handler(s.Logger, func(ctx context.Context, _ *struct{}) (*loginsBody, error) {
		return s.logins(ctx), nil
	}))
	huma.Register(api, route(http.MethodDelete, "/api/logins/{id}", "endLogin", "Sign a browser out"), httperr.Handler(s.Logger, func(ctx context.Context, in *callerPath) (*loginsBody, error) {
		if err := s.Access.Logins.End(in.ID); err != nil {
			return nil, err
		}
		s.cut(auth.LoginKey(in.ID))
		return s.logins(ctx), nil
	}))
	huma.Register(api, route(http.MethodDelete, "/api/logins", "endLogins", "Sign all browsers out"), httperr.Handler(s.Logger, s.endLogins))
	huma.Register(api, route(http.MethodPost, "/api/token/rotate", "rotateToken", "Rotate the owner's token\n"+
		"Returns a new token once, and signs all browsers out."), httperr.Handler(s.Logger, s.rotateToken))
}

func (s *Routes) signIn(ctx context.Context, in *signInBody) (*signedInBody, error) {
	if err := s.Access.CheckOwner(ctx, in.Body.Token); err != nil {
		return nil, httperr.OwnToken(err)
	}
	cookie, pageKey, err := s.Access.SignIn(ctx)
	if err != nil {
		return nil, err
	}
	out := &signedInBody{SetCookie: *cookie, CacheControl: "no-store"}
	out.Body.PageKey = pageKey
	return out, nil
}

func (s *Routes) logins(ctx context.Context) *loginsBody {
	out := new(loginsBody)
	out.Body.Logins = s.Access.ListLogins(ctx)
	return out
}

func (s *Routes) endLogins(ctx context.Context, in *endLogins) (*loginsBody, error) {
	stays := ""
	for _, l := range s.Access.ListLogins(ctx) {
		if in.Others && l.Current {
			stays = l.ID
		}
	}
	before := s.Access.Logins.List()
	if err := s.Access.Logins.EndAll(stays); err != nil {
		return nil, err
	}
	for _, l := range before {
		if l.ID != stays {
			s.cut(auth.LoginKey(l.ID))
		}
	}
	return s.logins(ctx), nil
}

// rotateToken keeps the new token first: whatever fails later, the owner has one that works.
func (s *Routes) rotateToken(context.Context, *struct{}) (*newTokenBody, error) {
	if s.NewToken == nil {
		return nil, errcode.New(errcode.Conflict, "this hub does not keep the owner's token")
	}
	token, err := s.NewToken()
	if err != nil {
		return nil, err
	}
	before := s.Access.Logins.List()
	if err := s.Access.RotateToken(token); err != nil {
		return nil, err
	}
	s.cut(auth.OwnerKey)
	for _, l := range before {
		s.cut(auth.LoginKey(l.ID))
	}
	out := &newTokenBody{CacheControl: "no-store"}
	out.Body.Token = token
	return out, nil
}

// cut ends the sockets of one who may not stay.
func (s *Routes) cut(key string) {
	s.Cut(func(_ netip.Addr, of string) bool { return of != key })
}
