package changeid

import (
	"strings"
	"testing"
)

// A Writer writes what ID writes, and what it wrote stays as it was.
func TestWriterWritesIDs(t *testing.T) {
	var w Writer
	var got, want []string
	for i := range 500 {
		name := strings.Repeat("a:b#c%", i%40)
		for _, field := range []string{"", "name", "extra.x:y"} {
			got = append(got, w.ID("agent", name, field))
			want = append(want, ID("agent", name, field))
		}
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%d: %q, want %q", i, got[i], want[i])
		}
	}
}

func TestIDsCannotBeMistaken(t *testing.T) {
	if a, b := ID("agent", "x:name", ""), ID("agent", "x", "name"); a == b {
		t.Errorf("both are %q", a)
	}
	if got := ID("layout", "dev-1", ""); got != "layout:dev-1" {
		t.Error(got)
	}
}
