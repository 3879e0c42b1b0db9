package engine

import (
	"path/filepath"
	"testing"
)

// A workspace such as ~/project is the folder in the home for plans, too.
func TestPlanFolder_ExpandsTheHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, c := range [][2]string{{"~/set", "~/mine"}, {"", "~/set"}} {
		if got := planFolder(c[0], c[1]); got != filepath.Join(home, "set") {
			t.Errorf("%q: %s", c, got)
		}
	}
	if got := planFolder("", ""); got != "" {
		t.Errorf("no folder is %q", got)
	}
}
