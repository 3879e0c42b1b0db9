// Package safego keeps a panic where it happens: one attempt, reply, tool call or request fails
// with INTERNAL_ERROR, and everything else goes on (requirement TR-5).
package safego

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
)

// KeyLogID is the detail of an error that names the lines of the log about it.
const KeyLogID = "logId"

// Panicked is the cause of an error that a panic became.
type Panicked struct {
	What string // that panicked
	Type string // of the value, which itself may be secret
}

// Error implements error.
func (p *Panicked) Error() string { return fmt.Sprintf("panic in %s: %s", p.What, p.Type) }

// Is reports whether err came from a panic.
func Is(err error) bool {
	_, is := errors.AsType[*Panicked](err)
	return is
}

// Call runs fn. A panic is logged with its stack and returned as INTERNAL_ERROR, which names
// the log lines by details.logId. what names the work, for example "a tool call". Without a
// logger it is slog's default.
//
// It recovers in its own goroutine only: every goroutine that fn starts needs its own Call.
func Call(ctx context.Context, log *slog.Logger, what string, fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = report(ctx, log, what, value)
		}
	}()
	return fn()
}

// Value is Call for a function that returns something.
func Value[T any](ctx context.Context, log *slog.Logger, what string, fn func() (T, error)) (T, error) {
	var out T
	err := Call(ctx, log, what, func() (err error) {
		out, err = fn()
		return err
	})
	return out, err
}

func report(ctx context.Context, log *slog.Logger, what string, value any) error {
	if value == http.ErrAbortHandler { //nolint:errorlint // net/http compares it, too
		panic(value)
	}
	if log == nil {
		log = slog.Default()
	}
	id := ulid.Make().String()
	log.ErrorContext(ctx, "panic", slog.String(KeyLogID, id), slog.String("in", what),
		slog.String("value", describe(value)), slog.String("stack", string(debug.Stack())))
	cause := &Panicked{What: what, Type: fmt.Sprintf("%T", value)}
	return errcode.Wrap(errcode.Internal, cause,
		"something unexpected went wrong in AgentFlow. The log has the details under %s", id).
		With(KeyLogID, id)
}

// describe says what was panicked with. Only the runtime's own words are known to hold no
// secret: other values are named by their type.
func describe(value any) string {
	if err, is := value.(runtime.Error); is {
		return err.Error()
	}
	return fmt.Sprintf("%T", value)
}
