package gatewayconfig

import (
	"regexp"
	"strings"
)

var (
	secretValue  = regexp.MustCompile(`^(sk-|sk_|xox[abeprs]-|gh[opsu]_|github_pat_|glpat-|AKIA|AIza|ya29\.|hf_|Bearer )[\w.\-/+=]{12,}$`)
	secretEnding = []string{"apikey", "token", "secret", "password", "passwd", "passphrase", "authorization", "accesskey", "privatekey", "secretkey", "credential", "credentials"}
	notSeparator = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")
)

// LooksSecret reports whether a text under a key is likely a secret in clear. A name
// of an environment variable, a reference to one, and what a gateway shows in place
// of a secret are none.
func LooksSecret(key, value string) bool {
	v := strings.TrimSpace(value)
	if v == "" || v == Redacted || strings.HasPrefix(v, "${") || strings.HasPrefix(v, "env:") || strings.HasPrefix(v, "$") {
		return false
	}
	if secretValue.MatchString(v) {
		return true
	}
	k := strings.ToLower(notSeparator.Replace(key))
	for _, end := range secretEnding {
		if strings.HasSuffix(k, end) {
			return true
		}
	}
	return false
}
