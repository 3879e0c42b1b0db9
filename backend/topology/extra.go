package topology

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Extra holds keys that the product does not know, in the order of their source,
// so that they survive every round trip. In JSON it is an object.
type Extra []Field

// Field is one unknown key with its value as JSON.
type Field struct {
	Key   string
	Value json.RawMessage
}

// Get returns the value of the key, and whether it is there.
func (e Extra) Get(key string) (json.RawMessage, bool) {
	for _, f := range e {
		if f.Key == key {
			return f.Value, true
		}
	}
	return nil, false
}

// MarshalJSON writes an object whose keys stand in order.
func (e Extra) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range e {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(f.Key)
		if err != nil {
			return nil, fmt.Errorf("topology: extra key %q: %w", f.Key, err)
		}
		b.Write(key)
		b.WriteByte(':')
		if len(f.Value) == 0 {
			b.WriteString("null")
			continue
		}
		b.Write(f.Value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads an object and keeps the order of its keys.
func (e *Extra) UnmarshalJSON(data []byte) error {
	*e = nil
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	tok, err := d.Token()
	if err != nil {
		return fmt.Errorf("topology: extra: %w", err)
	}
	if tok != json.Delim('{') {
		return fmt.Errorf("topology: extra must be an object, not %v", tok)
	}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return fmt.Errorf("topology: extra: %w", err)
		}
		key, ok := tok.(string)
		if !ok {
			return fmt.Errorf("topology: extra: %v is not a key", tok)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return fmt.Errorf("topology: extra.%s: %w", key, err)
		}
		*e = append(*e, Field{Key: key, Value: raw})
	}
	return nil
}
