package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/errcode"
	"agentflow/backend/httpapi/answer"
)

// ErrorBody is the one shape of a failure.
type ErrorBody = answer.Body

func handler[I, O any](s *Server, fn func(ctx context.Context, in *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return answer.Handler(s.Logger, fn)
}

func op(method, path, id, summary, tag string) huma.Operation {
	return answer.Route(method, path, id, summary, tag)
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

func notThere(r *http.Request) *errcode.Error {
	return errcode.New(errcode.NotFound, "there is no route %s %s", r.Method, r.URL.Path)
}
