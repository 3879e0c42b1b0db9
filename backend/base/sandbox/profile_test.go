package sandbox

import (
	"strings"
	"testing"
)

// The profile for macOS names what can be reached, and nothing can break out of a name.
func TestTR3_TheProfileNamesWhatCanBeReached(t *testing.T) {
	p := policy{Read: []string{"/usr"}, Write: []string{`/w/a"b\c`}, Network: true}
	got := profile(p)
	for _, want := range []string{"(deny default)", `(allow file-read* (subpath "/usr"))`, `(allow file-read* file-write* (subpath "/w/a\"b\\c"))`, "(allow network-outbound (remote ip))"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	p.Network = false
	if got := profile(p); strings.Contains(got, "network") {
		t.Errorf("a network in\n%s", got)
	}
}
