package term

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"agentflow/backend/base/errcode"
)

// The exit codes. Scripts rely on them.
const (
	Done         = 0
	Failed       = 1
	Invalid      = 2 // wrong usage or invalid input
	Unauthorized = 3 // or forbidden
	NotFound     = 4
	Conflict     = 5 // nothing was written
	Unreachable  = 6 // hub, gateway or agent
	Interrupted  = 130
)

// ExitError is an outcome that has been printed already.
type ExitError int

func (e ExitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// UsageError is a command line that cobra does not understand.
type UsageError struct {
	Err  error
	Hint string
}

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns cobra's own error.
func (e *UsageError) Unwrap() error { return e.Err }

// Code returns the exit code of an error.
func Code(err error) int {
	var exit ExitError
	var usage *UsageError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &exit):
		return int(exit)
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.As(err, &usage):
		return Invalid
	}
	e := errcode.From(err)
	switch e.Code {
	case errcode.Validation:
		return Invalid
	case errcode.Unauthorized, errcode.Forbidden:
		return Unauthorized
	case errcode.NotFound:
		return NotFound
	case errcode.Conflict:
		return Conflict
	case errcode.Gateway, errcode.Unavailable, errcode.Timeout:
		return byReason(e)
	}
	return Failed
}

func byReason(e *errcode.Error) int {
	switch e.Reason() {
	case errcode.ReasonLinkDown:
		return Unreachable
	case errcode.ReasonBadToken, errcode.ReasonPairing, errcode.ReasonNoScope:
		return Unauthorized
	case ReasonNoReply:
		return Failed
	}
	if e.Code == errcode.Timeout {
		return Unreachable
	}
	return Failed
}

// ReasonNoReply marks a TIMEOUT of somebody who is there and did not answer.
const ReasonNoReply = "no_reply"

// Fail tells of the error, as JSON on standard output or in one line on standard error,
// and returns its exit code. The line speaks the person's language; the JSON is for
// machines and English.
func (s *Screen) Fail(err error) int {
	code := Code(err)
	var exit ExitError
	if err == nil || errors.As(err, &exit) {
		return code
	}
	e := plain(err, code)
	if s.JSON {
		_ = s.Line(map[string]any{"error": e})
		return code
	}
	s.Note("agentflow: %s", s.sentence(e))
	var usage *UsageError
	if errors.As(err, &usage) && usage.Hint != "" {
		s.Note("%s", s.Words(usage.Hint))
	}
	return code
}

// plain gives every error its place in the one shape. The terminal is the log of a
// command, so an error without a code says here what it is.
func plain(err error, code int) *errcode.Error {
	if code == Interrupted {
		return errcode.New(errcode.Unavailable, "%s", err)
	}
	var usage *UsageError
	if errors.As(err, &usage) {
		return errcode.New(errcode.Validation, "%s", usage.Err)
	}
	if e, ok := errors.AsType[*errcode.Error](err); ok {
		return e
	}
	return errcode.New(errcode.Internal, "%s", err)
}

// sentence is an error in one line: place, message and cause, each said once.
func (s *Screen) sentence(e *errcode.Error) string {
	text := s.failure(e)
	file, _ := e.Details[errcode.KeyFile].(string)
	if file != "" && !strings.Contains(text, file) {
		place := file
		if line := Number(e.Details[errcode.KeyLine]); line > 0 {
			place = fmt.Sprintf("%s:%d", file, line)
		}
		text = place + ": " + text
	}
	return OneLine(text, 2000)
}

// failure is the message with its cause.
func (s *Screen) failure(e *errcode.Error) string {
	text := s.Why(e.Message, errcode.CauseOf(e))
	if text == e.Message {
		text = s.language().Failure(string(e.Code), e.Reason(), e.Message)
	}
	cause := errors.Unwrap(e)
	if cause == nil || e.Code == errcode.Gateway || e.Code == errcode.Unauthorized { // a gateway's own words stand in it already
		return text
	}
	if inner, ok := errors.AsType[*errcode.Error](cause); ok {
		return s.Say("%s: %s", text, s.failure(inner))
	}
	return s.Say("%s: %s", text, s.Words(cause.Error()))
}

// Number reads a whole number out of an error's details.
func Number(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case int64:
		return int(n)
	case float64:
		return int(n)
	}
	return 0
}
