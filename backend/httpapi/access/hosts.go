package access

import (
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// hosts are the names under which the hub may be addressed; any other Host is a page
// that points its own name at us.
type hosts struct {
	names []string
	port  string
}

func newHosts(addr net.Addr) hosts {
	h := hosts{names: []string{"localhost"}}
	if host, port, err := net.SplitHostPort(addr.String()); err == nil {
		h.port = port
		h.names = append(h.names, host)
	}
	if name, err := os.Hostname(); err == nil {
		h.names = append(h.names, strings.ToLower(name), strings.ToLower(name)+".local")
	}
	return h
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
		return ip.IsValid() // a bare address cannot be pointed elsewhere
	}
	return slices.Contains(h.names, name)
}

// ownOrigin reports whether a page is the hub's own: the window's, one of the host that was
// asked, or one of the address at, which a proxy that is believed may have told.
func ownOrigin(origin, host, at string) bool {
	if slices.Contains(windowOrigins, origin) || origin == at {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host == host
}
