package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

type linkBody struct {
	Body struct {
		Path string `json:"path" doc:"opens the page once, without the token; it stands behind the hub's address"`
	}
}

func (s *Server) linkRoutes() {
	huma.Register(s.api, op(http.MethodPost, "/api/links", "makeLink", "A link that opens the page once, in a browser that has no session", "page"), handler(s, s.makeLink))
}

func (s *Server) makeLink(context.Context, *struct{}) (*linkBody, error) {
	out := new(linkBody)
	out.Body.Path = s.OneTimeLink()
	return out, nil
}

// OneTimeLink returns the path of a link that opens the page once, without the token.
func (s *Server) OneTimeLink() string { return s.access.Link() }
