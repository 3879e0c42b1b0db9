// Package scalar says which styles of YAML can carry a text.
package scalar

import "strings"

// NeedsEscapes reports whether only double quotes can carry the text.
func NeedsEscapes(s string) bool {
	for _, r := range s {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			return true
		}
	}
	return false
}

// FitsLiteral reports whether a block (|) carries the text without an indentation mark.
func FitsLiteral(s string) bool {
	body := strings.TrimRight(s, "\n")
	if body == "" || NeedsEscapes(s) {
		return false
	}
	if body[0] == ' ' || body[0] == '\t' || body[0] == '\n' {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" && strings.Trim(line, " \t") == "" {
			return false
		}
	}
	return true
}
