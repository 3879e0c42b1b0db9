package security

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/httpapi/access"
	"agentflow/backend/httpapi/answer"
)

type callerPath struct {
	ID string `path:"id" maxLength:"100"`
}

type callerEdit struct {
	Name string      `json:"name" minLength:"1" maxLength:"400"`
	Role access.Role `json:"role" enum:"reader,tasks"`
}

type addCaller struct{ Body callerEdit }

type putCaller struct {
	ID   string `path:"id" maxLength:"100"`
	Body callerEdit
}

type callerBody struct{ Body access.Caller }

type tokenBody struct {
	Body struct {
		access.Caller
		Token string `json:"token" doc:"it is told this once and kept nowhere"`
	}
	CacheControl string `header:"Cache-Control"`
}

func (s *Routes) registerCallers(api huma.API) {
	callers := s.Access.Callers
	huma.Register(api, answer.Status(http.StatusCreated, route(http.MethodPost, at+"/callers", "addCaller", "Add a caller and tell their token, once")), answer.Handler(s.Logger, func(_ context.Context, in *addCaller) (*tokenBody, error) {
		return told(callers.Make(in.Body.Name, in.Body.Role))
	}))
	huma.Register(api, route(http.MethodPut, at+"/callers/{id}", "putCaller", "Give a caller another name and role"), answer.Handler(s.Logger, func(_ context.Context, in *putCaller) (*callerBody, error) {
		changed, err := callers.Change(in.ID, in.Body.Name, in.Body.Role)
		return &callerBody{changed}, err
	}))
	huma.Register(api, route(http.MethodPost, at+"/callers/{id}/rotate", "rotateCaller", "Give a caller another token, and refuse the old one"), answer.Handler(s.Logger, func(_ context.Context, in *callerPath) (*tokenBody, error) {
		return told(callers.Rotate(in.ID))
	}))
	huma.Register(api, answer.Status(http.StatusNoContent, route(http.MethodDelete, at+"/callers/{id}", "revokeCaller", "Refuse a caller from now on")), answer.Handler(s.Logger, func(_ context.Context, in *callerPath) (*struct{}, error) {
		return nil, callers.Revoke(in.ID)
	}))
}

func told(who access.Caller, token string, err error) (*tokenBody, error) {
	out := &tokenBody{CacheControl: "no-store"}
	out.Body.Caller, out.Body.Token = who, token
	return out, err
}
