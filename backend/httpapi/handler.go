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

// handler adapts a function to huma: its error becomes the product's shape.
func handler[I, O any](s *Server, fn func(ctx context.Context, in *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, answer.Failed(ctx, s.Logger, err)
		}
		return out, nil
	}
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

func notThere(r *http.Request) *errcode.Error {
	return errcode.New(errcode.NotFound, "there is no route %s %s", r.Method, r.URL.Path)
}

// op describes a route.
func op(method, path, id, summary, tag string) huma.Operation {
	return huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: summary, Tags: []string{tag},
		MaxBodyBytes: smallBody, Errors: []int{400, 401, 403, 404, 409, 500, 502},
	}
}
