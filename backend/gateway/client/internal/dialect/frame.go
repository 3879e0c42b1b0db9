package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// maxDepth is how deep a frame may nest. Real frames stay below 20; the JSON
// decoder recurses, so the check comes before it.
const maxDepth = 64

var (
	errDepth = errors.New("the frame is nested deeper than 64 levels")
	errUTF8  = errors.New("the frame is not UTF-8 text")
)

// checkFrame refuses what must not reach the decoder. It needs no memory and
// does not check syntax, which the decoder does.
func checkFrame(data []byte) error {
	if !utf8.Valid(data) {
		return errUTF8
	}
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case inString && b == '\\':
			i++
		case b == '"':
			inString = !inString
		case inString:
		case b == '{' || b == '[':
			if depth++; depth > maxDepth {
				return errDepth
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return nil
}

// peekID finds the id of a frame that checkFrame refused, so that the call it
// answers can fail now and not at its timeout. It reads no deeper than maxDepth.
func peekID(data []byte) (string, bool) {
	if !isObject(data) {
		return "", false
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	depth, key, isKey := 0, "", false
	for range 4096 {
		tok, err := dec.Token()
		if err != nil || depth > maxDepth {
			return "", false
		}
		if d, ok := tok.(json.Delim); ok {
			if d == '{' || d == '[' {
				depth++
			} else {
				depth--
			}
			isKey, key = depth == 1, ""
			continue
		}
		if depth != 1 {
			continue
		}
		if isKey {
			key, _ = tok.(string)
			isKey = false
			continue
		}
		if key == "id" {
			return idText(tok)
		}
		isKey = true
	}
	return "", false
}

func idText(tok json.Token) (string, bool) {
	switch v := tok.(type) {
	case string:
		return v, v != ""
	case float64:
		b, err := json.Marshal(v)
		return string(b), err == nil
	}
	return "", false
}
