package auth

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"

	"agentflow/backend/base/errcode"
)

// networks are the addresses that may talk to the hub, and the requests that are being served.
type networks struct {
	mu      sync.RWMutex
	allow   []netip.Prefix // none: all
	proxies []netip.Prefix // whose X-Forwarded-For is believed

	serving sync.Map // *visit to nothing
}

// SetNetworks sets which networks can connect from now on, none being all, and which proxies
// are trusted to name the client they forward for. Requests of others that are being served,
// and their streams, end.
func (c *Control) SetNetworks(allow, proxies []netip.Prefix) {
	n := &c.networks
	n.mu.Lock()
	n.allow, n.proxies = slices.Clone(allow), slices.Clone(proxies)
	n.mu.Unlock()
	n.serving.Range(func(key, _ any) bool {
		if v := key.(*visit); !c.Allowed(v.from) {
			v.leave(errcode.New(errcode.Forbidden, "this address may not talk to the hub any more"))
		}
		return true
	})
}

// Networks returns them.
func (c *Control) Networks() (allow, proxies []netip.Prefix) {
	c.networks.mu.RLock()
	defer c.networks.mu.RUnlock()
	return slices.Clone(c.networks.allow), slices.Clone(c.networks.proxies)
}

// Allowed reports whether an address may talk to the hub.
func (c *Control) Allowed(from netip.Addr) bool {
	c.networks.mu.RLock()
	defer c.networks.mu.RUnlock()
	return Within(c.networks.allow, from)
}

// Within reports whether a list permits an address; an empty one permits all.
func Within(allow []netip.Prefix, from netip.Addr) bool {
	return len(allow) == 0 || holds(allow, from)
}

func holds(list []netip.Prefix, a netip.Addr) bool {
	a = plain(a)
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(a) })
}

// plain is an address as networks are compared with it: without a zone, and IPv4 as such.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// enter notes that a request is served, until left, and reports whether its address may send it. It
// is noted before it is looked at, so that no change of the list slips between.
func (n *networks) enter(r *http.Request, v *visit) (allowed bool) {
	v.from = n.client(r)
	n.serving.Store(v, nil)
	n.mu.RLock()
	defer n.mu.RUnlock()
	return Within(n.allow, v.from)
}

func (n *networks) left(v *visit) {
	n.serving.Delete(v)
	v.leave(nil)
}

// client is who asks: the other end, or, where that is a proxy that is believed, the last
// address of X-Forwarded-For that is none. What is no address is nobody's.
func (n *networks) client(r *http.Request) netip.Addr {
	end, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	from := plain(end.Addr())
	n.mu.RLock()
	defer n.mu.RUnlock()
	if len(n.proxies) == 0 || !holds(n.proxies, from) {
		return from
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if hop = strings.TrimSpace(hop); hop == "" {
			continue
		}
		said, err := netip.ParseAddr(hop)
		if err != nil {
			return netip.Addr{}
		}
		if from = plain(said); !holds(n.proxies, from) {
			break
		}
	}
	return from
}

// asked is the address under which the hub was asked. A proxy that is believed says itself
// under which it was; of several that say so the last one spoke to the hub.
func (n *networks) asked(r *http.Request) string {
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if end, err := netip.ParseAddrPort(r.RemoteAddr); err != nil || !n.believes(end.Addr()) {
		return scheme + "://" + host
	}
	if said := lastOf(r.Header.Values("X-Forwarded-Proto")); said == "http" || said == "https" {
		scheme = said
	}
	said := lastOf(r.Header.Values("X-Forwarded-Host"))
	if u, err := url.Parse(scheme + "://" + said); err == nil && said != "" && u.Host == said {
		host = said
	}
	return scheme + "://" + host
}

// lastOf is the last item of a header's lists, in small letters.
func lastOf(values []string) string {
	all := strings.Join(values, ",")
	return strings.ToLower(strings.TrimSpace(all[strings.LastIndex(all, ",")+1:]))
}

func (n *networks) believes(proxy netip.Addr) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return holds(n.proxies, proxy)
}

// ParseNetworks reads networks as a person writes them: CIDR, or single addresses.
func ParseNetworks(texts []string) ([]netip.Prefix, error) {
	out := []netip.Prefix{}
	for _, text := range texts {
		text = strings.TrimSpace(text)
		p, err := netip.ParsePrefix(text)
		if a, aerr := netip.ParseAddr(text); err != nil && aerr == nil {
			a = plain(a)
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		if err != nil {
			return nil, errcode.New(errcode.Validation,
				"%q is no network: write it as 192.0.2.0/24, or as one address", text).
				With(errcode.KeyReason, "no_network").
				With("network", text)
		}
		if p.Addr().Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		if p = p.Masked(); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}
