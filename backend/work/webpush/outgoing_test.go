package webpush

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// A name is checked when it is looked up: one that leads into a private network gets no connection.
func TestTR4_F22_ANameThatLeadsInsideGetsNoConnection(t *testing.T) {
	reached := false
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer inside.Close()
	way := outgoing()
	_, port, _ := net.SplitHostPort(inside.Listener.Addr().String())
	// localhost stands for any name that a foreign name server leads here.
	_, err := way.DialContext(context.Background(), "tcp", net.JoinHostPort("localhost", port))
	if !errors.Is(err, errPrivate) {
		t.Errorf("%v", err)
	}
	client := &http.Client{Transport: way}
	res, err := client.Get("https://127.0.0.1:" + port)
	if err == nil || reached || !errors.Is(err, errPrivate) {
		t.Errorf("%v %v", res, err)
	}
}

func TestTR4_F22_WhichAddressesAreOnTheInternet(t *testing.T) {
	for _, text := range []string{"8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450:4001::1"} {
		if !public(netip.MustParseAddr(text)) {
			t.Errorf("%s is on the internet", text)
		}
	}
	for _, text := range strings.Fields("0.0.0.0 10.1.2.3 100.100.0.1 127.0.0.1 169.254.169.254 172.31.0.1 192.0.0.1 " +
		"192.0.2.1 192.168.0.1 198.19.0.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 " +
		"::ffff:10.0.0.1 64:ff9b::a00:1 100::1 2001::1 2001:db8::1 2002:a00:1:: " +
		"fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1") {
		if public(netip.MustParseAddr(text)) {
			t.Errorf("%s isn't on the internet", text)
		}
	}
}
