package errcode_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// Every code has its HTTP status. Unknown codes are failures of the server.
func TestHTTPStatus(t *testing.T) {
	for code, want := range map[errcode.Code]int{
		errcode.Validation: http.StatusBadRequest, errcode.Unauthorized: http.StatusUnauthorized,
		errcode.Forbidden: http.StatusForbidden, errcode.NotFound: http.StatusNotFound,
		errcode.Conflict: http.StatusConflict, errcode.Gateway: http.StatusBadGateway,
		errcode.RateLimited: http.StatusTooManyRequests, errcode.Timeout: http.StatusGatewayTimeout,
		errcode.Unavailable: http.StatusServiceUnavailable, errcode.Internal: http.StatusInternalServerError,
		"SOMETHING_NEW": http.StatusInternalServerError,
	} {
		if got := errcode.New(code, "x").HTTPStatus(); got != want {
			t.Errorf("%s travels with %d, want %d", code, got, want)
		}
	}
	full := errcode.New(errcode.Unavailable, "x").With(errcode.KeyReason, errcode.ReasonDiskFull)
	if got := full.HTTPStatus(); got != http.StatusInsufficientStorage {
		t.Errorf("a full disk travels with %d", got)
	}
}

// Programs rely on the shape {"code","message","details"?}. The cause never leaves the process.
func TestError_OnTheWire(t *testing.T) {
	cause := errors.New("open /home/mika/secret.db")
	for want, e := range map[string]*errcode.Error{
		`{"code":"NOT_FOUND","message":"there is no team 7"}`: errcode.New(errcode.NotFound, "there is no team %d", 7),
		`{"code":"UNAVAILABLE","message":"closed","details":{"reason":"link_down"}}`: errcode.
			Wrap(errcode.Unavailable, cause, "closed").With(errcode.KeyReason, errcode.ReasonLinkDown),
	} {
		if got, err := json.Marshal(e); err != nil || string(got) != want {
			t.Errorf("%s %v\nwant %s", got, err, want)
		}
	}
}

// The log and errors.Is see the cause.
func TestWrap_KeepsTheCause(t *testing.T) {
	cause := errors.New("no route to host")
	e := errcode.Wrap(errcode.Gateway, cause, "the gateway %s isn't there", "office")
	if !errors.Is(e, cause) || e.Error() != "the gateway office isn't there: no route to host" {
		t.Errorf("%v", e)
	}
	if e := errcode.New(errcode.Gateway, "alone"); e.Error() != "alone" || e.Unwrap() != nil {
		t.Errorf("%v", e)
	}
}

// With leaves the error as it is: shared errors can be extended.
func TestWith_IsACopy(t *testing.T) {
	cause := errors.New("cause")
	plain := errcode.Wrap(errcode.Conflict, cause, "x")
	one := plain.With("a", 1)
	two := one.With("a", 2).With("b", 3)
	if plain.Details != nil || !reflect.DeepEqual(one.Details, map[string]any{"a": 1}) ||
		!reflect.DeepEqual(two.Details, map[string]any{"a": 2, "b": 3}) {
		t.Errorf("%v, %v, %v", plain.Details, one.Details, two.Details)
	}
	if !errors.Is(two, cause) || two.Code != errcode.Conflict || two.Message != "x" {
		t.Errorf("%#v", two)
	}
}

// Whatever failed, a door can send it. What has no code says nothing of its cause.
func TestFrom(t *testing.T) {
	own := errcode.New(errcode.Forbidden, "no")
	for name, tc := range map[string]struct {
		err     error
		code    errcode.Code
		message string
	}{
		"own":          {own, errcode.Forbidden, "no"},
		"own, wrapped": {fmt.Errorf("about it: %w", own), errcode.Forbidden, "no"},
		"own, joined":  {errors.Join(errors.New("first"), own), errcode.Forbidden, "no"},
		"own over a stop": {
			errcode.Wrap(errcode.Conflict, context.Canceled, "no"), errcode.Conflict, "no",
		},
		"deadline": {
			fmt.Errorf("asking: %w", context.DeadlineExceeded), errcode.Timeout, "the operation took too long",
		},
		"stopped": {fmt.Errorf("asking: %w", context.Canceled), errcode.Unavailable, "the operation was stopped"},
		"unknown": {errors.New("pq: password of mika"), errcode.Internal, "internal error"},
	} {
		got := errcode.From(tc.err)
		if got.Code != tc.code || got.Message != tc.message {
			t.Errorf("%s: %s %q", name, got.Code, got.Message)
		}
		if !errors.Is(got, own) && !errors.Is(got, tc.err) {
			t.Errorf("%s: the log loses the cause", name)
		}
	}
	if got := errcode.From(nil); got != nil {
		t.Errorf("no error becomes %v", got)
	}
}

func TestIsAndHasReason(t *testing.T) {
	e := fmt.Errorf("about it: %w", errcode.New(errcode.Conflict, "x").With(errcode.KeyReason, errcode.ReasonStaleBase))
	if !errcode.Is(e, errcode.Conflict) || errcode.Is(e, errcode.Gateway) {
		t.Error("the code isn't found")
	}
	if !errcode.HasReason(e, errcode.ReasonStaleBase) || errcode.HasReason(e, errcode.ReasonUnknown) {
		t.Error("the reason isn't found")
	}
	for _, none := range []error{nil, errors.New("x"), errcode.New(errcode.Conflict, "x").With(errcode.KeyReason, 7)} {
		if errcode.HasReason(none, errcode.ReasonStaleBase) || errcode.Is(none, errcode.Gateway) {
			t.Errorf("%v has a code or reason", none)
		}
	}
}

// A page tells a cause in its language: by details.cause, else the reason, else the code.
func TestCauseOf(t *testing.T) {
	e := errcode.New(errcode.RateLimited, "x")
	if got := errcode.CauseOf(e); got.Code != "rate_limited" || got.Params != nil {
		t.Errorf("by the code: %+v", got)
	}
	e = e.With(errcode.KeyReason, "busy")
	if got := errcode.CauseOf(e); got.Code != "busy" || got.Params != nil {
		t.Errorf("by the reason: %+v", got)
	}
	e = e.With(errcode.KeyCause, "asleep").With("agents", []string{"dev", "qa"}).With("url", "http://x").
		With("n", 3).With("part", 0.5).With("snapshot", map[string]any{"a": 1}).With("empty", "")
	want := &errcode.Cause{
		Code:   "asleep",
		Params: map[string]string{"agents": "dev,qa", "url": "http://x", "n": "3", "part": "0.5"},
	}
	if got := errcode.CauseOf(e); !reflect.DeepEqual(got, want) {
		t.Errorf("by the cause: %+v", got)
	}
	if got := errcode.CauseOf(errors.New("secret")); got.Code != "internal_error" || got.Params != nil {
		t.Errorf("without a code: %+v", got)
	}
	if got := errcode.CauseOf(nil); got != nil {
		t.Errorf("no error has the cause %+v", got)
	}
}

// Params are bounded in characters, not in bytes, and a cause that is made here passes Check.
func TestCause_ParamsAreBounded(t *testing.T) {
	fits, long := strings.Repeat("字", errcode.MaxParam), strings.Repeat("字", errcode.MaxParam+1)
	c := errcode.CauseOf(errcode.New(errcode.Gateway, "x").With("fits", fits).With("long", long))
	if c.Params["fits"] != fits || c.Params["long"] != strings.Repeat("字", errcode.MaxParam-1)+"…" {
		t.Errorf("%+v", c.Params)
	}
	about := c.About("task", long).About("fits", "now")
	if about.Params["fits"] != "now" || c.Params["fits"] != fits || len(c.Params) != 2 || len(about.Params) != 3 {
		t.Errorf("About changes the cause it copies: %+v", c.Params)
	}
	if err := about.Check(); err != nil {
		t.Error(err)
	}
}

// A cause from elsewhere is checked before it is kept.
func TestCause_Check(t *testing.T) {
	many := map[string]string{}
	for i := range 17 {
		many[fmt.Sprintf("p%d", i)] = ""
	}
	for name, c := range map[string]errcode.Cause{
		"no code":        {},
		"a sentence":     {Code: "it failed"},
		"a digit first":  {Code: "7up"},
		"a long code":    {Code: strings.Repeat("a", 65)},
		"a param's name": {Code: "a", Params: map[string]string{"<b>": "x"}},
		"many params":    {Code: "a", Params: many},
		"a long param":   {Code: "a", Params: map[string]string{"p": strings.Repeat("字", errcode.MaxParam+1)}},
		"no UTF-8":       {Code: "a", Params: map[string]string{"p": "\xff"}},
		"a zero":         {Code: "a", Params: map[string]string{"p": "a\x00b"}},
	} {
		err := c.Check()
		if !errcode.Is(err, errcode.Validation) || errcode.From(err).Details[errcode.KeyField] != "cause" {
			t.Errorf("%s: %v", name, err)
		}
	}
	delete(many, "p0")
	for _, c := range []errcode.Cause{{Code: "a"}, {Code: strings.Repeat("a", 64), Params: many}} {
		if err := c.Check(); err != nil {
			t.Error(err)
		}
	}
}
