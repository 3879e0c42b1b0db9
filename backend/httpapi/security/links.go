package security

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/httpapi/answer"
)

type linkBody struct {
	Body struct {
		Path string `json:"path" doc:"opens the page once, without the token; it stands behind the hub's address"`
	}
}

func (s *Routes) registerLinks(api huma.API) {
	huma.Register(api, answer.Route(http.MethodPost, "/api/links", "makeLink", "A link that opens the page once, in a browser that has no session", "page"), answer.Handler(s.Logger, func(context.Context, *struct{}) (*linkBody, error) {
		out := new(linkBody)
		out.Body.Path = s.Access.Link()
		return out, nil
	}))
}
