package securityapi

import (
	"errors"
	"net/netip"
	"slices"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
)

// The page gets networks as they are typed, and an empty list instead of none.
func TestTexts(t *testing.T) {
	if got := texts(nil); got == nil || len(got) != 0 {
		t.Errorf("%#v", got)
	}
	want := []string{"192.0.2.0/24", "2001:db8::/32"}
	got := texts([]netip.Prefix{netip.MustParsePrefix(want[0]), netip.MustParsePrefix(want[1])})
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// An error names the list that it is about, and keeps its code.
func TestWithField_KeepsTheCode(t *testing.T) {
	err := withField(errcode.New(errcode.Validation, "no network"), "proxies")
	var e *errcode.Error
	if !errors.As(err, &e) || e.Code != errcode.Validation || e.Details[errcode.KeyField] != "proxies" {
		t.Errorf("%+v", err)
	}
}

// Who has a rooms token talks under another name than the hub, and than a person without a name.
func TestTR4_F14_NobodyIsNamedLikeTheHub(t *testing.T) {
	e := callerEdit{Seat: auth.Seat{Rooms: []string{"dev"}}}
	for _, e.As = range []string{"agentflow", "human", "Human"} {
		if _, err := e.seat(); !errcode.Is(err, errcode.Validation) {
			t.Errorf("taken: %v", err)
		}
	}
	e.As = "Planner"
	if _, err := e.seat(); err != nil {
		t.Error(err)
	}
}
