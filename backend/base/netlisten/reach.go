package netlisten

import (
	"net"
	"net/netip"
	"net/url"
)

// LocalAddress is the address at which programs on the same computer reach a hub: an address that stands
// for all of the computer's is none to connect to.
func LocalAddress(address string) string {
	return at(address, func() string { return "127.0.0.1" })
}

// OuterAddress is the address at which other computers reach a hub, as far as this one knows: a
// firewall or a list of networks may still keep them out. "" is none.
func OuterAddress(address string) string {
	if u, err := url.Parse(address); err != nil || Local(u.Hostname()) {
		return ""
	}
	return at(address, outward)
}

// at replaces an address that stands for all of the computer's; "" where there is no other.
func at(address string, other func() string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if err != nil || !ip.IsUnspecified() {
		return address
	}
	host := other()
	if host == "" {
		return ""
	}
	u.Host = net.JoinHostPort(host, u.Port())
	return u.String()
}

// outward is the address that this computer has in its network: the one that it goes out with,
// else the first that others can route to.
func outward() string {
	for _, far := range []string{"192.0.2.1:9", "[2001:db8::1]:9"} { // for documentation: nobody is there, and nothing is sent
		conn, err := net.Dial("udp", far) //nolint:noctx // UDP sends nothing to connect
		if err != nil {
			continue
		}
		from, ok := conn.LocalAddr().(*net.UDPAddr)
		_ = conn.Close()
		if ok && from.IP.IsGlobalUnicast() {
			return from.IP.String()
		}
	}
	all, _ := net.InterfaceAddrs() // none: there is no network
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().IsGlobalUnicast() {
			return p.Addr().String()
		}
	}
	return ""
}
