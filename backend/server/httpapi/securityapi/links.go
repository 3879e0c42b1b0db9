package securityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/server/httperr"
)

type linkBody struct {
	Body struct {
		Path string `json:"path" doc:"Path of the link, behind the hub's URL. It works once and needs no token."`
	}
}

func (s *Routes) registerLinks(api huma.API) {
	huma.Register(api, httperr.Route(http.MethodPost, "/api/links", "makeLink", "Create a sign-in link\n"+
		"Creates a link that opens the page once in a browser that isn't signed in.", "page"), httperr.Handler(s.Logger, func(context.Context, *struct{}) (*linkBody, error) {
		out := new(linkBody)
		out.Body.Path = s.Access.Link()
		return out, nil
	}))
}
