package access

import (
	"context"
	"net/http"
	"strings"
)

// caller is who a request comes from, as the Guard finds it.
type caller struct{ Who string }

type callerKey struct{}

// watched returns the request with a caller that the Guard fills in.
func watched(r *http.Request) (*http.Request, *caller) {
	c := new(caller)
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, c)), c
}

// found tells who it is, if somebody wants to know.
func found(r *http.Request, who string) {
	if c, ok := r.Context().Value(callerKey{}).(*caller); ok {
		c.Who = who
	}
}

// letsIn reports whether the request is that of a one-time link.
func letsIn(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, linkPath) }

// publicPath is the path of a request as it may be written down: a one-time link's code
// is left out.
func publicPath(r *http.Request) string {
	if letsIn(r) {
		return linkPath
	}
	return r.URL.Path
}
