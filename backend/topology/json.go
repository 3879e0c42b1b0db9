package topology

import (
	"encoding/json"
	"math"
	"strconv"
)

// toJSON is json.Marshal, with a short way for what a large change set is full of.
func toJSON(v any) json.RawMessage {
	if s, ok := v.(string); ok && plain(s) {
		return append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
	}
	raw, err := json.Marshal(v)
	if err != nil { // only for what Validate refuses, such as a coordinate that is not a number
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

func pointJSON(p Point) json.RawMessage {
	if !decimal(p.X) || !decimal(p.Y) {
		return toJSON(p)
	}
	b := append(make([]byte, 0, 32), `{"x":`...)
	b = strconv.AppendFloat(b, p.X, 'f', -1, 64)
	b = append(b, `,"y":`...)
	b = strconv.AppendFloat(b, p.Y, 'f', -1, 64)
	return append(b, '}')
}

// decimal reports whether JSON writes a number without an exponent.
func decimal(f float64) bool {
	a := math.Abs(f)
	return a == 0 || a >= 1e-6 && a < 1e21
}
