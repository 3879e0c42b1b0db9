package jsonnode

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Append appends a value as JSON: in one line where indent is empty. Aliases and
// merges are written out.
func Append(b []byte, n *yaml.Node, indent string) []byte { return appendJSON(b, n, indent, "\n") }

func appendJSON(b []byte, n *yaml.Node, indent, nl string) []byte {
	n = Resolve(n)
	if n == nil {
		return append(b, "null"...)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return appendObject(b, n, indent, nl)
	case yaml.SequenceNode:
		return appendArray(b, n.Content, indent, nl)
	}
	return appendScalar(b, n)
}

func appendObject(b []byte, n *yaml.Node, indent, nl string) []byte {
	b = append(b, '{')
	empty := true
	for k, v := range All(n) {
		if !empty {
			b = append(b, ',')
		}
		empty = false
		if indent != "" {
			b = append(append(b, nl...), indent...)
		}
		b = append(appendText(b, k.Value), ':')
		if indent != "" {
			b = append(b, ' ')
		}
		b = appendJSON(b, v, indent, nl+indent)
	}
	if indent != "" && !empty {
		b = append(b, nl...)
	}
	return append(b, '}')
}

func appendArray(b []byte, items []*yaml.Node, indent, nl string) []byte {
	if len(items) == 0 {
		return append(b, "[]"...)
	}
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if indent != "" {
			b = append(append(b, nl...), indent...)
		}
		b = appendJSON(b, item, indent, nl+indent)
	}
	if indent != "" {
		b = append(b, nl...)
	}
	return append(b, ']')
}

func appendScalar(b []byte, n *yaml.Node) []byte {
	switch n.ShortTag() {
	case tagNull:
		return append(b, "null"...)
	case tagBool:
		var v bool
		if n.Decode(&v) == nil {
			return strconv.AppendBool(b, v)
		}
	case tagInt, tagFloat:
		return appendNumber(b, n)
	}
	return appendText(b, n.Value)
}

// appendNumber keeps a number's own digits where JSON can say them.
func appendNumber(b []byte, n *yaml.Node) []byte {
	if isNumber(n.Value) {
		return append(b, n.Value...)
	}
	var v any
	if n.Decode(&v) != nil {
		return appendText(b, n.Value)
	}
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return appendText(b, n.Value)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return appendText(b, n.Value)
	}
	return append(b, raw...)
}

func appendText(b []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return append(append(append(b, '"'), s...), '"')
	}
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil { // a string can always be encoded
		return append(b, `""`...)
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte{'\n'})...)
}
