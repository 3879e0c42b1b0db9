package codecli

import (
	"bytes"
	"unicode/utf8"
)

// maxText limits a text in an event, in encoded bytes. The middle of longer ones is removed before parsing, which
// would otherwise dominate the cost of a flood.
const maxText = 16 << 10

// omission replaces the middle of a shortened text.
const omission = " […] "

const half = maxText/2 - len(omission)

// shorten removes the middle of long texts in a JSON document, in place.
func shorten(line []byte) []byte {
	if len(line) <= maxText {
		return line
	}
	out := line[:0] // never ahead of the reader
	for rest := line; ; {
		i := bytes.IndexByte(rest, '"')
		if i < 0 {
			return append(out, rest...)
		}
		out, rest = append(out, rest[:i+1]...), rest[i+1:]
		n := closing(rest)
		if n < 0 {
			return append(out, rest...)
		}
		text, from, to := rest[:n], 0, 0
		if n > maxText {
			from, to = between(text, half), between(text, n-half)
		}
		if to-from > len(omission) {
			out = append(append(out, text[:from]...), omission...)
		} else {
			to = 0
		}
		out = append(out, text[to:]...)
		out, rest = append(out, '"'), rest[n+1:]
	}
}

// closing returns the index of the quote that ends a text, or -1.
func closing(text []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], '"')
		if i < 0 {
			return -1
		}
		at := from + i
		escapes := 0
		for at-escapes > 0 && text[at-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
		from = at + 1
	}
}

// between returns the last place up to at where a text can be cut: not inside a character or an escape.
func between(text []byte, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	first := max(0, at-len(`\u0000`)+1)
	if i := bytes.IndexByte(text[first:at], '\\'); i >= 0 {
		at = first + i
		for at > 0 && text[at-1] == '\\' { // keep escape pairs together
			at--
		}
	}
	return at
}
