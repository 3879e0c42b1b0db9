package codecli

import (
	"bytes"
	"unicode/utf8"
)

// maxText bounds a text within an event, in bytes as it is written. What is longer loses its
// middle before the event is read, which would take most of the time of a CLI that floods.
const maxText = 16 << 10

// omission stands where a text has lost its middle.
const omission = " […] "

const half = maxText/2 - len(omission)

// shorten takes the middle out of the long texts of a JSON document, in its place.
func shorten(line []byte) []byte {
	if len(line) <= maxText {
		return line
	}
	out := line[:0] // never ahead of what is read
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

// closing finds the quote that ends a text, or -1.
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

// between is the last place up to at where a text can be cut: within no character, and
// within no escape.
func between(text []byte, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	first := max(0, at-len(`\u0000`)+1)
	if i := bytes.IndexByte(text[first:at], '\\'); i >= 0 {
		at = first + i
		for at > 0 && text[at-1] == '\\' { // of a pair the first one counts
			at--
		}
	}
	return at
}
