package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/gorilla/websocket"

	"agentflow/backend/errcode"
)

// Issue is one thing a gateway does not accept about a config.
type Issue struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// wireError is a refusal as either dialect carries it. Code is a string in both
// seeds and real gateways; a JSON-RPC number is written as its digits.
type wireError struct {
	Code         string          `json:"code"`
	Message      string          `json:"message"`
	Details      json.RawMessage `json:"details,omitempty"`
	RetryAfterMs int64           `json:"retryAfterMs,omitempty"`
}

// wireDetails are the parts of details that are understood.
type wireDetails struct {
	Code         string  `json:"code"`
	Reason       string  `json:"reason"`
	RequestID    string  `json:"requestId"`
	MissingScope string  `json:"missingScope"`
	Issues       []Issue `json:"issues"`
	Expected     int     `json:"expectedProtocol"`
}

func (w *wireError) Error() string { return w.Code + ": " + w.Message }

func (w *wireError) details() wireDetails {
	var d wireDetails
	_ = json.Unmarshal(w.Details, &d) // details of another shape carry nothing for us
	return d
}

var (
	staleFramed  = regexp.MustCompile(`config changed since last load|config base hash required`)
	staleJSONRPC = regexp.MustCompile(`(?i)base[ _-]?hash|\bstale\b|\bconflict|changed since`)
	missingScope = regexp.MustCompile(`^missing scope: ([\w.]+)`)
	rateLimit    = regexp.MustCompile(`(?i)rate limit|too many`)
)

// translate gives a gateway's refusal of a method its code.
func (w *wireError) translate(dialect Dialect, method string) *errcode.Error {
	msg, d := clean(w.Message), w.details()
	if msg == "" {
		msg = "the gateway refused " + method + " without saying why"
	}
	stale := staleFramed.MatchString(msg) ||
		dialect == DialectJSONRPC && method == methodConfigApply && staleJSONRPC.MatchString(msg)
	scope := d.MissingScope
	if m := missingScope.FindStringSubmatch(msg); scope == "" && m != nil {
		scope = m[1]
	}
	switch {
	case stale || w.Code == "CONFLICT" || w.Code == "409":
		return errcode.Wrap(errcode.Conflict, w, "the gateway's config has changed since it was read").
			With(errcode.KeyReason, errcode.ReasonStaleBase)
	case scope != "" || w.Code == "FORBIDDEN" || w.Code == "403":
		return noScope(w, scope, method)
	case w.RetryAfterMs > 0 && rateLimit.MatchString(msg) || w.Code == "RATE_LIMITED" || w.Code == "429":
		return errcode.Wrap(errcode.Gateway, w, "the gateway takes no more changes for now: %s", msg).
			With(errcode.KeyReason, errcode.ReasonRateLimited).With(errcode.KeyRetryAfterMs, w.RetryAfterMs)
	}
	return w.byCode(msg, d)
}

// byCode handles what the message does not tell apart.
func (w *wireError) byCode(msg string, d wireDetails) *errcode.Error {
	switch w.Code {
	case "UNAUTHORIZED", "401":
		return badToken(w, msg)
	case "NOT_PAIRED":
		return pairingRequired(w, d.RequestID)
	case "NOT_FOUND", "404":
		return errcode.Wrap(errcode.NotFound, w, "%s", msg)
	case "VALIDATION_ERROR":
		return withIssues(errcode.Wrap(errcode.Validation, w, "%s", msg), d.Issues)
	case "INTERNAL_ERROR":
		return errcode.Wrap(errcode.Internal, w, "the gateway failed: %s", msg)
	}
	e := errcode.Wrap(errcode.Gateway, w, "%s", msg).With(errcode.KeyReason, errcode.ReasonRejected)
	if w.RetryAfterMs > 0 {
		e = e.With(errcode.KeyRetryAfterMs, w.RetryAfterMs)
	}
	return withIssues(e, d.Issues)
}

func withIssues(e *errcode.Error, issues []Issue) *errcode.Error {
	if len(issues) == 0 {
		return e
	}
	kept := make([]Issue, 0, min(len(issues), 100))
	for _, i := range issues[:min(len(issues), 100)] {
		kept = append(kept, Issue{Path: clean(i.Path), Message: clean(i.Message)})
	}
	return e.With("issues", kept)
}

func linkDown(cause error, format string, args ...any) *errcode.Error {
	return errcode.Wrap(errcode.Gateway, cause, format, args...).With(errcode.KeyReason, errcode.ReasonLinkDown)
}

func badToken(cause error, msg string) *errcode.Error {
	return errcode.Wrap(errcode.Unauthorized, cause, "the gateway refused the token (%s); set the right one in the gateway's settings", msg).
		With(errcode.KeyReason, errcode.ReasonBadToken)
}

func noScope(cause error, scope, method string) *errcode.Error {
	what := "the right"
	if scope != "" {
		what = "the scope " + clean(scope)
	}
	e := errcode.Wrap(errcode.Gateway, cause, "this login lacks %s that %s needs; approve this device with that scope, or log in with the gateway's own token", what, method).
		With(errcode.KeyReason, errcode.ReasonNoScope)
	if scope != "" {
		e = e.With("missingScope", clean(scope))
	}
	return e
}

var requestIDShape = regexp.MustCompile(`^[\w.:-]{1,128}$`)

func pairingRequired(cause error, requestID string) *errcode.Error {
	if !requestIDShape.MatchString(requestID) { // it ends in a command that a person copies
		return errcode.Wrap(errcode.Gateway, cause, "the gateway wants this device approved; see `openclaw devices list` on the gateway's computer").
			With(errcode.KeyReason, errcode.ReasonPairing)
	}
	remedy := "openclaw devices approve " + requestID
	return errcode.Wrap(errcode.Gateway, cause, "the gateway wants this device approved; run `%s` on the gateway's computer", remedy).
		With(errcode.KeyReason, errcode.ReasonPairing).With("requestId", requestID).With("remedy", remedy)
}

func tooLarge(size int, limit int64) error {
	e := errcode.Wrap(errcode.Gateway, errNotSent, "the request has %d bytes; the gateway takes at most %d in one frame", size, limit)
	return e.With(errcode.KeyReason, errcode.ReasonRejected).With("limit", limit)
}

// clean makes a gateway's text fit to be shown: no control characters, not endless.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	const most = 1000
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// statusError is an upgrade that was answered with an HTTP status.
type statusError struct {
	status     int
	retryAfter time.Duration
	text       string
}

func (e *statusError) Error() string { return e.text }

// dialError tells why there is no socket. It names the address, which holds no secret.
func dialError(addr string, resp *http.Response, err error) error {
	if resp == nil || !errors.Is(err, websocket.ErrBadHandshake) {
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("no answer from %s in time: %w", addr, err)
		}
		return fmt.Errorf("cannot reach %s: %w", addr, err)
	}
	e := &statusError{status: resp.StatusCode}
	if wait, perr := time.ParseDuration(resp.Header.Get("Retry-After") + "s"); perr == nil && wait > 0 {
		e.retryAfter = min(wait, 10*time.Minute)
	}
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		e.text = fmt.Sprintf("%s answers with a redirect%s; a token is not sent on to another address, so set that address itself", addr, redirectTo(resp))
	default:
		e.text = fmt.Sprintf("%s answers HTTP %d to a WebSocket request", addr, resp.StatusCode)
	}
	return e
}

func redirectTo(resp *http.Response) string {
	u, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || u.Host == "" {
		return ""
	}
	return clean(" to " + u.Scheme + "://" + u.Host + u.EscapedPath())
}

// startingError is a gateway that said it is not ready yet.
type startingError struct {
	retryAfter time.Duration
	text       string
}

func (e *startingError) Error() string { return e.text }

// looksStarting reports whether an absent gateway may be back soon: it refuses
// connections, has just cut one, or says so.
func looksStarting(err error) bool {
	var ce *websocket.CloseError
	if errors.As(err, &ce) {
		return slices.Contains(restartCodes, ce.Code)
	}
	var starting *startingError
	return errors.As(err, &starting) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// closedUnauthorized reads the codes with which servers close on a refused login.
func closedUnauthorized(err error) *errcode.Error {
	var ce *websocket.CloseError
	if !errors.As(err, &ce) {
		return nil
	}
	said := ce.Code == websocket.ClosePolicyViolation && strings.Contains(strings.ToLower(ce.Text), "unauthorized")
	if said || slices.Contains([]int{3000, 3003, 4001, 4401, 4403}, ce.Code) {
		return badToken(err, clean(fmt.Sprintf("closed with %d %s", ce.Code, ce.Text)))
	}
	return nil
}

// isLoginRefusal reports whether an error means that this login will not do.
func isLoginRefusal(e *errcode.Error) bool {
	return e.Reason() == errcode.ReasonBadToken || e.Reason() == errcode.ReasonNoScope || e.Reason() == errcode.ReasonPairing
}

func retryAfter(e *errcode.Error) time.Duration {
	ms, _ := e.Details[errcode.KeyRetryAfterMs].(int64)
	return min(time.Duration(ms)*time.Millisecond, 10*time.Minute)
}
