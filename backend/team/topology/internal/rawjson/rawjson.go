// Package rawjson writes values as encoding/json does, with a short way for what large
// change sets are full of.
package rawjson

import (
	"encoding/json"
	"math"
	"strconv"
)

// Writer writes many values into few pieces of memory. The zero Writer is ready.
type Writer struct {
	raw   []byte
	piece int
}

// In is Of, into the memory of w, if there is one.
func In[T any](w *Writer, v T) json.RawMessage {
	s, ok := any(v).(string)
	if w == nil || !ok || !plain(s) {
		return Of(v)
	}
	const least, most = 64, 32 << 10
	if n := len(s) + 2; cap(w.raw)-len(w.raw) < n {
		w.piece = min(max(2*w.piece, least), most) // the more there are, the larger
		w.raw = make([]byte, 0, max(w.piece, n))
	}
	from := len(w.raw)
	w.raw = append(append(append(w.raw, '"'), s...), '"')
	return w.raw[from:len(w.raw):len(w.raw)]
}

// Of returns a value as JSON; nil for what JSON cannot hold, such as a number that is
// not finite.
func Of[T any](v T) json.RawMessage {
	if s, ok := any(v).(string); ok && plain(s) {
		return append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}

// plain reports whether JSON writes a text as it is, between quotes.
func plain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

// Point returns a place on a plane as {"x":…,"y":…}, see Of.
func Point(x, y float64) json.RawMessage {
	if !decimal(x) || !decimal(y) {
		return Of(struct {
			X float64 `json:"x"`
			Y float64 `json:"y"`
		}{x, y})
	}
	b := append(make([]byte, 0, 32), `{"x":`...)
	b = strconv.AppendFloat(b, x, 'f', -1, 64)
	b = append(b, `,"y":`...)
	b = strconv.AppendFloat(b, y, 'f', -1, 64)
	return append(b, '}')
}

// decimal reports whether JSON writes a number without an exponent.
func decimal(f float64) bool {
	a := math.Abs(f)
	return a == 0 || a >= 1e-6 && a < 1e21
}
