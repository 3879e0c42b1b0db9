// Package changeid builds the ids of changes, conflicts and findings out of what they are
// about, so that the same difference found again has the same id.
package changeid

import "strings"

var escaper = strings.NewReplacer("%", "%25", ":", "%3A", "#", "%23")

// Escape writes a name so that it cannot be taken for several parts.
func Escape(s string) string {
	for i := range len(s) {
		if c := s[i]; c == '%' || c == ':' || c == '#' {
			return escaper.Replace(s)
		}
	}
	return s
}

// ID joins a subject, a name and, if it is about no more, a field: "agent:dev-1:model".
func ID(subject, name, field string) string {
	if field == "" {
		return subject + ":" + Escape(name)
	}
	return subject + ":" + Escape(name) + ":" + Escape(field)
}
