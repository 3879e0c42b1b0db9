package client

import (
	"net"
	"net/url"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
)

// NormalizeURL returns the one spelling of a gateway's address under which its
// token is kept: scheme and host in lower case, the port always written, and a
// path. A token belongs to exactly this address.
//
// Addresses that carry a secret (user:password@, or any query) are refused, and
// so are those without ws:// or wss://. The refusal never repeats the secret.
func NormalizeURL(raw string) (string, error) {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return "", badURL("the gateway URL is empty. Use one such as ws://127.0.0.1:18789")
	}
	if !strings.Contains(raw, "://") {
		return "", badURL("the gateway URL has no scheme. Start it with ws:// or wss://, as in ws://127.0.0.1:18789")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", badURL("couldn't read the gateway URL. Use one such as ws://127.0.0.1:18789")
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if err := checkURLParts(u); err != nil {
		return "", err
	}
	host := strings.ToLower(u.Hostname())
	port := u.Port()
	if port == "" {
		port = map[string]string{"ws": "80", "wss": "443"}[u.Scheme]
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	return u.Scheme + "://" + net.JoinHostPort(host, port) + path, nil
}

func checkURLParts(u *url.URL) error {
	switch {
	case u.Scheme == "http" || u.Scheme == "https":
		return badURL("the gateway URL starts with %s://. Use %s:// instead", u.Scheme,
			map[string]string{"http": "ws", "https": "wss"}[u.Scheme])
	case u.Scheme != "ws" && u.Scheme != "wss":
		return badURL("the gateway URL must start with ws:// or wss://")
	case u.User != nil:
		return badURL(
			"the gateway URL contains a user name or password. Take it out and set the token in the gateway's settings",
		)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return badURL(
			"the gateway URL contains a query or fragment. Take it out and set the token in the gateway's settings",
		)
	case u.Hostname() == "":
		return badURL("the gateway URL has no host. Use one such as ws://127.0.0.1:18789")
	}
	return nil
}

func badURL(format string, args ...any) *errcode.Error {
	return errcode.New(errcode.Validation, format, args...).With(errcode.KeyField, "url")
}

// Readable reports whether a token sent to the address could be read on its way, and returns
// what to answer then: Validation, with the reason errcode.ReasonReadable.
func Readable(address string) *errcode.Error {
	if !netlisten.Readable(address) {
		return nil
	}
	return badURL("the gateway's token isn't sent to %s, because others can read it on the way. Use wss:// or a tunnel to this computer, or accept it with insecure: true on this gateway in the settings file", address).
		With(errcode.KeyReason, errcode.ReasonReadable)
}
