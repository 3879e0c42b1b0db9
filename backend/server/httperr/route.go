package httperr

import (
	"context"
	"log/slog"
	"maps"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
)

// Bounds of a request's body: usual ones, and those that carry a team.
const (
	SmallBody = 1 << 20
	LargeBody = 32 << 20
)

// Route describes a route. The first line of the text is its summary, the rest its description.
func Route(method, path, id, text, tag string) huma.Operation {
	summary, description, _ := strings.Cut(text, "\n")
	return huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: summary, Description: description, Tags: []string{tag},
		MaxBodyBytes: SmallBody, Responses: Failures(400, 401, 403, 404, 409, 424, 500, 502),
	}
}

// Also adds failures that not every route has.
func Also(o huma.Operation, statuses ...int) huma.Operation {
	maps.Copy(o.Responses, Failures(statuses...))
	return o
}

// Handler adapts a function to huma: its error becomes the product's shape.
func Handler[I, O any](
	log *slog.Logger,
	fn func(ctx context.Context, in *I) (*O, error),
) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, Failed(ctx, log, err)
		}
		return out, nil
	}
}

// Status gives a route another status than 200.
func Status(status int, o huma.Operation) huma.Operation {
	o.DefaultStatus = status
	return o
}

// Gateway gives a gateway's failure the seed's form: everything but a stale base is a
// GATEWAY_ERROR.
func Gateway(err error) error {
	if err == nil || errcode.HasReason(err, errcode.ReasonStaleBase) {
		return err
	}
	e := errcode.From(err)
	if e.Code == errcode.Gateway {
		return e
	}
	out := errcode.Wrap(errcode.Gateway, err, "%s", e.Message)
	for key, value := range e.Details {
		out = out.With(key, value)
	}
	return out.With("code", string(e.Code))
}
