package httperr

import (
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
)

// failure describes the answer with one status.
type failure struct {
	name, text string
	code       errcode.Code
	message    string // an example
	details    map[string]any
}

// failures are the answers that operations share, each once in the description.
var failures = map[int]failure{
	http.StatusBadRequest: {
		"BadRequest", "`VALIDATION_ERROR`: the request isn't valid. `details.field` names the field.",
		errcode.Validation, "name: expected length <= 200", map[string]any{errcode.KeyField: "name"},
	},
	http.StatusUnauthorized: {
		"Unauthorized", "`UNAUTHORIZED`: the token or the sign-in is missing or wrong.",
		errcode.Unauthorized, "a token is needed", nil,
	},
	http.StatusForbidden: {
		"Forbidden", "`FORBIDDEN`: this token or address can't do this.",
		errcode.Forbidden, "this token can't do this", nil,
	},
	http.StatusNotFound: {
		"NotFound", "`NOT_FOUND`: there is no object with this ID or name.",
		errcode.NotFound, "there is no team with this ID", nil,
	},
	http.StatusConflict: {
		"Conflict", "`CONFLICT`: the current state doesn't permit this. `details.reason` says why.",
		errcode.Conflict, "the gateway's config has changed since it was reviewed: review it again",
		map[string]any{errcode.KeyReason: errcode.ReasonStaleBase},
	},
	http.StatusRequestEntityTooLarge: {
		"TooLarge", "`VALIDATION_ERROR`: the body is too large.",
		errcode.Validation, "request body is too large", nil,
	},
	http.StatusFailedDependency: {
		"FarSideRefused",
		"`UNAUTHORIZED`: a gateway, model provider or remote agent rejected AgentFlow's token or key.",
		errcode.Unauthorized,
		"the gateway Office rejected the token",
		map[string]any{errcode.KeyReason: errcode.ReasonBadToken},
	},
	http.StatusTooManyRequests: {
		"TooManyRequests", "`RATE_LIMITED`: try again after the seconds in `Retry-After`.",
		errcode.RateLimited, "too many tasks: try again later", map[string]any{errcode.KeyRetryAfterMs: 2000},
	},
	http.StatusInternalServerError: {
		"InternalError", "`INTERNAL_ERROR`: an error in AgentFlow. `details.logId` finds it in the log.",
		errcode.Internal, "internal error", map[string]any{"logId": "01JNB9Z1Y7C1D3E5G6H8J9K0MX"},
	},
	http.StatusBadGateway: {
		"GatewayError",
		"`GATEWAY_ERROR`: the gateway rejected the request or can't be reached.",
		errcode.Gateway,
		"the gateway local can't be reached",
		map[string]any{errcode.KeyReason: errcode.ReasonLinkDown},
	},
	http.StatusServiceUnavailable: {
		"Unavailable", "`UNAVAILABLE`: AgentFlow can't do this now. Try again later.",
		errcode.Unavailable, "the hub is shutting down", nil,
	},
	http.StatusInsufficientStorage: {
		"DiskFull", "`UNAVAILABLE` with the reason `disk_full`: nothing was saved. Free space and try again.",
		errcode.Unavailable, "the disk is full", map[string]any{errcode.KeyReason: errcode.ReasonDiskFull},
	},
}

// Failures refers to the answers with these statuses.
func Failures(statuses ...int) map[string]*huma.Response {
	out := map[string]*huma.Response{}
	for _, status := range statuses {
		out[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + failures[status].name}
	}
	return out
}

// Describe adds the shared answers to a description.
func Describe(c *huma.Components) {
	c.Responses = map[string]*huma.Response{}
	body := c.Schemas.Schema(reflect.TypeFor[Body](), true, "Error")
	for _, f := range failures {
		example := Body{Failure: &errcode.Error{Code: f.code, Message: f.message, Details: f.details}}
		c.Responses[f.name] = &huma.Response{
			Description: f.text,
			Content:     map[string]*huma.MediaType{"application/json": {Schema: body, Example: example}},
		}
	}
}
