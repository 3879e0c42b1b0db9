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

// Writer writes many ids into few pieces of memory. The zero Writer is ready.
type Writer struct {
	text  strings.Builder
	piece int
}

// ID is as the function of this name.
func (w *Writer) ID(subject, name, field string) string {
	const least, most = 64, 32 << 10
	name, field = Escape(name), Escape(field)
	if n := len(subject) + len(name) + len(field) + 2; w.text.Cap()-w.text.Len() < n {
		w.piece = min(max(2*w.piece, least), most) // the more there are, the larger
		w.text = strings.Builder{}
		w.text.Grow(max(w.piece, n))
	}
	from := w.text.Len()
	w.text.WriteString(subject)
	w.text.WriteByte(':')
	w.text.WriteString(name)
	if field != "" {
		w.text.WriteByte(':')
		w.text.WriteString(field)
	}
	return w.text.String()[from:]
}
