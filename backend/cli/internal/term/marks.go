package term

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// unseen finds long runs of blanks and of empty lines, and characters that have no width, turn the
// direction, steer a terminal, or look like a blank. The page has the same rule (ui/unseen.ts).
var unseen = regexp.MustCompile(`[ \t]{20,}|(?:\r?\n){5,}|\r\n|` +
	`[\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Cc}\x{A0}\x{1680}\x{2000}-\x{200A}\x{202F}\x{205F}\x{115F}\x{1160}\x{3164}\x{FFA0}]`)

// Inline is Marked in one line: tabs and line breaks get a mark, too.
func Inline(text string) string {
	return unseen.ReplaceAllStringFunc(strings.ToValidUTF8(text, "\uFFFD"), func(run string) string {
		switch lines := strings.Count(run, "\n"); {
		case lines == 1:
			return "⏎"
		case lines > 1:
			return fmt.Sprintf("⏎×%d", lines)
		case run == "\t":
			return "⟨U+0009⟩"
		}
		return Marked(run)
	})
}

// Marked returns a text that a person decides about, whole, with a visible mark where something is
// that nobody sees.
func Marked(text string) string {
	return unseen.ReplaceAllStringFunc(strings.ToValidUTF8(text, "\uFFFD"), func(run string) string {
		lines := strings.Count(run, "\n")
		switch {
		case run == "\n" || run == "\t" || run == "\r\n":
			return run
		case lines > 0:
			return fmt.Sprintf("⏎×%d\n", lines)
		case len(run) > utf8.UTFMax:
			return fmt.Sprintf("␣×%d", len(run))
		}
		r, _ := utf8.DecodeRuneInString(run)
		return fmt.Sprintf("⟨%U⟩", r)
	})
}
