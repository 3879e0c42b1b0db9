package llm

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	openai "github.com/sashabaranov/go-openai"

	"agentflow/backend/base/errcode"
)

const maxBody = 32 << 20 // of an answer as it travels

// Reasons of a provider's refusal, in details.reason, so that a page can say in its own
// words what to do.
const (
	ReasonBadKey       = "bad_key"       // the key was refused
	ReasonNoKey        = "no_key"        // a key is needed, and there is none
	ReasonNoModel      = "no_model"      // it has no such model
	ReasonNotRunning   = "not_running"   // nothing listens at the address
	ReasonUnreachable  = "unreachable"   // the address leads nowhere
	ReasonTooSlow      = "too_slow"      // it said nothing for too long
	ReasonFailed       = "failed"        // it says that it failed
	ReasonNoAnswer     = "no_answer"     // what it said is no whole answer: none, one that ends in the middle, one that is too long
	ReasonWebPage      = "web_page"      // it sent a web page: the address is no API
	ReasonRedirected   = "redirected"    // it sends us elsewhere, where we do not go
	ReasonBadRequest   = "bad_request"   // it does not take the request
	ReasonNotInstalled = "not_installed" // the command is not there
	ReasonNoTools      = "no_tools"      // it cannot be given tools
	ReasonRefusal      = "refusal"       // the model does not want to answer; asking again does not help
	ReasonFiltered     = "filtered"      // a content filter withheld the answer; asking again does not help
)

// CauseEndedEarly is the cause of ReasonNoAnswer where the answer had begun, or its connection broke.
const CauseEndedEarly = "ended_early"

func refuse(code errcode.Code, reason, format string, args ...any) *errcode.Error {
	return errcode.New(code, format, args...).With(errcode.KeyReason, reason)
}

// answerMeta is what the library does not hand on.
type answerMeta struct {
	status     int
	page       bool // it is a web page
	retryAfter time.Duration
	options    map[string]json.RawMessage // what it does not let through
}

// recordingDoer keeps status and Retry-After, adds options, and bounds the body.
type recordingDoer struct {
	client *http.Client
	answer *answerMeta
}

// Do implements the library's HTTPDoer.
func (d recordingDoer) Do(req *http.Request) (*http.Response, error) {
	if err := withOptions(req, d.answer.options); err != nil {
		return nil, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	d.answer.status, d.answer.retryAfter = resp.StatusCode, retryAfter(resp.Header)
	d.answer.page = strings.HasPrefix(strings.ToLower(resp.Header.Get("Content-Type")), "text/html")
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, maxBody), resp.Body}
	return resp, nil
}

func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if s, err := strconv.Atoi(text); err == nil && s >= 0 {
		return min(time.Duration(s)*time.Second, time.Hour)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(time.Until(at), 0), time.Hour)
	}
	return 0
}

var errRedirect = errors.New("it redirects to another address; put the right one into baseUrl")

// noRedirects keeps questions and keys from going elsewhere.
func noRedirects(*http.Request, []*http.Request) error { return errRedirect }

// providerError gives whatever went wrong with a server a code. The cause is not kept: it may
// hold what was sent.
func (c *chatServer) providerError(ctx context.Context, err error, meta *answerMeta, model Model) error {
	if own := (*errcode.Error)(nil); errors.As(err, &own) {
		return own
	}
	if ctx.Err() != nil {
		return cut(ctx)
	}
	if no := (*refusalError)(nil); errors.As(err, &no) {
		return c.refusal(no, model)
	}
	if meta.page && meta.status < http.StatusBadRequest {
		return refuse(errcode.Unavailable, ReasonWebPage,
			"the provider %s sent a web page instead of JSON or an event stream. Its base URL may be wrong: %s", c.name, c.base)
	}
	status, said := meta.status, err.Error()
	if api := (*openai.APIError)(nil); errors.As(err, &api) {
		said = api.Message
		if code, _ := api.Code.(string); code == "model_not_found" {
			status = http.StatusNotFound
		}
	} else if req := (*openai.RequestError)(nil); errors.As(err, &req) {
		said = req.HTTPStatus
	}
	return c.byStatus(status, c.clean(said), meta.retryAfter, model, err)
}

// refusal is what the model itself said no to. It's no fault of the provider, and stays when it is asked again.
func (c *chatServer) refusal(no *refusalError, model Model) error {
	said, reason := c.clean(no.said), ReasonRefusal
	if said == "" && no.filtered {
		reason = ReasonFiltered
	}
	e := refuse(errcode.Validation, reason, "%s", c.clean(no.Error())).With("model", c.name+"/"+string(model))
	if said != "" {
		e = e.With("said", said)
	}
	return e
}

func (c *chatServer) byStatus(status int, said string, wait time.Duration, model Model, err error) error {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return refuse(errcode.Unauthorized, ReasonBadKey, "the provider %s refused the key: %s. %s", c.name, said,
			c.keyRemedy())
	case status == http.StatusNotFound && model != "":
		return refuse(errcode.NotFound, ReasonNoModel, "the provider %s has no model %q: %s", c.name, model, said)
	case status == http.StatusTooManyRequests:
		return rateLimited(wait, "the provider %s takes no more requests for now: %s", c.name, said)
	case status == http.StatusRequestTimeout || status == http.StatusGatewayTimeout:
		return refuse(errcode.Timeout, ReasonTooSlow, "the provider %s took too long: %s", c.name, said)
	case status >= http.StatusInternalServerError:
		e := refuse(errcode.Unavailable, ReasonFailed, "the provider %s failed: %s", c.name, said).With(keyStatus, status)
		if wait > 0 {
			e = e.With(errcode.KeyRetryAfterMs, wait.Milliseconds())
		}
		return e
	case status >= http.StatusBadRequest:
		return refuse(errcode.Validation, ReasonBadRequest, "the provider %s does not take the request for %s: %s",
			c.name, model, said)
	case status == 0:
		return c.unreached(said, err)
	}
	e := refuse(errcode.Unavailable, ReasonNoAnswer, "the provider %s sent an incomplete or invalid answer: %s", c.name, said)
	var broken *net.OpError
	if errors.Is(err, errEndedEarly) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &broken) {
		e = e.With(errcode.KeyCause, CauseEndedEarly)
	}
	return e
}

// unreached handles errors before any answer.
func (c *chatServer) unreached(said string, err error) error {
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return refuse(errcode.Timeout, ReasonTooSlow, "the provider %s at %s took too long to answer", c.name, c.base)
	case errors.Is(err, syscall.ECONNREFUSED):
		return refuse(errcode.Unavailable, ReasonNotRunning,
			"the provider %s is not running at %s. Start it, or set another baseUrl", c.name, c.base)
	case errors.Is(err, errRedirect):
		return refuse(errcode.Unavailable, ReasonRedirected, "the provider %s at %s cannot be used: %s", c.name, c.base,
			errRedirect.Error())
	case isLibraryCheck(err):
		return refuse(errcode.Validation, ReasonBadRequest, "the provider %s does not take the request: %s", c.name,
			said)
	}
	return refuse(errcode.Unavailable, ReasonUnreachable, "the provider %s at %s cannot be reached: %s", c.name, c.base,
		said)
}

// isLibraryCheck reports whether the library refused settings that OpenAI would refuse.
func isLibraryCheck(err error) bool {
	return errors.Is(err, openai.ErrReasoningModelLimitationsOther) ||
		errors.Is(err, openai.ErrReasoningSamplingUnsupported) ||
		errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated)
}

func (c *chatServer) keyRemedy() string {
	if c.keyEnv == "" {
		return "Enter it in the settings, or name the environment variable that holds it in apiKeyEnv"
	}
	return "Set the right one in the environment variable " + c.keyEnv
}

// clean makes a server's words fit to be shown: without the key, control characters,
// or an end that never comes.
func (c *chatServer) clean(s string) string {
	if key := c.key(); len(key) >= 4 {
		s = strings.ReplaceAll(s, key, "…")
	}
	return shown(s)
}

// shown makes foreign words fit for one line on a screen.
func shown(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if runes := []rune(s); len(runes) > 500 {
		s = string(runes[:500]) + "…"
	}
	return strings.TrimRight(s, ". ")
}
