// Package httperr gives every failure of the API its one shape.
package httperr

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/strictjson"
)

// Body is the one shape of a failure: {"error":{"code","message","details?"}}.
type Body struct {
	Failure *errcode.Error `json:"error"`
}

// Error implements error.
func (b *Body) Error() string { return b.Failure.Error() }

// GetStatus implements huma.StatusError.
func (b *Body) GetStatus() int { return b.Failure.HTTPStatus() }

// GetHeaders implements huma.HeadersError: it sets Retry-After.
func (b *Body) GetHeaders() http.Header {
	h := http.Header{}
	if after := retryAfter(b.Failure); after != "" {
		h.Set("Retry-After", after)
	}
	return h
}

// retryAfter is the time that an error names, in whole seconds; "" where it names none.
func retryAfter(err *errcode.Error) string {
	ms, ok := err.Details[errcode.KeyRetryAfterMs].(int64)
	if !ok || ms <= 0 {
		return ""
	}
	return strconv.FormatInt((ms+999)/1000, 10)
}

// New gives what huma itself refuses the product's shape; its 422 is a 400.
func New(status int, message string, errs ...error) huma.StatusError {
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
		return &tooLarge{Body{Failure: e}}
	}
	return &Body{Failure: e}
}

// tooLarge keeps the 413, which no code stands for.
type tooLarge struct{ Body }

func (*tooLarge) GetStatus() int { return http.StatusRequestEntityTooLarge }

// farSide is the answer where a gateway, a provider or a remote agent refused the hub's token or key. A 401 would say
// that the request's own token or sign-in isn't valid.
type farSide struct{ Body }

func (*farSide) GetStatus() int { return http.StatusFailedDependency }

// ownToken marks an error about the token that the request itself brings.
type ownToken struct{ error }

func (o ownToken) Unwrap() error { return o.error }

// OwnToken marks an UNAUTHORIZED error as one about the token that the request itself brings: a 401.
func OwnToken(err error) error { return ownToken{err} }

// Failed turns a machine's error into the answer. What has no code is logged under an id
// that the answer names.
func Failed(ctx context.Context, log *slog.Logger, err error) error {
	e := errcode.From(err)
	if e.Code == errcode.Internal {
		id := ulid.Make().String()
		log.ErrorContext(ctx, "request failed", slog.String("logId", id), slog.Any("error", err))
		e = e.With("logId", id)
	}
	if own := (ownToken{}); e.Code == errcode.Unauthorized && !errors.As(err, &own) {
		return &farSide{Body{Failure: e}}
	}
	return &Body{Failure: e}
}

// Write answers with a failure where huma does not.
func Write(w http.ResponseWriter, err *errcode.Error) { WriteAs(w, err.HTTPStatus(), err) }

// WriteAs does the same with a status that no code stands for.
func WriteAs(w http.ResponseWriter, status int, err *errcode.Error) {
	w.Header().Set("Content-Type", "application/json")
	if after := retryAfter(err); after != "" {
		w.Header().Set("Retry-After", after)
	}
	w.WriteHeader(status)
	_ = strictjson.Write(w, Body{Failure: err}) // who asked has left
}
