// Package errcode gives every failure of AgentFlow a stable code, so that HTTP
// bodies, WebSocket frames and the CLI's JSON all carry the same shape:
// {"error":{"code","message","details?"}} (requirements GW-6, CO-6).
package errcode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
)

// Code is a stable, machine-readable name of a kind of failure.
type Code string

// The codes. What the window does with each is in docs/contributing/design.md.
const (
	Validation   Code = "VALIDATION_ERROR"
	Unauthorized Code = "UNAUTHORIZED"
	Forbidden    Code = "FORBIDDEN"
	NotFound     Code = "NOT_FOUND"
	Conflict     Code = "CONFLICT"
	Gateway      Code = "GATEWAY_ERROR"
	RateLimited  Code = "RATE_LIMITED"
	Timeout      Code = "TIMEOUT"
	Unavailable  Code = "UNAVAILABLE"
	Internal     Code = "INTERNAL_ERROR"
)

var statuses = map[Code]int{
	Validation:   http.StatusBadRequest,
	Unauthorized: http.StatusUnauthorized,
	Forbidden:    http.StatusForbidden,
	NotFound:     http.StatusNotFound,
	Conflict:     http.StatusConflict,
	Gateway:      http.StatusBadGateway,
	RateLimited:  http.StatusTooManyRequests,
	Timeout:      http.StatusGatewayTimeout,
	Unavailable:  http.StatusServiceUnavailable,
	Internal:     http.StatusInternalServerError,
}

// HTTPStatus returns the status the code travels with; an unknown code is a 500.
func (c Code) HTTPStatus() int {
	if s, ok := statuses[c]; ok {
		return s
	}
	return http.StatusInternalServerError
}

// Well-known keys and reasons of Details.
const (
	KeyReason       = "reason"
	KeyCause        = "cause" // a finer word than the reason, to be told in any language
	KeyField        = "field"
	KeyFile         = "file"
	KeyLine         = "line"
	KeySnapshot     = "snapshot"
	KeyRetryAfterMs = "retryAfterMs"

	ReasonStaleBase   = "stale_base"
	ReasonLinkDown    = "link_down"
	ReasonNoScope     = "no_scope"
	ReasonRateLimited = "rate_limited"
	ReasonRejected    = "rejected"
	ReasonLeaseLost   = "lease_lost" // the other side gave up what it had begun, being too busy
	ReasonPairing     = "pairing_required"
	ReasonBadToken    = "bad_token"
	ReasonReadable    = "readable" // a secret isn't sent where others can read it on the way
	ReasonUnknown     = "outcome_unknown"
	ReasonDiskFull    = "disk_full"
	ReasonFileChanged = "file_changed" // a workspace file isn't what was read before

	ReasonConfigManaged    = "config_managed"    // another program manages the gateway's config
	ReasonConfigBroken     = "config_broken"     // the gateway's config file is no JSON
	ReasonConfigUnwritable = "config_unwritable" // the gateway can't write its config file
)

// Error is a failure as a machine's method returns it and as a door sends it.
// The cause is for logs and errors.Is only; it never crosses the wire.
type Error struct {
	Code    Code           `json:"code" doc:"Stable error code. Programs can rely on it."`
	Message string         `json:"message" doc:"Error text for people. It can change."`
	Details map[string]any `json:"details,omitempty" doc:"More about the error, such as reason, field or retryAfterMs."`
	cause   error
}

// New returns an Error whose message is formatted like fmt.Sprintf.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap returns an Error that keeps cause for errors.Is, errors.As and the log.
func Wrap(code Code, cause error, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), cause: cause}
}

// With returns a copy of e that carries one more detail.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Details = maps.Clone(e.Details)
	if c.Details == nil {
		c.Details = map[string]any{}
	}
	c.Details[key] = value
	return &c
}

// HTTPStatus returns the error's HTTP status: that of its code, except for a full disk.
func (e *Error) HTTPStatus() int {
	if e.Reason() == ReasonDiskFull {
		return http.StatusInsufficientStorage
	}
	return e.Code.HTTPStatus()
}

// Reason returns details.reason, or "".
func (e *Error) Reason() string {
	s, _ := e.Details[KeyReason].(string)
	return s
}

// Error returns the message, followed by the cause where the message does not say it.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.cause.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// From returns err as an *Error. An error without a code becomes INTERNAL_ERROR
// with a message that says nothing of the cause; a passed deadline becomes TIMEOUT.
// From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Wrap(Timeout, err, "the operation took too long")
	}
	if errors.Is(err, context.Canceled) {
		return Wrap(Unavailable, err, "the operation was stopped")
	}
	return Wrap(Internal, err, "internal error")
}

// Is reports whether err carries the code.
func Is(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

// HasReason reports whether err carries details.reason == reason.
func HasReason(err error, reason string) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Reason() == reason
}
