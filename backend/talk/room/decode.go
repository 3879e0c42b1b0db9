package room

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
)

var draftKeys = []string{"room", "sender", "message", "timestamp", "type", "clientMessageId", "cause", "id"}

// Decode reads one ChatMessage, strictly: what JSON libraries mend or drop in silence
// (keys twice or unknown, invalid UTF-8, halves of surrogate pairs) is refused. An id is
// allowed and ignored. room is the room if the message names none; a message for another
// room is refused.
func Decode(raw []byte, room string) (Draft, error) {
	var d Draft
	if !utf8.Valid(raw) {
		return d, errcode.New(errcode.Validation, "the message is not valid UTF-8")
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return d, badJSON(err)
	}
	if err := checkKeys(raw); err != nil {
		return d, err
	}
	if d.Cause != nil && d.Type != System {
		return d, invalid("cause", "only a system message has a cause") // the hub marks stopped answers
	}
	if d.Room == "" {
		d.Room = room
	}
	if room != "" && d.Room != room {
		if name, err := Name("room", d.Room); err != nil || name != room {
			return d, invalid("room", "the message is for another room than %q", room)
		}
	}
	return d, nil
}

func badJSON(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return invalid(wrong.Field, "%s is a %s, not a text", wrong.Field, wrong.Value)
	}
	return errcode.Wrap(errcode.Validation, err, "the message is not a JSON object")
}

// checkKeys looks at the keys of an object that is known to be valid JSON.
func checkKeys(raw []byte) error {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' {
		return errcode.New(errcode.Validation, "the message is not a JSON object")
	}
	var seen []string
	depth, key := 0, false
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '{', '[':
			depth++
			key = depth == 1
		case '}', ']':
			depth--
		case ',':
			key = depth == 1
		case '"':
			end := i + 1
			for raw[end] != '"' {
				if raw[end] == '\\' {
					end++
				}
				end++
			}
			text := raw[i : end+1]
			i = end
			if halfPair(text) {
				return errcode.New(errcode.Validation, "the message holds half of a surrogate pair")
			}
			if !key {
				continue
			}
			key = false
			name, err := strconv.Unquote(string(text))
			if err != nil || !slices.Contains(draftKeys, name) {
				return invalid(
					shorten(name),
					"the key %s is unknown: a message has room, sender, message, timestamp, type, clientMessageId and cause",
					shorten(string(text)),
				)
			}
			if slices.Contains(seen, name) {
				return invalid(name, "the key %q stands there twice", name)
			}
			seen = append(seen, name)
		}
	}
	return nil
}

// halfPair reports whether the JSON string has an escape \uD800 to \uDFFF without its
// other half, which decoders turn into another character.
func halfPair(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if text[i+1] != 'u' {
			i++
			continue
		}
		r := escaped(text[i:])
		i += 5
		if !utf16.IsSurrogate(r) {
			continue
		}
		if utf16.DecodeRune(r, escaped(text[i+1:])) == utf8.RuneError {
			return true
		}
		i += 6
	}
	return false
}

// escaped is the value of the escape \uXXXX that text begins with, or 0.
func escaped(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 32)
	if err != nil {
		return 0
	}
	return rune(n)
}
