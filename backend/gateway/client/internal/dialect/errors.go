package dialect

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"

	"agentflow/backend/base/errcode"
)

// Issue is one thing a gateway does not accept about a config.
type Issue struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Error is a refusal as either dialect carries it. Code is a string in both
// seeds and real gateways; a JSON-RPC number is written as its digits.
type Error struct {
	Code         string          `json:"code"`
	Message      string          `json:"message"`
	Details      json.RawMessage `json:"details,omitempty"`
	RetryAfterMs float64         `json:"retryAfterMs,omitempty"`
}

// wireDetails are the parts of details that are understood.
type wireDetails struct {
	Code         string  `json:"code"`
	Reason       string  `json:"reason"`
	RequestID    string  `json:"requestId"`
	MissingScope string  `json:"missingScope"`
	Issues       []Issue `json:"issues"`
	Expected     int     `json:"expectedProtocol"`
	Type         string  `json:"type"`
	CurrentHash  string  `json:"currentHash"`
}

func (w *Error) Error() string { return Clean(w.Code) + ": " + Clean(w.Message) }

// retryAfterMs is what the gateway asks for, within reason.
func (w *Error) retryAfterMs() int64 { return int64(min(max(w.RetryAfterMs, 0), 3_600_000)) }

func (w *Error) details() wireDetails {
	var d wireDetails
	_ = json.Unmarshal(w.Details, &d) // details of another shape carry nothing for us
	return d
}

var (
	staleFramed  = regexp.MustCompile(`config changed since last load|config base hash required`)
	staleJSONRPC = regexp.MustCompile(`(?i)base[ _-]?hash|\bstale\b|\bconflict|changed since`)
	missingScope = regexp.MustCompile(`^missing scope: ([\w.]+)`)
	leaseLost    = regexp.MustCompile(`OPENCLAW_STATE_LEASE_LOST`)
	written      = regexp.MustCompile(`\bpersisted\b`)
	restarting   = regexp.MustCompile(`wait for the Gateway to restart`)
	rosterGuard  = regexp.MustCompile(`without an explicit deletion`)
	rateLimit    = regexp.MustCompile(`(?i)rate limit|too many`)
	managed      = regexp.MustCompile(`ConfigReadOnlyError|NixModeConfigMutationError|openclaw\.json as immutable`)
	unwritable   = regexp.MustCompile(`\b(?:EACCES|EPERM|EROFS)\b`)
)

// Translate gives a gateway's refusal of a method its code.
func (w *Error) Translate(dialect Name, method string) *errcode.Error {
	msg, d := Clean(w.Message), w.details()
	if msg == "" {
		msg = "the gateway refused " + method + " without saying why"
	}
	scope := d.MissingScope
	if m := missingScope.FindStringSubmatch(msg); scope == "" && m != nil {
		scope = m[1]
	}
	switch {
	case d.Type == fileConflict:
		return FileChanged(w, d.CurrentHash)
	case w.stale(dialect, method, msg):
		return errcode.Wrap(errcode.Conflict, w, "the gateway's config has changed since it was read").
			With(errcode.KeyReason, errcode.ReasonStaleBase)
	case w.forbidden() && scope == "" && reasonShape.MatchString(d.Reason):
		return errcode.Wrap(errcode.Forbidden, w, "%s", msg).With(errcode.KeyReason, d.Reason)
	case scope != "" || w.forbidden():
		return NoScope(w, scope, method)
	case w.rateLimited(msg):
		return errcode.Wrap(errcode.Gateway, w, "the gateway is limiting changes: %s", msg).
			With(errcode.KeyReason, errcode.ReasonRateLimited).With(errcode.KeyRetryAfterMs, w.retryAfterMs())
	}
	if method == "config.apply" && unwritable.MatchString(msg) {
		return errcode.Wrap(errcode.Gateway, w, "the gateway can't write its config file: %s", msg).
			With(errcode.KeyReason, errcode.ReasonConfigUnwritable)
	}
	return w.byCode(msg, d)
}

// stale reports whether the config changed after the read that the call is based on.
func (w *Error) stale(dialect Name, method, msg string) bool {
	return w.Code == "CONFLICT" || w.Code == "409" || staleFramed.MatchString(msg) ||
		dialect == JSONRPC && method == "config.apply" && staleJSONRPC.MatchString(msg)
}

func (w *Error) forbidden() bool { return w.Code == "FORBIDDEN" || w.Code == "403" }

func (w *Error) rateLimited(msg string) bool {
	return w.Code == "RATE_LIMITED" || w.Code == "429" || w.RetryAfterMs > 0 && rateLimit.MatchString(msg)
}

// reasonShape is that of a reason that a gateway gives for a refusal other than a missing scope.
var reasonShape = regexp.MustCompile(`^[a-z][a-z_]{0,39}$`)

// Uncertain reports whether an answer to config.apply, translated to e, leaves open what
// became of the config. Gateways since 2026.8 answer UNAVAILABLE also after they wrote the
// config: while they apply it they may find that they must restart.
func (w *Error) Uncertain(e *errcode.Error) bool {
	if written.MatchString(w.Message) {
		return true
	}
	if e.Reason() != errcode.ReasonRejected || e.Details["issues"] != nil || w.RetryAfterMs > 0 {
		return e.Code == errcode.Internal
	}
	return w.Code == "UNAVAILABLE" && !rosterGuard.MatchString(w.Message)
}

// Restarts reports whether the gateway says that it is going to restart.
func (w *Error) Restarts() bool { return restarting.MatchString(w.Message) }

// byCode handles what the message does not tell apart.
func (w *Error) byCode(msg string, d wireDetails) *errcode.Error {
	switch w.Code {
	case "UNAUTHORIZED", "401":
		return BadToken(w, msg)
	case "NOT_PAIRED":
		return pairingRequired(w, d.RequestID)
	case "NOT_FOUND", "404":
		return errcode.Wrap(errcode.NotFound, w, "%s", msg)
	case "VALIDATION_ERROR":
		return withIssues(errcode.Wrap(errcode.Validation, w, "%s", msg), d.Issues)
	case "INTERNAL_ERROR":
		return errcode.Wrap(errcode.Internal, w, "the gateway failed: %s", msg)
	}
	if managed.MatchString(msg) {
		return errcode.Wrap(errcode.Gateway, w, "the gateway's config is managed by another program").
			With(errcode.KeyReason, errcode.ReasonConfigManaged)
	}
	reason := errcode.ReasonRejected
	if leaseLost.MatchString(msg) {
		reason = errcode.ReasonLeaseLost
	}
	e := errcode.Wrap(errcode.Gateway, w, "%s", msg).With(errcode.KeyReason, reason)
	if w.RetryAfterMs > 0 {
		e = e.With(errcode.KeyRetryAfterMs, w.retryAfterMs())
	}
	return withIssues(e, d.Issues)
}

func withIssues(e *errcode.Error, issues []Issue) *errcode.Error {
	if len(issues) == 0 {
		return e
	}
	kept := make([]Issue, 0, min(len(issues), 100))
	for _, i := range issues[:min(len(issues), 100)] {
		kept = append(kept, Issue{Path: Clean(i.Path), Message: Clean(i.Message)})
	}
	return e.With("issues", kept)
}

// LinkDown is a call or link that failed for want of a connection.
func LinkDown(cause error, format string, args ...any) *errcode.Error {
	return errcode.Wrap(errcode.Gateway, cause, format, args...).With(errcode.KeyReason, errcode.ReasonLinkDown)
}

// KeyCurrentHash is the detail of an error about a workspace file that changed.
const KeyCurrentHash = "currentHash"

// fileConflict is how a gateway marks the refusal to write a file that changed.
const fileConflict = "agent_file_conflict"

var hashShape = regexp.MustCompile(`^[0-9a-fA-F]{0,128}$`)

// FileChanged is a workspace file that isn't what was read before. The hash is "" if the file is gone.
func FileChanged(cause error, hash string) *errcode.Error {
	if !hashShape.MatchString(hash) {
		hash = ""
	}
	return errcode.Wrap(errcode.Conflict, cause,
		"the file changed on the gateway since it was read. It wasn't written").
		With(errcode.KeyReason, errcode.ReasonFileChanged).
		With(KeyCurrentHash, strings.ToLower(hash))
}

// BadToken is a token that the gateway does not take.
func BadToken(cause error, msg string) *errcode.Error {
	return errcode.Wrap(errcode.Unauthorized, cause,
		"the gateway rejected the token (%s). Set the right one in the gateway's settings", msg).
		With(errcode.KeyReason, errcode.ReasonBadToken)
}

// NoScope is a right that this login was not given.
func NoScope(cause error, scope, method string) *errcode.Error {
	what := "the right"
	if scope != "" {
		what = "the scope " + Clean(scope)
	}
	e := errcode.Wrap(errcode.Gateway, cause, "this login lacks %s, which %s needs. Approve this device with that scope, or log in with the gateway's own token", what, method).
		With(errcode.KeyReason, errcode.ReasonNoScope)
	if scope != "" {
		e = e.With("missingScope", Clean(scope))
	}
	return e
}

var requestIDShape = regexp.MustCompile(`^[\w.:-]{1,128}$`)

func pairingRequired(cause error, requestID string) *errcode.Error {
	if !requestIDShape.MatchString(requestID) { // it ends in a command that a person copies
		return errcode.Wrap(errcode.Gateway, cause,
			"this device needs approval on the gateway. See `openclaw devices list` on the gateway's computer").
			With(errcode.KeyReason, errcode.ReasonPairing)
	}
	remedy := "openclaw devices approve " + requestID
	return errcode.Wrap(errcode.Gateway, cause,
		"this device needs approval on the gateway. Run `%s` on the gateway's computer", remedy).
		With(errcode.KeyReason, errcode.ReasonPairing).
		With("requestId", requestID).
		With("remedy", remedy)
}

func tooLarge(size int, limit int64) error {
	e := errcode.Wrap(errcode.Gateway, ErrNotSent,
		"the request has %d bytes; the gateway takes at most %d in one frame", size, limit)
	return e.With(errcode.KeyReason, errcode.ReasonRejected).With("limit", limit)
}

// Clean makes a gateway's text fit to be shown: no control characters, not endless.
func Clean(s string) string {
	const most = 1000
	s = s[:min(len(s), 4*most)]
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// isLoginRefusal reports whether an error means that this login will not do.
func isLoginRefusal(e *errcode.Error) bool {
	return e.Reason() == errcode.ReasonBadToken || e.Reason() == errcode.ReasonNoScope ||
		e.Reason() == errcode.ReasonPairing
}

// badFrame is an answer that came and could not be read.
func badFrame(err error) *Error {
	return &Error{Code: CodeBadFrame, Message: "its answer cannot be read: " + err.Error()}
}

// CodeBadFrame marks an answer that came and could not be read.
const CodeBadFrame = "BAD_FRAME"
