package gateway

import "slices"

// The rights of an operator, from least to most; each includes the ones before.
const (
	scopeRead  = "operator.read"
	scopeWrite = "operator.write"
	scopeAdmin = "operator.admin"
)

var askedScopes = []string{scopeRead, scopeWrite, scopeAdmin}

// hasScope reports whether the scopes include the right. Nil means that the gateway
// did not say, and it decides itself.
func hasScope(scopes []string, scope string) bool {
	if scopes == nil || slices.Contains(scopes, scopeAdmin) || slices.Contains(scopes, scope) {
		return true
	}
	return scope == scopeRead && slices.Contains(scopes, scopeWrite)
}
