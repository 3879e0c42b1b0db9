package httpapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/oklog/ulid/v2"

	"agentflow/backend/errcode"
)

// ErrorBody is the one shape of a failure: {"error":{"code","message","details?"}}.
type ErrorBody struct {
	Failure *errcode.Error `json:"error"`
}

// Error implements error.
func (b *ErrorBody) Error() string { return b.Failure.Error() }

// GetStatus implements huma.StatusError.
func (b *ErrorBody) GetStatus() int { return b.Failure.Code.HTTPStatus() }

// newError gives what huma itself refuses the product's shape; its 422 is a 400.
func newError(status int, message string, errs ...error) huma.StatusError {
	code := errcode.Internal
	switch status {
	case http.StatusUnprocessableEntity, http.StatusBadRequest, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusMethodNotAllowed, http.StatusRequestTimeout:
		code = errcode.Validation
	case http.StatusNotFound:
		code = errcode.NotFound
	}
	e := errcode.New(code, "%s", message)
	for _, err := range errs {
		detail, ok := err.(huma.ErrorDetailer)
		if !ok || detail.ErrorDetail() == nil {
			continue
		}
		d := detail.ErrorDetail()
		field := strings.TrimPrefix(d.Location, "body.")
		e = errcode.New(code, "%s: %s", field, d.Message).With(errcode.KeyField, field)
		break
	}
	if status == http.StatusRequestEntityTooLarge {
		return &tooLarge{ErrorBody{Failure: e}}
	}
	return &ErrorBody{Failure: e}
}

// tooLarge keeps the 413, which no code stands for.
type tooLarge struct{ ErrorBody }

func (*tooLarge) GetStatus() int { return http.StatusRequestEntityTooLarge }

// fail turns a machine's error into the answer. What has no code is logged under an id
// that the answer names.
func (s *Server) fail(ctx context.Context, err error) error {
	e := errcode.From(err)
	if e.Code == errcode.Internal {
		id := ulid.Make().String()
		s.Logger.ErrorContext(ctx, "request failed", slog.String("logId", id), slog.Any("error", err))
		e = e.With("logId", id)
	}
	return &ErrorBody{Failure: e}
}

// handler adapts a function to huma: its error becomes the product's shape.
func handler[I, O any](s *Server, fn func(ctx context.Context, in *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		return out, nil
	}
}

func writeError(w http.ResponseWriter, err *errcode.Error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(err.Code.HTTPStatus())
	_ = json.NewEncoder(w).Encode(ErrorBody{Failure: err})
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
