package scalar

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

var texts = []string{
	"", "a", "a\nb\n", "a\n\n b", " a", "\ta", "\na", "a\n \nb", "a\t\nb", "\n",
	"日本語\nの文", "a\rb", "a\u0085b", "a\u2028b", "a\ufeffb", "a\x00",
}

// A text that fits a block comes back from it as it was, with the right mark for its end.
func TestFitsLiteral_ComesBackTheSame(t *testing.T) {
	fit := 0
	for _, s := range texts {
		if !FitsLiteral(s) {
			continue
		}
		fit++
		body := strings.TrimRight(s, "\n")
		mark := map[int]string{0: "-", 1: ""}[len(s)-len(body)]
		var got map[string]string
		src := "k: |" + mark + "\n  " + strings.ReplaceAll(body, "\n", "\n  ") + "\n"
		if err := yaml.Unmarshal([]byte(src), &got); err != nil || got["k"] != s {
			t.Errorf("%q came back as %q: %v", s, got["k"], err)
		}
	}
	if fit != 5 {
		t.Errorf("%d texts fit, want 5", fit)
	}
}

// What only double quotes can carry is what a block would lose or what YAML forbids.
func TestNeedsEscapes(t *testing.T) {
	for _, s := range texts {
		if got, want := NeedsEscapes(s), strings.ContainsAny(s, "\r\x00\u0085\u2028\ufeff"); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
