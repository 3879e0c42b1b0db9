package agentprocess

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

type caller struct {
	name, role string
	secret     [sha256.Size]byte
}

// callers checks who can call the agent.
type callers struct {
	list  []caller
	allow []netip.Prefix
}

// readCallers reads the callers' secrets from the environment. Without callers in the config, the agent's own secret
// belongs to a Coordinator. made is a newly generated secret, or "".
func readCallers(
	c *Config,
	own string,
	loopback bool,
	getenv func(string) string,
) (who callers, made string, err error) {
	who.allow = c.Agent.Security.AllowedAddresses
	for _, from := range c.Callers {
		secret := getenv(from.SecretEnv)
		if secret == "" {
			return who, "", errcode.New(errcode.Validation,
				"the environment variable %s with the secret of %s isn't set", from.SecretEnv, from.Name).
				With(errcode.KeyField, "callers")
		}
		who.list = append(who.list, caller{from.Name, from.Role, sha256.Sum256([]byte(secret))})
	}
	if len(who.list) > 0 {
		return who, "", nil
	}
	if own == "" && !loopback {
		return who, "", errcode.New(
			errcode.Validation,
			"no secret is set, and the agent can be reached from other computers: set AGENTFLOW_AGENT_SECRET, or name callers in the config",
		)
	}
	if own == "" {
		raw := make([]byte, 24)
		_, _ = rand.Read(raw)
		made = base64.RawURLEncoding.EncodeToString(raw)
		own = made
	}
	who.list = []caller{{"coordinator", topology.CoordinatorRole, sha256.Sum256([]byte(own))}}
	return who, made, nil
}

// check returns the caller. An address that isn't allowed is FORBIDDEN, an unknown secret UNAUTHORIZED.
func (c *callers) check(r *http.Request) (caller, error) {
	if len(c.allow) > 0 {
		from, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil || !slices.ContainsFunc(c.allow, func(p netip.Prefix) bool { return p.Contains(from.Addr().Unmap()) }) {
			return caller{}, errcode.New(errcode.Forbidden, "this address may not talk to the agent")
		}
	}
	scheme, secret, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	given := sha256.Sum256([]byte(strings.TrimSpace(secret)))
	var found *caller
	for i := range c.list {
		if subtle.ConstantTimeCompare(given[:], c.list[i].secret[:]) == 1 {
			found = &c.list[i]
		}
	}
	if !ok || !strings.EqualFold(scheme, "bearer") || found == nil {
		return caller{}, errcode.New(errcode.Unauthorized, "this needs a caller's secret as a bearer token")
	}
	return *found, nil
}
