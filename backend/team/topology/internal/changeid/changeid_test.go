package changeid

import "testing"

func TestIDsCannotBeMistaken(t *testing.T) {
	if a, b := ID("agent", "x:name", ""), ID("agent", "x", "name"); a == b {
		t.Errorf("both are %q", a)
	}
	if got := ID("layout", "dev-1", ""); got != "layout:dev-1" {
		t.Error(got)
	}
}
