// Package ordered provides types that keep their order: a JSON object whose keys stay as
// they were written, and lists of keyed items whose orders are compared and merged.
package ordered

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Object holds the keys of a JSON object in the order of their source.
type Object []Field

// Field is one key with its value as JSON. An empty value is null.
type Field struct {
	Key   string
	Value json.RawMessage
}

// Get returns the value of the key, and whether it is there.
func (o Object) Get(key string) (json.RawMessage, bool) {
	for _, f := range o {
		if f.Key == key {
			return f.Value, true
		}
	}
	return nil, false
}

// Value returns the value of the key: null where it is empty, nil where the key is
// not there.
func (o Object) Value(key string) json.RawMessage {
	v, ok := o.Get(key)
	if !ok {
		return nil
	}
	return OrNull(v)
}

// With returns o with the key set, behind the others if it is new; nil removes it.
// It may change o itself.
func (o Object) With(key string, value json.RawMessage) Object {
	i := slices.IndexFunc(o, func(f Field) bool { return f.Key == key })
	switch {
	case i >= 0 && value == nil:
		return slices.Delete(o, i, i+1)
	case i >= 0:
		o[i].Value = value
		return o
	case value == nil:
		return o
	}
	return append(o, Field{Key: key, Value: value})
}

// Among returns the keys that other has as well, whatever it says there.
func (o Object) Among(other Object) Object {
	var out Object
	for _, f := range o {
		if _, there := other.Get(f.Key); there {
			out = append(out, f)
		}
	}
	return out
}

// Keys returns the keys in order.
func (o Object) Keys() []string {
	keys := make([]string, len(o))
	for i, f := range o {
		keys[i] = f.Key
	}
	return keys
}

// Equal reports whether both hold the same keys with the same values, in any order.
func (o Object) Equal(other Object) bool {
	if len(o) != len(other) {
		return false
	}
	for i, f := range o {
		v, ok := other[i].Value, other[i].Key == f.Key // the same order is the common case
		if !ok {
			v, ok = other.Get(f.Key)
		}
		if !ok || !SameJSON(f.Value, v) {
			return false
		}
	}
	return true
}

// Diff calls emit for every key that came, went or changed from base to o: the keys
// of o in their order, then those that went. Nil stands for a key that is not there.
func (o Object) Diff(base Object, emit func(key string, before, after json.RawMessage)) {
	for _, f := range o {
		before := base.Value(f.Key)
		if before == nil || !SameJSON(before, f.Value) {
			emit(f.Key, before, OrNull(f.Value))
		}
	}
	for _, f := range base {
		if _, ok := o.Get(f.Key); !ok {
			emit(f.Key, OrNull(f.Value), nil)
		}
	}
}

// MarshalJSON writes an object whose keys stand in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(f.Key)
		if err != nil {
			return nil, fmt.Errorf("extra key %q: %w", f.Key, err)
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
func (o *Object) UnmarshalJSON(data []byte) error {
	*o = nil
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	tok, err := d.Token()
	if err != nil {
		return fmt.Errorf("extra: %w", err)
	}
	if tok != json.Delim('{') {
		return fmt.Errorf("extra must be an object, not %v", tok)
	}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return fmt.Errorf("extra: %w", err)
		}
		key, ok := tok.(string)
		if !ok {
			return fmt.Errorf("extra: %v is not a key", tok)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return fmt.Errorf("extra.%s: %w", key, err)
		}
		*o = append(*o, Field{Key: key, Value: raw})
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("extra: %w", err)
	}
	return nil
}

// SameJSON compares values, not spellings: white space, escapes and the order of
// keys do not count. Numbers are compared as they are written.
func SameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	va, errA := decodeJSON(a)
	vb, errB := decodeJSON(b)
	return errA == nil && errB == nil && reflect.DeepEqual(va, vb)
}

func decodeJSON(raw json.RawMessage) (v any, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// SameValue is SameJSON, but a value that is not there differs from null.
func SameValue(a, b json.RawMessage) bool {
	return (a == nil) == (b == nil) && SameJSON(a, b)
}

// OrNull keeps a key without a value apart from a key that is not there.
func OrNull(v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return json.RawMessage("null")
	}
	return v
}
