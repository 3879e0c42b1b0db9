// Package rawjson writes values as JSON where a value that JSON can't hold is no error.
package rawjson

import "encoding/json"

// Of returns a value as JSON; nil for what JSON can't hold, such as a number that is not finite.
func Of(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}
