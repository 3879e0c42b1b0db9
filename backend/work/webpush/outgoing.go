package webpush

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"agentflow/backend/base/errcode"
)

// maxEndpoint limits the address of a push service, in bytes.
const maxEndpoint = 2000

// Reasons of errors about the address of a push service.
const (
	ReasonAddress = "push_address" // it isn't an address of a push service on the internet
)

// checkEndpoint rejects an address that can't be a push service's. It comes from a browser, so nothing of it is
// trusted. What its name stands for is checked at each connection.
func checkEndpoint(address string) error {
	bad := func(why string) error {
		return errcode.New(errcode.Validation, "the address of the push service %s", why).
			With(errcode.KeyField, "endpoint").With(errcode.KeyReason, ReasonAddress)
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxEndpoint:
		return bad(fmt.Sprintf("isn't a URL of at most %d bytes", maxEndpoint))
	case u.Scheme != "https" || u.Hostname() == "":
		return bad("must begin with https://")
	case u.User != nil || u.Fragment != "":
		return bad("can't have a user name or a fragment")
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil && !public(ip) || host == "localhost" ||
		strings.HasSuffix(host, ".localhost") {
		return bad("is inside a private network")
	}
	return nil
}

// closed are the networks that netip doesn't name: addresses of carriers and test networks, and IPv6 networks that
// stand for IPv4 addresses.
var closed = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "fec0::/10")

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, 0, len(texts))
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

// public reports whether an address is on the internet, and not of this computer or a network around it.
func public(ip netip.Addr) bool {
	ip = ip.WithZone("").Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, p := range closed {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

// errPrivate is why nothing was sent to an address.
var errPrivate = errcode.New(errcode.Validation, "the push service is inside a private network").
	With(errcode.KeyReason, ReasonAddress)

// onlyPublic is the check of each connection, after names were looked up.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !public(to.Addr()) {
		return errPrivate
	}
	return nil
}

// outgoing returns the way to push services: to addresses on the internet alone. A proxy of the environment counts as
// the owner's, so it can have any address, and looks names up by its own rules.
func outgoing() *http.Transport {
	direct := &net.Dialer{Timeout: 5 * time.Second, Control: onlyPublic}
	toProxy := &net.Dialer{Timeout: 5 * time.Second}
	var proxies sync.Map // host:port
	return &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			u, err := http.ProxyFromEnvironment(r)
			if u != nil {
				ports := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}
				proxies.Store(net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), ports[u.Scheme])), true)
			}
			return u, err
		},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if _, is := proxies.Load(address); is {
				return toProxy.DialContext(ctx, network, address)
			}
			return direct.DialContext(ctx, network, address)
		},
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: 16 << 10,
	}
}
