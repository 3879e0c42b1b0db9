package gatewayconfig

import "encoding/json"

// Masked returns a JSON value in which every secret in clear is replaced by what gateways show in its place. It returns
// nil for what isn't JSON.
func Masked(raw json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	out, err := json.Marshal(mask("", v))
	if err != nil {
		return nil
	}
	return out
}

func mask(key string, v any) any {
	switch v := v.(type) {
	case string:
		if LooksSecret(key, v) {
			return Redacted
		}
	case map[string]any:
		for k, item := range v {
			v[k] = mask(k, item)
		}
	case []any:
		for i, item := range v {
			v[i] = mask(key, item)
		}
	}
	return v
}
