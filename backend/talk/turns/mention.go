package turns

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

func compare(a, b string) int { return cmp.Compare(a, b) }

// everybody is what means all agents after an @.
var everybody = []string{"all", "everyone", "全員", "みんな"}

// mentioned are the agents that a text names with an @.
func (t *conversation) mentioned(text string) map[*member]bool {
	var named map[*member]bool
	before := ' '
	for i, r := range text {
		if (r == '@' || r == '＠') && !latin(before) {
			for a := range t.called(text[i+utf8.RuneLen(r):]) {
				if named == nil {
					named = map[*member]bool{}
				}
				named[a] = true
			}
		}
		before = r
	}
	return named
}

// called are those whose name text begins with: the longest name counts.
func (t *conversation) called(text string) map[*member]bool {
	found := map[*member]bool{}
	longest := 0
	for _, a := range t.order {
		if n := startsWith(text, a.name); n > longest {
			clear(found)
			found[a], longest = true, n
		}
	}
	for _, word := range everybody {
		if n := startsWith(text, word); n > longest {
			longest = n
			for _, a := range t.order {
				if !a.out {
					found[a] = true
				}
			}
		}
	}
	return found
}

// startsWith is how many bytes of text a name takes up that it begins with, whatever the
// case of its letters; 0: it does not.
func startsWith(text, name string) int {
	end := 0
	for range utf8.RuneCountInString(name) {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
	}
	if end == 0 || !strings.EqualFold(text[:end], name) {
		return 0
	}
	last, _ := utf8.DecodeLastRuneInString(name)
	next, _ := utf8.DecodeRuneInString(text[end:])
	if latin(last) && latin(next) {
		return 0 // a longer word
	}
	return end
}

// latin are the letters and digits of scripts that put spaces between words.
func latin(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
