package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httperr"
)

// ErrorBody is the one shape of a failure.
type ErrorBody = httperr.Body

func handler[I, O any](
	s *Server,
	fn func(ctx context.Context, in *I) (*O, error),
) func(context.Context, *I) (*O, error) {
	return httperr.Handler(s.Logger, fn)
}

func op(method, path, id, summary, tag string) huma.Operation {
	return httperr.Route(method, path, id, summary, tag)
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

// methods are those that a request may have.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// missing answers where no route is: for this method, or for any.
func (s *Server) missing(w http.ResponseWriter, r *http.Request) {
	var allow []string
	for _, method := range methods {
		as := r.Clone(r.Context())
		as.Method = method
		if pattern := s.mux.Pattern(as); method != r.Method && pattern != "" && !strings.HasSuffix(pattern, "/") {
			allow = append(allow, method)
		}
	}
	if len(allow) == 0 {
		httperr.Write(w, notThere(r))
		return
	}
	w.Header().Set("Allow", strings.Join(allow, ", "))
	httperr.WriteAs(w, http.StatusMethodNotAllowed, errcode.New(errcode.Validation, "%s takes no %s: use %s", r.URL.Path, r.Method, strings.Join(allow, " or ")).With(errcode.KeyReason, "method"))
}

func notThere(r *http.Request) *errcode.Error {
	return errcode.New(errcode.NotFound, "there is no route %s %s", r.Method, r.URL.Path)
}
