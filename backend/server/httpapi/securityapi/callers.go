package securityapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/talk/room"
)

type callerPath struct {
	ID string `path:"id" maxLength:"100" doc:"ID of the API token or of the signed-in browser, as its list shows it."`
}

type callerEdit struct {
	Name string    `json:"name" minLength:"1" maxLength:"400" doc:"Name of the person or program, 1 to 400 characters."`
	Role auth.Role `json:"role" enum:"reader,tasks,rooms" doc:"Role: reader can read, tasks can also submit tasks, rooms can take part in rooms."`
	auth.Seat
}

// seat returns the rooms and the name as rooms have them.
func (e *callerEdit) seat() (auth.Seat, error) {
	var out auth.Seat
	if e.As != "" {
		name, err := room.Name("as", e.As)
		if err != nil {
			return out, err
		}
		for _, reserved := range []string{room.HubName, room.PersonName} {
			if strings.EqualFold(name, reserved) {
				return out, errcode.New(errcode.Validation,
					"the name %s is reserved in rooms. Choose another", reserved).
					With(errcode.KeyReason, "as_reserved").With(errcode.KeyField, "as").With("as", reserved)
			}
		}
		out.As = name
	}
	for _, one := range e.Rooms {
		name, err := room.Name("rooms", one)
		if err != nil {
			return out, err
		}
		out.Rooms = append(out.Rooms, name)
	}
	return out, nil
}

type addCaller struct{ Body callerEdit }

type putCaller struct {
	ID   string `path:"id" maxLength:"100" doc:"ID of the API token."`
	Body callerEdit
}

type callerBody struct{ Body auth.Caller }

type tokenBody struct {
	Body struct {
		auth.Caller
		Token string `json:"token" doc:"Token. It's returned once and not stored."`
	}
	CacheControl string `header:"Cache-Control"`
}

func (s *Routes) registerCallers(api huma.API) {
	callers := s.Access.Callers
	huma.Register(api, httperr.Status(http.StatusCreated, route(http.MethodPost, at+"/callers", "addCaller", "Create an API token\n"+
		"Returns the token once. It isn't stored and can't be shown again.")), httperr.Handler(s.Logger, func(_ context.Context, in *addCaller) (*tokenBody, error) {
		seat, err := in.Body.seat()
		if err != nil {
			return nil, err
		}
		return told(callers.Make(in.Body.Name, in.Body.Role, seat))
	}))
	huma.Register(api, route(http.MethodPut, at+"/callers/{id}", "putCaller", "Update an API token\n"+
		"Changes its name, role and rooms. The token itself stays."), httperr.Handler(s.Logger, func(_ context.Context, in *putCaller) (*callerBody, error) {
		seat, err := in.Body.seat()
		if err != nil {
			return nil, err
		}
		changed, err := callers.Change(in.ID, in.Body.Name, in.Body.Role, seat)
		if err == nil {
			s.cut(auth.CallerKey(in.ID)) // its sockets open again with the new rights
		}
		return &callerBody{changed}, err
	}))
	huma.Register(api, route(http.MethodPost, at+"/callers/{id}/rotate", "rotateCaller", "Rotate an API token\n"+
		"Returns a new token once. The old one is rejected at once."), httperr.Handler(s.Logger, func(_ context.Context, in *callerPath) (*tokenBody, error) {
		made, token, err := callers.Rotate(in.ID)
		s.cut(auth.CallerKey(in.ID))
		return told(made, token, err)
	}))
	huma.Register(
		api,
		httperr.Status(
			http.StatusNoContent,
			route(http.MethodDelete, at+"/callers/{id}", "revokeCaller", "Revoke an API token\n"+
				"Requests and connections with it are rejected at once."),
		),
		httperr.Handler(s.Logger, func(_ context.Context, in *callerPath) (*struct{}, error) {
			err := callers.Revoke(in.ID)
			s.cut(auth.CallerKey(in.ID))
			return nil, err
		}),
	)
}

func told(who auth.Caller, token string, err error) (*tokenBody, error) {
	out := &tokenBody{CacheControl: "no-store"}
	out.Body.Caller, out.Body.Token = who, token
	return out, err
}
