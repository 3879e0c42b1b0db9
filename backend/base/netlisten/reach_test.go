package netlisten_test

import (
	"net"
	"net/netip"
	"net/url"
	"testing"

	"agentflow/backend/base/netlisten"
)

func TestAPP4_WhereTheHubIsReached(t *testing.T) {
	for address, want := range map[string]struct{ here, elsewhere string }{
		"http://127.0.0.1:18800":    {"http://127.0.0.1:18800", ""},
		"http://[::1]:18800":        {"http://[::1]:18800", ""},
		"https://192.0.2.7:18800":   {"https://192.0.2.7:18800", "https://192.0.2.7:18800"},
		"https://hub.example:18800": {"https://hub.example:18800", "https://hub.example:18800"},
	} {
		if got := netlisten.LocalAddress(address); got != want.here {
			t.Errorf("Here(%s) = %q", address, got)
		}
		if got := netlisten.OuterAddress(address); got != want.elsewhere {
			t.Errorf("Elsewhere(%s) = %q", address, got)
		}
	}
}

// TestAPP4_AllAddressesAreNoAddress: what listens on all addresses is named by one that can be connected to.
func TestAPP4_AllAddressesAreNoAddress(t *testing.T) {
	mine := map[string]bool{"": true} // a computer without a network has none
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		mine["https://"+net.JoinHostPort(netip.MustParsePrefix(a.String()).Addr().String(), "18800")] = true
	}
	for _, address := range []string{"https://0.0.0.0:18800", "https://[::]:18800"} {
		if got := netlisten.LocalAddress(address); got != "https://127.0.0.1:18800" {
			t.Errorf("Here(%s) = %q", address, got)
		}
		got := netlisten.OuterAddress(address)
		u, err := url.Parse(got)
		if err != nil || !mine[got] || netlisten.Local(u.Hostname()) {
			t.Errorf("Elsewhere(%s) = %q, of %v", address, got, mine)
		}
	}
}
