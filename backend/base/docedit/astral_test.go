package docedit

import (
	"strings"
	"testing"
)

// TestYAML_WritesEmojiAsThemselves: people read team files and diffs; what looks like an
// escape, and private characters, stay what they are.
func TestYAML_WritesEmojiAsThemselves(t *testing.T) {
	for _, text := range []string{"🌸", "a: 🌸 🦀", "🌸\nand 🦀\n", `\U0001F338 🌸`, "\ue000🌸\ue001", "\x01🌸"} {
		doc, err := FromValue(Map(KV("emoji", String(text)), KV("🔑", String("x"))), YAML, "")
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(doc.Bytes(), "")
		if err != nil {
			t.Fatalf("%q: %v", doc.Bytes(), err)
		}
		got, _ := Text(Get(again.Root(), "emoji"))
		if got != text || !strings.Contains(string(doc.Bytes()), "🌸") && strings.Contains(text, "🌸") || !strings.Contains(string(doc.Bytes()), "🔑") {
			t.Errorf("%q was written as %s", text, doc.Bytes())
		}
	}
}
