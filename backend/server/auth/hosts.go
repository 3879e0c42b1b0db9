package auth

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// hosts are the names under which the hub may be addressed; any other Host is a page
// that points its own name at us.
type hosts struct {
	names     []string
	port      string
	addresses func() []netip.Addr // those that the hub listens on; nil: all
}

func newHosts(addr net.Addr) hosts {
	h := hosts{names: []string{"localhost"}}
	if host, port, err := net.SplitHostPort(addr.String()); err == nil {
		h.port = port
		h.names = append(h.names, host)
		if ip, err := netip.ParseAddr(host); err == nil {
			h.addresses = listensOn(plain(ip))
		}
	}
	if name, err := os.Hostname(); err == nil {
		h.names = append(h.names, strings.ToLower(name), strings.ToLower(name)+".local")
	}
	return h
}

// listensOn returns the addresses of a listener: its own and, where it has none, those of the
// computer, which change as networks come and go.
func listensOn(ip netip.Addr) func() []netip.Addr {
	if !ip.IsUnspecified() {
		return func() []netip.Addr { return []netip.Addr{ip} }
	}
	return func() []netip.Addr {
		var out []netip.Addr
		all, _ := net.InterfaceAddrs() // none: by name only
		for _, a := range all {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				out = append(out, plain(p.Addr()))
			}
		}
		return out
	}
}

func (h hosts) own(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, h.port
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if h.port != "" && port != h.port {
		return false
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		ip = plain(ip)
		return ip.IsLoopback() || h.addresses == nil || slices.Contains(h.addresses(), ip)
	}
	return slices.Contains(h.names, name)
}

// ownOrigin reports whether a page is the hub's own: the window's, where there is one, or one of
// the address that was asked, in its scheme. A proxy that is believed may have told that address.
func (c *Control) ownOrigin(origin string, r *http.Request, v *visit) bool {
	if slices.Contains(windowOrigins, origin) {
		return c.Window
	}
	scheme := "http://"
	if overTLS(v) {
		scheme = "https://"
	}
	return origin == v.at || origin == scheme+r.Host
}
